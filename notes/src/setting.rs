//! Numbers that the environment gives as text.

use std::str::FromStr;

/// The number that a variable holds; the default where there is none, or one that is no number or 0, as Chronicle reads
/// its own variables.
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
