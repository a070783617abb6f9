//! Finds the databases of `ActivityWatch`.
//!
//! `ActivityWatch` has two servers, and each server has its own database. A computer can have both databases, because
//! the Rust server copies the events of the Python server at its first start. Then both databases contain the old
//! events, but only one database gets new events. So dayledger reads only the database with the newest event.

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

/// The maximum duration of the search for the newest event in a database.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(1);

/// The file names of the databases, with the server that writes each of them. The databases of `ActivityWatch`'s
/// testing mode have other names, so dayledger never finds them.
const FILES: [(&str, Server); 3] =
    [("sqlite.db", Server::Rust), ("peewee-sqlite.v2.db", Server::Python), ("sqlite.v1.db", Server::PythonSqlite)];
/// The folders of the servers, relative to the user's folder for data. On Windows, the path of the Python server
/// contains `activitywatch` twice.
const FOLDERS: [&[&str]; 3] = [
    &["activitywatch", "aw-server-rust"],
    &["activitywatch", "activitywatch", "aw-server"],
    &["activitywatch", "aw-server"],
];

/// A server of `ActivityWatch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Server {
    /// The Rust server (aw-server-rust), which is also part of aw-tauri.
    Rust,
    /// The Python server (aw-server) with its default storage.
    Python,
    /// The Python server (aw-server) with the option `--storage sqlite`.
    PythonSqlite,
}

/// A database in one of the searched paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The path of the database, and how it was found.
    pub location: Location,
    /// The server that usually writes a database with this file name.
    pub server: Server,
    /// The starts of the first and of the last event, in Unix seconds. `None` if there are no events. An error if the
    /// database can't be read.
    pub bounds: Result<Option<(i64, i64)>, Error>,
}

/// Finds the database. [`Self::find`] searches again in each call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locator {
    places: SearchedPaths,
}

impl Locator {
    /// Creates a locator that searches only `place`: a database, the folder of a database, or the folder
    /// `activitywatch`.
    pub fn from_path(place: impl Into<PathBuf>, found_by: FoundBy) -> Self {
        Self { places: SearchedPaths::from_path(place, found_by) }
    }

    /// Creates a locator that searches the default folders of this platform. On Windows, these are in `%APPDATA%`
    /// (`settings`) and `%LOCALAPPDATA%` (`local_data`). On other platforms, they are in the user's folder for local
    /// data.
    pub fn new_for_platform(settings: &Path, local_data: &Path) -> Self {
        // Newer versions of the Rust server use the roaming folder. The database of an older version is still in the
        // local folder.
        let folders = if cfg!(windows) { vec![settings, local_data] } else { vec![local_data] };
        Self { places: SearchedPaths::from_platform(folders.into_iter().map(Path::to_path_buf)) }
    }

    /// Returns all databases that exist. The first database has the newest event, and dayledger reads this database.
    /// Databases that can't be read are last.
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
    /// Fails if there is no database. If there are several databases, also fails if one of them is locked, or if the
    /// search in one of them takes too long.
    pub fn find(&self) -> Result<Location, Error> {
        self.find_for(&Privacy::default())
    }

    /// Whether `database` is one of the databases that this locator finds.
    pub(crate) fn finds(&self, database: &Path) -> bool {
        self.files().any(|(location, _)| location.database == database)
    }

    /// Returns the database with the newest event. Paths in errors are redacted according to `privacy`.
    pub(crate) fn find_for(&self, privacy: &Privacy) -> Result<Location, Error> {
        let mut files: Vec<_> = self.files().collect();
        let found = match files.len() {
            // If there is only one database, don't search for its newest event.
            0 | 1 => files.pop().map(|(location, _)| location),
            _ => {
                let candidates = self.candidates_for(privacy);
                // If the newest event of a database is unknown, that event could be newer than all others. So fail.
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
                // A path that the user set can also be the folder `activitywatch` or the folder of a server. In the
                // platform's folders, search only the full paths of `FOLDERS`, because other files there can belong to
                // other programs.
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

/// Returns the starts of the first and of the last event of a database, in Unix seconds.
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
