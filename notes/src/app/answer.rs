//! What answers of the application mean.

use std::path::PathBuf;

use serde_json::Value;

use crate::refusal::{Code, Refusal};

use super::message::{Method, error_text};

/// The note that is open in the application.
///
/// Both paths are as the application says: whoever uses them checks that they are of the workspace.
#[derive(Clone, PartialEq, Eq)]
pub struct CurrentFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its path below the workspace; of a note outside of it, its bare name.
    pub relative_path: String,
    /// Its text when it was opened or last saved, which is not what was typed since. It may be empty, and is where the
    /// application sends none: which note is open its path alone says.
    pub content: String,
}

impl std::fmt::Debug for CurrentFile {
    /// Without paths and text.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CurrentFile").field("bytes", &self.content.len()).finish_non_exhaustive()
    }
}

/// The open note of an answer to `getCurrentFile`.
pub(super) fn current_file(result: &Value) -> Result<CurrentFile, Refusal> {
    let method = Method::CurrentFile;
    let Some(path) = path(result, method)? else {
        let message = "no note is open in Chronicle: open one there, or name the path of a note";
        return Err(Refusal::new(Code::FileNotFound, message));
    };
    let content = result["content"].as_str().unwrap_or_default().to_owned();
    let bare = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let relative_path = result["relativePath"].as_str().map(str::to_owned).or(bare);
    let relative_path = relative_path.ok_or_else(|| misshapen(method, "relativePath"))?;
    Ok(CurrentFile { path, relative_path, content })
}

/// The folder of an answer to `getWorkspacePath`.
pub(super) fn workspace_path(result: &Value) -> Result<PathBuf, Refusal> {
    path(result, Method::WorkspacePath)?.ok_or_else(|| {
        let message = "no workspace is open in Chronicle: open a folder there, or set CHRONICLE_WORKSPACE";
        Refusal::new(Code::NoWorkspace, message)
    })
}

/// The path of an answer; none where nothing is open, which the application says by a path that is null. Another error
/// than that has no path at all.
fn path(result: &Value, method: Method) -> Result<Option<PathBuf>, Refusal> {
    match (result.get("path"), result.get("error")) {
        (Some(Value::String(path)), _) if !path.is_empty() => Ok(Some(PathBuf::from(path))),
        (Some(Value::Null), _) => Ok(None),
        (None, Some(error)) if !error.is_null() => Err(failed(method, &error_text(error))),
        _ => Err(misshapen(method, "path")),
    }
}

/// The application answered with an error of its own.
pub(super) fn failed(method: Method, error: &str) -> Refusal {
    let message = format!("Chronicle answered `{}` with an error: {error}", method.as_str());
    Refusal::new(Code::ApiError, message)
}

fn misshapen(method: Method, field: &str) -> Refusal {
    let message = format!(
        "Chronicle answered `{}` without a usable `{field}`: this version of it may speak another protocol",
        method.as_str()
    );
    Refusal::new(Code::ParseError, message)
}
