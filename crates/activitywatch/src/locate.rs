//! Finds the databases of `ActivityWatch`.
//!
//! Two servers exist, each with its own file, and a computer can have both. The first start of the Rust server copies the
//! Python server's file, which stays in its folder. Both then contain the same past, and only one of them grows. So only
//! the file with the newest event is read.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use dayledger_source::{Error, ErrorKind, FoundBy, Location, Privacy, ReadHandle, SearchedPaths};
use dayledger_sqlite::{Capacity, ReadDeadline, find_special_file};

use crate::error::{convert_failure, incomplete, not_a_file, not_found};
use crate::history::{File, newest_start, oldest_start};
use crate::instant::to_seconds;
use crate::shape::Shape;

/// How long the search for the newest event may take in each database.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(1);

/// The file names of the servers. Files for testing have other names and are never found.
const FILES: [(&str, Server); 3] =
    [("sqlite.db", Server::Rust), ("peewee-sqlite.v2.db", Server::Python), ("sqlite.v1.db", Server::PythonSqlite)];
/// The folders of the servers in a folder for data. On Windows, the Python server doubles the first name.
const FOLDERS: [&[&str]; 3] = [
    &["activitywatch", "aw-server-rust"],
    &["activitywatch", "activitywatch", "aw-server"],
    &["activitywatch", "aw-server"],
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
    /// The start of the first and of the last event in Unix seconds, or `None` without events. An error if the
    /// file can't be read.
    pub bounds: Result<Option<(i64, i64)>, Error>,
}

/// Finds the history. Each call searches again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locator {
    places: SearchedPaths,
}

impl Locator {
    /// Searches only `place`, which is a database, its folder, or the folder `activitywatch`.
    pub fn from_path(place: impl Into<PathBuf>, found_by: FoundBy) -> Self {
        Self { places: SearchedPaths::from_path(place, found_by) }
    }

    /// Searches the default folders of this platform, inside the user's folders for settings and for local data. They
    /// are `%APPDATA%` and `%LOCALAPPDATA%` on Windows. On other platforms, only the folder for local data is searched.
    pub fn new_for_platform(settings: &Path, local_data: &Path) -> Self {
        // The Rust server moved from the local to the roaming folder without moving its file.
        let folders = if cfg!(windows) { vec![settings, local_data] } else { vec![local_data] };
        Self { places: SearchedPaths::from_platform(folders.into_iter().map(Path::to_path_buf)) }
    }

    /// Returns all databases that exist, first the one with the newest event, which is the one that is read. Databases that
    /// can't be read are last.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.candidates_for(&Privacy::default())
    }

    fn candidates_for(&self, privacy: &Privacy) -> Vec<Candidate> {
        let files = self.files().map(|(location, server)| {
            let bounds = bounds(&location.database, privacy);
            Candidate { location, server, bounds }
        });
        let mut candidates: Vec<_> = files.collect();
        let newest = |candidate: &Candidate| match &candidate.bounds {
            Ok(bounds) => (1, bounds.map(|(_, last)| last)),
            Err(_) => (0, None),
        };
        candidates.sort_by_key(|candidate| Reverse(newest(candidate)));
        candidates
    }

    /// Returns the database with the newest event.
    ///
    /// # Errors
    /// Fails if there is no database, or if one of several can't be compared because it is locked or slow.
    pub fn find(&self) -> Result<Location, Error> {
        self.find_for(&Privacy::default())
    }

    /// Whether a database is one of the candidates.
    pub(crate) fn finds(&self, database: &Path) -> bool {
        self.files().any(|(location, _)| location.database == database)
    }

    /// Like [`Self::find`], with errors that contain no folder if `privacy` redacts paths.
    pub(crate) fn find_for(&self, privacy: &Privacy) -> Result<Location, Error> {
        let mut files: Vec<_> = self.files().collect();
        let found = match files.len() {
            // A single database needs no comparison.
            0 | 1 => files.pop().map(|(location, _)| location),
            _ => {
                let candidates = self.candidates_for(privacy);
                // Its newest event isn't known, so the history could be in this file.
                let unknown = |error: &&Error| matches!(error.kind, ErrorKind::Busy | ErrorKind::GaveUp);
                if let Some(error) = candidates.iter().filter_map(|found| found.bounds.as_ref().err()).find(unknown) {
                    return Err(error.clone());
                }
                candidates.into_iter().next().map(|candidate| candidate.location)
            }
        };
        found.ok_or_else(|| {
            let places: Vec<_> = self.places.list().map(|(place, _)| place).collect();
            not_found(&places, self.places.set_by().map(FoundBy::describe), privacy)
        })
    }

    fn files(&self) -> impl Iterator<Item = (Location, Server)> {
        self.places.list().flat_map(|(place, found_by)| {
            let paths: Vec<_> = if place.is_file() {
                let named = FILES.into_iter().find(|(name, _)| place.file_name().is_some_and(|file| file == *name));
                vec![(place.to_owned(), named.map_or(Server::Rust, |(_, server)| server))]
            } else {
                // A place that the user set can also be the folder `activitywatch`, or that of a server. The platform's
                // folders contain files of other programs.
                let is_set = found_by != FoundBy::Platform;
                let inside = FOLDERS.iter().filter_map(|folders| folders.get(1..)).chain([[].as_slice()]);
                let folders = FOLDERS.into_iter().chain(inside.filter(|_| is_set));
                let folders = folders.map(|folders| place.join(folders.iter().collect::<PathBuf>()));
                let files = folders.flat_map(|folder| FILES.map(|(name, server)| (folder.join(name), server)));
                let mut files: Vec<_> = files.filter(|(path, _)| path.is_file()).collect();
                files.sort_by(|one, other| one.0.cmp(&other.0));
                files.dedup_by(|one, other| one.0 == other.0);
                files
            };
            paths.into_iter().map(|(path, server)| (Location::new(path, found_by), server)).collect::<Vec<_>>()
        })
    }
}

