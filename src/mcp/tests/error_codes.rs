//! Checks that the table of error codes contains every error that can occur.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::mcp::{codes, error_codes};
use crate::screenshots::{AllowedBy, PictureError, SaveError};
use crate::{activity, engine, manictime, notes, questions, request, screenshots, source, timesheet};

#[test]
fn the_table_of_error_codes_lists_every_code_exactly_once() {
    let listed: Vec<&str> = error_codes().map(Code::as_str).collect();
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "{listed:?}");
    let (engine, screenshots) = (engine_errors(), screenshot_errors());
    let errors = engine.iter().map(engine::Error::code).chain(screenshots.iter().map(screenshots::Error::code));
    let known_codes: BTreeSet<&str> = errors.map(Code::as_str).collect();
    for code in &known_codes {
        assert!(listed.contains(code), "{code} is in no table");
    }
    // Errors for invalid arguments are created in many modules, and tested in the tests of those modules.
    let of_calls = [
        codes::ALL,
        request::codes::ALL,
        activity::codes::ALL,
        questions::codes::ALL,
        timesheet::codes::ALL,
        notes::codes::ALL,
    ]
    .concat();
    let of_references = [screenshots::codes::INVALID_REFERENCE, screenshots::codes::INVALID_REGION];
    let codes_of_calls = of_calls.into_iter().chain(of_references).map(Code::as_str);
    let expected: BTreeSet<&str> = known_codes.into_iter().chain(codes_of_calls).collect();
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// Returns an example of each kind of engine error that a tool can return. If a new kind of error is added, the
/// function below fails to compile.
fn engine_errors() -> Vec<engine::Error> {
    let path = std::path::PathBuf::new;
    let text = String::new;
    let history = [
        manictime::Error::NotFound { searched: Vec::new(), named_by: None },
        manictime::Error::NotSqlite(path()),
        manictime::Error::Empty(path()),
        manictime::Error::NotAFile(path()),
        manictime::Error::TooOld(path()),
        manictime::Error::PermissionDenied(path()),
        manictime::Error::Incomplete { path: path(), part: text() },
        manictime::Error::Endless { path: path(), waited_seconds: 0 },
        manictime::Error::Overfull(path()),
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
        engine::Error::Lost { message: text(), hint: text() },
        engine::Error::Internal,
    ];
    let history = history.into_iter().map(|error| engine::Error::from(source::Error::from(error)));
    history.chain(others).collect()
}

/// Returns an example of each kind of screenshot error that a tool can return. If a new kind of error is added, the
/// functions below fail to compile.
fn screenshot_errors() -> Vec<screenshots::Error> {
    let (path, text) = (std::path::PathBuf::new, String::new);
    let failure = || std::io::Error::other("a failure");
    let pictures = [
        PictureError::Missing,
        PictureError::Locked,
        PictureError::Incomplete,
        PictureError::Empty,
        PictureError::NotAnImage,
        PictureError::TooLarge,
        PictureError::Unreadable(failure()),
    ];
    let saving = [
        SaveError::NothingAllowed,
        SaveError::Outside(text()),
        SaveError::Forbidden(text()),
        SaveError::InvalidName { part: text(), reason: "" },
        SaveError::WrongExtension(text()),
        SaveError::Exists(path()),
        SaveError::InTheWay(path()),
        SaveError::OtherFormat(""),
        SaveError::Unusable { directory: path(), by: AllowedBy::Root, source: failure() },
        SaveError::Unwritable(path(), failure()),
    ];
    let denied = std::io::ErrorKind::PermissionDenied;
    let finding = [
        screenshots::Error::FolderMissing(path()),
        screenshots::Error::Unreadable { path: path(), kind: denied },
        screenshots::Error::Unreadable { path: path(), kind: std::io::ErrorKind::Other },
        screenshots::Error::NotFound,
        screenshots::Error::NoFullImage,
    ];
    let pictures = pictures.into_iter().map(screenshots::Error::from);
    finding.into_iter().chain(pictures).chain(saving.into_iter().map(screenshots::Error::from)).collect()
}

const _: fn(&screenshots::Error) = |error| match error {
    screenshots::Error::History(_)
    | screenshots::Error::FolderMissing { .. }
    | screenshots::Error::Unreadable { .. }
    | screenshots::Error::NotFound
    | screenshots::Error::NoFullImage
    | screenshots::Error::Image(
        PictureError::Missing
        | PictureError::Locked
        | PictureError::Incomplete
        | PictureError::Empty
        | PictureError::NotAnImage
        | PictureError::TooLarge
        | PictureError::Unreadable { .. },
    )
    | screenshots::Error::Save(
        SaveError::NothingAllowed
        | SaveError::Outside { .. }
        | SaveError::Forbidden { .. }
        | SaveError::InvalidName { .. }
        | SaveError::WrongExtension { .. }
        | SaveError::Exists { .. }
        | SaveError::InTheWay { .. }
        | SaveError::OtherFormat { .. }
        | SaveError::Unusable { .. }
        | SaveError::Unwritable { .. },
    ) => (),
};

const _: fn(&manictime::Error) = |error| match error {
    manictime::Error::NotFound { .. }
    | manictime::Error::NotSqlite { .. }
    | manictime::Error::Empty { .. }
    | manictime::Error::NotAFile { .. }
    | manictime::Error::TooOld { .. }
    | manictime::Error::PermissionDenied { .. }
    | manictime::Error::Incomplete { .. }
    | manictime::Error::Endless { .. }
    | manictime::Error::Overfull { .. }
    | manictime::Error::Busy { .. }
    | manictime::Error::Sqlite { .. } => (),
};
