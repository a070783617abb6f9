//! A folder in which the exports of many persons lie side by side, and the engine over all of them.

use std::io;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dayledger::engine::{Engine, Model};
use dayledger::export::{self, Archive, Person};
use dayledger::model_of_archive;

use crate::members::{Member, Members, Titles};
use crate::table::Tables;
use crate::workers::Workers;

/// What a person's folder is called before her name.
const PREFIX: &str = "person=";

/// The folder in which copies are that have just lost their place, or are about to get it back (`storage`).
pub(crate) const GOING: &str = ".dayledger-going";

/// The exports of many persons.
#[derive(Debug)]
pub struct Team {
    folder: PathBuf,
    members: Members,
    /// An export that has titles, where there is one.
    titled: Option<PathBuf>,
}

/// Whose folder has that name; `None` where it is nobody's.
pub(crate) fn person_of(folder: &str) -> Option<Person> {
    folder.strip_prefix(PREFIX)?.parse().ok()
}

/// Why a folder cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refuses to read.
    #[error("cannot read `{path}`: {source}")]
    Refused {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no export of anybody.
    #[error("`{path}` holds no export of a person: there is no `person=NAME` in it")]
    Nobody {
        /// The folder.
        path: PathBuf,
    },
    /// A folder names somebody as nobody is named, or as somebody else.
    #[error("`{path}` does not hold the export of the person that it is named by")]
    Misnamed {
        /// The folder.
        path: PathBuf,
    },
    /// A person's copy is being replaced.
    #[error("`{path}` is being replaced by what was pulled")]
    Moving {
        /// The folder.
        path: PathBuf,
    },
    /// There are fewer persons than something is told of.
    #[error("`{path}` has {persons} persons, and nothing is told of fewer than {least}")]
    Few {
        /// The folder.
        path: PathBuf,
        /// How many there are.
        persons: usize,
        /// Of how many at least something is told.
        least: NonZeroU16,
    },
    /// An export has titles, which are not for everybody.
    #[error("`{path}` has titles, notes, addresses and paths in it")]
    Titles {
        /// The folder.
        path: PathBuf,
    },
    /// An export cannot be read.
    #[error(transparent)]
    Export(#[from] export::Error),
}

impl Error {
    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::Refused { .. } => "name the folder with `--from`, and see that it can be read".to_owned(),
            Self::Nobody { .. } => "`dayledger export --person NAME --out DIR` writes one into DIR".to_owned(),
            Self::Misnamed { .. } => "a person's folder cannot be renamed: export again, and remove it".to_owned(),
            Self::Moving { .. } => "ask again; if it stays so, `pull` again".to_owned(),
            Self::Few { .. } => "`--at-least` says of how many persons at least something is told".to_owned(),
            Self::Titles { .. } => "export into another folder without them: an assistant is told none".to_owned(),
            Self::Export(error) => error.hint(),
        }
    }
}

impl Team {
    /// Looks which exports `folder` holds.
    ///
    /// # Errors
    /// A folder that cannot be read or holds nobody's export, and an export under another name than its own.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let refused = |source| Error::Refused { path: folder.to_owned(), source };
        let mut members = Vec::new();
        let mut titled = None;
        for entry in std::fs::read_dir(folder).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
            let misnamed = || Error::Misnamed { path: entry.path() };
            let person: Person = name.parse().map_err(|_| misnamed())?;
            let archive = Archive::open(&entry.path())?;
            if archive.person() != Some(&person) {
                return Err(misnamed());
            }
            if archive.includes_titles() {
                titled.get_or_insert_with(|| entry.path());
            }
            members.push(Member::new(person, entry.path()).since(archive.written_utc()));
        }
        // Without her the answer would be a smaller one, and nobody would know.
        for entry in std::fs::read_dir(folder.join(GOING)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if !path.exists() {
                return Err(Error::Moving { path });
            }
        }
        members.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        if members.is_empty() {
            return Err(Error::Nobody { path: folder.to_owned() });
        }
        Ok(Self { folder: folder.to_owned(), members: Members::of(folder, members), titled })
    }

    /// Lets pass what has at least so many persons.
    ///
    /// # Errors
    /// [`Error::Few`].
    pub fn of_at_least(self, least: NonZeroU16) -> Result<Self, Error> {
        if self.members.len() >= usize::from(least.get()) {
            return Ok(self);
        }
        Err(Error::Few { path: self.folder, persons: self.members.len(), least })
    }

    /// Lets pass what has no titles, now and whenever an export is opened, here and by workers.
    ///
    /// # Errors
    /// [`Error::Titles`] for one that has.
    pub fn without_titles(self) -> Result<Self, Error> {
        match self.titled {
            Some(path) => Err(Error::Titles { path }),
            None => Ok(Self { members: self.members.with(Titles::Refused), ..self }),
        }
    }

    /// What it holds, in words.
    pub fn summary(&self) -> String {
        let persons = self.members.len();
        let noun = if persons == 1 { "person" } else { "persons" };
        format!("{}: {persons} {noun}", self.folder.display())
    }

    /// The engine over all persons. Tables, views and functions are those of the first person's export.
    ///
    /// # Errors
    /// A file that cannot be read as Parquet, or when the operating system gives no threads.
    pub fn engine(&self) -> Result<Engine, Error> {
        self.engine_on(None)
    }

    /// The same, whose statements `workers` carry out. They read the same exports, each for itself.
    ///
    /// # Errors
    /// Those of [`Team::engine`].
    pub fn engine_with(&self, workers: Workers) -> Result<Engine, Error> {
        self.engine_on(Some(workers))
    }

    /// Each person, and the folder of her export.
    pub fn persons(&self) -> impl Iterator<Item = (&Person, &Path)> {
        self.members.iter().map(Member::parts)
    }

    pub(crate) fn members(&self) -> &Members {
        &self.members
    }

    fn engine_on(&self, workers: Option<Workers>) -> Result<Engine, Error> {
        let refused = |source| Error::Refused { path: self.folder.clone(), source };
        let first = self.members.first().ok_or_else(|| Error::Nobody { path: self.folder.clone() })?;
        let model = model_of_archive(&Archive::open(first.parts().1)?)?;
        let engine = Engine::of_tables(Model::default()).map_err(refused)?;
        let tables = Arc::new(Tables::new(self.members.clone(), engine.clone(), workers));
        Ok(engine.remodelled(|_| model.told_by(tables)))
    }
}
