//! Finds the screenshots of segments (docs/spec/time.md#screenshots), and suggests the most useful screenshots of a
//! range (docs/contract.md, `suggestedScreenshots`).

use chrono::{NaiveDateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use super::ScreenshotService;
use dayledger_request::format_iso;
use dayledger_screenshots::{Screenshot, TimeInterval};

/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 5;
/// The maximum number of suggestions that the longest segments get before transitions get any.
const MAX_LONG_SEGMENTS: usize = 3;
/// The minimum time between suggested screenshots.
const MIN_DISTANCE: TimeDelta = TimeDelta::minutes(5);
/// The minimum active seconds of both the segment before and the segment after a clear transition.
const CLEAR_SECONDS: i64 = 300;

/// The time and application of a segment. Used to find the screenshots of the segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct SegmentInfo {
    pub(in super::super) when: TimeInterval,
    pub(in super::super) application: String,
    pub(in super::super) seconds: i64,
}

/// A screenshot that represents a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedScreenshot {
    /// Reference to pass to `get_screenshot`.
    pub screenshot_ref: String,
    /// Local time of the screenshot.
    pub time: String,
    /// Reason for the suggestion.
    pub reason: SuggestionReason,
}

/// The reason for suggesting a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionReason {
    /// The screenshot shows one of the longest segments.
    LongSegment,
    /// The screenshot shows the start of a long segment after a change of application.
    Transition,
}

/// Returns one reference per segment. It refers to the segment's screenshot that is nearest to the middle of the
/// segment. If screenshots cannot be read, every reference is `None`. The narrative is then returned without
/// screenshots.
pub(in super::super) async fn references(pictures: &ScreenshotService, work: &[SegmentInfo]) -> Vec<Option<String>> {
    let middles = work.iter().map(|work| (work.when.clone(), work.when.middle())).collect();
    let nearest = find_nearest(pictures, middles).await;
    nearest.into_iter().map(|screenshot| Some(screenshot?.reference.to_string())).collect()
}

/// Returns at most five screenshots of the longest segments and of clear transitions, in order of time. Returns `None`
/// if no screenshot is found.
pub(in super::super) async fn suggestions(
    pictures: &ScreenshotService,
    work: &[SegmentInfo],
) -> Option<Vec<SuggestedScreenshot>> {
    let candidates = candidates(work);
    let moments = candidates.iter().map(|(_, work, moment)| (work.when.clone(), *moment)).collect();
    let found = find_nearest(pictures, moments).await;
    let found = candidates.into_iter().zip(found).filter_map(|((reason, ..), screenshot)| Some((reason, screenshot?)));
    let chosen = choose_suggestions(found.collect());
    (!chosen.is_empty()).then_some(chosen)
}

async fn find_nearest(
    pictures: &ScreenshotService,
    moments: Vec<(TimeInterval, TimeDelta)>,
) -> Vec<Option<Screenshot>> {
    let none = vec![None; moments.len()];
    if moments.is_empty() {
        return none;
    }
    let found = pictures.run_on_engine(move |screenshots| screenshots.nearest_each(&moments)).await;
    found.and_then(|found| Ok(found?)).unwrap_or_else(|error| {
        tracing::debug!(%error, "an answer goes without screenshots");
        none
    })
}

/// Returns the segments to suggest: the longest segments first, then the clearest transitions. The duration runs from
/// the start of the segment to the best time for a screenshot.
fn candidates(work: &[SegmentInfo]) -> Vec<(SuggestionReason, &SegmentInfo, TimeDelta)> {
    // Each suggestion excludes only screenshots that are less than five minutes away. This number of candidates is
    // therefore always enough.
    let most = 4 * MAX_SUGGESTIONS;
    let mut longest: Vec<&SegmentInfo> = work.iter().collect();
    longest.sort_by_key(|work| std::cmp::Reverse(work.seconds));
    let long = longest.into_iter().take(most).map(|work| (SuggestionReason::LongSegment, work, work.when.middle()));
    let is_clear = |pair: &&[SegmentInfo]| {
        pair[0].application != pair[1].application && pair.iter().all(|work| work.seconds >= CLEAR_SECONDS)
    };
    let mut changes: Vec<&[SegmentInfo]> = work.windows(2).filter(is_clear).collect();
    changes.sort_by_key(|pair| std::cmp::Reverse(pair[0].seconds.min(pair[1].seconds)));
    let changes =
        changes.into_iter().take(most).map(|pair| (SuggestionReason::Transition, &pair[1], TimeDelta::zero()));
    long.chain(changes).collect()
}

/// Chooses suggestions in this order: at most [`MAX_LONG_SEGMENTS`] of the longest segments, then transitions, then
/// more of the longest segments.
fn choose_suggestions(found: Vec<(SuggestionReason, Screenshot)>) -> Vec<SuggestedScreenshot> {
    let (long, changes): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(reason, _)| *reason == SuggestionReason::LongSegment);
    let mut picked: Vec<(SuggestionReason, Screenshot)> = Vec::new();
    let mut pick = |candidates: Vec<(SuggestionReason, Screenshot)>, up_to: usize| {
        let mut left = Vec::new();
        for (reason, screenshot) in candidates {
            let is_apart =
                picked.iter().all(|(_, other)| (taken_at(other) - taken_at(&screenshot)).abs() >= MIN_DISTANCE);
            if is_apart && picked.len() < up_to {
                picked.push((reason, screenshot));
            } else {
                left.push((reason, screenshot));
            }
        }
        left
    };
    let long = pick(long, MAX_LONG_SEGMENTS);
    pick(changes, MAX_SUGGESTIONS);
    pick(long, MAX_SUGGESTIONS);
    picked.sort_by_key(|(_, screenshot)| taken_at(screenshot));
    let suggestion = |(reason, screenshot): (SuggestionReason, Screenshot)| SuggestedScreenshot {
        screenshot_ref: screenshot.reference.to_string(),
        time: format_iso(screenshot.taken_at),
        reason,
    };
    picked.into_iter().map(suggestion).collect()
}

/// Returns the time of a screenshot: UTC if its file name contains the offset, otherwise local time.
fn taken_at(screenshot: &Screenshot) -> NaiveDateTime {
    screenshot.taken_utc().unwrap_or(screenshot.taken_at)
}
