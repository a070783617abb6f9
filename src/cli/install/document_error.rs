//! What keeps a configuration from being changed.

use jsonc_parser::errors::ParseError;

/// Why a configuration cannot be changed; reads as the end of a sentence that begins with the file.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum DocumentError {
    #[error("is no valid JSON: line {line}, column {column}: {what}")]
    Broken { line: usize, column: usize, what: String },
    #[error("holds JSON, but no object")]
    NoObject,
    #[error("holds no JSON object as `{0}`")]
    NoList(&'static str),
    #[error("cannot be changed safely; perhaps a name stands twice in it, such as `{0}`")]
    Ambiguous(&'static str),
}

impl From<ParseError> for DocumentError {
    fn from(error: ParseError) -> Self {
        let what = error.kind().to_string();
        let mut letters = what.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        let what = first.into_iter().chain(letters).collect();
        Self::Broken { line: error.line_display(), column: error.column_display(), what }
    }
}

impl From<serde_json::Error> for DocumentError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string().replace(&format!(" at line {line} column {column}"), "");
        Self::Broken { line, column, what }
    }
}
