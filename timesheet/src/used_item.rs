//! What the time of an entry was spent on, by which the like of it is known again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What stretches of one work have in common, the most telling first.
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

/// A file, site or application, and how long it was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsedItem {
    /// Which kind of thing.
    pub by: ItemKind,
    /// What it is called in the history.
    pub text: String,
    /// Active seconds, at least one.
    pub seconds: i64,
}

/// A text that names no such kind.
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
