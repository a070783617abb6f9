//! Finds the databases of `ActivityWatch`.
//!
//! Two servers exist, each with its own file, and a computer can have both. The first start of the Rust server copies the
//! Python server's file, which stays in its folder. Both then contain the same past, and only one of them grows. So only
//! the file with the newest event is read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use dayledger_source::{Error, FoundBy, Location};

use crate::error::not_found;

/// The file names of the servers. Files for testing have other names and are never found.
const FILES: [(&str, Server); 3] =
    [("sqlite.db", Server::Rust), ("peewee-sqlite.v2.db", Server::Python), ("sqlite.v1.db", Server::PythonSqlite)];
/// The folders of the servers in a folder for data. On Windows, the Python server doubles the first name.
const FOLDERS: [&[&str]; 4] = [
    &["activitywatch", "aw-server-rust"],
    &["activitywatch", "activitywatch", "aw-server"],
    &["activitywatch", "aw-server"],
    &[],
];

/// A server of `ActivityWatch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Server {
    /// aw-server-rust, which aw-tauri contains.
    Rust,
    /// aw-server with its default storage.
    Python,
    /// aw-server with the option `--storage sqlite`.
    PythonSqlite,
}

/// A database that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The database.
    pub location: Location,
    /// The server that usually writes a file of this name.
    pub server: Server,
    /// The start of the first and of the last event in Unix seconds, or `None` if there are no events. An error if the
    /// file can't be read.
    pub bounds: Result<Option<(i64, i64)>, Error>,
}

/// Finds the history. Each call searches again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locator {
    /// The searched paths, as `OsString` because that can be serialised for every path.
    places: Vec<(OsString, FoundBy)>,
}

impl Locator {
    /// Searches only `place`, which is a database, its folder, or the folder `activitywatch`.
    pub fn from_path(place: impl Into<PathBuf>, found_by: FoundBy) -> Self {
        Self { places: vec![(place.into().into(), found_by)] }
    }

    /// Searches the default folders of this platform, inside the user's folders for settings and for local data. They
    /// are `%APPDATA%` and `%LOCALAPPDATA%` on Windows. On other platforms, only the folder for local data is searched.
    pub fn new_for_platform(settings: &Path, local_data: &Path) -> Self {
        // The Rust server moved from the local to the roaming folder without moving its file.
        let folders = if cfg!(windows) { vec![settings, local_data] } else { vec![local_data] };
        Self { places: folders.into_iter().map(|folder| (folder.into(), FoundBy::Platform)).collect() }
    }

    /// Returns all databases that exist, with the one that is read first. Reads the bounds of each database.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.files().map(|(location, server)| Candidate { location, server, bounds: Ok(None) }).collect()
    }

    /// Returns the database with the newest event.
    ///
    /// # Errors
    /// Fails if there is no database.
    pub fn find(&self) -> Result<Location, Error> {
        let found = self.candidates().into_iter().next().map(|candidate| candidate.location);
        found.ok_or_else(|| {
            let setting = self.places.first().map(|(_, found_by)| *found_by).filter(|by| *by != FoundBy::Platform);
            let places: Vec<_> = self.places.iter().map(|(place, _)| Path::new(place)).collect();
            not_found(&places, setting.map(FoundBy::describe))
        })
    }

    fn files(&self) -> impl Iterator<Item = (Location, Server)> {
        self.places.iter().flat_map(|(place, found_by)| {
            let place = Path::new(place);
            let paths: Vec<_> = if place.is_file() {
                let named = FILES.into_iter().find(|(name, _)| place.file_name().is_some_and(|file| file == *name));
                vec![(place.to_owned(), named.map_or(Server::Rust, |(_, server)| server))]
            } else {
                let folders = FOLDERS.iter().flat_map(|folders| {
                    // The place can also be the folder `activitywatch`.
                    let inside = folders.get(1..).unwrap_or_default();
                    [place.join(folders.iter().collect::<PathBuf>()), place.join(inside.iter().collect::<PathBuf>())]
                });
                let files = folders.flat_map(|folder| FILES.map(|(name, server)| (folder.join(name), server)));
                let mut files: Vec<_> = files.filter(|(path, _)| path.is_file()).collect();
                files.sort_by(|one, other| one.0.cmp(&other.0));
                files.dedup_by(|one, other| one.0 == other.0);
                files
            };
            paths.into_iter().map(|(path, server)| (Location::new(path, *found_by), server)).collect::<Vec<_>>()
        })
    }
}
