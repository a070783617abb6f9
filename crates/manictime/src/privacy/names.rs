//! What names activities at one commit, as far as it may be told.
//!
//! The tables have their names from here alone: what the file says goes in, and what the switches let through comes out.

use std::ops::Deref;

use super::groups::redact;
use crate::dimensions::Dimensions;
use dayledger_source::Privacy;

/// Timelines, devices, groups and lists under switches.
#[derive(Debug)]
pub(crate) struct RedactedNames {
    redacted: Dimensions,
    privacy: Privacy,
}

impl RedactedNames {
    /// Hides and redacts what the file says.
    pub(crate) fn new(mut dimensions: Dimensions, privacy: &Privacy) -> Self {
        if !privacy.is_empty() {
            redact(privacy, &mut dimensions);
        }
        Self { redacted: dimensions, privacy: privacy.clone() }
    }

    /// The switches that decided it.
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
