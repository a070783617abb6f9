//! Limits of lists.

/// The largest limit, regardless of the request.
const MAX_LIMIT: i64 = 100;

/// Returns the limit of a list: `usual` if it is unset or 0, otherwise clamped to 1 to 100.
pub(crate) fn clamp_limit(asked: Option<i64>, usual: usize) -> usize {
    match asked.unwrap_or(0) {
        0 => usual,
        asked => usize::try_from(asked.clamp(1, MAX_LIMIT)).unwrap_or(1),
    }
}
