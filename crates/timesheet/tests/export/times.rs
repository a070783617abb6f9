//! Tests that entries drafted from activity are exported with the times of this activity.

use dayledger_timesheet::export::{Format, local_times};
use dayledger_timesheet::{Evidence, LoggedEntry};
use proptest::prelude::*;

use super::readers::{ics, timeclock};
use super::samples::{day, entries, entry};
use super::{file, file_of};

/// The UTC offset in seconds: two hours ahead of UTC.
const OFFSET: i64 = 7200;

/// Returns evidence on 20 October 2025. `minutes` contains the start and the end of each interval, in minutes of the
/// local day.
fn evidence(minutes: &[(i64, i64)], utc_offset: Option<i64>) -> Vec<Evidence> {
    let midnight = day(0).date().and_time(chrono::NaiveTime::MIN).and_utc().timestamp() - OFFSET;
    let interval = |(start, end): &(i64, i64)| Evidence {
        start_utc: midnight + start * 60,
        end_utc: midnight + end * 60,
        device: None,
        activity: None,
        utc_offset,
    };
    minutes.iter().map(interval).collect()
}

#[test]
fn drafted_entries_are_at_the_times_of_their_activity() {
    let (billing, stock, call) = (
        entry(1, "NW", "Billing", 200, 0, 0),
        entry(2, "HARBOUR", "Stock", 225, 0, 0),
        entry(3, "NW", "Call", 50, 0, 0),
    );
    let drafted = evidence(&[(549, 600), (815, 883)], Some(OFFSET));
    let between = evidence(&[(600, 739)], Some(OFFSET));
    let logged = [
        LoggedEntry { entry: &billing, evidence: &drafted },
        LoggedEntry { entry: &call, evidence: &[] },
        LoggedEntry { entry: &stock, evidence: &between },
    ];
    assert_eq!(
        file_of(Format::Timeclock, &logged),
        "; Hours are from the timesheet. Entries marked `time of day not recorded` have placeholder times.\n\n\
         i 2025-10-20 09:09:00 NW:Billing\no 2025-10-20 10:00:00\n\n\
         i 2025-10-20 10:00:00 HARBOUR:Stock\no 2025-10-20 12:15:00\n\n\
         i 2025-10-20 13:35:00 NW:Billing\no 2025-10-20 14:44:00\n\n\
         ; time of day not recorded\n\
         i 2025-10-20 09:00:00 NW:Call\no 2025-10-20 09:30:00\n"
    );
    let calendar = file_of(Format::Ics, &logged);
    assert!(
        calendar.contains("DTSTART:20251020T070900Z\r\nDURATION:PT51M\r\nSUMMARY:NW\\, Billing\r\nCATEG"),
        "{calendar}"
    );
    let unknown = "DTSTART:20251020T090000\r\nDURATION:PT30M\r\nSUMMARY:NW\\, Call\r\n\
                   DESCRIPTION:(time of day not recorded)\r\n";
    assert!(calendar.contains(unknown) && calendar.matches("not recorded").count() == 1, "{calendar}");
    let times: Vec<_> = local_times(logged[0]).iter().map(|(start, end)| format!("{start} {end}")).collect();
    assert_eq!(times, ["2025-10-20 09:09:00 2025-10-20 10:00:00", "2025-10-20 13:35:00 2025-10-20 14:44:00"]);
    assert_eq!(local_times(logged[1]), []);
}

/// In the first case, the user moved the entry to the next day. In the second case, the user extended the entry by a
/// day. In the third case, an earlier version logged the entry.
#[test]
fn activity_of_another_day_or_without_a_time_zone_gives_no_times() {
    let (moved, longer) = (entry(1, "NW", "Billing", 200, 1, 1), entry(2, "NW", "Billing", 200, 0, 1));
    let drafted = evidence(&[(540, 660)], Some(OFFSET));
    let old = evidence(&[(540, 660)], None);
    let moved = LoggedEntry { entry: &moved, evidence: &drafted };
    let longer = LoggedEntry { entry: &longer, evidence: &drafted };
    for (logged, recorded) in [(moved, 0), (longer, 1), (LoggedEntry { evidence: &old, ..longer }, 0)] {
        let read = ics(&file_of(Format::Ics, &[logged]));
        let known = file_of(Format::Ics, &[logged]).matches("00Z\r\nDURATION").count();
        assert_eq!((known, read.iter().map(|read| read.seconds).sum::<i64>()), (recorded, 2 * 3600));
        assert_eq!(local_times(logged), []);
    }
}

proptest! {
    /// The exported times of a task on a day must add up to its hours.
    #[test]
    fn recorded_times_add_up_to_the_hours(
        entries in entries(),
        minutes in prop::collection::vec(prop::collection::vec((0..1440_i64, 1..200_i64), 0..6), 9),
    ) {
        let evidence: Vec<_> = minutes.iter().map(|times| {
            let times: Vec<_> = times.iter().map(|(start, length)| (*start, (start + length).min(1440))).collect();
            evidence(&times, Some(OFFSET))
        }).collect();
        let logged: Vec<_> =
            entries.iter().zip(&evidence).map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
        let sums = |file: &str, read: fn(&str) -> Vec<super::readers::ParsedEntry>| {
            let mut sums = std::collections::BTreeMap::new();
            for read in read(file) {
                *sums.entry((read.day, read.project, read.task)).or_insert(0) += read.seconds;
            }
            sums
        };
        prop_assert_eq!(sums(&file_of(Format::Timeclock, &logged), timeclock), sums(&file(Format::Timeclock, &entries), timeclock));
    }
}
