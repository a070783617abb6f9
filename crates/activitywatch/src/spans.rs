//! Closes gaps between the events of a bucket, and resolves overlaps. All times are in microseconds.

use std::ops::Range;

use crate::data::Data;
use crate::instant::SECOND;

/// A gap between two events is closed if it is at most this long. Such gaps occur because watchers check the window
/// only every few seconds.
const MAX_GAP: i64 = 5 * SECOND;

/// An event whose start and end can be read.
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

    /// Returns the sort key of the event: the start, then the id. If two events overlap, the event with the greater key
    /// owns the time.
    pub(crate) fn place(&self) -> (i64, i64) {
        (self.start, self.id)
    }
}

/// Closes gaps of at most five seconds by extending the events before and after the gap. The events must be sorted by
/// [`Event::place`] and must not end before they start.
///
/// The event before the gap gets the first half of the gap, and the event after the gap gets the second half. If both
/// events contain the same data, the event before the gap gets the whole gap. An event of length zero is extended too.
pub(crate) fn share_gaps(events: &mut [Event]) {
    // The index of the event with the latest end so far. If several events have this end, the index of the last of
    // these events.
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

/// Closes the gap between the event `before` and the events `after`. The gap begins at `from`, the end of `before`. It
/// ends at the start of the events `after`, which all start at the same time.
fn share_gap(events: &mut [Event], before: usize, after: Range<usize>, from: i64) {
    let to = events[after.start].start;
    // If longer events start at the same time, an event of length zero isn't extended.
    let is_longer = |index: &usize| !events[*index].is_point();
    let owner = after.clone().rev().find(is_longer).unwrap_or(after.end - 1);
    if events[before].data == events[owner].data {
        events[before].end = to;
        return;
    }
    let middle = from + (to - from) / 2;
    events[before].end = middle;
    let has_longer = !events[owner].is_point();
    // Move the starts of all these events, so that the owner of the time stays the same.
    for event in &mut events[after] {
        if !(has_longer && event.is_point()) {
            event.start = middle;
        }
    }
}

/// A part of an event in which the event owns the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) span: Range<i64>,
    /// The index of the event.
    pub(crate) event: usize,
}

/// Returns slices of the events so that the slices don't overlap. If two events overlap, the event that starts later
/// owns the time. The events must be sorted by [`Event::place`].
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

/// Adds the slices between `now` and `until` for the events in `open`, which have started but not ended at `now`.
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

/// Returns the union of spans as sorted spans. Spans that overlap or touch are merged.
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

/// Returns the parts of `spans` that aren't in `removed`. Both lists must be sorted and without overlaps.
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

/// Returns the overlaps of two lists of slices. Each overlap has a span, and the index of the event in each list. In
/// each list, the slices must be sorted and must not overlap.
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

    /// Returns an event of the application `name`. `start` and `end` are in tenths of a second.
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
