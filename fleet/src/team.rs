//! A folder in which the exports of many persons lie side by side, and the engine over all of them.

use std::io;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayledger::engine::{Engine, Model};
use dayledger::export::{self, OpenedExport, Person};
use dayledger::model_for_export;

use crate::exports::Export;
use crate::members::{Member, Members, Titles};
use crate::table::TeamTables;
use crate::workers::Workers;

/// What a person's folder is called before her name.
pub(crate) const PREFIX: &str = "person=";

/// The folder in which copies are that have just lost their place, or are about to get it back (`storage`).
pub(crate) const REPLACED_FOLDER: &str = ".dayledger-going";

/// The exports of many persons.
#[derive(Debug)]
pub struct Team {
    pub(crate) folder: PathBuf,
    pub(crate) members: Members,
    /// The exports of the members, and folders with names that nobody can have.
    pub(crate) exports: Vec<Export>,
}

/// Whose folder has that name; `None` where it is nobody's.
pub(crate) fn person_from_folder(folder: &str) -> Option<Person> {
    folder.strip_prefix(PREFIX)?.parse().ok()
}

/// Why a folder cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refuses to read.
    #[error("cannot read `{0}`: {1}")]
    Refused(PathBuf, #[source] io::Error),
    /// There is no export of anybody.
    #[error("cannot find an export: `{0}` contains no folder `person=NAME`")]
    NoExports(PathBuf),
    /// A folder names somebody as nobody is named, or as somebody else.
    #[error("cannot use `{0}`: it contains the export of another person")]
    Misnamed(PathBuf),
    /// A person's copy is being replaced.
    #[error("cannot read `{0}`: a pull is replacing it")]
    Moving(PathBuf),
    /// There are fewer persons than something is told of.
    #[error("too few people: `{path}` has exports of {persons}, but a total needs at least {least}")]
    TooFewPeople {
        /// The folder.
        path: PathBuf,
        /// How many there are.
        persons: usize,
        /// Of how many at least something is told.
        least: NonZeroU16,
    },
    /// An export has titles, which are not for everybody.
    #[error("cannot use `{0}`: it contains titles, notes, URLs and paths")]
    Titles(PathBuf),
    /// An export cannot be read.
    #[error(transparent)]
    Export(#[from] export::Error),
}

impl Error {
    /// What the user can do, in one line.
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
    /// Looks which exports `folder` holds. One that can't be used is a member all the same: a statement that reads it fails and
    /// names the person.
    ///
    /// # Errors
    /// Fails if the folder can't be read or holds nobody's export.
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

    /// Passes if every export can be used: otherwise an answer could be smaller without a sign of it.
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

    /// The same team, whose exports with titles are refused by every statement that reads them, here and on workers.
    #[must_use]
    pub fn without_titles(self) -> Self {
        Self { members: self.members.with_titles(Titles::Refused), ..self }
    }

    /// Passes if no export has titles.
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

    /// What it holds, in words.
    pub fn summary(&self) -> String {
        let persons = self.members.len();
        let noun = if persons == 1 { "person" } else { "persons" };
        format!("{}: {persons} {noun}", self.folder.display())
    }

    /// The engine over all persons. Tables, views and functions are those of the first person's export. If there are
    /// `workers`, they carry out statements. They read the same exports, each for itself.
    ///
    /// # Errors
    /// A file that cannot be read as Parquet, or when the operating system gives no threads.
    pub fn engine(&self, workers: Option<Workers>) -> Result<Engine, Error> {
        let refused = |source| Error::Refused(self.folder.clone(), source);
        let (model, engine) = (self.model()?, Engine::from_tables(Model::default()).map_err(refused)?);
        let tables = Arc::new(TeamTables::new(self.members.clone(), engine.clone(), workers));
        Ok(engine.with_model(|_| model.with_members(tables)))
    }

    /// The exports of `members` in `folder`, which another process of this program has opened.
    pub(crate) fn from_members(folder: PathBuf, members: Members) -> Self {
        Self { folder, members, exports: Vec::new() }
    }

    /// Each person, and the folder of her export.
    pub fn people(&self) -> impl Iterator<Item = (&Person, &Path)> {
        self.members.iter().map(Member::parts)
    }

    /// The model of the first person's export.
    ///
    /// # Errors
    /// A file that cannot be read as Parquet.
    pub(crate) fn model(&self) -> Result<Model, Error> {
        let first = self.members.first().ok_or_else(|| Error::NoExports(self.folder.clone()))?;
        Ok(model_for_export(&OpenedExport::open(first.parts().1)?)?)
    }
}
