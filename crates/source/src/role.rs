//! The role of a timeline or of a single activity. Examples are applications, documents and tags.

use schemars::JsonSchema;
use serde::Serialize;

/// The content of a timeline (docs/spec/time.md#roles).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// States of the computer: active, away, locked, off.
    ComputerUsage,
    /// Applications in the foreground.
    Applications,
    /// Documents and, in most versions, websites.
    Documents,
    /// Websites, in versions that keep them apart from documents.
    Websites,
    /// Tags that the user or a rule set.
    Tags,
    /// A timeline that no query reads.
    Other,
}

impl Role {
    /// All roles in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::ComputerUsage, Self::Applications, Self::Documents, Self::Websites, Self::Tags, Self::Other];

    /// Returns the role's name in SQL and in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::ComputerUsage => "computer_usage",
            Self::Applications => "applications",
            Self::Documents => "documents",
            Self::Websites => "websites",
            Self::Tags => "tags",
            Self::Other => "other",
        }
    }

    /// Returns the role with this name in SQL. Returns [`Self::Other`] for an unknown name.
    pub fn from_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|role| role.name() == name).unwrap_or(Self::Other)
    }
}
