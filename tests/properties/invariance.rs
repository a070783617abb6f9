//! Equivalent inputs must give equal results. A row must count like its two halves, and a tool must count like SQL.

use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;

use crate::histories::OpenHistory;
use crate::histories::random::{device, range};

const SEGMENTS: &str = "SELECT device, start_local, end_local, start_utc, end_utc, seconds, application, document, \
                        website, array_to_string(tags, '+') \
                        FROM narrative('2026-10-24', '2026-11-14', 2) ORDER BY start_utc, device";

proptest! {
    #![proptest_config(super::config(3))]

    #[test]
    fn splitting_a_row_does_not_change_segments(device in device(), share in 1..100_i64) {
        // At the clock change, the halves of a row have different offsets. Therefore, rows are first split at the clock
        // change in both histories.
        let whole = device.split_at_clock_change();
        let split = whole.split_rows(share);
        let [whole, split] = [whole, split].map(|device| OpenHistory::from_devices(&[device], &SchemaOptions::default()));
        prop_assert_eq!(whole.sql(SEGMENTS), split.sql(SEGMENTS));
    }

    #[test]
    fn tool_and_sql_return_the_same_segments(devices in [device(), device()]) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let actual: Vec<_> = history.narrative(range()).segments.unwrap().into_iter().map(|segment| {
            let texts = [Some(segment.start), Some(segment.end), Some(segment.application), segment.document, segment.website];
            texts.map(Option::unwrap_or_default).join("|")
        }).collect();
        let rows = history.sql(
            "SELECT start_local, end_local, application, document, website \
             FROM narrative('2026-10-24', '2026-11-14', 2) ORDER BY start_utc, device",
        );
        prop_assert_eq!(actual, rows);
    }
}
