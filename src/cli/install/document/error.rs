//! Reasons why a configuration can't be changed.

use dayledger_core::Position;
use jsonc_parser::errors::ParseError;

/// Why a configuration can't be changed. The error text follows a colon in a longer message.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum DocumentError {
    #[error("invalid {format} at line {line}, column {column}: {what}")]
    Broken { format: &'static str, line: u64, column: u64, what: String },
    #[error("its JSON is not an object")]
    NoObject,
    #[error("`{0}` is not a JSON object")]
    NoList(&'static str),
    #[error("`{0}` is not a table of tables such as `[{0}.NAME]`")]
    NoTable(&'static str),
    #[error("its entry `{entry}` does not have a header: write the entry as a table that begins with `[{entry}]`")]
    NoHeader { entry: String },
    #[error("it cannot be changed safely, perhaps because a name such as `{0}` appears twice")]
    Ambiguous(&'static str),
}

impl From<ParseError> for DocumentError {
    fn from(error: ParseError) -> Self {
        let what = error.kind().to_string();
        let mut letters = what.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        let what = first.into_iter().chain(letters).collect();
        Self::Broken { format: "JSON", line: error.line_display() as u64, column: error.column_display() as u64, what }
    }
}

impl From<serde_json::Error> for DocumentError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string().replace(&format!(" at line {line} column {column}"), "");
        Self::Broken { format: "JSON", line: line as u64, column: column as u64, what }
    }
}

impl DocumentError {
    /// Converts the error of a TOML parser that read `text`.
    pub(super) fn from_toml(error: &toml::de::Error, text: &str) -> Self {
        let Position { line, column } = Position::from_byte(text, error.span().map_or(0, |span| span.start));
        Self::Broken { format: "TOML", line, column, what: error.message().replace('\n', "; ") }
    }
}
