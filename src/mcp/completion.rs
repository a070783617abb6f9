//! Completes arguments from the history: days, hours, devices, timelines.
//!
//! Completion only helps users to type. If the history can't be read, it therefore returns no suggestions instead of an
//! error.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use dayledger_mcp::errors::shorten;
use rmcp::ErrorData;
use rmcp::model::{ArgumentInfo, CompletionContext, CompletionInfo, Reference};

use super::history_handler::HistoryHandler;
use super::prompts::{self, CompletionSource};
use super::resources::TIMELINE_TEMPLATE;
use crate::activity::{HistoryBounds, HistoryBoundsRequest};
use crate::request::parse_date;

/// The variable in the URI template of timelines.
const TIMELINE_ID: &str = "timelineId";

/// Completes `argument` of a prompt or a resource template. Returns at most 100 values. Days are in descending order.
///
/// # Errors
/// `invalid_params` if the prompt, the template or the argument doesn't exist.
pub(super) async fn complete<R: HistoryHandler>(
    handler: &R,
    reference: &Reference,
    argument: &ArgumentInfo,
    context: Option<&CompletionContext>,
) -> Result<CompletionInfo, ErrorData> {
    let source = source(reference, &argument.name)?;
    // The checks above return an error for an unknown prompt or template, even if the history can't be read.
    let Ok(extents) = handler.handle(HistoryBoundsRequest).await else { return Ok(CompletionInfo::default()) };
    let typed = argument.value.trim();
    let start = context.and_then(|context| context.get_argument("startDate"));
    let start = start.and_then(|start| parse_date(start, "startDate").ok());
    let values = match source {
        CompletionSource::Day => days(&extents, 0, None, typed),
        CompletionSource::DayAfter => days(&extents, 1, start, typed),
        CompletionSource::Moment => moments(&extents, typed),
        CompletionSource::Device => devices(&extents, typed),
        CompletionSource::Nothing => Vec::new(),
        CompletionSource::TimelineId => timeline_ids(&extents, typed),
    };
    let total = u32::try_from(values.len()).ok();
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    let shown = values.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    CompletionInfo::with_pagination(shown, total, has_more).map_err(|error| ErrorData::internal_error(error, None))
}

fn source(reference: &Reference, argument: &str) -> Result<CompletionSource, ErrorData> {
    if let Some(name) = reference.as_prompt_name() {
        return prompts::completion_source(name, argument);
    }
    let template = reference.as_resource_uri().unwrap_or_default();
    if template != TIMELINE_TEMPLATE {
        let text = format!("unknown template `{}`; resources/templates/list lists the templates", shorten(template));
        return Err(ErrorData::invalid_params(text, None));
    }
    if argument != TIMELINE_ID {
        let text = format!("`{template}` has no variable `{}`; it has `{TIMELINE_ID}`", shorten(argument));
        return Err(ErrorData::invalid_params(text, None));
    }
    Ok(CompletionSource::TimelineId)
}

/// Returns the days with data, each moved forward by `shift` days, newest first. Leaves out `after` and the days before
/// it.
fn days(extents: &HistoryBounds, shift: u64, after: Option<NaiveDate>, typed: &str) -> Vec<String> {
    let Some((first, last)) = extents.days() else { return Vec::new() };
    let back = std::iter::successors(Some(last), NaiveDate::pred_opt).take_while(|day| *day >= first);
    let shifted = back.filter_map(|day| day.checked_add_days(Days::new(shift)));
    shifted
        .filter(|day| after.is_none_or(|after| *day > after))
        .map(|day| day.to_string())
        .filter(|day| day.starts_with(typed))
        .collect()
}

/// Until a whole day is typed, returns each day at noon. Then returns the hours of the typed day.
fn moments(extents: &HistoryBounds, typed: &str) -> Vec<String> {
    let date = typed.get(..10).unwrap_or_default();
    if date.is_empty() {
        return days(extents, 0, None, typed).into_iter().map(|day| format!("{day}T12:00")).collect();
    }
    // The user may type a space instead of the `T`.
    let typed = typed.replacen(' ', "T", 1);
    let hours =
        days(extents, 0, None, date).into_iter().flat_map(|day| (0..24).map(move |hour| format!("{day}T{hour:02}:00")));
    hours.filter(|moment| moment.starts_with(&typed)).collect()
}

fn devices(extents: &HistoryBounds, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let names: BTreeSet<&String> = extents.timelines.iter().map(|timeline| &timeline.device).collect();
    names.into_iter().filter(|name| name.to_lowercase().starts_with(&typed)).cloned().collect()
}

fn timeline_ids(extents: &HistoryBounds, typed: &str) -> Vec<String> {
    let ids = extents.timelines.iter().map(|timeline| timeline.timeline_id.to_string());
    ids.filter(|id| id.starts_with(typed)).collect()
}
