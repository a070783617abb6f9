//! Stretches of time in which something was there.

/// Seconds from start to end.
pub type Interval = (i64, i64);

/// A row's time. One without extent still lies somewhere.
pub fn to_interval(start: Option<i64>, end: Option<i64>) -> Option<Interval> {
    start.zip(end).map(|(start, end)| (start, end.max(start + 1)))
}

/// Puts stretches in order and those that touch together.
pub fn merge_intervals(intervals: &mut Vec<Interval>) {
    intervals.sort_unstable();
    intervals.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
}
