//! A second implementation of docs/spec/time.md#blocks: it counts single seconds and compares whole assignments.

use std::collections::BTreeSet;

use crate::blocks::{Block, Kind, RuledPiece, Subject, TagInterval};
use crate::interval::{DAY, HOUR, Interval};

/// Subjects as name and kind.
pub(super) type Subjects<'a> = BTreeSet<(&'a str, Kind)>;

/// A second of the union of all pieces.
#[derive(Clone, Debug)]
pub(super) struct Second<'a> {
    pub(super) utc: i64,
    /// The local times at which the second starts and ends.
    local: (i64, i64),
    pub(super) day: i64,
    pub(super) subjects: Subjects<'a>,
    /// The indexes of the pieces that cover the second, each with the piece's day, and the indexes of the tags that
    /// cover the second.
    pub(super) held_by: (Vec<(usize, i64)>, Vec<usize>),
}

pub(super) fn holds(interval: &Interval, utc: i64) -> bool {
    interval.start_utc <= utc && utc < interval.end_utc
}

/// Returns the number of seconds by which clocks went back inside a piece.
fn set_back(interval: &Interval) -> i64 {
    interval.seconds() + interval.start_local - interval.end_local
}

/// Returns the local midnight before a second of a piece. Follows the written rule literally: the clock runs from the
/// local start of the piece. If clocks go back by up to an hour inside the piece, the result is at most the midnight
/// before the end of the piece.
fn day_of(interval: &Interval, utc: i64) -> i64 {
    let day = |local: i64| local.div_euclid(DAY) * DAY;
    let elapsed = day(utc - interval.start_utc + interval.start_local);
    if (1..=HOUR).contains(&set_back(interval)) {
        elapsed.min(day(interval.end_local - 1)).max(day(interval.start_local))
    } else {
        elapsed
    }
}

/// Returns the local time at which a second of a piece ends, limited to the day of that second. If possible, the last
/// second ends at the piece's own local end.
fn end_of(interval: &Interval, utc: i64) -> i64 {
    let (midnight, own) = (day_of(interval, utc), interval.end_local);
    let is_last = utc + 1 == interval.end_utc;
    if is_last && (midnight..=midnight + DAY).contains(&own) {
        own
    } else if is_last && own < midnight && (1..=HOUR).contains(&set_back(interval)) {
        midnight
    } else {
        (utc + 1 - interval.start_utc + interval.start_local).min(midnight + DAY)
    }
}

/// Returns the slices, each one second long.
pub(super) fn seconds_of<'a>(pieces: &[RuledPiece<'a>], tags: &[TagInterval<'a>]) -> Vec<Second<'a>> {
    let Some(end) = pieces.iter().map(|piece| piece.interval.end_utc).max() else { return Vec::new() };
    let second = |utc: i64| {
        let here: Vec<_> = (0..pieces.len()).filter(|&index| holds(&pieces[index].interval, utc)).collect();
        let tagged: Vec<_> = (0..tags.len()).filter(|&index| holds(&tags[index].interval, utc)).collect();
        let clock = here.iter().map(|&index| &pieces[index]);
        let clock = clock.min_by_key(|piece| (piece.timeline, piece.device, piece.interval))?.interval;
        let mut subjects: Vec<_> = tagged.iter().map(|&index| tags[index].subject).collect();
        if tagged.is_empty() {
            subjects = here.iter().map(|&index| pieces[index].subject).collect();
        }
        let day = day_of(&clock, utc);
        let elapsed = clock.start_local + utc - clock.start_utc;
        Some(Second {
            utc,
            local: (elapsed.min(day + DAY - 1), end_of(&clock, utc)),
            day,
            subjects: subjects.iter().map(|subject| (subject.name, subject.kind)).collect(),
            held_by: (here.iter().map(|&index| (index, day_of(&pieces[index].interval, utc))).collect(), tagged),
        })
    };
    (0..end).filter_map(second).collect()
}

/// The slices between two forced ends: their seconds and subjects.
pub(super) type Sets<'a> = [(i64, Subjects<'a>)];

/// Returns all subjects in order of preference, exactly as in docs/spec/time.md#subjects.
fn subjects_by_preference<'a>(slices: &Sets<'a>) -> Vec<(&'a str, Kind)> {
    let all: BTreeSet<_> = slices.iter().flat_map(|(_, set)| set.iter().copied()).collect();
    let own = |subject: &(&str, Kind)| {
        slices.iter().filter(|(_, set)| set.contains(subject)).map(|(seconds, _)| seconds).sum::<i64>()
    };
    let first = |subject: &(&str, Kind)| slices.iter().position(|(_, set)| set.contains(subject));
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| own(b).cmp(&own(a)).then(first(a).cmp(&first(b))).then(a.0.cmp(b.0)).then(a.1.cmp(&b.1)));
    all
}

