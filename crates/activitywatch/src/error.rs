//! Errors that occur while `ActivityWatch`'s database is read, each with a hint for the user.

use std::path::Path;

use arrow::error::ArrowError;

use dayledger_source::{Error, ErrorKind, Privacy};
use dayledger_sqlite::Failure;

/// Returns the error for a history that isn't in any of the searched paths. `setting` is the setting from which the
/// paths come, if any.
pub(crate) fn not_found(places: &[&Path], setting: Option<&str>, privacy: &Privacy) -> Error {
    let places: Vec<_> = places.iter().map(|place| format!("`{}`", privacy.redact_path(place).display())).collect();
    let origin = setting.map(|setting| format!(", from {setting}")).unwrap_or_default();
    Error {
        kind: ErrorKind::NotFound,
        message: format!("cannot find an ActivityWatch history: looked in {}{origin}", places.join(", ")),
        hint: "pass ActivityWatch's database, such as `peewee-sqlite.v2.db` or `sqlite.db`, with `--data-dir`"
            .to_owned(),
    }
}

/// Returns the error for rows that don't match the schema of their table. The content of the file can't cause this
/// error. Only a bug in dayledger can.
pub(crate) fn inconsistent(error: &ArrowError) -> Error {
    Error {
        kind: ErrorKind::Failed,
        message: format!("cannot read the ActivityWatch history: {error}"),
        hint: "report this error with the command that you ran".to_owned(),
    }
}

/// Returns the error for a file that lacks the tables of `ActivityWatch`.
pub(crate) fn incomplete(path: &Path, privacy: &Privacy) -> Error {
    Error {
        kind: ErrorKind::Incomplete,
        message: format!(
            "cannot use `{}`: it lacks ActivityWatch's tables of buckets and events",
            privacy.redact_path(path).display()
        ),
        hint: "pass ActivityWatch's database together with the file that ends in `-wal`, if there is one".to_owned(),
    }
}

/// Returns the error for a file that changes faster than dayledger can read it.
pub(crate) fn unsettled_error(path: &Path, privacy: &Privacy) -> Error {
    Error {
        kind: ErrorKind::Busy,
        message: format!(
            "cannot read `{}`: earlier events changed again and again while they were read",
            privacy.redact_path(path).display()
        ),
        hint: "try again when ActivityWatch has finished its synchronisation or import".to_owned(),
    }
}

/// Returns the error for a pipe, device or folder with the name of the database.
pub(crate) fn not_a_file(path: &Path, privacy: &Privacy) -> Error {
    Error {
        kind: ErrorKind::NotReadable,
        message: format!("cannot open the history: `{}` is not a file", privacy.redact_path(path).display()),
        hint: "remove it: ActivityWatch stores only files under this name".to_owned(),
    }
}

/// Converts `failure`, the reason why the file at `path` can't be opened or read, to an error. Redacts the path
/// according to `privacy`.
pub(crate) fn convert_failure(failure: Failure, path: &Path, privacy: &Privacy) -> Error {
    let shown = privacy.redact_path(path);
    let shown = shown.display();
    let (kind, reason, hint) = match failure {
        Failure::NotFound => return not_found(&[path], None, privacy),
        Failure::Empty => (
            ErrorKind::NotReadable,
            "the file is empty".to_owned(),
            "start ActivityWatch once so that it writes the file",
        ),
        Failure::NotSqlite => (
            ErrorKind::NotReadable,
            "it is encrypted, damaged or not an SQLite file".to_owned(),
            "remove the password of ActivityWatch's database, or pass another file with `--data-dir`",
        ),
        Failure::PermissionDenied => (
            ErrorKind::PermissionDenied,
            "permission denied".to_owned(),
            "grant this user read access to the folder, or run as the user who runs ActivityWatch",
        ),
        Failure::Busy => (
            ErrorKind::Busy,
            "another program kept it locked".to_owned(),
            "try again in a moment; if the error remains, restart ActivityWatch",
        ),
        Failure::Interrupted => (
            ErrorKind::GaveUp,
            "reading was stopped because it took too long".to_owned(),
            "if the file is on a slow disk, copy it to a fast one; otherwise it is damaged, so restore it from a backup",
        ),
        Failure::Overfull => (
            ErrorKind::GaveUp,
            "the database is inconsistent, because it returned more data than its size allows".to_owned(),
            "the file is damaged: copy it from ActivityWatch's own folder or from a backup",
        ),
        Failure::Other(message) => (
            ErrorKind::Failed,
            privacy.redact_message(&message, path),
            "start ActivityWatch once so that it can repair its file, then try again",
        ),
    };
    Error { kind, message: format!("cannot read `{shown}`: {reason}"), hint: hint.to_owned() }
}
