//! The cases that hold wherever entries are kept: those of docs/spec/timesheet.md, and
//! what follows from the words of [`Timesheet`].
//!
//! A keeper is tried with [`every_case!`], each case in a timesheet of its own that has the projects of the demo, a
//! user who may log on `INTERNAL` and `CLIENT-A`, and no entry that this user sees.

pub(crate) mod changes;
pub(crate) mod logging;
pub(crate) mod overlaps;
pub(crate) mod questions;

use dayledger_timesheet::{
    Changes, Code, Day, EntryId, EntryQuery, Hours, IdempotencyKey, LocalStore, NewEntry, OverlapPolicy, Refusal,
    Status, TimeEntry, Timesheet,
};

/// A timesheet that a case may do anything with.
pub(crate) trait Harness: Send + Sync {
    /// The way in that is tried.
    fn timesheet(&self) -> &dyn Timesheet;

    /// The store of that timesheet.
    fn store(&self) -> &LocalStore;

    /// Whether a declined entry can be deleted.
    fn deletes_declined(&self) -> bool;

    /// Approves or declines a submitted entry, as another program does for an approver.
    fn decide(&self, id: EntryId, status: Status, comment: Option<&str>);
}

/// Runs every case with a new harness, made by `$start().await`.
macro_rules! every_case {
    ($start:path) => {
        $crate::suite::every_case! { @ $start;
            logging: an_entry_is_booked_as_it_was_asked_for
            logging: a_task_that_the_project_does_not_have_is_refused
            logging: an_entry_that_ends_before_it_starts_is_refused
            logging: hours_below_zero_are_refused_and_none_are_not
            logging: a_tag_or_value_that_the_project_does_not_have_is_refused
            logging: a_required_tag_is_not_demanded
            logging: the_first_rule_that_is_broken_is_told
            logging: one_tag_may_have_two_values
            logging: a_key_books_once
            logging: a_key_that_was_refused_books_later
            logging: a_key_whose_entry_was_deleted_books_nothing_again
            logging: hours_are_kept_to_the_hundredth
            logging: an_entry_has_no_more_hours_than_its_days
            logging: any_text_comes_back_as_it_was
            logging: evidence_stays_with_its_entry
            overlaps: a_change_gives_no_day_more_than_24_hours
            overlaps: a_day_has_24_hours
            overlaps: a_second_is_evidence_of_one_entry
            overlaps: a_key_that_has_booked_overlaps_with_nothing
            questions: nothing_is_found_where_nothing_is
            questions: filters_hold_together
            questions: hours_count_overtime
            questions: tags_are_found_whatever_their_case
            questions: every_filter_means_what_it_says
            questions: pages_follow_each_other_in_a_stable_order
            questions: an_unknown_id_is_not_found
            questions: projects_come_with_tasks_and_tags
            changes: a_change_leaves_the_rest_as_it_was
            changes: a_change_is_held_to_the_rules
            changes: a_change_gives_an_entry_no_more_hours_than_its_days
            changes: no_tags_clear_and_absent_ones_stay
            changes: a_declined_entry_is_open_again_once_it_is_changed
            changes: a_move_to_another_project_takes_the_tags
            changes: a_move_is_held_to_the_rules
            changes: a_deleted_entry_is_gone
            changes: a_declined_entry_keeps_its_comment_when_it_is_submitted
            changes: every_status_allows_what_the_table_says
        }
    };
    (@ $start:path; $($file:ident: $case:ident)+) => {
        $(
            #[tokio::test]
            async fn $case() {
                $crate::suite::$file::$case(&$start().await).await;
            }
        )+
    };
}
pub(crate) use every_case;

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn hours(text: &str) -> Hours {
    text.parse().unwrap()
}

/// An entry on 2025-10-24.
fn new(project: &str, task: &str, hours: &str) -> NewEntry {
    NewEntry::new(project, task, hours.parse().unwrap(), day("2025-10-24"), day("2025-10-24"))
}

fn development(hours: &str) -> NewEntry {
    new("INTERNAL", "Development", hours)
}

async fn log(harness: &dyn Harness, entry: NewEntry) -> Result<TimeEntry, Refusal> {
    harness.timesheet().log(IdempotencyKey::new(), entry, OverlapPolicy::Allowed).await
}

async fn expect_logged(harness: &dyn Harness, entry: NewEntry) -> TimeEntry {
    log(harness, entry).await.unwrap()
}

/// An entry that has come so far.
async fn with_status(harness: &dyn Harness, entry: NewEntry, status: Status) -> TimeEntry {
    let id = expect_logged(harness, entry).await.id;
    if status != Status::NotReported {
        harness.timesheet().submit(id).await.unwrap();
    }
    match status {
        Status::Approved => harness.decide(id, status, None),
        Status::Declined => harness.decide(id, status, Some("which ticket?")),
        Status::NotReported | Status::Submitted => {}
    }
    let entry = harness.timesheet().find(id).await.unwrap();
    assert_eq!(entry.status, status);
    entry
}

/// How many entries there are, up to 200.
async fn count(harness: &dyn Harness) -> usize {
    harness.timesheet().query(&EntryQuery::default()).await.unwrap().entries.len()
}

/// The refusal of a field that breaks a rule.
#[track_caller]
fn invalid<T: std::fmt::Debug>(answer: Result<T, Refusal>, field: &str) -> Refusal {
    let refusal = answer.unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some(field)), "{refusal}");
    refusal
}

fn standard_hours(text: &str) -> Changes {
    Changes { standard_hours: Some(hours(text)), ..Changes::default() }
}
