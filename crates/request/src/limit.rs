//! The maximum number of rows in a response.

use super::{Error, codes};

/// The maximum number of rows in a response, from 1 to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<const DEFAULT: i64, const MAX: i64>(i64);

impl<const DEFAULT: i64, const MAX: i64> Limit<DEFAULT, MAX> {
    /// The largest limit that the request allows.
    pub const MAXIMUM: Self = Self(MAX);

    /// Parses the parameter `field`. An absent value becomes `DEFAULT`, and a value above `MAX` becomes `MAX`.
    ///
    /// # Errors
    /// Fails with `INVALID_NUMBER` if the value is below 1.
    pub fn parse(value: Option<i64>, field: &str) -> Result<Self, Error> {
        let value = value.unwrap_or(DEFAULT);
        if value < 1 {
            return Err(Error::with_field(
                codes::INVALID_NUMBER,
                field,
                format!("invalid `{field}`: {value} is less than 1"),
                format!("pass 1 to {MAX} [default: {DEFAULT}]"),
            ));
        }
        Ok(Self(value.min(MAX)))
    }

    /// Returns the number of rows.
    pub fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const DEFAULT: i64, const MAX: i64> Default for Limit<DEFAULT, MAX> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}
