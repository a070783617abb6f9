//! The setting or rule that determined the location of a history.

use serde::{Deserialize, Serialize};

/// Who named the place where the history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FoundBy {
    /// `--data-dir`.
    Flag,
    /// `--demo`.
    Demo,
    /// `MANICTIME_DATA_DIR`.
    Environment,
    /// `data_dir` in `dayledger.toml`.
    Configuration,
    /// A usual place of this platform.
    Platform,
}

impl FoundBy {
    /// The words for it in a report.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Flag => "--data-dir",
            Self::Demo => "--demo",
            Self::Environment => "MANICTIME_DATA_DIR",
            Self::Configuration => "dayledger.toml",
            Self::Platform => "the usual place",
        }
    }
}
