//! Relative times in short form.

/// Formats the time between two timestamps in seconds, as in `3h ago`. A future time is `just now`.
pub(super) fn format_ago(then: i64, now: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let seconds = now.saturating_sub(then);
    let steps = [(365 * DAY, "y"), (30 * DAY, "mo"), (7 * DAY, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m")];
    steps
        .into_iter()
        .find(|(length, _)| seconds >= *length)
        .map_or_else(|| "just now".to_owned(), |(length, unit)| format!("{}{unit} ago", seconds / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ago_uses_the_largest_whole_unit() {
        let now = 1_700_000_000;
        for (seconds, told) in [
            (-5, "just now"),
            (59, "just now"),
            (60, "1m ago"),
            (3 * 3600 + 3599, "3h ago"),
            (86_400, "1d ago"),
            (15 * 86_400, "2w ago"),
            (40 * 86_400, "1mo ago"),
            (800 * 86_400, "2y ago"),
        ] {
            assert_eq!(format_ago(now - seconds, now), told);
        }
        assert_eq!(format_ago(i64::MIN, i64::MAX).split_once(' ').unwrap().1, "ago");
    }
}
