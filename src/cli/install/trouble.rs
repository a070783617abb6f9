//! What keeps a configuration from being changed.

use std::fmt;

use jsonc_parser::errors::ParseError;

/// Why a configuration cannot be changed; reads as the end of a sentence that begins with the file.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) enum Trouble {
    Broken { line: usize, column: usize, what: String },
    NoObject { key: Option<&'static str> },
    Ambiguous { list: &'static str },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken { line, column, what } => {
                write!(f, "is no valid JSON: line {line}, column {column}: {what}")
            }
            Self::NoObject { key: None } => f.write_str("holds JSON, but no object"),
            Self::NoObject { key: Some(key) } => write!(f, "holds no JSON object as `{key}`"),
            Self::Ambiguous { list } => {
                write!(f, "cannot be changed safely; perhaps a name stands twice in it, such as `{list}`")
            }
        }
    }
}

impl From<ParseError> for Trouble {
    fn from(error: ParseError) -> Self {
        let what = error.kind().to_string();
        let mut letters = what.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        let what = first.into_iter().chain(letters).collect();
        Self::Broken { line: error.line_display(), column: error.column_display(), what }
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string().replace(&format!(" at line {line} column {column}"), "");
        Self::Broken { line, column, what }
    }
}
