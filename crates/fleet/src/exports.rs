//! The exports in a fleet's folder. Determines whether an export can be used, and the reason if it can't.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDateTime;
use dayledger_export::{self as export, ExportTable, OpenedExport};
use schemars::JsonSchema;
use serde::Serialize;

use crate::members::Titles;
use crate::team::{Error, PREFIX, REPLACED_FOLDER};

/// The table function from which hours are computed.
const HOURS: &str = "pieces_by_day";

/// A person's folder, with the export in the folder or the reason why the export can't be used.
#[derive(Debug)]
pub(crate) struct Export {
    /// The person's name: the name of the folder without the prefix `person=`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) opened: Result<OpenedExport, Error>,
}

/// The reason why hours exclude a person. An assistant gets no other details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Problem {
    /// The export is damaged or can't be read.
    #[error("the export is damaged or cannot be read")]
    Damaged,
    /// The export was never finished, or is being replaced.
    #[error("the export was never finished or is being replaced")]
    Unfinished,
    /// An older version wrote the export.
    #[error("an older version wrote the export")]
    OlderVersion,
    /// The export has no activities.
    #[error("the export has no activities")]
    NoActivities,
    /// The export contains titles.
    #[error("the export contains titles")]
    Titles,
    /// The days of the export don't start at midnight, so they can't be added to the days of other exports.
    #[error("the days of the export do not start at midnight")]
    OtherDays,
    /// The export doesn't cover the days.
    #[error("the export does not cover these days")]
    DaysNotCovered,
}

impl Export {
    /// Returns the exports in the subfolders of `folder`, sorted by the person's name.
    ///
    /// # Errors
    /// Fails if the folder can't be read.
    pub(crate) fn list(folder: &Path) -> io::Result<Vec<Self>> {
        let mut exports = Vec::new();
        let mut names = BTreeSet::new();
        for entry in std::fs::read_dir(folder)? {
            let name = entry?.file_name();
            let Some(person) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
            names.insert(person.to_owned());
            exports.push(Self::open(person, folder.join(&name)));
        }
        // `pull` moves a local copy away before it replaces the copy. While the copy is moved away, the person has to
        // be reported as unusable, not as missing.
        for entry in std::fs::read_dir(folder.join(REPLACED_FOLDER)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(person) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
            if !names.contains(person) {
                let path = folder.join(&name);
                let opened = Err(Error::Moving(path.clone()));
                exports.push(Self { name: person.to_owned(), path, opened });
            }
        }
        exports.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(exports)
    }

    /// Opens the export of the person `name`. `path` is the person's folder.
    pub(crate) fn open(name: &str, path: PathBuf) -> Self {
        let opened = OpenedExport::open(&path).map_err(Error::from).and_then(|opened| {
            let is_own = opened.person().is_some_and(|person| person.as_str() == name);
            if is_own { Ok(opened) } else { Err(Error::Misnamed(path.clone())) }
        });
        Self { name: name.to_owned(), path, opened }
    }

    /// Returns the local time ranges for which hours can be computed from the export.
    ///
    /// # Errors
    /// The reason why hours can't be computed, as a kind and in words.
    pub(crate) fn ranges(&self, titles: Titles) -> Result<Arc<[Range<NaiveDateTime>]>, (Problem, String)> {
        let opened = self.opened.as_ref().map_err(|error| (problem_kind(error), error.to_string()))?;
        let manifest = opened.manifest();
        if opened.written_utc().is_none() {
            return Err((Problem::Unfinished, format!("`{}` contains no month", self.path.display())));
        }
        if opened.includes_titles() && titles == Titles::Refused {
            return Err((Problem::Titles, format!("`{}` contains titles", self.path.display())));
        }
        if !manifest.day_start.is_midnight() {
            let reason = format!("the days of `{}` start at {}", self.path.display(), manifest.day_start);
            return Err((Problem::OtherDays, reason));
        }
        let activities = manifest.tables.get(ExportTable::Activities.name());
        opened.answerable_ranges(HOURS).map_err(|reason| match activities {
            None => (Problem::NoActivities, reason),
            Some(files) if files.is_empty() => (Problem::NoActivities, reason),
            Some(_) if manifest.rules.is_none() => (Problem::OlderVersion, reason),
            Some(_) => (Problem::DaysNotCovered, reason),
        })
    }
}

/// Returns the kind of problem for an error.
fn problem_kind(error: &Error) -> Problem {
    match error {
        Error::Moving { .. } | Error::Export(export::Error::NoExport { .. }) => Problem::Unfinished,
        _ => Problem::Damaged,
    }
}

/// Replaces control characters with spaces, because the texts in exports come from other people's machines.
pub(crate) fn without_control_characters(text: &str) -> String {
    text.replace(char::is_control, " ")
}
