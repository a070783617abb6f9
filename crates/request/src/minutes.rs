//! A duration, stored in whole seconds and shown in minutes (docs/spec/time.md#times-and-minutes).

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::{Error, codes};

/// A duration in exact seconds.
///
/// A parameter in minutes is rounded half up to whole seconds. For example, 4.1 becomes 246 seconds. Responses contain
/// minutes, rounded half up to one decimal. Only this type rounds minutes, and rounded values are never added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minutes(i64);

/// Returns the duration of `seconds`.
pub const fn minutes(seconds: i64) -> Minutes {
    Minutes(seconds)
}

impl Minutes {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);

    /// Parses the parameter `field` in minutes. If the parameter is absent, its value is `default` minutes.
    ///
    /// # Errors
    /// Fails with `INVALID_NUMBER` if the value is below 0, infinite or not a number.
    pub fn parse(value: Option<f64>, default: f64, field: &str) -> Result<Self, Error> {
        let value = value.unwrap_or(default);
        if !value.is_finite() || value < 0.0 {
            return Err(Error::with_field(
                codes::INVALID_NUMBER,
                field,
                format!("invalid `{field}`: {value} is not a number of minutes from 0"),
                format!("pass a number from 0 [default: {default}]"),
            ));
        }
        Ok(Self(whole_seconds(value)))
    }

    /// Returns the duration in seconds.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Returns the duration in minutes for a response, rounded half up to one decimal.
    pub fn to_rounded(self) -> f64 {
        // A tenth of a minute is six seconds. Integer arithmetic rounds halves exactly.
        let tenths = self.0.saturating_add(3).div_euclid(6);
        #[expect(clippy::cast_precision_loss, reason = "2^52 tenths of a minute are 857 million years")]
        let minutes = tenths as f64 / 10.0;
        minutes
    }

    /// Returns this duration as a fraction of `whole`, or 0 if `whole` is not positive.
    #[expect(clippy::cast_precision_loss, reason = "2^52 seconds are 142 million years")]
    pub fn share_of(self, whole: Self) -> f64 {
        if whole.0 > 0 { self.0 as f64 / whole.0 as f64 } else { 0.0 }
    }

    /// Returns the duration in minutes, not rounded, for a parameter of a statement. The statement converts the minutes
    /// back to the same number of seconds.
    #[expect(clippy::cast_precision_loss, reason = "2^52 seconds are 142 million years")]
    pub fn to_sql_minutes(self) -> f64 {
        self.0 as f64 / 60.0
    }

    /// Converts the duration to a [`Duration`]. A negative duration becomes zero.
    pub fn to_duration(self) -> Duration {
        Duration::from_secs(u64::try_from(self.0).unwrap_or_default())
    }
}

/// Converts `minutes` to seconds, rounded half up. `minutes` must not be negative. A number that is too large becomes
/// `i64::MAX`.
///
/// The calculation uses the decimal digits that the caller wrote. For example, 1.025 minutes are 61.5 seconds, which
/// are rounded up. In binary, they would be slightly less than 61.5 seconds, and would be rounded down.
fn whole_seconds(minutes: f64) -> i64 {
    // The shortest text that parses as this number. It never has an exponent.
    let decimal = minutes.to_string();
    let (whole, fraction) = decimal.split_once('.').unwrap_or((&decimal, ""));
    // Digits after the twentieth don't change the rounded result.
    let fraction = &fraction[..fraction.len().min(20)];
    let seconds = whole.parse::<i64>().ok().and_then(|whole| whole.checked_mul(60));
    let parts = 10_u128.pow(u32::try_from(fraction.len()).unwrap_or_default());
    let rest = (fraction.parse::<u128>().unwrap_or_default() * 120 + parts) / (2 * parts);
    seconds.and_then(|seconds| seconds.checked_add(i64::try_from(rest).ok()?)).unwrap_or(i64::MAX)
}

impl Display for Minutes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_rounded().fmt(formatter)
    }
}

impl Serialize for Minutes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_rounded())
    }
}

/// The JSON schema of `f64`, because minutes are serialised as a number.
impl JsonSchema for Minutes {
    fn inline_schema() -> bool {
        f64::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        f64::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        f64::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(minutes: f64) -> i64 {
        Minutes::parse(Some(minutes), 0.0, "maxGapMinutes").unwrap().seconds()
    }

    #[test]
    fn minutes_convert_to_seconds_by_their_decimals() {
        // In binary, 4.1 times 60 is less than 246, and 1.025 times 60 is less than 61.5.
        let cases = [(4.1, 246), (8.3, 498), (1.15, 69), (1.025, 62), (0.008, 0), (0.009, 1), (2.0, 120), (0.0, 0)];
        for (minutes, seconds) in cases {
            assert_eq!(read(minutes), seconds, "{minutes}");
        }
        for thousandths in 0..100_000_i64 {
            let minutes: f64 = format!("{}.{:03}", thousandths / 1000, thousandths % 1000).parse().unwrap();
            assert_eq!(read(minutes), (thousandths * 60 + 500) / 1000, "{minutes}");
        }
    }

    #[test]
    fn unusual_numbers_of_minutes_are_handled() {
        assert_eq!(
            [1e300, 1e17, 1.6e17, f64::MIN_POSITIVE].map(read),
            [i64::MAX, 6_000_000_000_000_000_000, i64::MAX, 0]
        );
        for wrong in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(Minutes::parse(Some(wrong), 0.0, "maxGapMinutes").is_err(), "{wrong}");
        }
        assert!((minutes(i64::MAX).to_rounded() - 1.537_228_672_809_129_3e17).abs() < 100.0);
    }

    #[test]
    fn a_response_rounds_once_half_up() {
        let actual = [0, 2, 3, 5368, 5397].map(|seconds| minutes(seconds).to_string());
        assert_eq!(actual, ["0", "0", "0.1", "89.5", "90"]);
        assert_eq!(serde_json::to_string(&minutes(5368)).unwrap(), "89.5");
    }
}
