//! The inventory of tools. Each toolset has its own file. All code that lists, documents or checks tools uses the
//! inventory. The tools of the toolset `sql` are in the crate `dayledger-mcp`, because the fleet also offers them.

mod activity;
mod notes;
mod parameters;
mod screenshots;
mod timesheet;

use dayledger_mcp::{DescribeModel, RunQuery, ToolEntry, Toolset};

use super::errors;
use super::history_handler::HistoryHandler;
use crate::questions::Questions;

/// Returns all tools in the order of the list, starting with the tools that a model should call first.
pub(super) fn inventory<R: HistoryHandler>() -> Vec<ToolEntry<R>> {
    let tools: Vec<ToolEntry<R>> = vec![
        ToolEntry::new::<activity::GetDailySummary>(),
        ToolEntry::new::<activity::GetActivityNarrative>(),
        ToolEntry::new::<activity::GetPeriodSummary>(),
        ToolEntry::new::<activity::FindActivity>(),
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
        ToolEntry::new::<timesheet::StartTimer>(),
        ToolEntry::new::<timesheet::StopTimer>(),
        ToolEntry::new::<timesheet::GetTimer>(),
        ToolEntry::new::<notes::ListNotes>(),
        ToolEntry::new::<notes::GetActions>(),
        ToolEntry::new::<notes::ProcessMeeting>(),
        ToolEntry::new::<notes::WriteProcessed>(),
        ToolEntry::new::<notes::GetHistory>(),
        ToolEntry::new::<notes::GetVersion>(),
        ToolEntry::new::<notes::CompareVersions>(),
    ];
    tools.into_iter().map(with_error_format).collect()
}

/// Returns all tools, and the tools of the user's saved questions. A question is listed after the tools of SQL.
pub(super) fn inventory_with<R: HistoryHandler>(questions: &Questions) -> Vec<ToolEntry<R>> {
    let mut tools = inventory();
    let after_sql = tools.iter().rposition(|tool: &ToolEntry<R>| tool.toolset() == Toolset::Sql);
    let at = after_sql.map_or(tools.len(), |last| last + 1);
    tools.splice(at..at, questions.as_slice().iter().map(ToolEntry::from_question));
    tools
}

/// Returns `tool` with the error format of the tool's toolset.
fn with_error_format<R: HistoryHandler>(tool: ToolEntry<R>) -> ToolEntry<R> {
    match tool.toolset() {
        Toolset::Timesheet => tool.with_error_format(errors::result_of_timesheet),
        Toolset::Notes => tool.with_error_format(errors::result_of_notes),
        Toolset::Activity | Toolset::Screenshots | Toolset::Sql | Toolset::Questions => tool,
    }
}
