//! Tests that each active second is covered, drafted or skipped exactly once, and that the rows add up to the rounded
//! time of the day.

use std::collections::{BTreeMap, BTreeSet};

use dayledger_timesheet::Evidence;
use dayledger_timesheet::draft::{Account, Draft, SkipReason, unlogged_time};
use proptest::prelude::*;

use super::naive::{Outcome, Target, count, place};
use super::world::{World, any_world, day, world_in_one_zone};

/// Returns the outcome of each second of a draft. Panics if a second has two outcomes.
fn fates(draft: &Draft, length: usize) -> Vec<Option<Outcome>> {
    let mut fates = vec![None; length];
    let mut tell = |evidence: &[Evidence], fate: Outcome| {
        assert!(evidence.is_sorted_by(|one, next| one.end_utc <= next.start_utc));
        for second in evidence.iter().flat_map(|interval| interval.start_utc..interval.end_utc) {
            assert_eq!(fates[place(second)].replace(fate.clone()), None, "a second is in two rows");
        }
    };
    for covered in &draft.covered {
        tell(&covered.evidence, Outcome::Covered(covered.entry));
    }
    for row in &draft.rows {
        tell(&row.evidence, Outcome::Drafted(row.day, target(row.project_code.as_ref(), row.task.as_ref())));
    }
    for left in &draft.left_out {
        let reason = match left.reason {
            SkipReason::TooShort => "tooShort",
            SkipReason::RoundedAway => "roundedAway",
        };
        tell(
            &left.evidence,
            Outcome::LeftOut(reason, left.day, target(left.project_code.as_ref(), left.task.as_ref())),
        );
    }
    fates
}

fn target(project: Option<&String>, task: Option<&String>) -> Option<Target> {
    project.map(|project| (project.clone(), task.cloned()))
}

fn account_total(account: &Account) -> i64 {
    account.covered + account.drafted + account.too_short + account.rounded_away
}

/// Returns the total length of evidence in seconds.
fn seconds(evidence: &[Evidence]) -> i64 {
    evidence.iter().map(|interval| interval.end_utc - interval.start_utc).sum()
}

