//! Parses environment variables that contain a number.

use std::str::FromStr;

/// Parses the value of an environment variable. Like Chronicle, returns `default` if the value is missing, invalid or
/// 0.
pub fn parse_number<T: Default + FromStr + PartialEq>(text: Option<&str>, default: T) -> T {
    let number = text.and_then(|text| text.trim().parse().ok());
    number.filter(|number| *number != T::default()).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_or_missing_numbers_give_the_default() {
        for (text, expected) in [
            (None, 4096),
            (Some("8192"), 8192),
            (Some(" 12 "), 12),
            (Some("0"), 4096),
            (Some("many"), 4096),
            (Some(""), 4096),
            (Some("-1"), 4096),
            (Some("99999999999"), 4096),
        ] {
            assert_eq!(parse_number(text, 4096_u32), expected, "{text:?}");
        }
    }
}
