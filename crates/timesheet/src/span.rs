//! Time spans, and the two sweep algorithms that coverage and drafts are based on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The seconds from `start` (included) to `end` (excluded), with the index of their owner, such as an entry in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first second.
    pub start: i64,
    /// The second after the last.
    pub end: i64,
    /// The index of the owner in the caller's list.
    pub of: usize,
}

impl Span {
    /// Returns the length in seconds.
    pub fn seconds(self) -> i64 {
        self.end - self.start
    }
}

/// Resolves overlaps: a second in several spans is assigned to the span with the lowest `of`. The result is in time
/// order. Adjacent spans with the same `of` are merged, and empty spans are ignored.
pub fn resolve_overlaps(spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
    let mut waiting: Vec<_> = spans.into_iter().filter(|span| span.start < span.end).collect();
    waiting.sort_unstable_by_key(|span| (span.start, span.of, span.end));
    let mut waiting = waiting.into_iter().peekable();
    let mut open = BinaryHeap::new();
    let mut once: Vec<Span> = Vec::new();
    let mut now = i64::MIN;
    loop {
        while let Some(span) = waiting.next_if(|span| span.start <= now) {
            open.push(Reverse((span.of, span.end)));
        }
        match (open.peek(), waiting.peek()) {
            (None, None) => return once,
            (None, Some(next)) => now = next.start,
            (Some(Reverse((_, end))), _) if *end <= now => {
                open.pop();
            }
            (Some(Reverse((of, end))), next) => {
                let until = next.map_or(*end, |next| next.start.min(*end));
                match once.last_mut().filter(|last| last.of == *of && last.end == now) {
                    Some(last) => last.end = until,
                    None => once.push(Span { start: now, end: until, of: *of }),
                }
                now = until;
            }
        }
    }
}

/// Splits spans at the borders of the covers. Returns the covered spans, each with the `of` of its cover, and the
/// uncovered spans. The two inputs must be in time order without overlaps. The two results are also in time order
/// without overlaps.
pub(crate) fn split_by_covers(spans: &[Span], covers: &[Span]) -> (Vec<(Span, usize)>, Vec<Span>) {
    let (mut under, mut free) = (Vec::new(), Vec::new());
    let mut covers = covers.iter().peekable();
    for span in spans {
        let mut at = span.start;
        while at < span.end {
            while covers.next_if(|cover| cover.end <= at).is_some() {}
            match covers.peek().filter(|cover| cover.start < span.end) {
                Some(cover) if cover.start > at => {
                    free.push(Span { start: at, end: cover.start, of: span.of });
                    at = cover.start;
                }
                Some(cover) => {
                    let end = cover.end.min(span.end);
                    under.push((Span { start: at, end, of: span.of }, cover.of));
                    at = end;
                }
                None => {
                    free.push(Span { start: at, end: span.end, of: span.of });
                    at = span.end;
                }
            }
        }
    }
    (under, free)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const END: i64 = 60;

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        let span = (0..END, -1..20_i64).prop_map(|(start, length)| (start, (start + length).min(END)));
        prop::collection::vec(span, 0..25)
            .prop_map(|spans| spans.into_iter().enumerate().map(|(of, (start, end))| Span { start, end, of }).collect())
    }

    /// Returns the lowest `of` among the spans that contain the second.
    fn at(spans: &[Span], second: i64) -> Option<usize> {
        spans.iter().filter(|span| (span.start..span.end).contains(&second)).map(|span| span.of).min()
    }

    fn is_in_order(spans: &[Span]) -> bool {
        spans.iter().all(|span| span.start < span.end) && spans.is_sorted_by(|one, next| one.end <= next.start)
    }

    proptest! {
        #[test]
        fn overlaps_go_to_the_lowest_index(spans in spans()) {
            let once = resolve_overlaps(spans.iter().copied());
            prop_assert!(is_in_order(&once));
            prop_assert!(once.windows(2).all(|two| two[0].end < two[1].start || two[0].of != two[1].of));
            for second in 0..END {
                prop_assert_eq!(at(&once, second), at(&spans, second), "second {}", second);
            }
        }

        #[test]
        fn every_second_is_covered_or_free(spans in spans(), covers in spans()) {
            let (spans, covers) = (resolve_overlaps(spans), resolve_overlaps(covers));
            let (under, free) = split_by_covers(&spans, &covers);
            prop_assert!(is_in_order(&free));
            for second in 0..END {
                let covered = under.iter().filter(|(span, _)| (span.start..span.end).contains(&second));
                let covered: Vec<_> = covered.map(|(span, cover)| (span.of, *cover)).collect();
                let expected = at(&spans, second).zip(at(&covers, second));
                prop_assert_eq!(covered, expected.into_iter().collect::<Vec<_>>());
                let alone = at(&spans, second).filter(|_| at(&covers, second).is_none());
                prop_assert_eq!(at(&free, second), alone);
            }
        }
    }
}
