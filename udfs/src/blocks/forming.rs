//! From slices to blocks.
//!
//! Owns: what ends a block whatever its subject, and what a block is. Does not own: slices and their clock (`slices`),
//! which subject each slice is given (`choice`).

use std::ops::Range;

use super::choice::SliceRun;
use super::input::{RuledPiece, Subject, TagInterval};
use super::slices::sweep_slices;
use crate::interval::Interval;

/// Without a piece for so many seconds, every block ends (docs/spec/time.md#block-boundaries).
const BREAK: i64 = 600;

/// A part of the union of all pieces in which neither pieces nor tags change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// When it was.
    pub interval: Interval,
    /// Whether it has the subject of its block, by a tag or a piece of its own.
    pub on_subject: bool,
}

/// A stretch of work about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// From its first slice's start to its last one's end; gaps shorter than a break may lie between.
    pub interval: Interval,
    /// What it is about.
    pub subject: Subject<'a>,
    /// The seconds of its slices.
    pub seconds: i64,
    /// The seconds of those of its slices that have its subject.
    pub on_subject: i64,
    /// The numbers of its slices; all slices are counted from 0 in order of time.
    pub slices: Range<usize>,
}

/// Returns the blocks of pieces and tags, both in any order, in order of time.
///
/// `patience` is what a change of subject costs, in seconds of slices that lack the subject given; below 0 it is 0.
pub fn blocks<'a>(pieces: &[RuledPiece<'a>], tags: &[TagInterval<'a>], switch_cost: i64) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    sweep_blocks(pieces, tags, switch_cost, |block, _| blocks.push(block));
    blocks
}

/// Calls `block` with each block of pieces and tags and with its slices, in order of time; `patience` as for
/// [`blocks`].
///
/// Keeps no more slices than lie between two ends, which is a day of them at most.
pub fn sweep_blocks<'a>(
    pieces: &[RuledPiece<'a>],
    tags: &[TagInterval<'a>],
    switch_cost: i64,
    block: impl FnMut(Block<'a>, &[Slice]),
) {
    let mut open = OpenSlices { day: 0, slices: Vec::new(), run: SliceRun::default(), closed: 0, switch_cost, block };
    sweep_slices(pieces, tags, |interval, day, subjects| open.push(interval, day, subjects));
    open.close();
}

/// The slices since the last end, not yet in blocks.
struct OpenSlices<'a, F> {
    /// The local midnight at which their day begins.
    day: i64,
    slices: Vec<Slice>,
    run: SliceRun<'a>,
    /// How many slices came before.
    closed: usize,
    switch_cost: i64,
    block: F,
}

impl<'a, F: FnMut(Block<'a>, &[Slice])> OpenSlices<'a, F> {
    /// Takes the next slice, with the subjects that it has.
    fn push(&mut self, interval: Interval, day: i64, subjects: &[Subject<'a>]) {
        let last = self.slices.last();
        if last.is_some_and(|last| day != self.day || interval.start_utc - last.interval.end_utc >= BREAK) {
            self.close();
        }
        self.day = day;
        self.slices.push(Slice { interval, on_subject: false });
        self.run.push(interval.seconds(), subjects);
    }

    /// Ends every block: each is a maximal run of slices with one subject (docs/spec/time.md#block-fields).
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

/// Returns the block of slices about one subject, of which the first has a number.
fn block<'a>(subject: Subject<'a>, slices: &[Slice], number: usize) -> Option<Block<'a>> {
    let (first, last) = (slices.first()?.interval, slices.last()?.interval);
    // Slices are disjoint, so the sum is within what an interval can last.
    let seconds = |slices: &mut dyn Iterator<Item = &Slice>| slices.map(|slice| slice.interval.seconds()).sum();
    Some(Block {
        interval: Interval { end_utc: last.end_utc, end_local: last.end_local, ..first },
        subject,
        seconds: seconds(&mut slices.iter()),
        on_subject: seconds(&mut slices.iter().filter(|slice| slice.on_subject)),
        slices: number..number + slices.len(),
    })
}
