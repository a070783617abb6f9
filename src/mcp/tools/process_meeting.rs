//! `process_meeting`.

use dayledger_notes::prompt::Style;
use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NotePath;
use crate::{
    mcp::{
        flow::Lane,
        tool::{DataTool, Effect},
        toolset::Toolset,
    },
    notes::ProcessRequest,
    request::Error,
};

/// Writes a record into a note.
pub(super) struct ProcessMeeting;

/// The note and the style.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    path: NotePath,
    #[serde(default)]
    style: StyleParameter,
    /// Topic to emphasise.
    focus: Option<String>,
}

/// Style of the record.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum StyleParameter {
    #[default]
    Standard,
    Brief,
    Detailed,
    Focused,
    Structured,
}

impl From<StyleParameter> for Style {
    fn from(style: StyleParameter) -> Self {
        match style {
            StyleParameter::Standard => Self::Standard,
            StyleParameter::Brief => Self::Brief,
            StyleParameter::Detailed => Self::Detailed,
            StyleParameter::Focused => Self::Focused,
            StyleParameter::Structured => Self::Structured,
        }
    }
}

impl DataTool for ProcessMeeting {
    const NAME: &'static str = "process_meeting";
    const TITLE: &'static str = "Process a note";
    const DESCRIPTION: &'static str = "Turns raw notes into a record: TL;DR, key points, action items, open questions. \
                                       If no model is set up, returns instructions for you to write the record. Save \
                                       the record that you wrote with write_processed.";
    const TOOLSET: Toolset = Toolset::Notes;
    const EFFECT: Effect = Effect::Replaces;
    const LANE: Lane = Lane::Models;
    const REACHES_OUT: bool = true;
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = ProcessRequest;

    fn request(parameters: Parameters) -> Result<ProcessRequest, Error> {
        Ok(ProcessRequest {
            note: parameters.path.note(),
            style: parameters.style.into(),
            focus: parameters.focus.filter(|focus| !focus.trim().is_empty()),
        })
    }
}
