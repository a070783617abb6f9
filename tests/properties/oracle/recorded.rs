//! Computes tagged time and the states of the computer. These times are clipped to the range, but not to active time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::clock::LocalInterval;
use super::history::{Device, History, STATES, TAGS};
use super::pieces::pieces;

/// Recorded time by name. Contains the intervals and the seconds. Each interval has a device, if any. A second in
/// several intervals counts once.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedTime {
    pub(super) stretches: Vec<(&'static str, Option<usize>, LocalInterval)>,
    pub(super) totals: BTreeMap<&'static str, BTreeSet<i64>>,
}

impl NamedTime {
    fn add(&mut self, name: &'static str, device: Option<usize>, interval: Option<LocalInterval>) {
        if let Some(interval) = interval {
            self.stretches.push((name, device, interval));
            self.totals.entry(name).or_default().extend(interval.utc());
        }
    }
}

/// Returns the states of all computers in a local range. Local times are computed with the UTC offsets of the pieces.
pub(super) fn states(history: &History, range: &Range<i64>) -> NamedTime {
    let mut states = NamedTime::default();
    let pieces = pieces(history);
    for (number, device) in history.devices.iter().enumerate() {
        let of_device = pieces.iter().filter(|piece| piece.device == number);
        let clock = clock(device, &of_device.map(|piece| piece.stretch).collect::<Vec<_>>());
        for row in device.usage.iter().flatten() {
            for part in parts(row.stretch(device.zone), &clock, range) {
                states.add(STATES[row.about].2, Some(number), Some(part));
            }
        }
    }
    states
}

/// Returns the pieces of a device and the time between them, split at each start and end of a state or piece.
fn clock(device: &Device, pieces: &[LocalInterval]) -> Vec<LocalInterval> {
    let states = device.usage.iter().flatten().filter_map(|row| row.stretch(device.zone));
    let edges = states.chain(pieces.iter().copied()).flat_map(|of| [of.start, of.end]);
    let edges: Vec<_> = edges.collect::<BTreeSet<_>>().into_iter().collect();
    let held = |utc: i64| pieces.iter().find(|piece| piece.utc().contains(&utc));
    let mut spans: Vec<LocalInterval> = Vec::new();
    for pair in edges.windows(2) {
        let span = held(pair[0].utc).copied().unwrap_or(LocalInterval { start: pair[0], end: pair[1] });
        if spans.last() != Some(&span) {
            spans.push(span);
        }
    }
    spans
}

/// Returns the parts of a state within a local range. Parts that touch are merged.
fn parts(state: Option<LocalInterval>, clock: &[LocalInterval], range: &Range<i64>) -> Vec<LocalInterval> {
    let mut parts: Vec<LocalInterval> = Vec::new();
    let Some(state) = state else { return parts };
    for part in clock.iter().filter_map(|span| span.clip(range)) {
        let (start, end) = (part.start.utc.max(state.start.utc), part.end.utc.min(state.end.utc));
        if start >= end {
            continue;
        }
        let part = part.between(start, end);
        match parts.last_mut() {
            Some(last) if last.end.utc == start => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts
}

/// Returns the tagged time in a local range.
pub(super) fn tags(history: &History, range: &Range<i64>) -> NamedTime {
    let mut tags = NamedTime::default();
    for (zone, rows) in &history.tags {
        for row in rows {
            tags.add(TAGS[row.about], None, row.stretch(*zone).and_then(|stretch| stretch.clip(range)));
        }
    }
    tags
}
