//! The name of a person in the exports of a team.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// The maximum length of a name, in characters.
const MAX_LENGTH: usize = 64;

/// The name of a person. It becomes a folder in the path: `person=NAME`. Readers of Parquet expect this form. Every
/// file system can store a valid name unchanged.
#[derive(Debug, Clone, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Person(String);

/// The error for a text that isn't a valid name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use 1 to {MAX_LENGTH} of a-z, 0-9, `.`, `_`, `-` and `@`, with a letter or a digit first and last")]
pub struct InvalidPerson;

impl Person {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the person's folder, such as `person=anna`.
    pub fn folder(&self) -> String {
        format!("person={}", self.0)
    }
}

impl FromStr for Person {
    type Err = InvalidPerson;

    fn from_str(text: &str) -> Result<Self, InvalidPerson> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let ends_are_plain = bytes.first().zip(bytes.last()).is_some_and(|(a, z)| is_plain(*a) && is_plain(*z));
        let rest_is_known = bytes.iter().all(|byte| is_plain(*byte) || b"._-@".contains(byte));
        if ends_are_plain && rest_is_known && bytes.len() <= MAX_LENGTH {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidPerson)
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_folder_on_every_file_system() {
        for name in ["anna", "anna.o-h_2@example.org", "7", &"a".repeat(64)] {
            assert_eq!(name.parse::<Person>().unwrap().folder(), format!("person={name}"));
        }
        for name in ["", "Anna", "anna/", "..", ".anna", "anna.", "an na", "änna", "a=b", "a%20b", &"a".repeat(65)] {
            assert_eq!(name.parse::<Person>(), Err(InvalidPerson), "{name}");
        }
    }
}
