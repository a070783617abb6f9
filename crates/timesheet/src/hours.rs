//! Hours of a timesheet: exact decimals with two places.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};
use std::str::FromStr;

use chrono::{DateTime, Utc};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::schema::described_as;

/// Hours, exact to the hundredth. The type allows negative values, because the rules for entries reject them later.
/// Errors are therefore reported in the order of the API.
///
/// The value is stored in hundredths, so that sums are exact. A parsed value is rounded to two decimals once, half to
/// even, and fits the `numeric(10,2)` of the API. In JSON the value is written as a number. It is read from a number or
/// a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hours(i64);

described_as!(Hours, f64);

/// Milliseconds in a hundredth of an hour.
const HUNDREDTH_MILLIS: i64 = 36_000;

/// The error for a text that isn't a valid number of hours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHours {
    /// The text isn't a decimal number.
    #[error("`{0}` is not a number of hours, such as 7.5")]
    NotANumber(String),
    /// The number has more than eight digits before the decimal point.
    #[error("`{0}` hours are out of range: at most 99999999.99")]
    OutOfRange(String),
}

impl Hours {
    /// Zero hours.
    pub const ZERO: Self = Self(0);
    /// The largest value of one field of an entry, 99999999.99 hours.
    pub const MAX_VALUE: Self = Self(9_999_999_999);

    /// Returns the hours from `start` to `end`, rounded half to even to the hundredth. Returns zero if `end` is before
    /// `start`.
    pub fn between(start: DateTime<Utc>, end: DateTime<Utc>) -> Self {
        Self::from_millis((end - start).num_milliseconds())
    }

    /// Converts seconds to hours, rounded half to even to the hundredth. Returns zero for negative seconds.
    pub fn from_seconds(seconds: i64) -> Self {
        Self::from_millis(seconds.saturating_mul(1_000))
    }

    fn from_millis(millis: i64) -> Self {
        let hundredths = Decimal::from(millis.max(0)) / Decimal::from(HUNDREDTH_MILLIS);
        let rounded = hundredths.round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven);
        Self(rounded.to_i64().unwrap_or(i64::MAX))
    }

    /// Creates a value from hundredths of an hour.
    pub const fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Returns the value in hundredths of an hour.
    pub const fn hundredths(self) -> i64 {
        self.0
    }

    /// Whether the hours are negative.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }
}

impl FromStr for Hours {
    type Err = InvalidHours;

    fn from_str(text: &str) -> Result<Self, InvalidHours> {
        let is_decimal = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+'));
        let number = Decimal::from_str_exact(text).ok().filter(|_| is_decimal);
        let number = number.ok_or_else(|| InvalidHours::NotANumber(text.to_owned()))?;
        let rounded = number.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven);
        let hundredths = rounded.checked_mul(Decimal::ONE_HUNDRED).and_then(|hundredths| hundredths.to_i64());
        let in_range = hundredths.filter(|hundredths| hundredths.abs() <= Self::MAX_VALUE.0);
        in_range.map(Self).ok_or_else(|| InvalidHours::OutOfRange(text.to_owned()))
    }
}

impl fmt::Display for Hours {
    /// Formats only the decimals that are needed, such as `8`, `7.5` and `0.25`. The format `{:.2}` writes two
    /// decimals.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = Decimal::new(self.0, 2);
        match formatter.precision() {
            Some(_) => fmt::Display::fmt(&exact, formatter),
            None => fmt::Display::fmt(&exact.normalize(), formatter),
        }
    }
}

impl Add for Hours {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Hours {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for Hours {
    fn sum<I: Iterator<Item = Self>>(hours: I) -> Self {
        hours.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for Hours {
    /// Serialises the hours as a JSON number. With at most fifteen digits, the nearest binary number prints as the
    /// original decimal.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = Decimal::new(self.0, 2).to_f64();
        serializer.serialize_f64(number.ok_or_else(|| serde::ser::Error::custom("hours out of range"))?)
    }
}

impl<'de> Deserialize<'de> for Hours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a number of hours, such as 7.5")]
        enum Written {
            Number(f64),
            Text(String),
        }

