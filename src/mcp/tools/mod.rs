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

use std::sync::Arc;

use super::{
    selection::Selection,
    tool::{Entry, Respondent},
};

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

/// The tools that `selection` holds, in the same order; what they say of themselves names no other.
pub(super) fn selected<R: Respondent>(selection: &Selection) -> Vec<Entry<R>> {
    let (served, absent): (Vec<_>, Vec<_>) = inventory().into_iter().partition(|entry| selection.holds(entry.name()));
    let absent: Arc<[&'static str]> = absent.iter().map(Entry::<R>::name).collect();
    served.into_iter().map(|entry| entry.without(&absent)).collect()
}
