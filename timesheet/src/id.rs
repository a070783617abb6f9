//! What entries, and attempts to log one, are known by.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::day::Day;
use crate::schema::described_as;

/// A text that is no UUID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a UUID")]
pub struct InvalidId(String);

/// What an entry is known by. Made here it is a version 7, which grows with time; the API makes others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(Uuid);

/// What one attempt to log an entry is known by, made by the caller before it: whoever asks again with the same key,
/// after an answer that was lost or a crash, logs nothing twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(Uuid);

/// What a draft is known by while it is kept; those that are made here grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftId(Uuid);

macro_rules! identifiers {
    ($($name:ident),+) => {
        $(
            impl $name {
                /// A new one, like no other.
                #[expect(clippy::new_without_default, reason = "a default that differs each time surprises")]
                pub fn new() -> Self {
                    Self(Uuid::now_v7())
                }
            }

            impl From<Uuid> for $name {
                fn from(uuid: Uuid) -> Self {
                    Self(uuid)
                }
            }

            impl From<$name> for Uuid {
                fn from(id: $name) -> Self {
                    id.0
                }
            }

            impl FromStr for $name {
                type Err = InvalidId;

                /// In any of the usual forms: hyphenated, without hyphens, in braces or parentheses, of any case.
                fn from_str(text: &str) -> Result<Self, InvalidId> {
                    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
                    Uuid::try_parse(inside).map(Self).map_err(|_| InvalidId(text.to_owned()))
                }
            }

            impl fmt::Display for $name {
                /// Hyphenated, in lower case.
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(formatter)
                }
            }
        )+
    };
}

identifiers!(DraftId, EntryId, IdempotencyKey);

impl IdempotencyKey {
    /// The key under which a row of a draft is logged: always the same, so that no row is logged twice.
    pub fn from_row(draft: DraftId, row: &str) -> Self {
        Self::from_text(&format!("{draft} {row}"))
    }

    /// The key under which the hours of a day are logged of work that went on since that moment: always the same, to
    /// the millisecond, so that who stops it twice logs it once.
    pub fn from_work(since: DateTime<Utc>, day: Day) -> Self {
        Self::from_text(&format!("work {} {day}", since.timestamp_millis()))
    }

    fn from_text(text: &str) -> Self {
        let digest = Sha256::digest(text);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }
}

described_as!(DraftId, String);
described_as!(EntryId, String);

#[cfg(test)]
mod tests {
    use super::*;

    /// See docs/spec/timesheet.md#tool-input.
    #[test]
    fn an_id_is_read_in_each_of_the_usual_forms() {
        let id = EntryId::new();
        let text = id.to_string();
        let plain = text.replace('-', "");
        for form in [text.clone(), text.to_uppercase(), plain, format!("{{{text}}}"), format!("({text})")] {
            assert_eq!(form.parse(), Ok(id), "{form}");
        }
        for form in ["", "abc", "last", "(", &text[1..]] {
            assert_eq!(form.parse::<EntryId>(), Err(InvalidId(form.to_owned())));
        }
    }

    #[test]
    fn new_ids_increase_with_time() {
        let ids: Vec<_> = (0..1_000).map(|_| EntryId::new()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert_eq!(Uuid::from(ids[0]).get_version_num(), 7);
    }
}
