//! Files, sites and applications of an entry, from which later drafts learn.

use std::fmt;
use std::str::FromStr;

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};

/// The kind of an item, the most specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// The file.
    Document,
    /// The site.
    Site,
    /// The application.
    Application,
}

/// A file, site or application, and how long it was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsedItem {
    /// The kind.
    pub by: ItemKind,
    /// Its name in the history.
    pub text: String,
    /// Active seconds, at least one.
    pub seconds: i64,
}

impl FromStr for ItemKind {
    type Err = value::Error;

    fn from_str(text: &str) -> Result<Self, value::Error> {
        Self::deserialize(text.into_deserializer())
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}
