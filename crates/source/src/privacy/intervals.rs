//! Intervals of time.

/// The start and end in seconds.
pub(super) type Interval = (i64, i64);

/// Returns the interval of a row. A row without a duration gets one second.
pub(super) fn to_interval(start: Option<i64>, end: Option<i64>) -> Option<Interval> {
    start.zip(end).map(|(start, end)| (start, end.max(start + 1)))
}

/// Sorts intervals and merges those that touch.
pub(super) fn merge_intervals(intervals: &mut Vec<Interval>) {
    intervals.sort_unstable();
    intervals.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
}
