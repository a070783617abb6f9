//! Test cases that every backend must pass. They come from docs/spec/timesheet.md and from the documentation of
//! [`Timesheet`].
//!
//! [`every_case!`] runs all cases against a backend. Each case starts with a new timesheet that has the sample
//! projects. The user may log on `INTERNAL` and `CLIENT-A`, and sees no entries at the start.

pub(crate) mod changes;
pub(crate) mod logging;
pub(crate) mod overlaps;
pub(crate) mod questions;

use dayledger_timesheet::{
    Changes, Code, Day, EntryId, EntryQuery, Hours, IdempotencyKey, LocalStore, NewEntry, OverlapPolicy, Refusal,
    Status, TimeEntry, Timesheet,
};

/// A new timesheet with its backend, for one test case.
pub(crate) trait Harness: Send + Sync {
    /// Returns the timesheet under test.
    fn timesheet(&self) -> &dyn Timesheet;

    /// Returns the local store of the timesheet.
    fn store(&self) -> &LocalStore;

    /// Whether the backend can delete a declined entry.
    fn deletes_declined(&self) -> bool;

    /// Approves or declines a submitted entry, as an approver does in another program.
    fn decide(&self, id: EntryId, status: Status, comment: Option<&str>);
}

/// Runs every test case. `$start().await` creates a new harness for each case.
macro_rules! every_case {
    ($start:path) => {
        $crate::suite::every_case! { @ $start;
            logging: a_logged_entry_has_the_values_of_the_request
            logging: a_task_that_the_project_does_not_have_is_refused
            logging: an_entry_that_ends_before_it_starts_is_refused
            logging: negative_hours_are_refused_and_zero_hours_are_accepted
            logging: a_tag_or_value_that_the_project_does_not_have_is_refused
            logging: an_entry_without_a_required_tag_is_accepted
            logging: the_error_reports_the_first_broken_rule
            logging: one_tag_may_have_two_values
            logging: a_repeated_key_logs_only_one_entry
            logging: a_key_can_be_used_again_after_a_refusal
            logging: a_key_of_a_deleted_entry_logs_nothing
            logging: hours_are_stored_to_the_hundredth
            logging: an_entry_cannot_exceed_the_hours_of_its_days
            logging: texts_are_stored_unchanged
            logging: evidence_is_stored_until_its_entry_is_deleted
            overlaps: a_change_cannot_exceed_24_hours_per_day
            overlaps: a_new_entry_cannot_exceed_24_hours_per_day
            overlaps: a_second_is_evidence_of_only_one_entry
            overlaps: a_repeated_key_does_not_overlap_its_own_entry
            questions: an_empty_timesheet_returns_no_entries
            questions: an_entry_must_match_all_filters
            questions: filters_by_hours_include_overtime
            questions: filters_by_tags_ignore_case
            questions: every_filter_returns_exactly_the_matching_entries
            questions: pages_follow_each_other_in_a_stable_order
            questions: an_unknown_id_is_not_found
            questions: projects_come_with_tasks_and_tags
            changes: a_change_keeps_the_other_fields
            changes: a_change_must_follow_the_rules
            changes: a_change_cannot_exceed_the_hours_of_the_days
            changes: an_empty_list_of_tags_clears_them_and_an_absent_list_keeps_them
            changes: changing_a_declined_entry_reopens_it
            changes: a_move_to_another_project_removes_the_tags
            changes: a_move_must_follow_the_rules
            changes: a_deleted_entry_is_not_found
            changes: a_declined_entry_keeps_its_comment_when_it_is_submitted
            changes: every_status_allows_only_the_documented_operations
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

/// Returns an entry of one day, 2025-10-24.
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

/// Logs an entry and changes its status to `status`.
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

/// Returns the number of entries on the first page, which has at most 50 entries.
async fn count(harness: &dyn Harness) -> usize {
    harness.timesheet().query(&EntryQuery::default()).await.unwrap().entries.len()
}

/// Returns the refusal. Panics unless it is a `VALIDATION_ERROR` for the field.
#[track_caller]
fn invalid<T: std::fmt::Debug>(answer: Result<T, Refusal>, field: &str) -> Refusal {
    let refusal = answer.unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some(field)), "{refusal}");
    refusal
}

fn standard_hours(text: &str) -> Changes {
    Changes { standard_hours: Some(hours(text)), ..Changes::default() }
}
