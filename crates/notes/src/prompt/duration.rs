//! Durations in text form, because prompt arguments are texts in the protocol.

use crate::display_text::one_line;
use crate::refusal::{Code, Refusal};

/// A week. No meeting is longer.
const MAX_MINUTES: u32 = 7 * 24 * 60;

/// Parses minutes: `32`, `32m`, `32 min` or `32 minutes`; a blank text gives `None`.
///
/// # Errors
///
/// `INVALID_ARGUMENT` for anything else, for 0 and for more than a week.
pub fn parse_minutes(text: &str) -> Result<Option<u32>, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let unit = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let number = &text[..text.len() - unit.len()];
    let is_unit = ["", "m", "min", "minute", "minutes"].contains(&unit.trim_start().to_ascii_lowercase().as_str());
    let minutes = number.parse().ok().filter(|minutes| is_unit && (1..=MAX_MINUTES).contains(minutes));
    minutes.map(Some).ok_or_else(|| {
        let message = format!(
            "`duration` is whole minutes from 1 to {MAX_MINUTES}, such as `32`, and not `{}`. Leave it out if it is not known",
            one_line(text, 40)
        );
        Refusal::new(Code::InvalidArgument, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_read_as_people_write_them() {
        for text in ["32", " 32 ", "32m", "32 min", "32 Minutes"] {
            assert_eq!(parse_minutes(text).unwrap(), Some(32), "{text}");
        }
        assert_eq!(parse_minutes("  ").unwrap(), None);
        for text in ["0", "-5", "32.5", "half an hour", "1h", "99999999999999999999", "10081", "m", "３２"] {
            let refusal = parse_minutes(text).unwrap_err();
            assert_eq!(refusal.code, Code::InvalidArgument, "{text}");
            assert!(refusal.to_string().contains("whole minutes"), "{refusal}");
        }
    }
}
