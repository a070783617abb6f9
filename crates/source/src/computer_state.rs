//! The state of a computer, such as active or away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A state of the computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComputerState {
    /// In use.
    Active,
    /// On, but the user is away.
    Away,
    /// Session locked.
    Locked,
    /// Switched off.
    Off,
    /// Anything else.
    Unknown,
}

impl ComputerState {
    /// Returns the state's name in SQL and in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Away => "away",
            Self::Locked => "locked",
            Self::Off => "off",
            Self::Unknown => "unknown",
        }
    }
}
