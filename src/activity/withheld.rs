//! What is kept from whoever asks.

use super::History;
use crate::manictime::PrivacySummary;
use crate::question::{Error, Question};

/// Asks what the history is read without. Needs no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithheldRequest;

impl Question for WithheldRequest {
    type Of = History;
    type Answer = PrivacySummary;

    async fn answer(self, history: &History) -> Result<PrivacySummary, Error> {
        Ok(history.source().privacy().summary())
    }
}
