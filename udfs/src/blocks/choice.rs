//! Which subject each slice is given between two ends: the exact minimum of docs/spec/time.md#subjects.
//!
//! Owns: what an assignment is worth, which subject is preferred on a tie, and the two passes. Does not own: where
//! slices come from and what ends a block.
//!
//! The cost of an assignment is the seconds of all slices, less those of slices that have the subject given, plus
//! patience times changes. All slices together are the same for every assignment, so the least cost is the greatest
//! *worth*: seconds of slices that have the subject given, less patience times changes; of equal worths the one with
//! fewer changes is greater.
//!
//! From the last slice to the first, each subject's worth is that of giving it to the slice at hand and doing the best
//! after that: to stay, or to change to the best of the next slice. Two facts make a slice cost no more than the
//! subjects that it has, instead of all that occur:
//!
//! - Only a slice that has a subject adds to its worth. For all others the worth is as it was, but never less than that of
//!   a change at the next slice.
//! - That bound only rises from the last slice to the first, as the best worth does. So it need not be kept for each
//!   subject: the bound of the slice at hand, applied when a worth is read, is the greatest of all since.
//!
//! From the first slice to the last, each slice is then given what is worth most, and of equal worths the preferred
//! subject: that decides ties from the left.

use std::cmp::Reverse;
use std::ops::Range;

use hashbrown::HashMap;

use super::input::Subject;

/// The slices between two ends, as far as the choice is concerned.
#[derive(Debug, Default)]
pub(super) struct SliceRun<'a> {
    seconds: Vec<i64>,
    /// The subjects of all slices, one slice after the other, as places in `candidates`; each once a slice.
    sets: Vec<usize>,
    /// Where the subjects of each slice end.
    set_ends: Vec<usize>,
    candidates: Vec<CandidateSubject<'a>>,
    places: HashMap<Subject<'a>, usize>,
}

/// A subject, and how it stands among those that occur.
#[derive(Debug)]
struct CandidateSubject<'a> {
    subject: Subject<'a>,
    /// The seconds of slices that have it.
    own_seconds: i64,
    /// The first slice that has it.
    first: usize,
    /// The last slice so far that has it.
    last: Option<usize>,
}

/// What a slice is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<'a> {
    /// Its subject.
    pub(super) subject: Subject<'a>,
    /// Whether it has that subject itself.
    pub(super) on_subject: bool,
}

/// What an assignment is worth from some slice on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// Seconds of slices that have the subject given, less patience for each change.
    seconds: i64,
    changes: Reverse<usize>,
}

impl Score {
    const NONE: Self = Self { seconds: 0, changes: Reverse(0) };

    /// Returns the worth before a change of subject.
    fn with_change_cost(self, switch_cost: i64) -> Self {
        Self { seconds: self.seconds.saturating_sub(switch_cost), changes: Reverse(self.changes.0 + 1) }
    }
}

/// A subject and what it is worth; the greater one is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ScoredSubject {
    score: Score,
    /// The place of the subject in the order of preference.
    rank: Reverse<usize>,
}

/// What the pass from the last slice to the first finds.
struct BackwardPass {
    /// The best offer at each slice, and after the last.
    best: Vec<ScoredSubject>,
    /// What each subject of each slice, in the order of `Stretch::sets`, is worth after that slice: up to its next
    /// slice nothing is added to it, and the bound of a change is not applied.
    later: Vec<Score>,
}

impl<'a> SliceRun<'a> {
    /// Adds a slice, with the subjects that it has. A subject may come twice.
    pub(super) fn push(&mut self, seconds: i64, subjects: &[Subject<'a>]) {
        let slice = self.seconds.len();
        self.seconds.push(seconds);
        for subject in subjects {
            let place = *self.places.entry(*subject).or_insert_with(|| {
                self.candidates.push(CandidateSubject { subject: *subject, own_seconds: 0, first: slice, last: None });
                self.candidates.len() - 1
            });
            let standing = &mut self.candidates[place];
            if standing.last != Some(slice) {
                standing.last = Some(slice);
                standing.own_seconds += seconds;
                self.sets.push(place);
            }
        }
        self.set_ends.push(self.sets.len());
    }

    /// Forgets all slices.
    pub(super) fn clear(&mut self) {
        self.seconds.clear();
        self.sets.clear();
        self.set_ends.clear();
        self.candidates.clear();
        self.places.clear();
    }

    /// Returns what each slice is given.
    pub(super) fn choose(&self, switch_cost: i64) -> Vec<Choice<'a>> {
        let switch_cost = switch_cost.max(0);
        let preference = self.preference();
        let mut ranks = vec![0; preference.len()];
        for (rank, place) in preference.iter().enumerate() {
            ranks[*place] = rank;
        }
        let prospects = self.prospects(&ranks, switch_cost);
        // The subject at hand, with its worth up to its next slice.
        let mut given = prospects.best[0];
        let slices = 0..self.seconds.len();
        let choices = slices.map(|slice| {
            let bound = prospects.best[slice + 1].score.with_change_cost(switch_cost);
            let stay = ScoredSubject { score: given.score.max(bound), ..given };
            let best = prospects.best[slice];
            if (ScoredSubject { score: best.score.with_change_cost(switch_cost), ..best }) > stay {
                given = best;
            }
            let place = preference[given.rank.0];
            let at = self.subject_range(slice).find(|at| self.sets[*at] == place);
            if let Some(at) = at {
                given.score = prospects.later[at];
            }
            Choice { subject: self.candidates[place].subject, on_subject: at.is_some() }
        });
        choices.collect()
    }

    /// Returns the places of all subjects, the preferred one first (docs/spec/time.md#subjects).
    fn preference(&self) -> Vec<usize> {
        let mut places: Vec<_> = (0..self.candidates.len()).collect();
        places.sort_unstable_by_key(|place| {
            let CandidateSubject { subject, own_seconds, first, .. } = &self.candidates[*place];
            (Reverse(*own_seconds), *first, subject.name, subject.kind)
        });
        places
    }

    /// Goes from the last slice to the first. `ranks` are those of subjects in the order of preference.
    fn prospects(&self, ranks: &[usize], switch_cost: i64) -> BackwardPass {
        let mut worths = vec![Score::NONE; ranks.len()];
        let mut later = vec![Score::NONE; self.sets.len()];
        let mut offer = ScoredSubject { score: Score::NONE, rank: Reverse(0) };
        let mut best = vec![offer; self.seconds.len() + 1];
        for (slice, seconds) in self.seconds.iter().enumerate().rev() {
            let bound = offer.score.with_change_cost(switch_cost);
            for at in self.subject_range(slice) {
                let place = self.sets[at];
                let worth = &mut worths[place];
                later[at] = *worth;
                *worth = bound.max(*worth);
                worth.seconds += seconds;
                // Its worth so far is less than its new one, so it does not matter that the best offer may be its own.
                offer = offer.max(ScoredSubject { score: *worth, rank: Reverse(ranks[place]) });
            }
            best[slice] = offer;
        }
        BackwardPass { best, later }
    }

    /// Returns where in `sets` the subjects of a slice are.
    fn subject_range(&self, slice: usize) -> Range<usize> {
        let start = slice.checked_sub(1).map_or(0, |before| self.set_ends[before]);
        start..self.set_ends[slice]
    }
}
