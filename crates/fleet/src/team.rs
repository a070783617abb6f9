//! A folder with the exports of several people, and the engine over all of these exports.

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

/// The prefix of the name of a person's folder.
pub(crate) const PREFIX: &str = "person=";

/// The name of the subfolder for copies that the module `storage` is replacing or removing.
pub(crate) const REPLACED_FOLDER: &str = ".dayledger-going";

/// A team: the people who have an export in a folder.
#[derive(Debug)]
pub struct Team {
    pub(crate) folder: PathBuf,
    pub(crate) members: Members,
    /// All exports in the folder, including folders whose name isn't a valid person's name.
    pub(crate) exports: Vec<Export>,
}

/// Returns the person whose folder has this name, or `None` if the name isn't valid.
pub(crate) fn person_from_folder(folder: &str) -> Option<Person> {
    folder.strip_prefix(PREFIX)?.parse().ok()
}

/// The reason why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder can't be read.
    #[error("cannot read `{0}`: {1}")]
    Refused(PathBuf, #[source] io::Error),
    /// The folder doesn't contain an export.
    #[error("cannot find an export: `{0}` contains no folder `person=NAME`")]
    NoExports(PathBuf),
    /// The folder of a person contains the export of another person.
    #[error("cannot use `{0}`: it contains the export of another person")]
    Misnamed(PathBuf),
    /// A pull is replacing a person's copy.
    #[error("cannot read `{0}`: a pull is replacing it")]
    Moving(PathBuf),
    /// The team has fewer people than the minimum for a total.
    #[error("too few people: `{path}` has exports of {persons}, but a total needs at least {least}")]
    TooFewPeople {
        /// The folder.
        path: PathBuf,
        /// The number of people.
        persons: usize,
        /// The minimum number of people.
        least: NonZeroU16,
    },
    /// An export contains titles, but titles are refused.
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
    /// Opens the exports in `folder`. A person whose export can't be used is also a member. A statement that reads this
    /// export fails with an error that names the person.
    ///
    /// # Errors
    /// Fails if the folder can't be read or doesn't contain an export.
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

    /// Checks that every export can be used. Without this check, a result could be incomplete without a message.
    ///
    /// # Errors
    /// The reason why the first unusable export can't be used.
    pub fn require_complete(mut self) -> Result<Self, Error> {
        let Some(at) = self.exports.iter().position(|export| export.opened.is_err()) else { return Ok(self) };
        match self.exports.swap_remove(at).opened {
            Err(error) => Err(error),
            Ok(_) => Ok(self),
        }
    }

    /// Returns the team with a ban on exports that contain titles. A statement then fails if it reads an export with
    /// titles, in this process or on workers.
    #[must_use]
    pub fn without_titles(self) -> Self {
        Self { members: self.members.with_titles(Titles::Refused), ..self }
    }

    /// Checks that no export contains titles.
    ///
    /// # Errors
    /// [`Error::Titles`] if an export contains titles.
    pub fn require_no_titles(self) -> Result<Self, Error> {
        let has_titles = |export: &&Export| export.opened.as_ref().is_ok_and(OpenedExport::includes_titles);
        match self.exports.iter().find(has_titles) {
            Some(export) => Err(Error::Titles(export.path.clone())),
            None => Ok(self),
        }
    }

    /// Returns the folder and the number of people, in words.
    pub fn summary(&self) -> String {
        let persons = self.members.len();
        let noun = if persons == 1 { "person" } else { "people" };
        format!("{}: {persons} {noun}", self.folder.display())
    }

    /// Returns the engine over the exports of all people. It has the tables, views and functions of the export with the
    /// most tables. If `workers` is set, the workers run the statements on their own copies of the exports.
    ///
    /// # Errors
    /// Fails if a file isn't valid Parquet, or if threads can't be created.
    pub fn engine(&self, workers: Option<Workers>) -> Result<Engine, Error> {
        let refused = |source| Error::Refused(self.folder.clone(), source);
        let (model, engine) = (self.model()?, Engine::from_tables(Model::default()).map_err(refused)?);
        let tables = Arc::new(TeamTables::new(self.members.clone(), engine.clone(), workers));
        Ok(engine.with_model(|_| model.with_members(tables)))
    }

    /// Creates a team from `members`. The parent process has already opened the exports in `folder`.
    pub(crate) fn from_members(folder: PathBuf, members: Members) -> Self {
        Self { folder, members, exports: Vec::new() }
    }

    /// Checks that the export with the most tables can be read. This export defines the tables for statements.
    ///
    /// # Errors
    /// Fails if a file isn't valid Parquet.
    pub fn require_readable(&self) -> Result<(), Error> {
        self.model().map(drop)
    }

    /// Returns each person with the folder of their export.
    pub fn people(&self) -> impl Iterator<Item = (&Person, &Path)> {
        self.members.iter().map(Member::parts)
    }

    /// Returns the model of the export with the most tables.
    ///
    /// # Errors
    /// Fails if a file isn't valid Parquet.
    pub(crate) fn model(&self) -> Result<Model, Error> {
        let first = self.members.first().ok_or_else(|| Error::NoExports(self.folder.clone()))?;
        Ok(OpenedExport::open(first.parts().1)?.model()?)
    }
}
