//! Computes pieces, one second at a time. Pieces are the parts of application rows inside active time
//! (docs/spec/time.md#pieces).

use std::ops::Range;

use super::clock::LocalInterval;
use super::history::{Device, FIRST, History, Row};

/// A part of an application row. During this part, the device was used and no later row was in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) device: usize,
    /// The number of the applications timeline within the device.
    pub(super) timeline: usize,
    /// The id of the row in its timeline.
    pub(super) activity: i64,
    pub(super) about: usize,
    pub(super) stretch: LocalInterval,
}

/// Returns the pieces of all devices, without a range. The pieces of each device are in order of time.
pub(super) fn pieces(history: &History) -> Vec<Piece> {
    (0..).zip(&history.devices).flat_map(|(number, device)| pieces_of(number, device)).collect()
}

/// Returns the pieces within a local range. Each piece is clipped with the UTC offset at its start.
pub(super) fn pieces_in(history: &History, range: &Range<i64>) -> Vec<Piece> {
    let cut = |piece: Piece| Some(Piece { stretch: piece.stretch.clip(range)?, ..piece });
    pieces(history).into_iter().filter_map(cut).collect()
}

/// Returns the active intervals of a device, each with one offset. Returns `None` if the device has no data about its
/// use.
pub(super) fn active(device: &Device) -> Option<Vec<LocalInterval>> {
    let rows = device.usage.iter().flatten().filter(|row| row.about == 0);
    let mut rows: Vec<_> = rows.filter_map(|row| row.stretch(device.zone)).collect();
    rows.sort();
    let mut united: Vec<LocalInterval> = Vec::new();
    for row in rows {
        match united.last_mut() {
            Some(before) if row.end.utc <= before.end.utc => {}
            Some(before) if row.start.utc <= before.end.utc && offset(&row) == offset(before) => before.end = row.end,
            Some(before) if row.start.utc < before.end.utc => {
                before.end = row.start;
                united.push(row);
            }
            _ => united.push(row),
        }
    }
    (!device.usage.is_empty()).then_some(united)
}

/// Returns the UTC offset at the start of an interval.
const fn offset(interval: &LocalInterval) -> i64 {
    interval.start.local - interval.start.utc
}

/// Returns the parts of an interval inside active time. If a part ends because active time ends, its end has the local
/// time of the active row.
pub(super) fn clip_to_active(interval: LocalInterval, active: Option<&[LocalInterval]>) -> Vec<LocalInterval> {
    let Some(active) = active else { return vec![interval] };
    let part = |active: &LocalInterval| LocalInterval {
        start: if active.start.utc > interval.start.utc { active.start } else { interval.start },
        end: if active.end.utc < interval.end.utc { active.end } else { interval.end },
    };
    active.iter().map(part).filter(|part| part.start.utc < part.end.utc).collect()
}

/// A part of a row inside active time. A later row may cover a section of the part.
struct Part<'a> {
    row: &'a Row,
    timeline: usize,
    activity: i64,
    stretch: LocalInterval,
}

fn pieces_of(number: usize, device: &Device) -> Vec<Piece> {
    let active = active(device);
    let mut parts = Vec::new();
    for (timeline, rows) in device.applications.iter().enumerate() {
        for (activity, row) in (1..).zip(rows) {
            let intervals = row.stretch(device.zone).map(|row| clip_to_active(row, active.as_deref()));
            let new =
                intervals.into_iter().flatten().map(|interval| Part { row, timeline, activity, stretch: interval });
            parts.extend(new);
        }
    }
    // The row that starts later covers the other rows. If two rows start simultaneously, the row with the higher id
    // covers the other.
    parts.sort_by_key(|part| (part.row.start, part.activity, part.timeline));
    let last = parts.iter().map(|part| part.stretch.end.utc).max().unwrap_or(FIRST);
    let mut in_front = vec![None; index(last)];
    for (number, part) in parts.iter().enumerate() {
        in_front[index(part.stretch.start.utc)..index(part.stretch.end.utc)].fill(Some(number));
    }
    let mut runs: Vec<(&Part<'_>, LocalInterval)> = Vec::new();
    let mut second = FIRST - MARGIN;
    for run in in_front.chunk_by(|a, b| a == b) {
        let start = second;
        second += i64::try_from(run.len()).unwrap();
        let Some(part) = run[0].map(|part: usize| &parts[part]) else { continue };
        let mut interval = part.stretch.between(start, second);
        // If a later row covers a part, or ends while the part continues, the new boundary has the local time of that
        // row.
        if let Some((before, cut)) = runs.last_mut().filter(|(_, cut)| cut.end.utc == start) {
            if before.stretch.end.utc > start {
                cut.end = part.stretch.start;
            }
            if part.stretch.start.utc < start {
                interval.start = before.stretch.end;
            }
        }
        runs.push((part, interval));
    }
    let piece = |(part, stretch): (&Part<'_>, LocalInterval)| Piece {
        device: number,
        timeline: part.timeline,
        activity: part.activity,
        about: part.row.about,
        stretch,
    };
    runs.into_iter().map(piece).collect()
}

/// The maximum number of seconds by which an overlapping row can start before `FIRST`.
const MARGIN: i64 = 40_000;

fn index(second: i64) -> usize {
    usize::try_from(second - FIRST + MARGIN).unwrap()
}
