//! Tests that entries which log time twice are rejected.

use std::collections::{BTreeMap, BTreeSet};

use dayledger_timesheet::rules::overlap::check_overlaps;
use dayledger_timesheet::{Code, Day, Evidence, Hours, LoggedEntry, NewEntry, TimeEntry};
use proptest::prelude::*;

use super::world::{day, entries, entry};

/// Returns the field that a simple count of seconds finds invalid, if any.
fn naive_conflict(new: &NewEntry, others: &[(TimeEntry, Vec<Evidence>)]) -> Option<&'static str> {
    let seconds = |evidence: &[Evidence]| -> BTreeSet<i64> {
        evidence.iter().flat_map(|interval| interval.start_utc..interval.end_utc).collect()
    };
    let evidence = seconds(&new.evidence);
    if others.iter().any(|(_, other)| !seconds(other).is_disjoint(&evidence)) {
        return Some("evidence");
    }
    let mut days: BTreeMap<Day, i64> = BTreeMap::new();
    let mut deal = |first: Day, last: Day, hours: Hours| {
        let its: Vec<_> = (-9..20).map(day).filter(|day| (first..=last).contains(day)).collect();
        for second in 0..hours.hundredths() * 36 {
            *days.entry(its[usize::try_from(second).unwrap() % its.len()]).or_default() += 1;
        }
    };
    deal(new.start_date, new.completion_date, new.standard_hours);
    for (other, _) in others {
        deal(other.start_date, other.completion_date, other.total_hours());
    }
    let of_new = |day: &Day| (new.start_date..=new.completion_date).contains(day);
    days.iter().any(|(day, seconds)| of_new(day) && *seconds > 24 * 3600).then_some("standardHours")
}

proptest! {
    #[test]
    fn overlap_check_equals_a_naive_count(mut entries in entries(), more in 1..4_i64) {
        prop_assume!(!entries.is_empty());
        // Multiply the hours, so that some days become full.
        for (entry, _) in &mut entries {
            entry.standard_hours = Hours::from_hundredths(entry.standard_hours.hundredths() * more);
        }
        let (new, evidence) = entries.pop().unwrap();
        let hours = new.standard_hours;
        let new = NewEntry {
            evidence,
            ..NewEntry::new(&new.project_code, &new.task, hours, new.start_date, new.completion_date)
        };
        let others: Vec<_> = entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
        let refusal = check_overlaps(&new, &others).err();
        prop_assert!(refusal.iter().all(|refusal| refusal.code == Code::ValidationError));
        let field = refusal.and_then(|refusal| refusal.field);
        prop_assert_eq!(field.as_deref(), naive_conflict(&new, &entries));
    }
}

#[test]
fn overlap_error_names_the_entry_and_the_duration() {
    let hours = |text: &str| text.parse::<Hours>().unwrap();
    let interval = |start_utc, end_utc| Evidence { start_utc, end_utc, device: None, activity: None, utc_offset: None };
    let other = entry(1, "A", "x", hours("20"), day(0), day(0));
    let others = [LoggedEntry { entry: &other, evidence: &[interval(0, 3600), interval(3000, 7200)] }];
    let new = NewEntry { evidence: vec![interval(1800, 7140)], ..NewEntry::new("B", "z", hours("1"), day(0), day(0)) };
    let refusal = check_overlaps(&new, &others).unwrap_err();
    assert_eq!(
        refusal.message,
        "1 h 29 min of it are also evidence of time entry '00000000-0000-0000-0000-000000000001' on A, 2025-10-23: change \
         that entry, or allow overlaps"
    );
    let long = NewEntry::new("B", "z", hours("4.01"), day(0), day(0));
    let refusal = check_overlaps(&long, &others).unwrap_err();
    assert_eq!(
        refusal.message,
        "with it 2025-10-23 would have 24 h 0 min, which is more than 24 hours: log less, or allow overlaps"
    );
    let second =
        NewEntry { evidence: vec![interval(7199, 7300)], ..NewEntry::new("B", "z", hours("1"), day(0), day(0)) };
    let refusal = check_overlaps(&second, &others).unwrap_err();
    assert!(refusal.message.starts_with("1 s of it"), "{refusal}");
    let touching = NewEntry { evidence: vec![interval(7200, 7300)], ..second };
    assert_eq!(check_overlaps(&touching, &others), Ok(()));
    // 160 hours and 36 seconds over 40 days give four hours per day. The first 36 days get one more second each.
    let uneven = NewEntry::new("B", "z", hours("160.01"), day(0), day(39));
    assert_eq!(check_overlaps(&uneven, &others).unwrap_err().field.as_deref(), Some("standardHours"));
    for (hours_of, first, last) in [("4", 0, 0), ("24", 1, 1), ("8", 0, 1)] {
        let fits = NewEntry::new("B", "z", hours(hours_of), day(first), day(last));
        assert_eq!(check_overlaps(&fits, &others), Ok(()));
    }
}
