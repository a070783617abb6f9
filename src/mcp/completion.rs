//! Completes arguments of prompts and variables of resource templates: days, hours, devices, names, timelines and notes.
//!
//! Completion only helps users to type. If the history or the notes can't be read, it therefore returns no suggestions
//! instead of an error. It reads only a small part of the data, because clients request completions at each keystroke.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use rmcp::ErrorData;
use rmcp::model::{ArgumentInfo, CompletionContext, CompletionInfo};

use super::history_handler::HistoryHandler;
use super::prompts::CompletionSource;
use crate::activity::{HistoryBounds, HistoryBoundsRequest, RecentNamesRequest};
use crate::notes::NotePathsRequest;
use crate::request::{Error, parse_date};

/// Completes `argument` with values from `source`. Returns at most 100 values, and the number of all values. Days are in
/// descending order. Names and notes that were used last come first.
///
/// # Errors
/// Fails with an internal error if the library rejects the values, which would be a bug.
pub(super) async fn complete<R: HistoryHandler>(
    handler: &R,
    source: CompletionSource,
    argument: &ArgumentInfo,
    context: Option<&CompletionContext>,
) -> Result<CompletionInfo, ErrorData> {
    let start = context.and_then(|context| context.get_argument("startDate"));
    let start = start.and_then(|start| parse_date(start, "startDate").ok());
    let values = values(handler, source, argument.value.trim(), start).await.unwrap_or_default();
    let total = u32::try_from(values.len()).ok();
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    let shown = values.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    CompletionInfo::with_pagination(shown, total, has_more).map_err(|error| ErrorData::internal_error(error, None))
}

/// Returns all values of `source` for the typed text. `start` is the start of the range, for values that end a range.
async fn values<R: HistoryHandler>(
    handler: &R,
    source: CompletionSource,
    typed: &str,
    start: Option<NaiveDate>,
) -> Result<Vec<String>, Error> {
    let bounds = async || handler.handle(HistoryBoundsRequest).await;
    Ok(match source {
        CompletionSource::Day => days(&bounds().await?, 0, None, typed),
        CompletionSource::DayAfter => days(&bounds().await?, 1, start, typed),
        CompletionSource::Moment => moments(&bounds().await?, typed),
        CompletionSource::Device => devices(&bounds().await?, typed),
        CompletionSource::TimelineId => timeline_ids(&bounds().await?, typed),
        CompletionSource::Name => handler.handle(RecentNamesRequest { search_text: typed.to_owned() }).await?.names,
        CompletionSource::NotePath => note_paths(handler, typed).await?,
        CompletionSource::Nothing => Vec::new(),
    })
}

/// Returns the paths of notes that contain the typed text, ignoring case.
async fn note_paths<R: HistoryHandler>(handler: &R, typed: &str) -> Result<Vec<String>, Error> {
    let typed = typed.to_lowercase();
    let paths = handler.handle(NotePathsRequest).await?.paths;
    Ok(paths.into_iter().filter(|path| path.to_lowercase().contains(&typed)).collect())
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
