//! Lengths of time as decimal hours.

use crate::question::Minutes;

/// Hours with two decimals, rounded half up from exact seconds.
pub(super) fn decimal(length: Minutes) -> String {
    let hundredths = (length.seconds().max(0).saturating_mul(100) + 1800) / 3600;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::minutes;

    #[test]
    fn hours_are_rounded_once_half_up() {
        assert_eq!(
            [0, 17, 18, 3600, 9017, 9018, 360_000].map(|seconds| decimal(minutes(seconds))),
            ["0.00", "0.00", "0.01", "1.00", "2.50", "2.51", "100.00"]
        );
    }
}
