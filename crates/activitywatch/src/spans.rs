//! Gaps and overlaps of the events of a bucket, in microseconds.

use std::ops::Range;

use crate::data::Data;
use crate::instant::SECOND;

/// The longest gap between two events that is shared between them. Watchers see a window only when they look, once in
/// some seconds.
const MAX_GAP: i64 = 5 * SECOND;

/// An event with readable times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) id: i64,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) data: Data,
}

impl Event {
    fn is_point(&self) -> bool {
        self.start == self.end
    }

    /// The order in which events own time: of two events, the later one does.
    pub(crate) fn place(&self) -> (i64, i64) {
        (self.start, self.id)
    }
}

/// Shares the gaps between events, which must be sorted by [`Event::place`] and must not end before they start.
///
/// If at most five seconds between two events aren't covered by any event, the event before gets the first half of the
/// gap, and the event after gets the second half. If both contain the same data, the event before gets it all. An event
/// without a length gets its parts of the gaps next to it, too.
pub(crate) fn share_gaps(events: &mut [Event]) {
    // The event that ends last so far. Of two that end together, it is the one that owns the time before the end.
    let mut last: Option<usize> = None;
    let mut covered = 0;
    let mut first = 0;
    while first < events.len() {
        let start = events[first].start;
        let count = events[first..].iter().take_while(|event| event.start == start).count();
        let together = first..first + count;
        let original_ends: Vec<_> = events[together.clone()].iter().map(|event| event.end).collect();
        if let Some(before) = last
            && start > covered
            && start - covered <= MAX_GAP
        {
            share_gap(events, before, together.clone(), covered);
        }
        for (index, end) in together.clone().zip(original_ends) {
            if last.is_none() || end >= covered {
                (last, covered) = (Some(index), end);
            }
        }
        first += count;
    }
}

/// Shares the gap that begins at `from` and ends with the events `after`, which start together.
fn share_gap(events: &mut [Event], before: usize, after: Range<usize>, from: i64) {
    let to = events[after.start].start;
    // A point at the start of longer events gets no part of the gap.
    let is_longer = |index: &usize| !events[*index].is_point();
    let owner = after.clone().rev().find(is_longer).unwrap_or(after.end - 1);
    if events[before].data == events[owner].data {
        events[before].end = to;
        return;
    }
    let middle = from + (to - from) / 2;
    events[before].end = middle;
    let has_longer = !events[owner].is_point();
    // All events that start together move together, so that the same one owns the time.
    for event in &mut events[after] {
        if !(has_longer && event.is_point()) {
            event.start = middle;
        }
    }
}

/// A part of an event in which it owns the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) span: Range<i64>,
    /// The number of the event.
    pub(crate) event: usize,
}

/// Returns the slices of events, which must be sorted by [`Event::place`]. They don't overlap: the event that starts later
/// owns the time, and the earlier one has the rest.
pub(crate) fn owned_slices(events: &[Event]) -> Vec<Slice> {
    let mut slices = Vec::with_capacity(events.len());
    let mut open: Vec<usize> = Vec::new();
    let mut now = i64::MIN;
    for (index, event) in events.iter().enumerate().filter(|(_, event)| event.end > event.start) {
        close_until(event.start, events, &mut open, &mut now, &mut slices);
        now = event.start;
        open.push(index);
    }
    close_until(i64::MAX, events, &mut open, &mut now, &mut slices);
    slices
}

/// Adds the slices of open events from `now` to `until`.
fn close_until(until: i64, events: &[Event], open: &mut Vec<usize>, now: &mut i64, slices: &mut Vec<Slice>) {
    while let Some(event) = open.last().copied() {
        let end = events[event].end.min(until);
        if end > *now {
            slices.push(Slice { span: *now..end, event });
            *now = end;
        }
        if events[event].end > until {
            return;
        }
        open.pop();
    }
}

/// Returns the union of spans, sorted and without touching neighbours.
pub(crate) fn union(mut spans: Vec<Range<i64>>) -> Vec<Range<i64>> {
    spans.retain(|span| span.start < span.end);
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, before| {
        let touches = next.start <= before.end;
        if touches {
            before.end = before.end.max(next.end);
        }
        touches
    });
    spans
}

