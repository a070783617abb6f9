//! Test cases for entries that log time twice.

use dayledger_timesheet::{Changes, Evidence, IdempotencyKey, NewEntry, OverlapPolicy, TimeEntry};

use super::{Harness, count, day, development, expect_logged, hours, invalid, new, standard_hours};

async fn log(harness: &dyn Harness, entry: NewEntry) -> Result<TimeEntry, dayledger_timesheet::Refusal> {
    harness.timesheet().log(IdempotencyKey::new(), entry, OverlapPolicy::Refused).await
}

fn with_dates(start: &str, end: &str, entry: NewEntry) -> NewEntry {
    NewEntry { start_date: day(start), completion_date: day(end), ..entry }
}

/// The limit also applies if the new entry or an existing entry is spread over several days.
pub(crate) async fn a_new_entry_cannot_exceed_24_hours_per_day(harness: &dyn Harness) {
    expect_logged(harness, with_dates("2025-10-20", "2025-10-24", development("50"))).await;
    expect_logged(harness, with_dates("2025-10-24", "2025-10-28", development("25"))).await;
    expect_logged(harness, with_dates("2025-10-25", "2025-10-31", development("140"))).await;
    let refusal = invalid(log(harness, development("9.01")).await, "standardHours");
    assert!(refusal.message.starts_with("with it 2025-10-24 would have 24 h 0 min"), "{refusal}");
    log(harness, development("9")).await.unwrap();
    log(harness, new("CLIENT-A", "Support", "0")).await.unwrap();
    invalid(log(harness, new("CLIENT-A", "Support", "0.01")).await, "standardHours");
    invalid(log(harness, with_dates("2025-10-19", "2025-10-24", development("0.01"))).await, "standardHours");
    log(harness, with_dates("2025-10-19", "2025-10-23", development("0.01"))).await.unwrap();
    expect_logged(harness, development("24")).await;
    assert_eq!(count(harness).await, 7);
}

/// The rule also applies to evidence over several days, and to an entry that isn't logged on the day of its evidence.
pub(crate) async fn a_second_is_evidence_of_only_one_entry(harness: &dyn Harness) {
    const DAY: i64 = 86_400;

    let covering = |start_utc: i64, end_utc: i64, on: &str| NewEntry {
        evidence: vec![Evidence { start_utc, end_utc, device: None, activity: None, utc_offset: None }],
        ..with_dates(on, on, development("0.1"))
    };
    let short = log(harness, covering(10 * DAY, 11 * DAY, "2025-10-01")).await.unwrap();
    let long = log(harness, covering(20 * DAY, 29 * DAY, "2025-10-02")).await.unwrap();
    for (start, end, other) in [
        (10 * DAY - 5, 10 * DAY + 1, Some(&short)),
        (11 * DAY - 1, 11 * DAY + 5, Some(&short)),
        (10 * DAY + 50, 10 * DAY + 51, Some(&short)),
        (0, 12 * DAY, Some(&short)),
        (20 * DAY - 5, 20 * DAY + 1, Some(&long)),
        (29 * DAY - 1, 29 * DAY + 5, Some(&long)),
        (25 * DAY, 25 * DAY + 1, Some(&long)),
        (12 * DAY, 40 * DAY, Some(&long)),
        (10 * DAY - 5, 10 * DAY, None),
        (11 * DAY, 11 * DAY + 5, None),
        (20 * DAY - 5, 20 * DAY, None),
        (29 * DAY, 29 * DAY + 5, None),
    ] {
        let answer = log(harness, covering(start, end, "2025-10-24")).await;
        let Some(other) = other else {
            answer.unwrap();
            continue;
        };
        let refusal = invalid(answer, "evidence");
        assert!(refusal.message.contains(&other.id.to_string()), "{start} to {end}: {refusal}");
    }
    expect_logged(harness, covering(10 * DAY, 29 * DAY, "2025-10-24")).await;
    harness.timesheet().delete(short.id).await.unwrap();
    let refusal = invalid(log(harness, covering(10 * DAY, 11 * DAY, "2025-10-24")).await, "evidence");
    assert!(!refusal.message.contains(&short.id.to_string()), "a deleted entry has no evidence: {refusal}");
}

pub(crate) async fn a_repeated_key_does_not_overlap_its_own_entry(harness: &dyn Harness) {
    let key = IdempotencyKey::new();
    let evidence = vec![Evidence { start_utc: 0, end_utc: 60, device: None, activity: None, utc_offset: None }];
    let entry = NewEntry { evidence, ..development("24") };
    let logged = harness.timesheet().log(key, entry.clone(), OverlapPolicy::Refused).await.unwrap();
    assert_eq!(harness.timesheet().log(key, entry.clone(), OverlapPolicy::Refused).await.unwrap(), logged);
    let other = IdempotencyKey::new();
    invalid(harness.timesheet().log(other, entry.clone(), OverlapPolicy::Refused).await, "evidence");
    harness.timesheet().delete(logged.id).await.unwrap();
    harness.timesheet().log(other, entry, OverlapPolicy::Refused).await.unwrap();
    assert_eq!(count(harness).await, 1);
}

/// A change that adds hours or moves the entry to another day must keep within 24 hours. A change that reduces the
/// hours is always allowed.
pub(crate) async fn a_change_cannot_exceed_24_hours_per_day(harness: &dyn Harness) {
    let timesheet = harness.timesheet();
    expect_logged(harness, development("20")).await;
    expect_logged(harness, with_dates("2025-10-26", "2025-10-27", development("40"))).await;
    let entry = expect_logged(harness, new("CLIENT-A", "Support", "4")).await;
    let update = async |changes| timesheet.update(entry.id, changes, OverlapPolicy::Refused).await;
    let refusal = invalid(update(standard_hours("4.01")).await, "standardHours");
    assert!(refusal.message.starts_with("with it 2025-10-24 would have 24 h 0 min"), "{refusal}");
    let overtime = Changes { overtime_hours: Some(hours("0.5")), ..Changes::default() };
    invalid(update(overtime).await, "standardHours");
    let to = |first, last| Changes {
        start_date: Some(day(first)),
        completion_date: Some(day(last)),
        standard_hours: Some(hours("5")),
        ..Changes::default()
    };
    invalid(update(to("2025-10-27", "2025-10-27")).await, "standardHours");
    assert_eq!(timesheet.find(entry.id).await.unwrap(), entry);
    update(to("2025-10-25", "2025-10-25")).await.unwrap();
    let over = timesheet.update(entry.id, to("2025-10-24", "2025-10-24"), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!((over.start_date, over.standard_hours), (day("2025-10-24"), hours("5")));
    update(Changes { description: Some("a long day".to_owned()), ..Changes::default() }).await.unwrap();
    assert_eq!(update(standard_hours("4.5")).await.unwrap().standard_hours, hours("4.5"));
}