/// Returns the start of the first and of the last event of a database in Unix seconds.
fn bounds(path: &Path, privacy: &Privacy) -> Result<Option<(i64, i64)>, Error> {
    if let Some(special) = find_special_file(path) {
        return Err(not_a_file(&special, privacy));
    }
    let handle = ReadHandle::default();
    let capacity = Capacity::from_database(path);
    let deadline = ReadDeadline::after(&handle, SEARCH_TIMEOUT);
    let read = |connection: &mut Connection| {
        let Some(shape) = Shape::read(connection, capacity)? else { return Ok(None) };
        let buckets = shape.read_buckets(connection, capacity)?;
        let file = File { connection, shape: &shape, capacity, can_wait: true, handle: &handle };
        Ok(Some(oldest_start(&file, &buckets)?.zip(newest_start(&file, &buckets)?)))
    };
    let found: Result<rusqlite::Result<_>, _> = dayledger_sqlite::read_once(path, SEARCH_TIMEOUT, &deadline, read);
    let found = found.map_err(|failure| convert_failure(failure, path, privacy))?;
    let found = found.map_err(|error| convert_failure((&error).into(), path, privacy))?;
    let bounds = found.ok_or_else(|| incomplete(path, privacy))?;
    Ok(bounds.map(|(first, last)| (to_seconds(first), to_seconds(last))))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tests::{Peewee, Rust};

    #[test]
    fn database_with_the_newest_event_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = dir.path().join("activitywatch").join(name);
            fs::create_dir_all(&folder).unwrap();
            folder
        };
        let window = r#"{"app": "a", "title": "t"}"#;
        let old = Peewee::create(&folder("aw-server").join("peewee-sqlite.v2.db"));
        let bucket = old.bucket("aw-watcher-window_desk", "currentwindow", "desk");
        old.event(bucket, 1_759_741_200.0, 60.0, window);
        let new = Rust::create(&folder("aw-server-rust").join("sqlite.db"));
        let bucket = new.bucket("aw-watcher-window_desk", "currentwindow", "desk");
        new.event(bucket, 1_759_741_200.0, 60.0, window);
        new.event(bucket, 1_759_741_300.0, 60.0, window);
        fs::write(folder("aw-server").join("peewee-sqlite-testing.v2.db"), b"x").unwrap();
        fs::write(folder("aw-server").join("sqlite.v1.db"), b"not a database").unwrap();
        let locator = Locator::new_for_platform(dir.path(), dir.path());
        let candidates = locator.candidates();
        let found: Vec<_> =
            candidates.iter().map(|found| (found.server, found.bounds.clone().ok().flatten())).collect();
        let expected = [
            (Server::Rust, Some((1_759_741_200, 1_759_741_300))),
            (Server::Python, Some((1_759_741_200, 1_759_741_200))),
            (Server::PythonSqlite, None),
        ];
        assert_eq!(found, expected);
        assert!(candidates[2].bounds.is_err());
        assert!(locator.find().unwrap().database.ends_with("aw-server-rust/sqlite.db"));
        let inside = Locator::from_path(dir.path().join("activitywatch"), FoundBy::Flag);
        assert!(inside.find().unwrap().database.ends_with("aw-server-rust/sqlite.db"));
        let server = Locator::from_path(dir.path().join("activitywatch").join("aw-server"), FoundBy::Flag);
        assert_eq!(server.candidates().len(), 2);
        let missing = Locator::from_path(dir.path().join("missing"), FoundBy::Flag).find().unwrap_err();
        assert!(missing.message.contains("missing") && missing.message.ends_with(", from --data-dir"), "{missing}");
    }

    #[test]
    fn locked_file_is_an_error_and_not_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("activitywatch").join("aw-server");
        fs::create_dir_all(&folder).unwrap();
        let files = ["peewee-sqlite.v2.db", "sqlite.v1.db"].map(|name| Peewee::create(&folder.join(name)));
        let locator = Locator::new_for_platform(dir.path(), dir.path());
        files[0].0.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert_eq!(locator.find().unwrap_err().kind, ErrorKind::Busy);
        files[0].0.execute_batch("ROLLBACK").unwrap();
        locator.find().unwrap();
    }

    #[test]
    fn files_of_other_programs_are_not_found() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("sqlite.db"), b"x").unwrap();
        assert!(Locator::new_for_platform(dir.path(), dir.path()).candidates().is_empty());
    }
}