fn check_draft(world: &World) -> Result<(), TestCaseError> {
    let (draft, expected) = (world.draft(), count(world));
    let fates = fates(&draft, expected.outcomes.len());
    if let Some(second) = (0..fates.len()).find(|second| fates[*second] != expected.outcomes[*second]) {
        prop_assert_eq!(&fates[second], &expected.outcomes[second], "second {}", second);
    }
    let rows = draft.rows.iter().flat_map(|row| &row.evidence);
    let left_out = draft.left_out.iter().flat_map(|left| &left.evidence);
    for interval in draft.covered.iter().flat_map(|covered| &covered.evidence).chain(rows).chain(left_out) {
        let mut seconds = interval.start_utc..interval.end_utc;
        prop_assert!(seconds.all(|second| expected.devices[place(second)] == interval.device), "{:?}", interval);
    }
    let hours: BTreeMap<_, _> = draft
        .rows
        .iter()
        .map(|row| ((row.day, target(row.project_code.as_ref(), row.task.as_ref())), row.hours.hundredths()))
        .collect();
    prop_assert_eq!(hours.len(), draft.rows.len(), "each day, project and task has one row");
    prop_assert_eq!(hours, expected.hours);
    let covered_entries: BTreeSet<_> = draft.covered.iter().map(|covered| covered.entry).collect();
    for covered in &draft.covered {
        prop_assert_eq!(covered.beyond_evidence, expected.beyond[&covered.entry], "{:?}", covered);
    }
    let covering = expected.outcomes.iter().flatten().filter_map(|fate| match fate {
        Outcome::Covered(entry) => Some(*entry),
        _ => None,
    });
    prop_assert!(covering.collect::<BTreeSet<_>>().is_subset(&covered_entries));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn draft_equals_a_naive_count(world in any_world()) {
        check_draft(&world)?;
    }

    #[test]
    fn the_account_shows_where_each_second_went(world in any_world()) {
        let draft = world.draft();
        let active: BTreeSet<_> =
            world.periods.iter().flat_map(|interval| interval.start_utc..interval.end_utc).collect();
        let account = draft.account();
        prop_assert_eq!(account.active + account.away, i64::try_from(active.len()).unwrap());
        prop_assert_eq!(account_total(&account), account.active + account.away);
        prop_assert!(draft.rows.iter().map(|row| row.away_seconds).sum::<i64>() <= account.away);
        for (day, account) in &draft.days {
            prop_assert_eq!(account_total(account), account.active + account.away, "{}", day);
            let rows: Vec<_> = draft.rows.iter().filter(|row| row.day == *day).collect();
            prop_assert_eq!(rows.iter().map(|row| row.seconds).sum::<i64>(), account.drafted);
            prop_assert_eq!(rows.iter().map(|row| row.hours).sum::<dayledger_timesheet::Hours>(), account.hours);
            prop_assert!(rows.iter().all(|row| row.seconds == seconds(&row.evidence)));
        }
        let covered: i64 = draft.covered.iter().map(|covered| covered.seconds).sum();
        prop_assert_eq!(covered, account.covered);
        prop_assert!(draft.covered.iter().all(|covered| covered.seconds == seconds(&covered.evidence)));
        prop_assert!(draft.left_out.iter().all(|left| left.seconds == seconds(&left.evidence)));
    }

    #[test]
    fn unlogged_time_equals_drafted_and_skipped_time(world in any_world()) {
        let draft = world.draft();
        let rows = draft.rows.iter().map(|row| (row.day, row.project_code.as_ref(), row.task.as_ref(), &row.evidence));
        let left = draft.left_out.iter();
        let left = left.map(|left| (left.day, left.project_code.as_ref(), left.task.as_ref(), &left.evidence));
        let mut expected = BTreeMap::new();
        for (day, project, task, evidence) in rows.chain(left) {
            for interval in evidence {
                let of = (day, target(project, task), interval.device.clone());
                expected.extend((interval.start_utc..interval.end_utc).map(|second| (second, of.clone())));
            }
        }
        let unlogged = world.with_input(unlogged_time);
        prop_assert!(unlogged.is_sorted_by(|one, next| one.end_utc <= next.start_utc), "a second twice");
        let mut projects_by_second = BTreeMap::new();
        for interval in unlogged {
            let target = interval.target.map(|target| (target.project, target.task));
            let of = (interval.day, target, interval.device);
            projects_by_second.extend((interval.start_utc..interval.end_utc).map(|second| (second, of.clone())));
        }
        prop_assert!(projects_by_second == expected, "{:?}", projects_by_second.iter().zip(&expected).find(|(one, other)| one != other));
    }

    #[test]
    fn the_rows_of_a_day_add_up_to_the_rounded_day(world in any_world()) {
        let draft = world.draft();
        let step = world.settings.round_to.hundredths() * 36;
        for (day, account) in &draft.days {
            // The rounded time of the day includes time that rounds to zero hours.
            let exact = account.drafted + account.rounded_away;
            let hours = account.hours.hundredths() * 36;
            prop_assert!(hours % step == 0 && (exact - step / 2..=exact + step / 2).contains(&hours), "{}: {} {}", day, exact, hours);
            if (exact * 2) % (step * 2) == step {
                prop_assert!(hours > exact, "half a step is rounded up");
            }
        }
        for row in &draft.rows {
            prop_assert!((row.hours.hundredths() * 36 - row.seconds).abs() < step);
        }
        for left in draft.left_out.iter().filter(|left| left.reason == SkipReason::RoundedAway) {
            prop_assert!(left.seconds < step);
        }
    }

    #[test]
    fn input_order_does_not_change_the_draft(world in any_world()) {
        let mut turned = world.clone();
        turned.periods.reverse();
        turned.entries.reverse();
        prop_assert_eq!(turned.draft(), world.draft());
    }

    #[test]
    fn draft_of_a_day_equals_that_day_in_a_week_draft(world in world_in_one_zone()) {
        let week = world.draft();
        for number in 0..3 {
            let mut alone = World { first: number, last: number, ..world.clone() };
            alone.periods.retain(|interval| interval.day == day(number));
            let others = week.days.iter().filter(|(other, _)| **other != day(number));
            alone.other_days.extend(others.map(|(day, account)| (*day, account.active + account.away)));
            let rows: Vec<_> = week.rows.iter().filter(|row| row.day == day(number)).cloned().collect();
            prop_assert_eq!(alone.draft().rows, rows);
        }
    }
}