/// The sort key of an assignment: its cost, its number of changes, and the preference rank of each slice's subject,
/// from the first slice to the last.
type Price = (i128, usize, Vec<usize>);

/// Tries all assignments and returns the best one.
pub(super) fn best_by_brute_force<'a>(slices: &Sets<'a>, switch_cost: i64) -> Vec<(&'a str, Kind)> {
    let subjects = subjects_by_preference(slices);
    let all = subjects.len().pow(u32::try_from(slices.len()).unwrap());
    let assignment = |mut number: usize| -> Vec<usize> {
        slices
            .iter()
            .map(|_| {
                let digit = number % subjects.len();
                number /= subjects.len();
                digit
            })
            .collect()
    };
    let price = |assignment: Vec<usize>| -> Price {
        let changes = assignment.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let lacking = slices.iter().zip(&assignment).filter(|((_, set), at)| !set.contains(&subjects[**at]));
        let off = lacking.map(|((seconds, _), _)| i128::from(*seconds)).sum::<i128>();
        (off + i128::from(switch_cost.max(0)) * i128::try_from(changes).unwrap(), changes, assignment)
    };
    let (.., best) = (0..all).map(|number| price(assignment(number))).min().unwrap();
    best.into_iter().map(|at| subjects[at]).collect()
}

/// Returns the best assignment. For each slice and subject, computes the best continuation, and keeps its whole price.
pub(super) fn best_by_recursion<'a>(slices: &Sets<'a>, switch_cost: i64) -> Vec<(&'a str, Kind)> {
    let subjects = subjects_by_preference(slices);
    let mut best: Vec<Price> = Vec::new();
    for (seconds, set) in slices.iter().rev() {
        let next: Vec<Price> = (0..subjects.len())
            .map(|at| {
                let off = if set.contains(&subjects[at]) { 0 } else { i128::from(*seconds) };
                let follow = |(to, (cost, changes, rest)): (usize, &Price)| -> Price {
                    let change = usize::from(to != at);
                    let price = if to == at { 0 } else { i128::from(switch_cost.max(0)) };
                    (cost + off + price, changes + change, [&[at], &rest[..]].concat())
                };
                best.iter().enumerate().map(follow).min().unwrap_or_else(|| (off, 0, vec![at]))
            })
            .collect();
        best = next;
    }
    let (.., best) = best.into_iter().min().unwrap();
    best.into_iter().map(|at| subjects[at]).collect()
}

/// Builds blocks from single seconds. Two consecutive seconds belong to the same slice if `same` returns true. `assign`
/// chooses the subjects of slices.
pub(super) fn blocks<'a>(
    pieces: &[RuledPiece<'a>],
    tags: &[TagInterval<'a>],
    switch_cost: i64,
    same: fn(&Second<'a>, &Second<'a>) -> bool,
    assign: fn(&Sets<'a>, i64) -> Vec<(&'a str, Kind)>,
) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let ends = |a: &Second<'_>, b: &Second<'_>| b.utc - (a.utc + 1) >= 600 || a.day != b.day;
    for stretch in seconds_of(pieces, tags).chunk_by(|a, b| !ends(a, b)) {
        let slices: Vec<_> = stretch.chunk_by(|a, b| a.utc + 1 == b.utc && same(a, b)).collect();
        let sets: Vec<_> = slices.iter().map(|of| (i64::try_from(of.len()).unwrap(), of[0].subjects.clone())).collect();
        let given = assign(&sets, switch_cost);
        let given: Vec<_> =
            slices.iter().zip(given).flat_map(|(of, subject)| of.iter().map(move |at| (at, subject))).collect();
        for run in given.chunk_by(|a, b| a.1 == b.1) {
            let ((first, (name, kind)), (last, _)) = (run[0], run[run.len() - 1]);
            let count = |seconds: usize| i64::try_from(seconds).unwrap();
            blocks.push(Block {
                interval: Interval {
                    start_utc: first.utc,
                    start_local: first.local.0,
                    end_utc: last.utc + 1,
                    end_local: last.local.1,
                },
                subject: Subject { kind, name },
                seconds: count(run.len()),
                on_subject: count(run.iter().filter(|(at, of)| at.subjects.contains(of)).count()),
                slices: 0..0,
            });
        }
    }
    blocks
}
