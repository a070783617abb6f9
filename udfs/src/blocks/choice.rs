//! Chooses the subjects of the slices between two forced ends, with exactly the minimum cost of
//! docs/spec/time.md#subjects.
//!
//! Other modules compute the slices and the forced ends. Start with [`SliceRun::choose`].
//!
//! An assignment chooses a subject for each slice. A slice *matches* if it has the assigned subject itself. The cost of
//! an assignment is the seconds of all slices that don't match, plus the switch cost for each change of subject. The
//! total seconds of all slices are the same for every assignment. So the assignment with the lowest cost has the
//! highest *score*: the seconds of all slices that match, minus the switch cost for each change. If two scores are
//! equal, the score with fewer changes is higher.
//!
//! The first pass runs from the last slice to the first. For each subject, it computes the score of assigning that
//! subject to the current slice and then continuing in the best way. The best way is to keep the subject, or to change
//! to the best subject of the next slice. Because of two properties, only the slice's own subjects have to be processed
//! at each slice:
//!
//! - A slice adds seconds only to the scores of its own subjects. The scores of other subjects change only if they are
//!   below a lower bound: the score of a change at the next slice.
//! - From the last slice to the first, this lower bound only grows, because the best score only grows. So the bound
//!   isn't stored for each subject. It is enough to apply the bound of the current slice whenever a score is read.
//!
//! The second pass runs from the first slice to the last. At each slice, it takes the subject with the highest score.
//! On a tie, it takes the preferred subject. So an earlier slice gets its preferred subject first.

use std::cmp::Reverse;
use std::ops::Range;

use hashbrown::HashMap;

use super::input::Subject;

/// The slices between two forced ends, reduced to their seconds and subjects.
#[derive(Debug, Default)]
pub(super) struct SliceRun<'a> {
    seconds: Vec<i64>,
    /// The subjects of all slices, one slice after another, as indexes of `candidates`. The subjects of a slice don't
    /// contain duplicates.
    sets: Vec<usize>,
    /// For each slice, the index in `sets` at which its subjects end.
    set_ends: Vec<usize>,
    candidates: Vec<CandidateSubject<'a>>,
    places: HashMap<Subject<'a>, usize>,
}

/// A subject, and the values that decide its place in the order of preference.
#[derive(Debug)]
struct CandidateSubject<'a> {
    subject: Subject<'a>,
    /// The total seconds of the slices that have this subject.
    own_seconds: i64,
    /// The first slice that has this subject.
    first: usize,
    /// The last slice with this subject that was added so far.
    last: Option<usize>,
}

/// The subject that is chosen for a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<'a> {
    /// The chosen subject.
    pub(super) subject: Subject<'a>,
    /// Whether the slice itself has this subject.
    pub(super) on_subject: bool,
}

/// The score of an assignment that covers all slices from a certain slice to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// The seconds of slices that have the assigned subject, minus the switch cost for each change.
    seconds: i64,
    changes: Reverse<usize>,
}

impl Score {
    const NONE: Self = Self { seconds: 0, changes: Reverse(0) };

    /// Returns the score with one more change of subject.
    fn with_change_cost(self, switch_cost: i64) -> Self {
        Self { seconds: self.seconds.saturating_sub(switch_cost), changes: Reverse(self.changes.0 + 1) }
    }
}

/// A subject and its score. The greater value wins: the higher score or, on a tie, the preferred subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ScoredSubject {
    score: Score,
    /// The index of the subject in the order of preference.
    rank: Reverse<usize>,
}

/// The result of the pass from the last slice to the first.
struct BackwardPass {
    /// The best subject at each slice, and one additional entry for the end after the last slice.
    best: Vec<ScoredSubject>,
    /// For each entry of `sets`, the score of this subject for all slices after the entry's slice. This score stays
    /// valid until the next slice that has the subject. The lower bound isn't applied to it yet.
    later: Vec<Score>,
}

impl<'a> SliceRun<'a> {
    /// Adds a slice and its subjects, which may contain duplicates.
    pub(super) fn push(&mut self, seconds: i64, subjects: &[Subject<'a>]) {
        let slice = self.seconds.len();
        self.seconds.push(seconds);
        for subject in subjects {
            let place = *self.places.entry(*subject).or_insert_with(|| {
                self.candidates.push(CandidateSubject { subject: *subject, own_seconds: 0, first: slice, last: None });
                self.candidates.len() - 1
            });
            let standing = &mut self.candidates[place];
            // Two devices can show the same application at the same time. The slice's list then contains the subject
            // twice, but the slice's seconds count once.
            if standing.last != Some(slice) {
                standing.last = Some(slice);
                standing.own_seconds += seconds;
                self.sets.push(place);
            }
        }
        self.set_ends.push(self.sets.len());
    }

    /// Removes all slices.
    pub(super) fn clear(&mut self) {
        self.seconds.clear();
        self.sets.clear();
        self.set_ends.clear();
        self.candidates.clear();
        self.places.clear();
    }

    /// Returns the best subject for each slice.
    pub(super) fn choose(&self, switch_cost: i64) -> Vec<Choice<'a>> {
        // With a negative cost, each change of subject would raise the score.
        let switch_cost = switch_cost.max(0);
        let preference = self.preference();
        let mut ranks = vec![0; preference.len()];
        for (rank, place) in preference.iter().enumerate() {
            ranks[*place] = rank;
        }
        let prospects = self.prospects(&ranks, switch_cost);
        // The current subject, with its score. This score stays valid until the next slice that has the subject.
        let mut given = prospects.best[0];
        let slices = 0..self.seconds.len();
        let choices = slices.map(|slice| {
            let bound = prospects.best[slice + 1].score.with_change_cost(switch_cost);
            let stay = ScoredSubject { score: given.score.max(bound), ..given };
            let best = prospects.best[slice];
            // Scores with equal seconds are compared by their number of changes, and fewer changes win. Only then does
            // the preference decide (docs/spec/time.md#subjects).
            if (ScoredSubject { score: best.score.with_change_cost(switch_cost), ..best }) > stay {
                given = best;
            }
            let place = preference[given.rank.0];
            let at = self.subject_range(slice).find(|at| self.sets[*at] == place);
            if let Some(at) = at {
                // So far, the score includes the seconds of this slice. The comparisons at later slices need the score
                // without these seconds.
                given.score = prospects.later[at];
            }
            Choice { subject: self.candidates[place].subject, on_subject: at.is_some() }
        });
        choices.collect()
    }

    /// Returns the indexes of all subjects in order of preference (docs/spec/time.md#subjects).
    fn preference(&self) -> Vec<usize> {
        let mut places: Vec<_> = (0..self.candidates.len()).collect();
        places.sort_unstable_by_key(|place| {
            let CandidateSubject { subject, own_seconds, first, .. } = &self.candidates[*place];
            (Reverse(*own_seconds), *first, subject.name, subject.kind)
        });
        places
    }

    /// Runs the pass from the last slice to the first. `ranks` contains the position of each subject in the order of
    /// preference.
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
                // The score `worth` has just grown. So if `offer` is an older score of the same subject, `max` replaces
                // it.
                offer = offer.max(ScoredSubject { score: *worth, rank: Reverse(ranks[place]) });
            }
            best[slice] = offer;
        }
        BackwardPass { best, later }
    }

    /// Returns the range of a slice's subjects in `sets`.
    fn subject_range(&self, slice: usize) -> Range<usize> {
        let start = slice.checked_sub(1).map_or(0, |before| self.set_ends[before]);
        start..self.set_ends[slice]
    }
}
