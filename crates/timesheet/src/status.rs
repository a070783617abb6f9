//! The approval status of an entry.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The approval status of an entry. [`crate::rules::Operation`] defines which operations a status allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// The entry is logged and can be changed.
    #[default]
    NotReported,
    /// The entry was submitted and waits for approval.
    Submitted,
    /// The entry was approved and can't be changed any more.
    Approved,
    /// The entry was declined with a comment and can be changed again.
    Declined,
}

impl Status {
    /// All statuses, in the order of the approval process.
    pub const ALL: [Self; 4] = [Self::NotReported, Self::Submitted, Self::Approved, Self::Declined];

    /// Returns the name in the API and the tools, such as `NOT_REPORTED`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotReported => "NOT_REPORTED",
            Self::Submitted => "SUBMITTED",
            Self::Approved => "APPROVED",
            Self::Declined => "DECLINED",
        }
    }
}

impl FromStr for Status {
    type Err = Refusal;

    /// Parses a status. Case and underscores are ignored, so that `NotReported` means `NOT_REPORTED`.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let plain = |name: &str| name.replace('_', "").to_ascii_uppercase();
        let named = Self::ALL.into_iter().find(|status| plain(status.as_str()) == plain(text));
        named.ok_or_else(|| {
            let message = format_args!("invalid status `{text}`: use NOT_REPORTED, SUBMITTED, APPROVED or DECLINED");
            Refusal::invalid("status", message).with_allowed(Self::ALL.map(Self::as_str))
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// See docs/spec/timesheet.md#entry-queries.
    #[test]
    fn status_names_ignore_case_and_underscores() {
        for text in ["NotReported", "not_reported", "NOT_REPORTED"] {
            assert_eq!(text.parse(), Ok(Status::NotReported));
        }
        for status in Status::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
        for text in ["", "REPORTED", "not reported", "OPEN"] {
            assert_eq!(text.parse::<Status>().unwrap_err().field.as_deref(), Some("status"));
        }
    }
}
