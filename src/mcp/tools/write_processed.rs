//! `write_processed`.

use schemars::JsonSchema;
use serde::Deserialize;

use serde_json::{Map, Value};

use super::note_parameters::NotePath;
use crate::{
    mcp::{
        tool::{DataTool, Effect},
        toolset::Toolset,
    },
    notes::WriteRequest,
    request::Error,
};

/// Writes a record into a note.
pub(super) struct WriteProcessed;

/// The note and its record.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    path: NotePath,
    /// Record in Markdown, with at least one of its sections.
    content: String,
    /// Metadata to add to the note.
    #[serde(default)]
    meta: Map<String, Value>,
    /// Handle of the note: fails if the note has changed since. It comes from `process_meeting`.
    handle: Option<String>,
}

impl DataTool for WriteProcessed {
    const NAME: &'static str = "write_processed";
    const TITLE: &'static str = "Write a record";
    const DESCRIPTION: &'static str = "Writes a record above the text of a note. Keeps the text and replaces an \
                                       earlier record. Use it for a record that you wrote by the instructions of \
                                       process_meeting.";
    const TOOLSET: Toolset = Toolset::Notes;
    const EFFECT: Effect = Effect::Replaces;
    const IS_TEXT: bool = true;
    /// An empty handle matches no note. Without a handle, the note would be replaced unchecked.
    const MAY_BE_EMPTY: &'static [&'static str] = &["handle"];
    type Parameters = Parameters;
    type Request = WriteRequest;

    fn request(parameters: Parameters) -> Result<WriteRequest, Error> {
        Ok(WriteRequest {
            note: parameters.path.note(),
            content: parameters.content,
            meta: parameters.meta,
            handle: parameters.handle,
        })
    }
}
