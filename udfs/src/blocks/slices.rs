//! Slices: the union of all pieces, cut at every edge of a piece and of a tag and at local midnight
//! (docs/spec/time.md#slices).
//!
//! Owns: the cuts, the subjects of a slice, and by which clock it has its local time and its day. Does not own: the row
//! clock (`interval`), what ends a block.
//!
//! A slice goes by the clock of one of the pieces that hold it: that of the least timeline. Its day is the day of that
//! clock. So where devices in different zones are used at once, the midnight of one ends blocks only while it gives the
//! clock, and a change of clock to a device on which the date is another ends them too: a block lies in one local day.
//! Midnights of the other devices cut as well; a cut between two slices with the same subjects changes no block.
//!
//! Invariant: slices are disjoint, none is empty, and together they are the union of all pieces.

use std::iter::Peekable;
use std::vec;

use crate::interval::{DAY, Interval, RowClock};

use super::input::{RuledPiece, Subject, TagInterval};

/// A piece is cut at so many midnights at most, which is 274 years. Only a damaged row is longer; its rest is one
/// slice.
const MAX_MIDNIGHTS: i64 = 100_000;

/// Calls `slice` with each slice in order of time: when it was, the local midnight at which its day begins, and the
/// subjects that it has, of which some may come twice.
pub(super) fn sweep_slices<'a>(
    pieces: &[RuledPiece<'a>],
    tags: &[TagInterval<'a>],
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
        sweep.advance_to(start);
        next = sweep.next_cut();
        if let (Some(end), Some(clock)) = (next, sweep.clock()) {
            sweep.write_subjects(&mut subjects);
            slice(clock.interval(start, end), clock.day, &subjects);
        }
    }
}

/// Rows in order of UTC start.
type SortedRows<'p, T> = Peekable<vec::IntoIter<&'p T>>;

/// Returns what has an extent, in order. What is in order or nearly so already takes one pass.
fn sort_by_start<T>(rows: &[T], interval: fn(&T) -> Interval) -> SortedRows<'_, T> {
    let has_extent = |row: &&T| {
        let Interval { start_utc, start_local, end_utc, end_local } = interval(row);
        Interval::new(start_local, start_utc, end_local, end_utc).is_some()
    };
    let mut rows: Vec<_> = rows.iter().filter(has_extent).collect();
    rows.sort_by_key(|row| interval(row).start_utc);
    rows.into_iter().peekable()
}

/// An instant that goes from the first piece to the last.
struct Sweep<'p, 'a> {
    /// The pieces that begin later.
    pieces: SortedRows<'p, RuledPiece<'a>>,
    /// The tags that begin later.
    tags: SortedRows<'p, TagInterval<'a>>,
    /// The pieces that hold the instant.
    running: Vec<RunningPiece<'p, 'a>>,
    /// The tags that hold the instant.
    tagged: Vec<&'p TagInterval<'a>>,
}

impl<'p, 'a> Sweep<'p, 'a> {
    /// Comes to an instant, which is the next cut.
    fn advance_to(&mut self, utc: i64) {
        self.running.retain_mut(|piece| piece.runs_at(utc));
        while let Some(piece) = self.pieces.next_if(|piece| piece.interval.start_utc <= utc) {
            self.running.push(RunningPiece::new(piece));
        }
        while let Some(tag) = self.tags.next_if(|tag| tag.interval.start_utc <= utc) {
            self.tagged.push(tag);
        }
        self.tagged.retain(|tag| tag.interval.end_utc > utc);
    }

    /// Returns the next edge of a piece or tag, or midnight of a piece that runs.
    fn next_cut(&mut self) -> Option<i64> {
        let piece_start = self.pieces.peek().map(|piece| piece.interval.start_utc);
        let starts = [piece_start, self.tags.peek().map(|tag| tag.interval.start_utc)];
        let tag_ends = self.tagged.iter().map(|tag| tag.interval.end_utc);
        self.running.iter().map(|piece| piece.cut).chain(starts.into_iter().flatten()).chain(tag_ends).min()
    }

    /// Returns the piece whose clock holds.
    fn clock(&self) -> Option<&RunningPiece<'p, 'a>> {
        self.running.iter().min_by_key(|piece| piece.clock_priority())
    }

    /// Puts the subjects that a slice has: its tags, else what its pieces are about.
    fn write_subjects(&self, subjects: &mut Vec<Subject<'a>>) {
        subjects.clear();
        subjects.extend(self.tagged.iter().map(|tag| tag.subject));
        if subjects.is_empty() {
            subjects.extend(self.running.iter().map(|running| running.piece.subject));
        }
    }
}

/// A piece that holds the instant at hand.
struct RunningPiece<'p, 'a> {
    piece: &'p RuledPiece<'a>,
    clock: RowClock,
    /// The local midnight at which the day at hand begins.
    day: i64,
    /// The local midnight at which it ends; never, once the piece is cut at as many as it may be.
    midnight: i64,
    /// How many midnights the piece may be cut at yet.
    midnights_left: i64,
    /// The UTC instant at which it ends or reaches that midnight.
    cut: i64,
}

impl<'p, 'a> RunningPiece<'p, 'a> {
    fn new(piece: &'p RuledPiece<'a>) -> Self {
        let day = piece.interval.start_local.div_euclid(DAY) * DAY;
        let clock = RowClock::new(piece.interval);
        let midnight = day + DAY;
        Self { piece, clock, day, midnight, midnights_left: MAX_MIDNIGHTS - 1, cut: clock.utc_at(midnight) }
    }

    /// Begins the next day of the piece.
    fn begin_day(&mut self) {
        self.day = self.midnight;
        self.midnight = if self.midnights_left > 0 { self.day + DAY } else { i64::MAX };
        self.midnights_left -= 1;
        self.cut = self.clock.utc_at(self.midnight);
    }

    /// Returns whether the piece holds an instant that is no later than its next cut, and begins the next day there.
    fn runs_at(&mut self, utc: i64) -> bool {
        if utc >= self.piece.interval.end_utc {
            return false;
        }
        if utc == self.cut {
            self.begin_day();
        }
        true
    }

    /// Returns by what the clock is chosen: the least timeline gives it. One timeline has one piece at a time; where it
    /// has more, the order in which they were read must not decide.
    fn clock_priority(&self) -> (i64, Option<&'a str>, Interval) {
        (self.piece.timeline, self.piece.device, self.piece.interval)
    }

    /// Returns the interval between two instants of the day at hand, with local times of that day.
    ///
    /// Only where clocks change inside the piece could its clock name another day (docs/spec/time.md#clock-changes).
    fn interval(&self, start_utc: i64, end_utc: i64) -> Interval {
        let start_local = self.clock.local_at(start_utc).min(self.midnight - 1);
        let own_end = (end_utc == self.piece.interval.end_utc)
            .then(|| self.clock.clip(Some(self.day), Some(self.midnight)))
            .flatten();
        let end_local = own_end.map_or_else(|| self.clock.local_at(end_utc).min(self.midnight), |part| part.end_local);
        Interval { start_utc, start_local, end_utc, end_local }
    }
}
