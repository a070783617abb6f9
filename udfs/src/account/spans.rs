//! Arithmetic of UTC spans. A span is a start and an end.

type Span = (i64, i64);

/// Returns the parts of a span that `others` don't cover. `others` are disjoint and in order.
pub(super) fn subtract((start, end): Span, others: &[Span]) -> impl Iterator<Item = Span> {
    let first = others.partition_point(|other| other.1 <= start);
    let within = others[first..].iter().take_while(move |other| other.0 < end).copied();
    let mut from = start;
    let gaps = within.chain([(end, end)]).map(move |other| {
        let gap = (from, other.0);
        from = from.max(other.1);
        gap
    });
    gaps.filter(|(start, end)| start < end)
}
