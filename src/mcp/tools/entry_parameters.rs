//! Parameters that tools of the timesheet share, described once.

use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{Day, Refusal, Tag, TagsInput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    request::Error,
    timesheet::{CallSession, EntryRef},
};

/// Entry ID, or `last`: the entry that this session logged last.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct EntryId(String);

impl EntryId {
    /// Parses the entry in the parameter `field`.
    pub(super) fn entry(&self, field: &str) -> Result<EntryRef, Error> {
        EntryRef::parse(&self.0, field)
    }
}

/// session of a response on another connection, to continue that session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Session(String);

impl Session {
    /// Returns the session of the call, or an empty one without a session id.
    pub(super) fn to_call_session(session: Option<&Self>) -> Result<CallSession, Error> {
        CallSession::from_handle(session.map(|session| session.0.as_str()))
    }
}

/// Tag values that the project allows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Tags(#[schemars(with = "Vec<Tag>")] Value);

impl Tags {
    /// Parses the tags in any accepted form.
    pub(super) fn parse(tags: Option<Self>) -> Result<Option<Vec<Tag>>, Error> {
        let read = |tags: Self| {
            let written: Result<TagsInput, _> = serde_json::from_value(tags.0);
            written.map(|tags| tags.0).map_err(|error| Refusal::invalid("tags", format_args!("`tags`: {error}")))
        };
        Ok(tags.map(read).transpose()?)
    }
}

/// Day, such as 2025-10-24.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Date(#[schemars(extend("format" = "date"))] String);

impl Date {
    /// Parses the day in the parameter `field`.
    pub(super) fn day(date: Option<&Self>, field: &str) -> Result<Option<Day>, Error> {
        let refused = |error| Refusal::invalid(field, error);
        Ok(date.map(|date| date.0.parse()).transpose().map_err(refused)?)
    }
}

/// Returns the policy of the parameter `allowOverlaps`.
pub(super) const fn overlaps(are_allowed: bool) -> OverlapPolicy {
    if are_allowed { OverlapPolicy::Allowed } else { OverlapPolicy::Refused }
}
