//! `get_version`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NotePath;
use crate::{
    mcp::{tool::DataTool, toolset::Toolset},
    notes::VersionRequest,
    request::Error,
};

/// Shows an earlier version of a note.
pub(super) struct GetVersion;

/// The note and a commit.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    path: NotePath,
    /// Hash, or a name such as HEAD~1. Hashes come from `get_history`.
    commit: String,
}

impl DataTool for GetVersion {
    const NAME: &'static str = "get_version";
    const TITLE: &'static str = "Former version";
    const DESCRIPTION: &'static str =
        "Returns a note as of an earlier commit, with the commit's subject. For differences use compare_versions.";
    const TOOLSET: Toolset = Toolset::Notes;
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = VersionRequest;

    fn request(parameters: Parameters) -> Result<VersionRequest, Error> {
        Ok(VersionRequest { note: parameters.path.note(), commit: parameters.commit })
    }
}
