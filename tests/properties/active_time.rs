//! Checks that active intervals, segments, days and weekdays agree on active time, and that the active time equals the
//! counted seconds.

use std::collections::BTreeSet;

use dayledger::request::minutes;
use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;

use crate::histories::OpenHistory;
use crate::histories::random::{Device, by_day, device, range};

/// The range of the whole history, as arguments of a table function.
const RANGE: &str = "'2026-10-24', '2026-11-14'";

/// Returns the active time as SQL computes it in seven ways. The first two are the union of the pieces, and the sum of
/// the pieces. The others are the sums over segments, days, weekdays, the pieces of each day, and blocks.
fn sums(history: &OpenHistory) -> Vec<i64> {
    let days: Vec<_> =
        (24..=26).map(|day| format!("SELECT seconds FROM pieces('2026-10-{day}', '2026-10-{}')", day + 1)).collect();
    let later = "SELECT seconds FROM pieces('2026-10-27', '2026-11-14')";
    history.numbers(&format!(
        "SELECT
            (SELECT union_seconds(start_utc, end_utc) FROM pieces({RANGE})),
            (SELECT sum(seconds) FROM pieces({RANGE})),
            (SELECT sum(seconds) FROM narrative({RANGE}, 2)),
            (SELECT sum(active_seconds) FROM day_summary({RANGE})),
            (SELECT sum(active_seconds) FROM weekday_pattern({RANGE})),
            (SELECT sum(seconds) FROM ({} UNION ALL {later})),
            (SELECT sum(seconds) FROM blocks({RANGE}))",
        days.join(" UNION ALL ")
    ))
}

fn count_seconds(seconds: &BTreeSet<i64>) -> i64 {
    i64::try_from(seconds.len()).unwrap()
}

proptest! {
    #![proptest_config(super::config(3))]

    #[test]
    fn every_sum_of_one_device_equals_counted_seconds(device in device()) {
        let history = OpenHistory::from_devices(std::slice::from_ref(&device), &SchemaOptions::default());
        let seconds = count_seconds(&device.seconds());
        prop_assert_eq!(sums(&history), vec![seconds; 7]);
        let narrative = history.narrative(range());
        prop_assert_eq!(narrative.total_active_minutes, minutes(seconds));
    }

    #[test]
    fn minute_on_two_devices_counts_once(devices in [device(), device()]) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let [first, second] = devices.each_ref().map(Device::seconds);
        let (union, each) = (count_seconds(&(&first | &second)), count_seconds(&first) + count_seconds(&second));
        // Pieces and segments count the time of each device separately. Days, weekdays and blocks count simultaneous
        // time on several devices only once.
        prop_assert_eq!(sums(&history), [union, each, each, union, union, each, union]);
        let overlapping = history.numbers(&format!(
            "SELECT count(*) FROM (
                SELECT start_utc, lag(end_utc) OVER (PARTITION BY device ORDER BY start_utc, end_utc) AS before
                FROM pieces({RANGE})
            ) WHERE start_utc < before"
        ));
        prop_assert_eq!(overlapping, [0]);
    }

    #[test]
    fn days_and_weekdays_equal_counted_seconds(devices in [device(), device()]) {
        let devices = devices.map(|device| device.split_at_clock_change());
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let period = history.period(range());
        let seconds = &devices[0].seconds() | &devices[1].seconds();
        let expected: Vec<_> =
            by_day(seconds.iter().copied()).into_iter().map(|(day, seconds)| (day.to_string(), minutes(seconds))).collect();
        let days: Vec<_> = period.days.iter().map(|day| (day.date.clone(), day.total_active_minutes)).collect();
        prop_assert_eq!(days, expected);
        prop_assert_eq!(period.total_active_minutes, minutes(count_seconds(&seconds)));
        prop_assert_eq!(period.patterns.day_of_week_distribution.len(), 7);
        let narrative = history.narrative(range());
        prop_assert_eq!(narrative.total_active_minutes, period.total_active_minutes);
    }
}
