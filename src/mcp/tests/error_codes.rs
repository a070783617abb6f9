//! The table of error codes, held to what can go wrong.

use std::collections::BTreeSet;

use crate::mcp::ErrorCode;
use crate::{engine, manictime};

#[test]
fn the_table_of_error_codes_holds_every_code_once_and_no_other() {
    let listed: Vec<&str> = ErrorCode::TABLE.iter().map(|(code, _)| code.as_str()).collect();
    let own = OWN_CODES.into_iter().map(ErrorCode::as_str);
    let expected: BTreeSet<&str> = own.chain(engine_errors().iter().map(engine::Error::code)).collect();
    assert_eq!(listed.len(), expected.len(), "{listed:?}");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// Every code that is not the engine's; the function below fails to compile when one is added.
const OWN_CODES: [ErrorCode; 14] = [
    ErrorCode::InvalidArgument,
    ErrorCode::UnknownArgument,
    ErrorCode::MissingArgument,
    ErrorCode::InvalidDate,
    ErrorCode::InvalidRange,
    ErrorCode::RangeTooLong,
    ErrorCode::InvalidNumber,
    ErrorCode::UnknownTimeline,
    ErrorCode::UnknownDevice,
    ErrorCode::UnknownName,
    ErrorCode::InvalidCursor,
    ErrorCode::ArgumentsTooLong,
    ErrorCode::TimedOut,
    ErrorCode::Internal,
];

const _: fn(ErrorCode) = |code| match code {
    ErrorCode::InvalidArgument
    | ErrorCode::UnknownArgument
    | ErrorCode::MissingArgument
    | ErrorCode::InvalidDate
    | ErrorCode::InvalidRange
    | ErrorCode::RangeTooLong
    | ErrorCode::InvalidNumber
    | ErrorCode::UnknownTimeline
    | ErrorCode::UnknownDevice
    | ErrorCode::UnknownName
    | ErrorCode::InvalidCursor
    | ErrorCode::ArgumentsTooLong
    | ErrorCode::TimedOut
    | ErrorCode::Internal
    | ErrorCode::Engine(_) => (),
};

/// One error of every kind that a tool can meet in the engine; the function below fails to compile when reading the
/// history can go wrong in a new way.
fn engine_errors() -> Vec<engine::Error> {
    let path = std::path::PathBuf::new;
    let text = String::new;
    let history = [
        manictime::Error::NotFound { searched: Vec::new() },
        manictime::Error::NotSqlite { path: path() },
        manictime::Error::TooOld { path: path() },
        manictime::Error::PermissionDenied { path: path() },
        manictime::Error::MissingTable { path: path(), table: text() },
        manictime::Error::MissingColumn { path: path(), table: text(), column: text() },
        manictime::Error::Busy { path: path(), waited_seconds: 0 },
        manictime::Error::Sqlite { path: path(), message: text() },
    ];
    let others = [
        engine::Error::ReadOnly { statement: text() },
        engine::Error::Query { message: text(), position: None },
        engine::Error::TooLarge { message: text() },
        engine::Error::OutOfMemory,
        engine::Error::TooManyRowsJoined,
        engine::Error::TimedOut { seconds: 0.0 },
        engine::Error::Internal,
    ];
    history.into_iter().map(engine::Error::from).chain(others).collect()
}

const _: fn(&manictime::Error) = |error| match error {
    manictime::Error::NotFound { .. }
    | manictime::Error::NotSqlite { .. }
    | manictime::Error::TooOld { .. }
    | manictime::Error::PermissionDenied { .. }
    | manictime::Error::MissingTable { .. }
    | manictime::Error::MissingColumn { .. }
    | manictime::Error::Busy { .. }
    | manictime::Error::Sqlite { .. } => (),
};
