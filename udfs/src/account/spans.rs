//! Spans of UTC, each a start and an end.

type Span = (i64, i64);

/// Returns what is left of a span without others, which are in order and apart from one another.
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
