//! The names at one commit after redaction.
//!
//! Tables take all names from here. [`RedactedNames::new`] receives the original names, and only
//! redacted ones are accessible afterwards.

use std::ops::Deref;

use super::groups::redact;
use crate::dimensions::Dimensions;
use dayledger_source::Privacy;

/// Timelines, devices, groups and lists after redaction.
#[derive(Debug)]
pub(crate) struct RedactedNames {
    redacted: Dimensions,
    privacy: Privacy,
}

impl RedactedNames {
    /// Hides and redacts the names.
    pub(crate) fn new(mut dimensions: Dimensions, privacy: &Privacy) -> Self {
        if !privacy.is_empty() {
            redact(privacy, &mut dimensions);
        }
        Self { redacted: dimensions, privacy: privacy.clone() }
    }

    /// Returns the privacy settings.
    pub(crate) fn privacy(&self) -> &Privacy {
        &self.privacy
    }
}

impl Deref for RedactedNames {
    type Target = Dimensions;

    fn deref(&self) -> &Dimensions {
        &self.redacted
    }
}
