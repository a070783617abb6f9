//! When pictures of the screen may not be shown.

use chrono::NaiveDateTime;

use super::Privacy;

/// When pictures of the screen may not be shown.
///
/// A picture shows titles, addresses and paths: where any of them is redacted, none is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WithheldPictures {
    all: bool,
}

impl WithheldPictures {
    pub(crate) fn of(privacy: &Privacy) -> Self {
        Self { all: privacy.redacts_any() }
    }

    /// Whether no picture may be shown, whenever it was taken.
    pub fn all(&self) -> bool {
        self.all
    }

    /// Whether a picture of that moment may not be shown: `local` wall time, and UTC where it is known.
    pub fn cover(&self, _local: NaiveDateTime, _utc: Option<NaiveDateTime>) -> bool {
        self.all
    }
}
