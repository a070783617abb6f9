//! Finds the database of `ManicTime` (docs/spec/manictime.md#data-folders).
//!
//! This module defines the search order. It doesn't read environment variables or the configuration
//! file. The caller passes their values.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{Error, setting_name};
use dayledger_source::{FoundBy, Location, SearchedPaths};

/// The file name of the database.
pub const DATABASE_FILE: &str = "ManicTimeReports.db";
/// The file name of the database in versions of `ManicTime` before 4.
const OLD_DATABASE_FILE: &str = "ManicTime.sdf";

/// Finds the database. Each call of [`Self::find`] searches again, so it also finds a database that was created after
/// the previous call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Locator {
    places: SearchedPaths,
}

impl Locator {
    /// Creates a locator that searches only `place`, because the user set this path.
    pub fn from_path(place: impl Into<PathBuf>, found_by: FoundBy) -> Self {
        Self { places: SearchedPaths::from_path(place, found_by) }
    }

    /// Creates a locator that searches the default folders of this platform. The caller passes the user's folders for
    /// settings and for local data. The default folders are inside these two.
    pub fn new_for_platform(settings: &Path, local_data: &Path) -> Self {
        // The portable version of ManicTime stores its files in the subfolder `Data`.
        let places =
            usual_places(settings, local_data).into_iter().flat_map(|place| [place.clone(), place.join("Data")]);
        Self { places: SearchedPaths::from_platform(places) }
    }

    /// Returns the first database in the searched paths. A searched path can be the folder of the database, or the
    /// database file itself.
    ///
    /// # Errors
    /// Fails with `NotFound` or `PermissionDenied`. Fails with `TooOld` if only the file of an old version exists, and
    /// with `NotAFile` if a pipe or a device has the name of the database.
    pub fn find(&self) -> Result<Location, Error> {
        for (place, found_by) in self.places.list() {
            let database = if is_file_name(place) { place.to_owned() } else { place.join(DATABASE_FILE) };
            match fs::metadata(&database) {
                Ok(found) if found.is_file() => {
                    return Ok(Location { setting: setting_name(found_by), ..Location::new(database, found_by) });
                }
                Ok(found) if !found.is_dir() => return Err(Error::NotAFile(database)),
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                    return Err(Error::PermissionDenied(database));
                }
                _ => {}
            }
        }
        // Search for old files last. A current database in any of the paths takes precedence over an old file.
        let old = self.places.list().map(|(place, _)| place.join(OLD_DATABASE_FILE)).find(|path| path.is_file());
        if let Some(path) = old {
            return Err(Error::TooOld(path));
        }
        let searched = self.places.list().map(|(place, _)| place.to_owned()).collect();
        Err(Error::NotFound { searched, named_by: self.places.set_by() })
    }
}

fn is_file_name(place: &Path) -> bool {
    place.is_file()
        || place.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("db")) && !place.is_dir()
}

#[cfg(windows)]
fn usual_places(_settings: &Path, local: &Path) -> Vec<PathBuf> {
    let registered = windows_registry::CURRENT_USER
        .open("Software\\Finkit\\ManicTime")
        .and_then(|key| key.get_string("DataDirectory"))
        .ok()
        .filter(|value| !value.trim().is_empty())
        .map(|value| PathBuf::from(value.replace("[LocalApplicationData]", &local.to_string_lossy())));
    registered.into_iter().chain([local.join("Finkit").join("ManicTime")]).collect()
}

#[cfg(target_os = "macos")]
fn usual_places(_settings: &Path, local_data: &Path) -> Vec<PathBuf> {
    vec![local_data.join("ManicTime")]
}

#[cfg(not(any(windows, target_os = "macos")))]
fn usual_places(settings: &Path, local_data: &Path) -> Vec<PathBuf> {
    vec![settings.join("manictime"), local_data.join("manictime")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dayledger_source::ErrorKind;

    #[test]
    fn a_folder_and_the_file_itself_both_work() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join(DATABASE_FILE);
        fs::write(&database, b"x").unwrap();
        for place in [dir.path(), &database] {
            let found = Locator::from_path(place, FoundBy::Flag).find().unwrap();
            assert_eq!(found, Location::new(database.clone(), FoundBy::Flag));
        }
    }

    #[test]
    fn old_database_format_is_distinguished_from_a_missing_database() {
        let dir = tempfile::tempdir().unwrap();
        let locator = Locator::from_path(dir.path(), FoundBy::Flag);
        assert_eq!(
            locator.find(),
            Err(Error::NotFound { searched: vec![dir.path().to_owned()], named_by: Some(FoundBy::Flag) })
        );
        fs::write(dir.path().join(OLD_DATABASE_FILE), b"x").unwrap();
        assert_eq!(locator.find().unwrap_err().kind(), ErrorKind::TooOld);
        fs::write(dir.path().join(DATABASE_FILE), b"x").unwrap();
        assert!(locator.find().is_ok());
    }

    #[test]
    fn error_for_a_missing_file_shows_the_path_and_where_it_was_set() {
        let searched = vec![PathBuf::from("/nowhere/other.db")];
        let missing = Locator::from_path(&searched[0], FoundBy::Environment).find().unwrap_err();
        assert!(missing.to_string().ends_with(", from MANICTIME_DATA_DIR"), "{missing}");
        assert_eq!(missing, Error::NotFound { searched, named_by: Some(FoundBy::Environment) });
    }
}
