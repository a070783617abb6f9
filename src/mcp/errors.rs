//! How failures look to a model: one JSON object in the text of a result with `isError` (semantics, section 7).
//!
//! There is no structured content on an error: clients check it against the tool's output schema, which it does not
//! fit.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::{Serialize, Serializer};

use crate::activity::{self, RequestError, RequestErrorCode};
use crate::engine::Position;

/// How many characters of an argument an error repeats.
const SHOWN_CHARS: usize = 40;

/// The `code` of a tool error; part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// `INVALID_ARGUMENT`: an argument has the wrong type or is none of the allowed values.
    InvalidArgument,
    /// `UNKNOWN_ARGUMENT`: the tool has no argument of that name; `allowed` lists those it has.
    UnknownArgument,
    /// `MISSING_ARGUMENT`: a required argument is absent or `null`.
    MissingArgument,
    /// `INVALID_DATE`: text that names no date, local date-time or range of dates, or one that does not exist.
    InvalidDate,
    /// `INVALID_RANGE`: a range that is empty, ends before it starts, or has no end.
    InvalidRange,
    /// `RANGE_TOO_LONG`: a range longer than the tool allows.
    RangeTooLong,
    /// `INVALID_NUMBER`: a number below its minimum.
    InvalidNumber,
    /// `UNKNOWN_TIMELINE`: a timeline id that the history does not hold.
    UnknownTimeline,
    /// `UNKNOWN_DEVICE`: a device that the history does not hold.
    UnknownDevice,
    /// `UNKNOWN_NAME`: a name that no table and no function of the model has.
    UnknownName,
    /// `INVALID_CURSOR`: a cursor that no answer gave, or one of another question.
    InvalidCursor,
    /// `INVALID_REFERENCE`: a screenshot's reference that no answer gave.
    InvalidReference,
    /// `INVALID_REGION`: a part of a picture without extent, or with bounds that are no numbers.
    InvalidRegion,
    /// `ARGUMENTS_TOO_LONG`: a call's message has more bytes than the server reads.
    ArgumentsTooLong,
    /// `TIMED_OUT`: the answer was not ready when its time, or the client's input, ended.
    TimedOut,
    /// A code of the engine, such as `DATABASE_NOT_FOUND`; `engine::Error::code` lists them.
    Engine(&'static str),
    /// A code of the screenshots, such as `SCREENSHOT_NOT_FOUND`; `screenshots::Error::code` lists them.
    Screenshots(&'static str),
    /// `INTERNAL`: a mistake in this program; other calls are not affected.
    Internal,
}

impl ErrorCode {
    /// Every code with when it comes, for the contract page: mistakes of the caller first, then what the history or the
    /// engine refuses.
    pub const TABLE: &[(Self, &str)] = &[
        (Self::InvalidArgument, "An argument has the wrong type or is none of the allowed values."),
        (Self::UnknownArgument, "The tool has no argument of that name; `allowed` lists those it has."),
        (Self::MissingArgument, "A required argument is absent or `null`."),
        (Self::InvalidDate, "Text that names no date, local date-time or range of dates, or one that does not exist."),
        (Self::InvalidRange, "The range is empty, ends before it starts, or is an instant without an end."),
        (Self::RangeTooLong, "The range is longer than the tool allows."),
        (Self::InvalidNumber, "A number is below its minimum."),
        (Self::UnknownTimeline, "The history has no timeline with that id."),
        (Self::UnknownDevice, "The history has no device with that name; `allowed` lists those it has."),
        (Self::UnknownName, "The model has no table or function of that name."),
        (Self::InvalidCursor, "No answer gave that cursor, or an answer to another question did."),
        (Self::InvalidReference, "The text is no reference to a screenshot that an answer gave."),
        (Self::InvalidRegion, "The part of a picture has no extent, or bounds that are no numbers."),
        (Self::ArgumentsTooLong, "The call's message is longer than 1 MiB."),
        (
            Self::TimedOut,
            "The answer was not ready within 60 seconds (a statement of `query`: 20), or when the input had ended.",
        ),
        (Self::Engine("DATABASE_NOT_FOUND"), "No place holds a history. The tool works as soon as there is one."),
        (
            Self::Engine("DATABASE_NOT_READABLE"),
            "The file is no SQLite file (encrypted or damaged), empty, or no file at all.",
        ),
        (Self::Engine("DATABASE_TOO_OLD"), "Only the file of a ManicTime older than version 4 is there."),
        (Self::Engine("PERMISSION_DENIED"), "The operating system does not let this user read the file."),
        (
            Self::Engine("SCHEMA_INCOMPLETE"),
            "The file lacks a table or column that every question needs, or it cannot be read; the message names it.",
        ),
        (Self::Engine("DATABASE_BUSY"), "ManicTime kept the file locked for longer than the server waits."),
        (Self::Engine("DATABASE_ERROR"), "SQLite failed on the file in another way, or reading it did not end."),
        (Self::Engine("READ_ONLY"), "The statement would do more than ask."),
        (Self::Engine("QUERY_FAILED"), "The statement is wrong, or the engine could not carry out the question."),
        (
            Self::Engine("QUERY_TOO_LARGE"),
            "The statement is too long or too deep, or grows too large when its parts are put together.",
        ),
        (
            Self::Engine("OUT_OF_MEMORY"),
            "The statement needs more than the 256 MB that it may have beside the rows of the history.",
        ),
        (Self::Engine("TOO_MANY_ROWS_JOINED"), "A join of the statement makes or compares too many rows."),
        (Self::Screenshots("SCREENSHOT_NOT_FOUND"), "The reference leads to no screenshot, or no longer to one."),
        (
            Self::Screenshots("SCREENSHOT_MISSING"),
            "The picture's file went away meanwhile, or only the thumbnail is left where the full image is needed.",
        ),
        (Self::Screenshots("SCREENSHOT_LOCKED"), "Another program holds the picture's file."),
        (Self::Screenshots("SCREENSHOT_INCOMPLETE"), "The picture's file is still being written, or damaged."),
        (Self::Screenshots("SCREENSHOT_EMPTY"), "The picture's file is empty."),
        (
            Self::Screenshots("SCREENSHOT_NOT_AN_IMAGE"),
            "The file holds no JPEG or PNG picture, whatever its name says.",
        ),
        (Self::Screenshots("SCREENSHOT_TOO_LARGE"), "The file or the picture is larger than what is read."),
        (Self::Screenshots("SCREENSHOT_UNREADABLE"), "The operating system does not let the picture be read."),
        (Self::Screenshots("SCREENSHOTS_UNREADABLE"), "The folder of screenshots cannot be read."),
        (Self::Screenshots("WRITE_NOT_ALLOWED"), "No folder is allowed for writing: no root, no `--allow-write`."),
        (Self::Screenshots("PATH_NOT_ALLOWED"), "The path leads out of the folders that are allowed for writing."),
        (Self::Screenshots("INVALID_PATH"), "A part of the path cannot be the name of a file on every platform."),
        (Self::Screenshots("INVALID_EXTENSION"), "The path ends with something else than jpg, jpeg or png."),
        (Self::Screenshots("FILE_EXISTS"), "The file is there already, and `overwrite` was not set."),
        (Self::Screenshots("WRITE_FAILED"), "The operating system does not let the file be written."),
        (Self::Internal, "A mistake in dayledger. The server goes on."),
    ];

    /// Returns the code as it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::UnknownArgument => "UNKNOWN_ARGUMENT",
            Self::MissingArgument => "MISSING_ARGUMENT",
            Self::InvalidDate => "INVALID_DATE",
            Self::InvalidRange => "INVALID_RANGE",
            Self::RangeTooLong => "RANGE_TOO_LONG",
            Self::InvalidNumber => "INVALID_NUMBER",
            Self::UnknownTimeline => "UNKNOWN_TIMELINE",
            Self::UnknownDevice => "UNKNOWN_DEVICE",
            Self::UnknownName => "UNKNOWN_NAME",
            Self::InvalidCursor => "INVALID_CURSOR",
            Self::InvalidReference => "INVALID_REFERENCE",
            Self::InvalidRegion => "INVALID_REGION",
            Self::ArgumentsTooLong => "ARGUMENTS_TOO_LONG",
            Self::TimedOut => "TIMED_OUT",
            Self::Engine(code) | Self::Screenshots(code) => code,
            Self::Internal => "INTERNAL",
        }
    }
}