        let hours: Result<Self, InvalidHours> = match Written::deserialize(deserializer)? {
            // `to_string` returns the shortest decimal that is read as this binary number. The JSON text contains the
            // same decimal.
            Written::Number(number) => number.to_string().parse(),
            Written::Text(text) => text.parse(),
        };
        hours.map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rounds thousandths to hundredths, half to even, using only integers.
    fn naive(thousandths: i64) -> i64 {
        let (below, rest) = (thousandths.div_euclid(10), thousandths.rem_euclid(10));
        if rest > 5 || (rest == 5 && below % 2 != 0) { below + 1 } else { below }
    }

    fn text(units: i64, places: usize) -> String {
        let digits = format!("{:0width$}", units.unsigned_abs(), width = places + 1);
        let (whole, rest) = digits.split_at(digits.len() - places);
        format!("{}{whole}.{rest}", if units < 0 { "-" } else { "" })
    }

    fn hundredths() -> impl Strategy<Value = i64> {
        prop_oneof![-9_999_999_999..=9_999_999_999_i64, -2_500..2_500_i64]
    }

    proptest! {
        #[test]
        fn printed_hours_parse_back(units in hundredths()) {
            let hours = Hours::from_hundredths(units);
            prop_assert_eq!(hours.to_string().parse(), Ok(hours));
            prop_assert_eq!(format!("{hours:.2}"), text(units, 2));
            let json = serde_json::to_string(&hours).unwrap();
            prop_assert_eq!(serde_json::from_str::<Hours>(&json).unwrap(), hours, "{}", json);
            prop_assert_eq!(serde_json::from_str::<Hours>(&format!("\"{hours}\"")).unwrap(), hours);
        }

        #[test]
        fn a_third_place_is_rounded_half_to_even(thousandths in -99_999_999..99_999_999_i64) {
            let written = text(thousandths, 3);
            let expected = Hours::from_hundredths(naive(thousandths));
            prop_assert_eq!(written.parse(), Ok(expected), "{}", written);
            prop_assert_eq!(serde_json::from_str::<Hours>(&written).unwrap(), expected, "{}", written);
        }

        #[test]
        fn a_sum_is_exact(units in prop::collection::vec(-1_000_000..1_000_000_i64, 0..50)) {
            let sum: Hours = units.iter().map(|units| text(*units, 2).parse::<Hours>().unwrap()).sum();
            prop_assert_eq!(sum, Hours::from_hundredths(units.iter().sum()));
        }
    }

    #[test]
    fn rounding_happens_once() {
        assert_eq!("0.00500000000000000001".parse(), Ok(Hours::from_hundredths(1)));
        assert_eq!("0.125".parse(), Ok(Hours::from_hundredths(12)));
        assert_eq!("0.135".parse(), Ok(Hours::from_hundredths(14)));
    }

    #[test]
    fn text_that_is_not_hours_is_rejected() {
        for text in ["", "x", "1_0", "1e2", "NaN", "1,5", " 1", "0x1", "--1"] {
            assert_eq!(text.parse::<Hours>(), Err(InvalidHours::NotANumber(text.to_owned())));
        }
        for text in ["100000000", "99999999.995", "-99999999.995", "12345678901234567890"] {
            assert_eq!(text.parse::<Hours>(), Err(InvalidHours::OutOfRange(text.to_owned())));
        }
        for json in ["true", "null", "[]", "1e300", "\"\""] {
            assert!(serde_json::from_str::<Hours>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn the_time_between_two_instants_is_rounded_half_to_even() {
        let start = DateTime::from_timestamp_millis(1_761_300_000_123).unwrap();
        for (millis, hundredths) in [
            (-1_000_000, 0),
            (18_000, 0),
            (18_001, 1),
            (53_999, 1),
            (54_000, 2),
            (90_000, 2),
            (3_600_000, 100),
            (86_400_000 * 400, 960_000),
        ] {
            let end = start + chrono::TimeDelta::milliseconds(millis);
            assert_eq!(Hours::between(start, end).hundredths(), hundredths, "{millis} ms");
        }
    }
}
