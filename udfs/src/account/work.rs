//! Computes active time and calls: the totals that the pieces add to, and their segments and blocks.

use hashbrown::HashMap;

use crate::interval::{Interval, RowClock};
use crate::name_map::NameMap;
use crate::segment::{self, JoinLimits, segments};

use super::blocks::{Slice, blocks};
use super::device_times::DeviceTimes;
use super::input::{AccountInterval, AccountOptions, Adds, Counts, FoundInterval, Kind, Source, Step, Work};
use super::tags::Tags;

/// Calls `found` with each interval of each piece. The intervals of one piece come in time order.
pub(super) fn sweep<'a>(
    sources: &[Source<'a>],
    terms: AccountOptions,
    rest: &DeviceTimes<'a>,
    tags: &Tags<'a>,
    mut found: impl FnMut(FoundInterval<'a>),
) {
    let (mut blocks, slices) = blocks(sources, terms.switch_cost);
    let memberships = memberships(sources, terms.joins);
    let mut waiting: Vec<usize> = memberships.keys().copied().collect();
    waiting.sort_unstable_by_key(|place| (sources[*place].interval.start_utc, *place));
    let mut waiting = waiting.into_iter().peekable();
    let mut running: Vec<usize> = Vec::new();
    let mut parts: HashMap<usize, Vec<Part<'a>>> = HashMap::new();
    for Slice { span, block, on_subject } in slices {
        running.retain(|place| sources[*place].interval.end_utc > span.0);
        while let Some(place) = waiting.next_if(|place| sources[*place].interval.start_utc <= span.0) {
            running.push(place);
        }
        let held = tags.find_covering(span);
        for place in &running {
            let source = sources[*place];
            blocks[block].count(source.key, source.name, span.1 - span.0);
            let adds = totals_of(sources, &running, source);
            let parts = parts.entry(*place).or_default();
            rest.divide(source.device, span, |span, counts| {
                let part = Part { span, counts, block, on_subject, adds, tags: held.clone() };
                match parts.last_mut().filter(|last| last.is_continued_by(&part)) {
                    Some(last) => last.span.1 = span.1,
                    None => parts.push(part),
                }
            });
        }
    }
    for (place, parts) in parts {
        let source = sources[place];
        let clock = RowClock::new(source.interval);
        let Some((segment_start, step)) = memberships.get(&place) else { continue };
        for Part { span: (start, end), counts, block, on_subject, adds, tags } in parts {
            let block = &blocks[block];
            let (start_local, end_local) = (clock.local_at(start), clock.local_at(end));
            let work = Work {
                segment_start: *segment_start,
                step: *step,
                block_start: block.start,
                subject: block.main_subject(),
                on_subject,
            };
            let interval = Interval { start_utc: start, start_local, end_utc: end, end_local };
            let interval = AccountInterval {
                adds,
                work: Some(work),
                ..AccountInterval::idle(interval, counts, source.name, tags)
            };
            found(FoundInterval { source: place, interval });
        }
    }
}

/// A part of a piece in which all columns have one value.
struct Part<'a> {
    span: (i64, i64),
    counts: Counts,
    block: usize,
    on_subject: bool,
    adds: Adds,
    tags: Vec<&'a str>,
}

impl Part<'_> {
    /// Whether `next` touches the end of this part and has the same values.
    fn is_continued_by(&self, next: &Self) -> bool {
        self.span.1 == next.span.0
            && (self.counts, self.block, self.on_subject, self.adds)
                == (next.counts, next.block, next.on_subject, next.adds)
            && self.tags == next.tags
    }
}

/// Returns the totals that a piece adds to while others run. If devices share a second, the device that sorts first
/// counts it.
fn totals_of(sources: &[Source<'_>], running: &[usize], piece: Source<'_>) -> Adds {
    let is_lesser = |other: &Source<'_>| match (other.device, piece.device) {
        (Some(other), Some(own)) => other < own,
        (other, own) => other.is_some() && own.is_none(),
    };
    let lesser = || running.iter().map(|place| sources[*place]).filter(|other| is_lesser(other));
    if lesser().next().is_none() {
        Adds::Both
    } else if lesser().all(|other| other.key != piece.key) {
        Adds::Application
    } else {
        Adds::Neither
    }
}

/// Returns for each piece the local start of its segment, and how it joined the segment.
fn memberships(sources: &[Source<'_>], joins: JoinLimits) -> HashMap<usize, (i64, Step)> {
    let mut of_devices: NameMap<'_, Vec<usize>> = NameMap::new();
    for (place, source) in sources.iter().enumerate().filter(|(_, source)| matches!(source.kind, Kind::Piece(_))) {
        of_devices.entry(source.device).push(place);
    }
    let mut found = HashMap::new();
    for mut places in of_devices.into_sorted_values() {
        places.sort_by_key(|place| sources[*place].interval.start_utc);
        let pieces = places.iter().map(|place| sources[*place]);
        let pieces: Vec<_> = pieces
            .map(|piece| segment::Piece {
                key: piece.key,
                start: piece.interval.start_utc,
                end: piece.interval.end_utc,
            })
            .collect();
        let mut before: Option<(i64, i64, Step, Source<'_>)> = None;
        for (place, member) in places.into_iter().zip(segments(&pieces, joins, 0)) {
            let piece = sources[place];
            let of_segment = before.filter(|(segment, ..)| *segment == member.segment);
            let start = of_segment.map_or(piece.interval.start_local, |(_, start, ..)| start);
            let step = match of_segment {
                _ if !member.own => Step::Absorbed,
                Some((.., last)) if last.interval.end_utc < piece.interval.start_utc => Step::Gap,
                // A rule or a tag splits a row into several pieces; the later ones joined by the same step.
                Some((.., step, last)) if is_same_row(&last, &piece) => step,
                _ => Step::Own,
            };
            before = Some((member.segment, start, step, piece));
            found.insert(place, (start, step));
        }
    }
    found
}

/// Whether two pieces belong to the same activity.
pub(super) fn is_same_row(left: &Source<'_>, right: &Source<'_>) -> bool {
    (left.timeline, left.activity) == (right.timeline, right.activity)
}