/// Returns the parts of sorted, disjoint `spans` that aren't in the sorted, disjoint `removed`.
pub(crate) fn difference(spans: &[Range<i64>], removed: &[Range<i64>]) -> Vec<Range<i64>> {
    let mut rest = Vec::new();
    for span in spans {
        let mut start = span.start;
        let first = removed.partition_point(|gap| gap.end <= span.start);
        for gap in removed[first..].iter().take_while(|gap| gap.start < span.end) {
            if gap.start > start {
                rest.push(start..gap.start);
            }
            start = start.max(gap.end);
        }
        if start < span.end {
            rest.push(start..span.end);
        }
    }
    rest
}

/// Returns the overlaps of two lists of sorted, disjoint slices: the span, and the numbers of both slices.
pub(crate) fn overlaps(one: &[Slice], other: &[Slice]) -> Vec<(Range<i64>, usize, usize)> {
    let mut found = Vec::new();
    let (mut left, mut right) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        let span = a.span.start.max(b.span.start)..a.span.end.min(b.span.end);
        if span.start < span.end {
            found.push((span, a.event, b.event));
        }
        if a.span.end <= b.span.end { left += 1 } else { right += 1 }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event of application `name` between two times in tenths of a second.
    fn event(id: i64, name: u32, start: i64, end: i64) -> Event {
        let tenth = SECOND / 10;
        Event { id, start: start * tenth, end: end * tenth, data: Data { name: Some(name), ..Data::default() } }
    }

    fn share(mut events: Vec<Event>) -> Vec<(i64, i64)> {
        events.sort_unstable_by_key(Event::place);
        share_gaps(&mut events);
        events.iter().map(|event| (event.start * 10 / SECOND, event.end * 10 / SECOND)).collect()
    }

    #[test]
    fn gap_of_five_seconds_is_shared_and_a_longer_one_is_kept() {
        assert_eq!(share(vec![event(1, 1, 0, 100), event(2, 2, 150, 200)]), [(0, 125), (125, 200)]);
        assert_eq!(share(vec![event(1, 1, 0, 100), event(2, 2, 151, 200)]), [(0, 100), (151, 200)]);
        assert_eq!(share(vec![event(1, 1, 0, 100), event(2, 1, 110, 200)]), [(0, 110), (110, 200)]);
    }

    #[test]
    fn windows_of_one_poll_get_a_second_each() {
        let events = vec![event(1, 1, 0, 0), event(2, 2, 10, 10), event(3, 3, 20, 20), event(4, 4, 30, 60)];
        assert_eq!(share(events), [(0, 5), (5, 15), (15, 25), (25, 60)]);
    }

    #[test]
    fn covered_time_is_not_a_gap() {
        let events = vec![event(1, 1, 0, 100), event(2, 2, 10, 20), event(3, 3, 30, 40)];
        assert_eq!(
            share(events.clone()),
            events.iter().map(|e| (e.start * 10 / SECOND, e.end * 10 / SECOND)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn events_that_start_together_move_together() {
        let events = vec![event(1, 1, 0, 80), event(2, 2, 100, 300), event(3, 3, 100, 200)];
        assert_eq!(share(events), [(0, 90), (90, 300), (90, 200)]);
    }

    #[test]
    fn later_start_owns_the_time_and_the_earlier_event_has_the_rest() {
        let events = [event(1, 1, 0, 50), event(2, 2, 10, 15), event(3, 3, 20, 25), event(4, 4, 20, 30)];
        let slices = owned_slices(&events);
        let tenths = |slice: &Slice| (slice.span.start * 10 / SECOND, slice.span.end * 10 / SECOND, slice.event);
        let expected = [(0, 10, 0), (10, 15, 1), (15, 20, 0), (20, 30, 3), (30, 50, 0)];
        assert_eq!(slices.iter().map(tenths).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sets_of_spans_are_united_subtracted_and_intersected() {
        assert_eq!(union(vec![5..7, 0..2, 2..3, 9..9]), [0..3, 5..7]);
        assert_eq!(difference(&[0..10, 20..30], &[2..3, 9..22, 29..40]), [0..2, 3..9, 22..29]);
        let slice = |span, event| Slice { span, event };
        let found = overlaps(&[slice(0..10, 0), slice(10..20, 1)], &[slice(5..6, 7), slice(8..15, 8)]);
        assert_eq!(found, [(5..6, 0, 7), (8..10, 0, 8), (10..15, 1, 8)]);
    }
}
