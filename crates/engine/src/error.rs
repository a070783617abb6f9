//! The errors of a request, with their codes and hints.

use std::fmt;

use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use serde::{Deserialize, Serialize};

use super::model::members::LostProcess;
use super::query::guard::{Refusal, refusal_in};
use super::query::{messages, position};
use super::{ExpectedInput, Position};
use dayledger_core::code::{self, Code};
use dayledger_source::{self as source, ErrorKind};

/// The error codes of statements.
pub mod codes {
    use dayledger_core::code::codes;

    codes! {
        READ_ONLY: "The statement would do more than read data.",
        QUERY_FAILED: "The statement is wrong, or it failed while it ran.",
        QUERY_TOO_LARGE: "The statement is too long, is nested too deeply, or becomes too large when it is expanded.",
        OUT_OF_MEMORY: "The statement needs more than 256 MB in addition to the rows of the history.",
        TOO_MANY_ROWS_JOINED: "A join of the statement makes or compares too many rows.",
    }
}

/// The reason why a request failed.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum Error {
    /// The history can't be read.
    #[error(transparent)]
    History(#[from] source::Error),
    /// The statement does more than read data.
    #[error("cannot run `{statement}`: statements can only read, not change the history or the settings")]
    ReadOnly {
        /// The first words of the statement, such as `CREATE TABLE`.
        statement: String,
    },
    /// The statement is invalid, or failed while it ran.
    #[error("{message}")]
    Query {
        /// The message for the author of the statement.
        message: String,
        /// The position of the mistake in the statement. `None` if it isn't known.
        position: Option<Position>,
    },
    /// The statement is too long, too deeply nested, or too large after expansion.
    #[error("{message}")]
    TooLarge {
        /// The message for the user. It names the limit that the statement exceeds.
        message: String,
    },
    /// The statement needs more memory than its limit allows.
    #[error("the statement exceeds its memory limit")]
    OutOfMemory,
    /// One of the statement's joins produces or compares too many rows.
    #[error("the statement is too expensive: one of its joins produces or compares too many rows")]
    TooManyRowsJoined,
    /// The statement exceeded its time limit, while it ran or while it waited for other statements.
    #[error("the statement was stopped: it took longer than {seconds} seconds")]
    TimedOut {
        /// The time limit in seconds.
        seconds: f64,
    },
    /// A process that ran a part of the statement was lost, for example because it ended.
    #[error("{message}")]
    Lost {
        /// A description of the loss.
        message: String,
        /// One action that the user can take, in one line.
        hint: String,
    },
    /// A bug in dayledger.
    #[error("an internal error occurred")]
    Internal,
}

impl Error {
    /// Returns the error code, as listed in the MCP API reference.
    pub fn code(&self) -> Code {
        match self {
            Self::History(error) => error.code(),
            Self::ReadOnly { .. } => codes::READ_ONLY,
            Self::Query { .. } | Self::Lost { .. } => codes::QUERY_FAILED,
            Self::TooLarge { .. } => codes::QUERY_TOO_LARGE,
            Self::OutOfMemory => codes::OUT_OF_MEMORY,
            Self::TooManyRowsJoined => codes::TOO_MANY_ROWS_JOINED,
            Self::TimedOut { .. } => code::TIMED_OUT,
            Self::Internal => code::INTERNAL,
        }
    }

