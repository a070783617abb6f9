//! Finds the details of a segment: a document, a website and tags (docs/spec/time.md#segment-details).

use std::collections::BTreeSet;

use super::clock::{LocalInterval, MINUTE, Zone};
use super::history::{BROWSER, Device, FILES, Row, SITES, TAGS, Timeline};
use super::pieces::Piece;
use super::segments::Segment;

/// If a site ended at most this number of seconds before a browser came to the front, the browser shows that site.
const JUST_ENDED: i64 = 5;
/// If the previous segment ended at most this number of seconds before the browser's segment, the browser shows the
/// site of the previous segment.
const CARRIED: i64 = 5 * MINUTE;

/// The details of one segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) document: Option<&'static str>,
    pub(super) website: Option<&'static str>,
    pub(super) tags: Vec<&'static str>,
}

/// Adds details to the segments of one device. The segments must be in order of time.
pub(super) fn attribute(device: &Device, tags: &[(Zone, Timeline)], segments: &mut [Segment]) {
    let mut before: Option<(bool, Option<&'static str>, i64)> = None;
    for segment in segments {
        let document =
            most(candidates(device, segment).filter_map(|(row, seen)| Some((file(row)?, seen))), &segment.own);
        let mut website =
            most(candidates(device, segment).filter_map(|(row, seen)| Some((site(row)?, seen))), &segment.own);
        let is_browser = is_browser(device, segment);
        let start = segment.start().utc;
        if website.is_none() && is_browser {
            website = just_ended(device, start).or_else(|| {
                let (was_browser, website, end) = before?;
                website.filter(|_| was_browser && start - end <= CARRIED)
            });
        }
        before = Some((is_browser, website, segment.end().utc));
        segment.attributes = Attributes { document, website, tags: tags_of(tags, segment) };
    }
}

/// Returns the file of a row in a documents timeline, or `None` if the row isn't about a file.
fn file(row: &Row) -> Option<&'static str> {
    FILES.get(row.about.checked_sub(SITES.len())?).map(|(_, file)| *file)
}

/// Returns the site of a row in a documents timeline. A site of a single character is a misread path and doesn't count.
pub(super) fn site(row: &Row) -> Option<&'static str> {
    SITES.get(row.about).copied().filter(|site| site.len() > 1)
}

/// Returns the documents rows that count for a segment. They are the rows with a link to one of the segment's
/// activities, and the rows without a link.
fn candidates<'a>(device: &'a Device, segment: &'a Segment) -> impl Iterator<Item = (&'a Row, LocalInterval)> {
    let rows = device.documents.iter().flatten();
    let counts = |row: &&Row| row.related.is_none_or(|related| holds(segment, related));
    rows.filter(counts).filter_map(|row| Some((row, row.stretch(device.zone)?)))
}

/// Whether the application row `related` belongs to the segment.
fn holds(segment: &Segment, related: usize) -> bool {
    let activity = i64::try_from(related).unwrap() + 1;
    segment.own.iter().any(|piece| piece.activity == activity)
}

fn is_browser(device: &Device, segment: &Segment) -> bool {
    let mut sites = device.documents.iter().flatten().filter(|row| site(row).is_some());
    let linked = |row: &Row| row.related.is_some_and(|related| holds(segment, related));
    segment.about == BROWSER || sites.any(|row| row.stretch(device.zone).is_some() && linked(row))
}

/// Returns the site that ended at most [`JUST_ENDED`] seconds before `start`.
fn just_ended(device: &Device, start: i64) -> Option<&'static str> {
    let rows = device.documents.iter().flatten();
    let sites = rows.filter_map(|row| Some((row.stretch(device.zone)?, site(row)?)));
    let ended = sites.filter(|(row, _)| (start - JUST_ENDED..=start).contains(&row.end.utc));
    ended.max_by_key(|(row, _)| (row.end.utc, row.start.utc)).map(|(_, site)| site)
}

/// Returns the value with the most seconds inside pieces. If two values have the same time, returns the one that began
/// first.
fn most(rows: impl Iterator<Item = (&'static str, LocalInterval)>, pieces: &[Piece]) -> Option<&'static str> {
    rank(rows, pieces).into_iter().next()
}

/// Returns the names of rows that overlap pieces. The names are sorted by the rows' seconds inside pieces, then by
/// start.
fn rank(rows: impl Iterator<Item = (&'static str, LocalInterval)>, pieces: &[Piece]) -> Vec<&'static str> {
    let mut values: Vec<(&'static str, BTreeSet<i64>, i64)> = Vec::new();
    for (name, row) in rows {
        let inside: BTreeSet<_> = pieces
            .iter()
            .flat_map(|piece| row.start.utc.max(piece.stretch.start.utc)..row.end.utc.min(piece.stretch.end.utc))
            .collect();
        if inside.is_empty() {
            continue;
        }
        if let Some((_, seconds, start)) = values.iter_mut().find(|(known, ..)| *known == name) {
            seconds.extend(inside);
            *start = row.start.utc.min(*start);
        } else {
            values.push((name, inside, row.start.utc));
        }
    }
    values.sort_by_key(|(name, seconds, start)| (std::cmp::Reverse(seconds.len()), *start, *name));
    values.into_iter().map(|(name, ..)| name).collect()
}

/// Returns the tags that overlap at least one piece.
fn tags_of(tags: &[(Zone, Timeline)], segment: &Segment) -> Vec<&'static str> {
    let rows = tags.iter().flat_map(|(zone, rows)| rows.iter().map(move |row| (TAGS[row.about], row.stretch(*zone))));
    rank(rows.filter_map(|(name, row)| Some((name, row?))), &segment.pieces)
}
