//! The inventory: one file per tool, or two that are nearly one. Whatever lists, documents or checks tools reads it.

mod activities;
mod activity_narrative;
mod computer_usage;
mod crop_screenshot;
mod daily_summary;
mod describe_model;
mod get_screenshot;
mod list_screenshots;
mod parameters;
mod period_summary;
mod query;
mod save_screenshot;
mod screenshot_parameters;
mod tags;
mod timelines;
mod usage;
mod website_usage;

use super::tool::{Entry, Respondent};

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
        Entry::of::<describe_model::DescribeModel>(),
        Entry::of::<query::RunQuery>(),
    ]
}
