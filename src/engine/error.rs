//! What can go wrong with a question.

use datafusion::common::DataFusionError;

use super::position::Position;
use super::wording;
use crate::manictime;

/// Why a question got no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] manictime::Error),
    /// The statement would do more than ask.
    #[error("`{statement}` is refused: the history is only read, never changed, and so are the settings")]
    ReadOnly {
        /// The words that the statement begins with.
        statement: String,
    },
    /// The statement is wrong, or it failed.
    #[error("{message}")]
    Query {
        /// What is wrong, in words for the person who wrote the statement.
        message: String,
        /// Where in the statement, as far as that is known.
        position: Option<Position>,
    },
    /// A mistake of the program.
    #[error("an internal error happened")]
    Internal,
}

impl Error {
    /// The error's name in the contract (semantics, section 7).
    pub fn code(&self) -> &'static str {
        match self {
            Self::History(error) => error.code(),
            Self::ReadOnly { .. } => "READ_ONLY",
            Self::Query { .. } => "QUERY_FAILED",
            Self::Internal => "INTERNAL",
        }
    }

    /// Where in the statement the mistake is, where that is known.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Query { position, .. } => *position,
            Self::History(_) | Self::ReadOnly { .. } | Self::Internal => None,
        }
    }

    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::History(error) => error.hint(),
            Self::ReadOnly { .. } => "ask with `SELECT`, `EXPLAIN`, `DESCRIBE` or `SHOW`".to_owned(),
            Self::Query { .. } => "`SHOW TABLES` and `DESCRIBE <table>` list what can be asked".to_owned(),
            Self::Internal => "try again; if it stays so, report it with the command that you ran".to_owned(),
        }
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Self {
        Self::Query { message: wording::of(error.find_root()), position: Position::of(&error) }
    }
}
