//! A folder with the exports of several people, and the engine over all of them.

use std::io;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayledger_engine::{Engine, Model};
use dayledger_export::{self as export, OpenedExport, Person};

use crate::exports::Export;
use crate::members::{Member, Members, Titles};
use crate::table::TeamTables;
use crate::workers::Workers;

/// The prefix of a person's folder.
pub(crate) const PREFIX: &str = "person=";

/// The folder of copies that were just replaced, or are about to be restored (`storage`).
pub(crate) const REPLACED_FOLDER: &str = ".dayledger-going";

/// The exports of a team.
#[derive(Debug)]
pub struct Team {
    pub(crate) folder: PathBuf,
    pub(crate) members: Members,
    /// The exports of the members, and folders with invalid names.
    pub(crate) exports: Vec<Export>,
}

/// Returns the person whose folder has this name, if it is a valid name.
pub(crate) fn person_from_folder(folder: &str) -> Option<Person> {
    folder.strip_prefix(PREFIX)?.parse().ok()
}

/// Why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder can't be read.
    #[error("cannot read `{0}`: {1}")]
    Refused(PathBuf, #[source] io::Error),
    /// The folder doesn't contain an export.
    #[error("cannot find an export: `{0}` contains no folder `person=NAME`")]
    NoExports(PathBuf),
    /// A folder has an invalid name, or contains the export of another person.
    #[error("cannot use `{0}`: it contains the export of another person")]
    Misnamed(PathBuf),
    /// A person's copy is being replaced.
    #[error("cannot read `{0}`: a pull is replacing it")]
    Moving(PathBuf),
    /// There are fewer people than the minimum of a total.
    #[error("too few people: `{path}` has exports of {persons}, but a total needs at least {least}")]
    TooFewPeople {
        /// The folder.
        path: PathBuf,
        /// The number of people.
        persons: usize,
        /// The minimum number of people.
        least: NonZeroU16,
    },
    /// An export contains titles, which may not be shown here.
    #[error("cannot use `{0}`: it contains titles, notes, URLs and paths")]
    Titles(PathBuf),
    /// An export can't be read.
    #[error(transparent)]
    Export(#[from] export::Error),
}

impl Error {
    /// Returns a hint for the user, on one line.
    pub fn hint(&self) -> String {
        match self {
            Self::Refused { .. } => "pass a folder that you can read with `--from`".to_owned(),
            Self::NoExports { .. } => "export one with `dayledger export --person NAME --out DIR`".to_owned(),
            Self::Misnamed { .. } => {
                "remove the folder and export again, because the folder of a person cannot be renamed".to_owned()
            }
            Self::Moving { .. } => "try again; if the error remains, run `pull` again".to_owned(),
            Self::TooFewPeople { .. } => "add exports, or lower the minimum with `--at-least`".to_owned(),
            Self::Titles { .. } => {
                "export to another folder without them, because an assistant must not see them".to_owned()
            }
            Self::Export(error) => error.hint(),
        }
    }
}

impl Team {
    /// Opens the exports in `folder`. An unusable export is nevertheless a member: a statement that reads it fails and
    /// names the person.
    ///
    /// # Errors
    /// If the folder can't be read or doesn't contain an export.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let exports = Export::list(folder).map_err(|source| Error::Refused(folder.to_owned(), source))?;
        let (mut members, mut fullest) = (Vec::new(), (0, 0));
        for export in &exports {
            let Ok(person) = export.name.parse::<Person>() else { continue };
            let opened = export.opened.as_ref().ok();
            let tables = opened.map_or(0, |opened| opened.manifest().tables.len());
            if tables > fullest.0 {
                fullest = (tables, members.len());
            }
            members.push(
                Member::new(person, export.path.clone()).with_written_utc(opened.and_then(OpenedExport::written_utc)),
            );
        }
        if members.is_empty() {
            return Err(Error::NoExports(folder.to_owned()));
        }
        Ok(Self { folder: folder.to_owned(), members: Members::new(folder, members, fullest.1), exports })
    }

    /// Checks that every export can be used. Otherwise a result could be incomplete without notice.
    ///
    /// # Errors
    /// Why an export can't be used.
    pub fn require_complete(mut self) -> Result<Self, Error> {
        let Some(at) = self.exports.iter().position(|export| export.opened.is_err()) else { return Ok(self) };
        match self.exports.swap_remove(at).opened {
            Err(error) => Err(error),
            Ok(_) => Ok(self),
        }
    }

    /// Returns the team with titles refused: every statement that reads an export with titles fails, here and on
    /// workers.
    #[must_use]
    pub fn without_titles(self) -> Self {
        Self { members: self.members.with_titles(Titles::Refused), ..self }
    }

    /// Checks that no export has titles.
    ///
    /// # Errors
    /// [`Error::Titles`].
    pub fn require_no_titles(self) -> Result<Self, Error> {
        let has_titles = |export: &&Export| export.opened.as_ref().is_ok_and(OpenedExport::includes_titles);
        match self.exports.iter().find(has_titles) {
            Some(export) => Err(Error::Titles(export.path.clone())),
            None => Ok(self),
        }
    }

    /// Returns a summary in words.
    pub fn summary(&self) -> String {
        let persons = self.members.len();
        let noun = if persons == 1 { "person" } else { "people" };
        format!("{}: {persons} {noun}", self.folder.display())
    }

    /// Returns the engine over all people. Its tables, views and functions are those of the export with the most
    /// tables. If there are `workers`, they run the statements and read the same exports.
    ///
    /// # Errors
    /// A file that isn't valid Parquet, or if no threads can be created.
    pub fn engine(&self, workers: Option<Workers>) -> Result<Engine, Error> {
        let refused = |source| Error::Refused(self.folder.clone(), source);
        let (model, engine) = (self.model()?, Engine::from_tables(Model::default()).map_err(refused)?);
        let tables = Arc::new(TeamTables::new(self.members.clone(), engine.clone(), workers));
        Ok(engine.with_model(|_| model.with_members(tables)))
    }

    /// Creates a team from `members` in `folder` that another process of this program has opened.
    pub(crate) fn from_members(folder: PathBuf, members: Members) -> Self {
        Self { folder, members, exports: Vec::new() }
    }

    /// Checks that the export with the most tables can be read, which defines the tables of statements.
    ///
    /// # Errors
    /// A file that isn't valid Parquet.
    pub fn require_readable(&self) -> Result<(), Error> {
        self.model().map(drop)
    }

    /// Returns each person and the folder of their export.
    pub fn people(&self) -> impl Iterator<Item = (&Person, &Path)> {
        self.members.iter().map(Member::parts)
    }

    /// Returns the model of the export with the most tables.
    ///
    /// # Errors
    /// A file that isn't valid Parquet.
    pub(crate) fn model(&self) -> Result<Model, Error> {
        let first = self.members.first().ok_or_else(|| Error::NoExports(self.folder.clone()))?;
        Ok(OpenedExport::open(first.parts().1)?.model()?)
    }
}