    /// Returns one action that the user can take, in one line.
    pub fn hint(&self) -> String {
        match self {
            // For a query error, the hint is chosen by the text of the message. A worker sends errors as JSON, and this
            // JSON contains the text but not the hint.
            Self::History(error) => return error.hint.clone(),
            Self::Lost { hint, .. } => return hint.clone(),
            Self::ReadOnly { .. } => "use `SELECT`, `EXPLAIN`, `DESCRIBE` or `SHOW`",
            Self::Query { message, .. } if message.contains("invalid date `") => ExpectedInput::Span.hint(),
            Self::Query { message, .. } if message.ends_with("`end` is missing") => {
                "add the end, or write the start as text, such as 'today'"
            }
            Self::Query { message, .. } if message.contains("the function returns ") => {
                "`*_local` columns and `now()` are local time, `*_utc` columns and `now_utc()` are UTC"
            }
            Self::Query { message, .. } if message.starts_with("the time zone data of SQL is outdated") => {
                "use the columns `*_local`, or an offset, such as '+02:00'"
            }
            Self::Query { message, .. } if message.contains("Error parsing timestamp from") => {
                "write a time as '2026-11-25 09:30', or use `now()`, `today()` and `current_date`"
            }
            Self::Query { message, .. } if messages::function_called(message).is_some() => {
                "docs/sql.md#the-model lists the functions"
            }
            Self::Query { .. } => {
                "run `SHOW TABLES` to list the tables, or `DESCRIBE <table>` to list the columns of one"
            }
            Self::TooLarge { .. } => "split the statement into several smaller ones",
            Self::OutOfMemory => "select a shorter range or fewer columns, or group the rows before sorting",
            Self::TooManyRowsJoined => "join on a column with distinct values, and filter or group both sides first",
            Self::TimedOut { .. } => "select a shorter range, or raise the time limit if you can",
            Self::Internal => "try again; if the error remains, report it with the command that you ran",
        }
        .to_owned()
    }

    /// Returns the error for result rows that can't be written because of their values.
    pub fn from_row_error(error: impl fmt::Display) -> Self {
        Self::Query { message: messages::shorten(&format!("cannot write the rows: {error}")), position: None }
    }

    /// Whether this error can come from the process that runs the statement, and not from the statement itself. If so,
    /// the statement may succeed in another process.
    pub(super) fn may_be_process_failure(&self) -> bool {
        match self {
            Self::OutOfMemory | Self::Internal => true,
            // `SQLite` reports a lack of memory with the same kind of error as other failures.
            Self::History(error) => error.kind == ErrorKind::Failed,
            _ => false,
        }
    }

    /// Returns the position of the mistake in the statement. Returns `None` if it isn't known.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Query { position, .. } => *position,
            _ => None,
        }
    }
}

impl From<Error> for dayledger_core::Error {
    fn from(error: Error) -> Self {
        let mut failure = Self::new(error.code(), error.to_string(), error.hint());
        failure.position = error.position();
        failure
    }
}

impl From<LostProcess> for Error {
    fn from(lost: LostProcess) -> Self {
        Self::Lost { message: lost.message, hint: lost.hint }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Joined => Self::TooManyRowsJoined,
            refusal => Self::TooLarge { message: refusal.to_string() },
        }
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Self {
        let root = error.find_root();
        if let Some(refusal) = refusal_in(root) {
            return refusal.clone().into();
        }
        match root {
            DataFusionError::ResourcesExhausted(_) => Self::OutOfMemory,
            // If an array exceeds its maximum size, Arrow reports that its offsets overflow.
            DataFusionError::ArrowError(error, _) if matches!(**error, ArrowError::OffsetOverflowError(_)) => {
                Self::OutOfMemory
            }
            root if is_memory_message(&root.message()) => Self::OutOfMemory,
            DataFusionError::SQL(inner, _) if **inner == ParserError::RecursionLimitExceeded => Refusal::Nesting.into(),
            root => Self::Query {
                message: messages::shorten(&messages::error_message(root)),
                position: position::find_error(&error),
            },
        }
    }
}

/// The start of the standard library's message for a failed allocation. DataFusion's functions return this error only
/// as text.
const NO_ALLOCATION: &str = "memory allocation failed because";

fn is_memory_message(message: &str) -> bool {
    message.contains(NO_ALLOCATION) || is_too_many_bytes_message(message)
}

/// Whether a message ends like an error about an array that exceeds its maximum size.
pub(super) fn is_too_many_bytes_message(message: &str) -> bool {
    ["capacity overflow", "capacity integer overflow", "offset overflow", "exceeds i32::MAX"]
        .iter()
        .any(|end| message.ends_with(end))
}
