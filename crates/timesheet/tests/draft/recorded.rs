//! Tests that find the recorded time during work whose start and end the user stated. The results are compared with a
//! simple count of each second.

use std::collections::BTreeSet;

use dayledger_timesheet::draft::recorded_times;
use proptest::prelude::*;

use super::world::{END, START, any_world};

proptest! {
    #[test]
    fn recorded_time_is_the_activity_that_is_not_evidence_of_an_entry(
        world in any_world(),
        times in prop::collection::vec((START..END, 0..40_000_i64), 1..4),
    ) {
        let times: Vec<_> = times.into_iter().map(|(start, length)| start..start + length).collect();
        let mut free: BTreeSet<i64> =
            world.periods.iter().flat_map(|period| period.start_utc..period.end_utc).collect();
        for interval in world.entries.iter().flat_map(|(_, evidence)| evidence) {
            free.retain(|second| !(interval.start_utc..interval.end_utc).contains(second));
        }

        let recorded = world.with_input(|input| recorded_times(input, &times));
        prop_assert_eq!(recorded.len(), times.len());
        for (time, recorded) in times.into_iter().zip(recorded) {
            let expected: BTreeSet<i64> = free.iter().copied().filter(|second| time.contains(second)).collect();
            free.retain(|second| !expected.contains(second));
            prop_assert!(recorded.evidence.is_sorted_by(|one, next| one.end_utc <= next.start_utc));
            let found: BTreeSet<i64> =
                recorded.evidence.iter().flat_map(|interval| interval.start_utc..interval.end_utc).collect();
            prop_assert_eq!(i64::try_from(found.len()).unwrap(), recorded.seconds());
            prop_assert_eq!(found, expected);
            prop_assert!(recorded.known_by.iter().all(|item| item.seconds > 0 && item.seconds <= recorded.seconds()));
        }
    }
}
