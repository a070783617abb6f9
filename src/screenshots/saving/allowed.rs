//! Where files may be written, and who said so.

use std::path::PathBuf;

/// Who allowed writing in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedBy {
    /// A root that the client declared.
    Root,
    /// `--allow-write`.
    Flag,
    /// `DAYLEDGER_ALLOW_WRITE`, which the form of a client fills in.
    Form,
    /// `allow_write` in `dayledger.toml`.
    Configuration,
}

impl AllowedBy {
    /// Returns the words for it in a message.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Root => "a root of the client",
            Self::Flag => "`--allow-write`",
            Self::Form => "`DAYLEDGER_ALLOW_WRITE`",
            Self::Configuration => "`allow_write` in `dayledger.toml`",
        }
    }
}

/// A directory below which files may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedDirectory {
    /// The directory, absolute; it may not exist.
    pub directory: PathBuf,
    /// Who named it.
    pub allowed_by: AllowedBy,
}
