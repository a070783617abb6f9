//! Reasons why a configuration can't be changed.

use jsonc_parser::errors::ParseError;

/// Why a configuration can't be changed. The error text follows a colon in a longer message.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum DocumentError {
    #[error("invalid JSON at line {line}, column {column}: {what}")]
    Broken { line: usize, column: usize, what: String },
    #[error("its JSON is not an object")]
    NoObject,
    #[error("`{0}` is not a JSON object")]
    NoList(&'static str),
    #[error("it cannot be changed safely, perhaps because a name such as `{0}` appears twice")]
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
