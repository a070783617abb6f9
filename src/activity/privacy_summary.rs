//! Summarises the privacy settings: redacted kinds of text, hidden applications and sites.

use super::History;
use crate::request::{Error, Request};
use crate::source::PrivacySummary;

/// Asks what the history is read without. Needs no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrivacySummaryRequest;

impl Request for PrivacySummaryRequest {
    type Service = History;
    type Response = PrivacySummary;

    async fn execute(self, history: &History) -> Result<PrivacySummary, Error> {
        Ok(history.source().privacy().summary())
    }
}
