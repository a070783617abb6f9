//! The inventory: one file per tool, or two that are nearly one. Whatever lists, documents or checks tools reads it.

mod activities;
mod activity_narrative;
mod compare_versions;
mod computer_usage;
mod crop_screenshot;
mod daily_summary;
mod delete_time_entry;
mod describe_model;
mod entry_parameters;
mod get_actions;
mod get_available_projects;
mod get_history;
mod get_screenshot;
mod get_version;
mod list_notes;
mod list_screenshots;
mod log_time;
mod move_task_to_project;
mod note_parameters;
mod parameters;
mod period_summary;
mod process_meeting;
mod query;
mod query_time_entries;
mod save_screenshot;
mod screenshot_parameters;
mod submit_time_entry;
mod suggest_time_entries;
mod tags;
mod timelines;
mod update_time_entry;
mod usage;
mod website_usage;
mod write_processed;

use super::tool::{Entry, Respondent};
pub use describe_model::DescribeModel;
pub use query::RunQuery;

/// All tools, in the order of the list: those to start with come first.
pub(super) fn inventory<R: Respondent>() -> Vec<Entry<R>> {
    vec![
        Entry::of::<daily_summary::GetDailySummary>(),
        Entry::of::<activity_narrative::GetActivityNarrative>(),
        Entry::of::<period_summary::GetPeriodSummary>(),
        Entry::of::<usage::GetApplicationUsage>(),
        Entry::of::<usage::GetDocumentUsage>(),
        Entry::of::<website_usage::GetWebsiteUsage>(),
        Entry::of::<tags::GetTags>(),
        Entry::of::<computer_usage::GetComputerUsage>(),
        Entry::of::<timelines::GetTimelines>(),
        Entry::of::<activities::GetActivities>(),
        Entry::of::<list_screenshots::ListScreenshots>(),
        Entry::of::<get_screenshot::GetScreenshot>(),
        Entry::of::<crop_screenshot::CropScreenshot>(),
        Entry::of::<save_screenshot::SaveScreenshot>(),
        Entry::of::<DescribeModel>(),
        Entry::of::<RunQuery>(),
        Entry::of::<suggest_time_entries::SuggestTimeEntries>(),
        Entry::of::<log_time::LogTime>(),
        Entry::of::<query_time_entries::QueryTimeEntries>(),
        Entry::of::<update_time_entry::UpdateTimeEntry>(),
        Entry::of::<move_task_to_project::MoveTaskToProject>(),
        Entry::of::<delete_time_entry::DeleteTimeEntry>(),
        Entry::of::<submit_time_entry::SubmitTimeEntry>(),
        Entry::of::<get_available_projects::GetAvailableProjects>(),
        Entry::of::<list_notes::ListNotes>(),
        Entry::of::<get_actions::GetActions>(),
        Entry::of::<process_meeting::ProcessMeeting>(),
        Entry::of::<write_processed::WriteProcessed>(),
        Entry::of::<get_history::GetHistory>(),
        Entry::of::<get_version::GetVersion>(),
        Entry::of::<compare_versions::CompareVersions>(),
    ]
}
