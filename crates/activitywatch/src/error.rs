//! Errors of reading `ActivityWatch`'s files, each with a hint.

use std::path::Path;

use dayledger_source::{Error, ErrorKind};

/// Returns the error for a history that isn't in any of the searched places.
pub(crate) fn not_found(places: &[&Path], setting: Option<&str>) -> Error {
    let places: Vec<_> = places.iter().map(|place| format!("`{}`", place.display())).collect();
    let origin = setting.map(|setting| format!(", from {setting}")).unwrap_or_default();
    Error {
        kind: ErrorKind::NotFound,
        message: format!("cannot find an ActivityWatch history: looked in {}{origin}", places.join(", ")),
        hint: "pass ActivityWatch's database, such as `peewee-sqlite.v2.db` or `sqlite.db`, with `--data-dir`"
            .to_owned(),
    }
}
