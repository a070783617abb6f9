//! How many of something a call asks for.

/// At most so many are told, whatever is asked for.
const MAX_LIMIT: i64 = 100;

/// How many are told: `usual` if it is not said or 0, else 1 to 100, of which anything below 0 is the least.
pub(crate) fn clamp_limit(asked: Option<i64>, usual: usize) -> usize {
    match asked.unwrap_or(0) {
        0 => usual,
        asked => usize::try_from(asked.clamp(1, MAX_LIMIT)).unwrap_or(1),
    }
}
