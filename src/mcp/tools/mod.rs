//! The inventory of tools, with one file per toolset. Everything that lists, documents or checks
//! tools uses it.

mod activity;
mod notes;
mod parameters;
mod screenshots;
mod sql;
mod timesheet;

use super::tool::{HistoryHandler, ToolEntry};
pub use sql::{DescribeModel, RunQuery};

/// Returns all tools in the order of the list. The tools to start with come first.
pub(super) fn inventory<R: HistoryHandler>() -> Vec<ToolEntry<R>> {
    vec![
        ToolEntry::new::<activity::GetDailySummary>(),
        ToolEntry::new::<activity::GetActivityNarrative>(),
        ToolEntry::new::<activity::GetPeriodSummary>(),
        ToolEntry::new::<activity::GetApplicationUsage>(),
        ToolEntry::new::<activity::GetDocumentUsage>(),
        ToolEntry::new::<activity::GetWebsiteUsage>(),
        ToolEntry::new::<activity::GetTags>(),
        ToolEntry::new::<activity::GetComputerUsage>(),
        ToolEntry::new::<activity::GetTimelines>(),
        ToolEntry::new::<activity::GetActivities>(),
        ToolEntry::new::<screenshots::ListScreenshots>(),
        ToolEntry::new::<screenshots::GetScreenshot>(),
        ToolEntry::new::<screenshots::CropScreenshot>(),
        ToolEntry::new::<screenshots::SaveScreenshot>(),
        ToolEntry::new::<DescribeModel>(),
        ToolEntry::new::<RunQuery>(),
        ToolEntry::new::<timesheet::SuggestTimeEntries>(),
        ToolEntry::new::<timesheet::LogTime>(),
        ToolEntry::new::<timesheet::QueryTimeEntries>(),
        ToolEntry::new::<timesheet::UpdateTimeEntry>(),
        ToolEntry::new::<timesheet::MoveTaskToProject>(),
        ToolEntry::new::<timesheet::DeleteTimeEntry>(),
        ToolEntry::new::<timesheet::SubmitTimeEntry>(),
        ToolEntry::new::<timesheet::GetAvailableProjects>(),
        ToolEntry::new::<notes::ListNotes>(),
        ToolEntry::new::<notes::GetActions>(),
        ToolEntry::new::<notes::ProcessMeeting>(),
        ToolEntry::new::<notes::WriteProcessed>(),
        ToolEntry::new::<notes::GetHistory>(),
        ToolEntry::new::<notes::GetVersion>(),
        ToolEntry::new::<notes::CompareVersions>(),
    ]
}
