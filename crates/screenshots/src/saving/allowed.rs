//! The folders in which files may be saved, and the settings that allow them.

use std::path::PathBuf;

/// The setting that allows writing in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedBy {
    /// A root that the client declared.
    Root,
    /// `--allow-write`.
    Flag,
    /// `DAYLEDGER_ALLOW_WRITE`, which a client's settings form fills in.
    Form,
    /// `allow_write` in `dayledger.toml`.
    Configuration,
}

impl AllowedBy {
    /// Returns the setting's name for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Root => "a root of the client",
            Self::Flag => "`--allow-write`",
            Self::Form => "`DAYLEDGER_ALLOW_WRITE`",
            Self::Configuration => "`allow_write` in `dayledger.toml`",
        }
    }
}

/// A directory below which files may be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedDirectory {
    /// The absolute path. The directory may not exist.
    pub directory: PathBuf,
    /// The setting that allows it.
    pub allowed_by: AllowedBy,
}
