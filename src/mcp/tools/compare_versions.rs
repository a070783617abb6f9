//! `compare_versions`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_parameters::NotePath;
use crate::{
    mcp::{tool::DataTool, toolset::Toolset},
    notes::CompareRequest,
    request::Error,
};

/// Compares two versions of a note.
pub(super) struct CompareVersions;

/// The note and two commits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    path: NotePath,
    /// The older commit.
    #[serde(default = "before")]
    from_commit: String,
    /// The newer commit.
    #[serde(default = "head")]
    to_commit: String,
}

/// Returns the default of `from`: the commit before the last.
fn before() -> String {
    "HEAD~1".to_owned()
}

/// Returns the default of `to`: the last commit.
fn head() -> String {
    "HEAD".to_owned()
}

impl DataTool for CompareVersions {
    const NAME: &'static str = "compare_versions";
    const TITLE: &'static str = "Compare versions";
    const DESCRIPTION: &'static str =
        "Returns the differences in a note between two commits, as a diff. For a whole version use get_version.";
    const TOOLSET: Toolset = Toolset::Notes;
    const IS_TEXT: bool = true;
    type Parameters = Parameters;
    type Request = CompareRequest;

    fn request(parameters: Parameters) -> Result<CompareRequest, Error> {
        Ok(CompareRequest { note: parameters.path.note(), from: parameters.from_commit, to: parameters.to_commit })
    }
}
