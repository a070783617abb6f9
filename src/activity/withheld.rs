//! What is kept from whoever asks.

use super::{Error, Question};
use crate::engine::Engine;
use crate::manictime::PrivacySummary;

/// Asks what the history is read without. Needs no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithheldRequest;

impl Question for WithheldRequest {
    type Answer = PrivacySummary;

    async fn answer(self, engine: &Engine) -> Result<PrivacySummary, Error> {
        Ok(engine.source()?.privacy().summary())
    }
}
