//! Cuts the union of all pieces into slices: at every edge of a piece or tag, and at the start of each
//! local day (docs/spec/time.md#slices).
//!
//! Start with [`sweep_slices`], which also finds the subjects, local time and day of each slice. The row clock is in
//! the module `interval`.
//!
//! A slice uses the clock of the piece with the smallest timeline number. The day of the slice is a day on this clock.
//! If devices in different time zones are used simultaneously, the start of a day on a device ends a block only while
//! the clock of this device is used. A block also ends if the next slice uses another device's clock that is on a
//! different day. So each block lies in one local day. The starts of days on other devices also cut slices. But a cut
//! between two slices with the same subjects doesn't change a block.
//!
//! Invariant: slices are disjoint and not empty, and together they are the union of all pieces.

use std::iter::Peekable;
use std::vec;

use crate::interval::{DAY, DayStart, Interval, RowClock};

use super::input::{RuledPiece, Subject, TagInterval};

/// The maximum number of days into which a piece is cut. A piece with more days is longer than 274 years and comes from
/// a damaged row. Its remaining time isn't cut.
const MAX_DAYS: i64 = 100_000;

/// Calls `slice` with each slice in time order. The arguments are the interval of the slice, the local time at which
/// its day starts, and its subjects. The subjects may contain duplicates.
pub(super) fn sweep_slices<'a>(
    pieces: &[RuledPiece<'a>],
    tags: &[TagInterval<'a>],
    day_start: DayStart,
    mut slice: impl FnMut(Interval, i64, &[Subject<'a>]),
) {
    let mut sweep = Sweep {
        pieces: sort_by_start(pieces, |piece| piece.interval),
        tags: sort_by_start(tags, |tag| tag.interval),
        running: Vec::new(),
        tagged: Vec::new(),
    };
    let mut subjects = Vec::new();
    let mut next = sweep.next_cut();
    while let Some(start) = next {
        sweep.advance_to(start, day_start);
        next = sweep.next_cut();
        if let (Some(end), Some(clock)) = (next, sweep.clock()) {
            sweep.write_subjects(&mut subjects);
            slice(clock.interval(start, end), clock.day, &subjects);
        }
    }
}

/// Rows in order of UTC start.
type SortedRows<'p, T> = Peekable<vec::IntoIter<&'p T>>;

/// Returns the rows that have a duration, in order of start. Sorting takes one pass if the rows are nearly sorted.
fn sort_by_start<T>(rows: &[T], interval: fn(&T) -> Interval) -> SortedRows<'_, T> {
    let has_extent = |row: &&T| {
        let Interval { start_utc, start_local, end_utc, end_local } = interval(row);
        Interval::new(start_local, start_utc, end_local, end_utc).is_some()
    };
    let mut rows: Vec<_> = rows.iter().filter(has_extent).collect();
    rows.sort_by_key(|row| interval(row).start_utc);
    rows.into_iter().peekable()
}

/// The state of a pass over the pieces in time order.
struct Sweep<'p, 'a> {
    /// The pieces that start after the current time.
    pieces: SortedRows<'p, RuledPiece<'a>>,
    /// The tags that start after the current time.
    tags: SortedRows<'p, TagInterval<'a>>,
    /// The pieces that cover the current time.
    running: Vec<RunningPiece<'p, 'a>>,
    /// The tags that cover the current time.
    tagged: Vec<&'p TagInterval<'a>>,
}

impl<'p, 'a> Sweep<'p, 'a> {
    /// Advances to the next cut.
    fn advance_to(&mut self, utc: i64, day_start: DayStart) {
        self.running.retain_mut(|piece| piece.runs_at(utc));
        while let Some(piece) = self.pieces.next_if(|piece| piece.interval.start_utc <= utc) {
            self.running.push(RunningPiece::new(piece, day_start));
        }
        while let Some(tag) = self.tags.next_if(|tag| tag.interval.start_utc <= utc) {
            self.tagged.push(tag);
        }
        self.tagged.retain(|tag| tag.interval.end_utc > utc);
    }

    /// Returns the next edge of a piece or tag, or the next start of a day of a running piece.
    fn next_cut(&mut self) -> Option<i64> {
        let piece_start = self.pieces.peek().map(|piece| piece.interval.start_utc);
        let starts = [piece_start, self.tags.peek().map(|tag| tag.interval.start_utc)];
        let tag_ends = self.tagged.iter().map(|tag| tag.interval.end_utc);
        self.running.iter().map(|piece| piece.cut).chain(starts.into_iter().flatten()).chain(tag_ends).min()
    }

    /// Returns the piece whose clock is used.
    fn clock(&self) -> Option<&RunningPiece<'p, 'a>> {
        self.running.iter().min_by_key(|piece| piece.clock_priority())
    }

    /// Replaces `subjects` by the subjects of the current slice. These are the tags of the slice. If it has no tags,
    /// these are the subjects of its pieces.
    fn write_subjects(&self, subjects: &mut Vec<Subject<'a>>) {
        subjects.clear();
        subjects.extend(self.tagged.iter().map(|tag| tag.subject));
        if subjects.is_empty() {
            subjects.extend(self.running.iter().map(|running| running.piece.subject));
        }
    }
}

/// A piece that covers the current time.
struct RunningPiece<'p, 'a> {
    piece: &'p RuledPiece<'a>,
    clock: RowClock,
    /// The local time at which the current day starts.
    day: i64,
    /// The local time at which the current day ends, or `i64::MAX` after the last permitted cut.
    next_day: i64,
    /// The number of starts of days at which the piece can still be cut.
    days_left: i64,
    /// The UTC time of the piece's next cut, at `next_day` or at the end of the piece.
    cut: i64,
}

impl<'p, 'a> RunningPiece<'p, 'a> {
    fn new(piece: &'p RuledPiece<'a>, day_start: DayStart) -> Self {
        let day = day_start.before(piece.interval.start_local);
        let clock = RowClock::new(piece.interval);
        let next_day = day + DAY;
        Self { piece, clock, day, next_day, days_left: MAX_DAYS - 1, cut: clock.utc_at(next_day) }
    }

    /// Starts the next day of the piece.
    fn begin_day(&mut self) {
        self.day = self.next_day;
        self.next_day = if self.days_left > 0 { self.day + DAY } else { i64::MAX };
        self.days_left -= 1;
        self.cut = self.clock.utc_at(self.next_day);
    }

    /// Whether the piece covers a time. The time must not be after the next cut of the piece. If the time is a cut at
    /// the start of a day, that day starts.
    fn runs_at(&mut self, utc: i64) -> bool {
        if utc >= self.piece.interval.end_utc {
            return false;
        }
        if utc == self.cut {
            self.begin_day();
        }
        true
    }

    /// Returns the sort key that decides whose clock is used. The piece with the smallest key wins, so the smallest
    /// timeline number wins. A timeline normally has one piece at a time. If a timeline has several, the device and the
    /// interval decide, so that the order of rows doesn't matter.
    fn clock_priority(&self) -> (i64, Option<&'a str>, Interval) {
        (self.piece.timeline, self.piece.device, self.piece.interval)
    }

    /// Returns the interval between two times of the current day, with local times of that day.
    ///
    /// The local times are limited to the day. These limits matter only if clocks change inside the piece
    /// (docs/spec/time.md#clock-changes). Otherwise, all local times are within the day anyway.
    fn interval(&self, start_utc: i64, end_utc: i64) -> Interval {
        let start_local = self.clock.local_at(start_utc).min(self.next_day - 1);
        let own_end = (end_utc == self.piece.interval.end_utc)
            .then(|| self.clock.clip(Some(self.day), Some(self.next_day)))
            .flatten();
        let end_local = own_end.map_or_else(|| self.clock.local_at(end_utc).min(self.next_day), |part| part.end_local);
        Interval { start_utc, start_local, end_utc, end_local }
    }
}
