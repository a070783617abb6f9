//! Forms blocks from slices.
//!
//! This module finds the forced ends of blocks. The module `slices` computes the slices, and `choice` chooses their
//! subjects.

use std::ops::Range;

use super::choice::SliceRun;
use super::input::{RuledPiece, Subject, TagInterval};
use super::slices::sweep_slices;
use crate::interval::{DayStart, Interval};

/// A block ends at a gap of this many seconds without any piece (docs/spec/time.md#block-boundaries).
const BREAK: i64 = 600;

/// A period within the union of all pieces in which the set of pieces and tags doesn't change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The start and end.
    pub interval: Interval,
    /// Whether the block's subject comes from a tag or a piece of this slice.
    pub on_subject: bool,
}

/// A period of work on one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The time from the start of the first slice to the end of the last slice. It can contain gaps of less than ten
    /// minutes.
    pub interval: Interval,
    /// The subject.
    pub subject: Subject<'a>,
    /// The total seconds of the block's slices.
    pub seconds: i64,
    /// The seconds of the slices that have the block's subject.
    pub on_subject: i64,
    /// The numbers of the block's slices. All slices are numbered from 0 in time order.
    pub slices: Range<usize>,
}

/// Calls `block` with each block and its slices, in time order. Pieces and tags can be in any order.
///
/// `day_start` is the time at which each local day starts. `switch_cost` is the cost of one change of subject, in
/// seconds. A slice that doesn't have its assigned subject costs its own seconds. Negative values count as 0.
///
/// Keeps only the slices since the last forced end in memory. These slices cover at most one day.
pub fn sweep_blocks<'a>(
    pieces: &[RuledPiece<'a>],
    tags: &[TagInterval<'a>],
    (switch_cost, day_start): (i64, DayStart),
    block: impl FnMut(Block<'a>, &[Slice]),
) {
    let mut open = OpenSlices { day: 0, slices: Vec::new(), run: SliceRun::default(), closed: 0, switch_cost, block };
    sweep_slices(pieces, tags, day_start, |interval, day, subjects| open.push(interval, day, subjects));
    open.close();
}

/// The slices since the last forced end.
struct OpenSlices<'a, F> {
    /// The local time at which the day of these slices starts.
    day: i64,
    slices: Vec<Slice>,
    run: SliceRun<'a>,
    /// The number of slices in earlier blocks.
    closed: usize,
    switch_cost: i64,
    block: F,
}

impl<'a, F: FnMut(Block<'a>, &[Slice])> OpenSlices<'a, F> {
    /// Adds the next slice and its subjects.
    fn push(&mut self, interval: Interval, day: i64, subjects: &[Subject<'a>]) {
        let last = self.slices.last();
        // The gap is measured in UTC, so that a clock change between two slices can't create or hide a break.
        if last.is_some_and(|last| day != self.day || interval.start_utc - last.interval.end_utc >= BREAK) {
            self.close();
        }
        self.day = day;
        self.slices.push(Slice { interval, on_subject: false });
        self.run.push(interval.seconds(), subjects);
    }

    /// Ends the open blocks. Consecutive slices with the same assigned subject become one block
    /// (docs/spec/time.md#block-fields).
    fn close(&mut self) {
        let choices = self.run.choose(self.switch_cost);
        for (slice, choice) in self.slices.iter_mut().zip(&choices) {
            slice.on_subject = choice.on_subject;
        }
        let mut rest = self.slices.as_slice();
        for run in choices.chunk_by(|left, right| left.subject == right.subject) {
            let (slices, later) = rest.split_at(run.len());
            if let Some(block) = block(run[0].subject, slices, self.closed) {
                (self.block)(block, slices);
            }
            self.closed += slices.len();
            rest = later;
        }
        self.slices.clear();
        self.run.clear();
    }
}

/// Returns the block of consecutive slices with one subject. `number` is the number of the first slice.
fn block<'a>(subject: Subject<'a>, slices: &[Slice], number: usize) -> Option<Block<'a>> {
    let (first, last) = (slices.first()?.interval, slices.last()?.interval);
    // The slices are disjoint, so the sum can't overflow.
    let seconds = |slices: &mut dyn Iterator<Item = &Slice>| slices.map(|slice| slice.interval.seconds()).sum();
    Some(Block {
        interval: Interval { end_utc: last.end_utc, end_local: last.end_local, ..first },
        subject,
        seconds: seconds(&mut slices.iter()),
        on_subject: seconds(&mut slices.iter().filter(|slice| slice.on_subject)),
        slices: number..number + slices.len(),
    })
}
