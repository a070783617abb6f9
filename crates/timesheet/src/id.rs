//! Ids of entries and drafts, and the keys of attempts to log an entry.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::day::Day;
use crate::schema::described_as;

/// The error for a text that isn't a UUID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a UUID")]
pub struct InvalidId(String);

/// The id of an entry. Ids created here are version 7 UUIDs, which grow with time. For entries at the API, the API
/// creates the ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(Uuid);

/// Identifies an attempt to log an entry. The caller creates the key before the attempt. After a lost response or a
/// crash, the caller can retry with the same key, and the entry is logged only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(Uuid);

/// The id of a stored draft. Ids grow with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftId(Uuid);

macro_rules! identifiers {
    ($($name:ident),+) => {
        $(
            impl $name {
                /// Creates a unique id.
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

            impl FromStr for $name {
                type Err = InvalidId;

                /// Parses a UUID with hyphens, without hyphens, in braces or in parentheses. Case is ignored.
                fn from_str(text: &str) -> Result<Self, InvalidId> {
                    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
                    Uuid::try_parse(inside).map(Self).map_err(|_| InvalidId(text.to_owned()))
                }
            }

            impl fmt::Display for $name {
                /// Formats the id with hyphens, in lower case.
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(formatter)
                }
            }
        )+
    };
}

identifiers!(DraftId, EntryId, IdempotencyKey);

impl IdempotencyKey {
    /// Returns the key for a row of a draft. The same row always gets the same key, so that it can't be logged twice.
    pub fn from_row(draft: DraftId, row: &str) -> Self {
        Self::from_text(&format!("{draft} {row}"))
    }

    /// Returns the key for one day of running work that was started at `since`. The same millisecond and day always
    /// give the same key, so that stopping the work twice logs it once.
    pub fn from_work(since: DateTime<Utc>, day: Day) -> Self {
        Self::from_text(&format!("work {} {day}", since.timestamp_millis()))
    }

    /// Returns the key for an entry of another tracker. `text` identifies the entry. The same text always gives the
    /// same key, so that an entry can't be imported twice.
    pub(crate) fn from_import(text: &str) -> Self {
        Self::from_text(&format!("import {text}"))
    }

    /// Returns the key for a row that is pushed to another tracker. The same row always gets the same key, so that the
    /// row can be found in the tracker.
    pub(crate) fn from_push(entry: EntryId, day: NaiveDate, number: i64) -> Self {
        Self::from_text(&format!("push {entry} {day} {number}"))
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
        assert_eq!(ids[0].0.get_version_num(), 7);
    }
}
