//! Summarises the privacy settings: redacted kinds of text, hidden applications and sites.

use crate::History;
use dayledger_request::{Error, Request};
use dayledger_source::PrivacySummary;

/// Requests the privacy settings. It reads no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrivacySummaryRequest;

impl Request for PrivacySummaryRequest {
    type Service = History;
    type Response = PrivacySummary;

    async fn execute(self, history: &History) -> Result<PrivacySummary, Error> {
        Ok(history.source().privacy().summary())
    }
}
