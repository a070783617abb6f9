//! The inventory of tools, with one file per tool or per two similar tools. Everything that lists, documents or checks
//! tools uses it.

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

use super::tool::{HistoryHandler, ToolEntry};
pub use describe_model::DescribeModel;
pub use query::RunQuery;

/// Returns all tools in the order of the list. The tools to start with come first.
pub(super) fn inventory<R: HistoryHandler>() -> Vec<ToolEntry<R>> {
    vec![
        ToolEntry::new::<daily_summary::GetDailySummary>(),
        ToolEntry::new::<activity_narrative::GetActivityNarrative>(),
        ToolEntry::new::<period_summary::GetPeriodSummary>(),
        ToolEntry::new::<usage::GetApplicationUsage>(),
        ToolEntry::new::<usage::GetDocumentUsage>(),
        ToolEntry::new::<website_usage::GetWebsiteUsage>(),
        ToolEntry::new::<tags::GetTags>(),
        ToolEntry::new::<computer_usage::GetComputerUsage>(),
        ToolEntry::new::<timelines::GetTimelines>(),
        ToolEntry::new::<activities::GetActivities>(),
        ToolEntry::new::<list_screenshots::ListScreenshots>(),
        ToolEntry::new::<get_screenshot::GetScreenshot>(),
        ToolEntry::new::<crop_screenshot::CropScreenshot>(),
        ToolEntry::new::<save_screenshot::SaveScreenshot>(),
        ToolEntry::new::<DescribeModel>(),
        ToolEntry::new::<RunQuery>(),
        ToolEntry::new::<suggest_time_entries::SuggestTimeEntries>(),
        ToolEntry::new::<log_time::LogTime>(),
        ToolEntry::new::<query_time_entries::QueryTimeEntries>(),
        ToolEntry::new::<update_time_entry::UpdateTimeEntry>(),
        ToolEntry::new::<move_task_to_project::MoveTaskToProject>(),
        ToolEntry::new::<delete_time_entry::DeleteTimeEntry>(),
        ToolEntry::new::<submit_time_entry::SubmitTimeEntry>(),
        ToolEntry::new::<get_available_projects::GetAvailableProjects>(),
        ToolEntry::new::<list_notes::ListNotes>(),
        ToolEntry::new::<get_actions::GetActions>(),
        ToolEntry::new::<process_meeting::ProcessMeeting>(),
        ToolEntry::new::<write_processed::WriteProcessed>(),
        ToolEntry::new::<get_history::GetHistory>(),
        ToolEntry::new::<get_version::GetVersion>(),
        ToolEntry::new::<compare_versions::CompareVersions>(),
    ]
}
