//! Finds the reason why an interval starts or ends at a different time than its row.

use hashbrown::HashMap;

use crate::blocks::Subject;

use super::device_times::DeviceTimes;
use super::input::{AccountInterval, Counts, Cut, FoundInterval, Kind, Source, State};
use super::work::is_same_row;

/// Sets the reasons for the start and end of each interval. Ends that the range cuts, except those of active time, are
/// already set.
pub(super) fn cut_ends(sources: &[Source<'_>], rest: &DeviceTimes<'_>, found: &mut [FoundInterval<'_>]) {
    let applications = sources.iter().filter(|source| source.kind == Kind::Application);
    let rows: HashMap<_, _> = applications.map(|row| ((row.timeline, row.activity), row.span())).collect();
    found.sort_by_key(|found| (sources[found.source].device, found.interval.interval.start_utc));
    let work: Vec<usize> = (0..found.len()).filter(|place| found[*place].interval.counts.is_work()).collect();
    let mut ends: Vec<[Option<Cut>; 2]> = found
        .iter()
        .map(|found| if found.interval.counts.is_work() { [None; 2] } else { idle_ends(sources, rest, found) })
        .collect();
    for (nth, place) in work.iter().enumerate() {
        let at = |nth: Option<usize>| nth.and_then(|nth| work.get(nth)).map(|place| &found[*place]);
        let this = &found[*place];
        let (source, interval) = (&sources[this.source], this.interval.interval);
        let own = rows.get(&(source.timeline, source.activity)).copied().unwrap_or(source.span());
        let touches = |other: &&FoundInterval<'_>, is_before: bool| {
            let of = other.interval.interval;
            sources[other.source].device == source.device
                && if is_before { of.end_utc == interval.start_utc } else { of.start_utc == interval.end_utc }
        };
        let before = at(nth.checked_sub(1)).filter(|other| touches(other, true));
        let after = at(nth.checked_add(1)).filter(|other| touches(other, false));
        let begun = || work_end(sources, rest, this, before, interval.start_utc - 1);
        let ended = || work_end(sources, rest, this, after, interval.end_utc);
        ends[*place] = [
            if interval.start_utc == own.0 { None } else { Some(begun()) },
            if interval.end_utc == own.1 { None } else { Some(ended()) },
        ];
    }
    for (found, [start, end]) in found.iter_mut().zip(ends) {
        (found.interval.cut_start, found.interval.cut_end) = (start, end);
    }
}

/// Returns the reason for an edge of active time. `touching` is the active interval on the other side, if there is one.
/// Otherwise, `beyond` is the first second on that side.
fn work_end(
    sources: &[Source<'_>],
    rest: &DeviceTimes<'_>,
    this: &FoundInterval<'_>,
    touching: Option<&FoundInterval<'_>>,
    beyond: i64,
) -> Cut {
    let source = &sources[this.source];
    if let Some(other) = touching {
        let (left, right) = (&this.interval, &other.interval);
        return if !is_same_row(source, &sources[other.source]) {
            Cut::LaterRow
        } else if left.counts != right.counts {
            Cut::State(if left.counts == Counts::Call { State::Active } else { State::Away })
        } else if left.tags != right.tags {
            Cut::Tag
        } else if this.source != other.source {
            Cut::Rule
        } else if left.adds == right.adds && block_of(left) != block_of(right) {
            Cut::Block
        } else {
            Cut::OtherDevice
        };
    }
    match rest.at(source.device, beyond).map(|base| base.counts) {
        Some(Counts::State(state)) => Cut::State(state),
        _ => Cut::Range,
    }
}

/// Identifies a block.
fn block_of<'a>(interval: &AccountInterval<'a>) -> Option<(i64, Subject<'a>)> {
    interval.work.map(|work| (work.block_start, work.subject))
}

fn idle_ends(sources: &[Source<'_>], rest: &DeviceTimes<'_>, found: &FoundInterval<'_>) -> [Option<Cut>; 2] {
    let (own, interval) = (sources[found.source].span(), &found.interval);
    let edges = [
        (interval.cut_start, interval.interval.start_utc, own.0, interval.interval.start_utc - 1),
        (interval.cut_end, interval.interval.end_utc, own.1, interval.interval.end_utc),
    ];
    edges.map(|(known, edge, own, beyond)| {
        known.or_else(|| if edge == own { None } else { Some(idle_end(sources, rest, found, beyond)) })
    })
}

/// Returns the reason for an edge of an interval that isn't active time. `beyond` is the first second on the other
/// side.
fn idle_end(sources: &[Source<'_>], rest: &DeviceTimes<'_>, found: &FoundInterval<'_>, beyond: i64) -> Cut {
    let counts = found.interval.counts;
    match counts {
        Counts::Covered => return Cut::LaterRow,
        Counts::Tagged if rest.has_row_at(beyond) => return Cut::Recorded,
        Counts::Tagged => return Cut::Tag,
        _ => {}
    }
    let device = sources[found.source].device;
    let Some(other) = rest.at(device, beyond) else { return Cut::Range };
    match other.counts {
        other if other == counts => {}
        Counts::State(state) => return Cut::State(state),
        Counts::Call if counts == Counts::State(State::Away) => return Cut::Application,
        Counts::Call => return Cut::State(State::Away),
        Counts::Active if counts == Counts::NoApplication => return Cut::Application,
        _ => return Cut::State(State::Active),
    }
    if other.source != found.source {
        return Cut::LaterRow;
    }
    let this = rest.at(device, found.interval.interval.start_utc).and_then(|base| base.front);
    if this == other.front { Cut::Tag } else { Cut::Application }
}
