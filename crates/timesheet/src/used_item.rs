//! Files, sites and applications of an entry, from which later drafts learn.

use std::fmt;
use std::str::FromStr;

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

/// The text isn't a valid kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid kind `{0}`: use document, site or application")]
pub struct InvalidItemKind(String);

impl FromStr for ItemKind {
    type Err = InvalidItemKind;

    fn from_str(text: &str) -> Result<Self, InvalidItemKind> {
        let all = [Self::Document, Self::Site, Self::Application];
        let named = all.into_iter().find(|kind| kind.to_string() == text);
        named.ok_or_else(|| InvalidItemKind(text.to_owned()))
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Document => "document",
            Self::Site => "site",
            Self::Application => "application",
        })
    }
}