impl From<RequestErrorCode> for ErrorCode {
    fn from(code: RequestErrorCode) -> Self {
        match code {
            RequestErrorCode::InvalidDate => Self::InvalidDate,
            RequestErrorCode::InvalidRange => Self::InvalidRange,
            RequestErrorCode::RangeTooLong => Self::RangeTooLong,
            RequestErrorCode::InvalidNumber => Self::InvalidNumber,
            RequestErrorCode::UnknownTimeline => Self::UnknownTimeline,
            RequestErrorCode::UnknownDevice => Self::UnknownDevice,
            RequestErrorCode::UnknownName => Self::UnknownName,
            RequestErrorCode::InvalidCursor => Self::InvalidCursor,
            RequestErrorCode::InvalidReference => Self::InvalidReference,
            RequestErrorCode::InvalidRegion => Self::InvalidRegion,
        }
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a model reads when a tool fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct ToolError {
    pub(super) code: ErrorCode,
    pub(super) message: String,
    pub(super) hint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) allowed: Box<[String]>,
    /// Where in a statement the mistake is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<Box<Position>>,
}

impl ToolError {
    /// An error that no single argument causes.
    pub(super) fn new(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), field: None, allowed: Box::default(), position: None }
    }

    /// A mistake of this program. Says nothing about its cause, which may hold private data.
    pub(super) fn internal() -> Self {
        Self::new(
            ErrorCode::Internal,
            "the tool failed on a mistake in dayledger",
            "try a shorter range or another tool; the server goes on",
        )
    }

    /// Cuts every text of `long` where it appears: an error repeats no more than the start of an argument.
    pub(super) fn without(mut self, long: &[String]) -> Self {
        for text in long {
            let short = shorten(text);
            self.message = self.message.replace(text.as_str(), &short);
            self.hint = self.hint.replace(text.as_str(), &short);
        }
        self
    }

    /// The result that carries this error.
    pub(super) fn into_result(self) -> CallToolResult {
        let text = serde_json::json!({ "error": self }).to_string();
        CallToolResult::error(vec![ContentBlock::text(text)])
    }
}

impl From<RequestError> for ToolError {
    fn from(error: RequestError) -> Self {
        Self {
            code: error.code.into(),
            message: error.message,
            hint: error.hint,
            field: error.field,
            allowed: error.allowed.into(),
            position: None,
        }
    }
}

impl From<activity::Error> for ToolError {
    fn from(error: activity::Error) -> Self {
        match error {
            activity::Error::Request(error) => error.into(),
            activity::Error::Screenshots(error) => {
                Self::new(ErrorCode::Screenshots(error.code()), error.to_string(), error.hint())
            }
            activity::Error::Engine(error) => {
                let position = error.position().map(Box::new);
                Self { position, ..Self::new(ErrorCode::Engine(error.code()), error.to_string(), error.hint()) }
            }
        }
    }
}

/// Whether an error may repeat `text` as it is.
pub(super) fn is_short(text: &str) -> bool {
    text.chars().nth(SHOWN_CHARS).is_none()
}

/// The start of `text`, with `…` where something is left out.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
