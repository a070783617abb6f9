//! Reads the categories from `ActivityWatch`'s settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use serde::Deserialize;
use serde_json::Value;

use dayledger_source::{Error, ErrorKind, Privacy, ReadHandle};
use dayledger_sqlite::{Capacity, ReadDeadline};

use crate::ActivityWatch;
use crate::error::convert_failure;

/// The setting with the categories. Newer versions of `ActivityWatch` also divide categories into sets
/// (`category_sets`), but the categories of the active sets are still in this setting.
const CLASSES: &str = "classes";
/// The folders with the settings of the Python server, relative to the user's folder for settings. On Windows,
/// `activitywatch` appears twice in the path.
const FOLDERS: [&[&str]; 2] = [&["activitywatch", "activitywatch", "aw-server"], &["activitywatch", "aw-server"]];
/// The maximum duration of a read. A longer read would lock the database for so long that `ActivityWatch` could lose
/// events.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum size of a settings file in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A category with a regular expression. A window belongs to the category if its application or title matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// The levels of the name, such as `Work` and `Programming`.
    pub name: Vec<String>,
    /// The regular expression in the notation of Python or of the Rust crate `fancy_regex`.
    pub regex: String,
    /// Whether the expression ignores case.
    pub ignores_case: bool,
}

/// A category as stored in the settings.
#[derive(Deserialize)]
struct StoredCategory {
    name: Vec<String>,
    rule: Option<StoredRule>,
}

#[derive(Deserialize)]
struct StoredRule {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    regex: Option<String>,
    #[serde(default)]
    ignore_case: Option<bool>,
}

impl ActivityWatch {
    /// Returns the user's categories in order of precedence. A category with more levels takes precedence over a
    /// category with fewer levels. Among categories with the same number of levels, the category that is stored last
    /// takes precedence. Returns `None` if the user never changed the categories, because the default categories aren't
    /// stored.
    ///
    /// The Rust server stores the categories in the database. The Python server stores them in a file in one of the
    /// `folders` for settings.
    ///
    /// # Errors
    /// Fails if there is no database, or if the categories can't be read.
    pub fn categories(&self, folders: &[&Path]) -> Result<Option<Vec<Category>>, Error> {
        let database = self.settings().locator.find()?.database;
        let stored = match read_setting(&database, CLASSES)? {
            Some(stored) => Some(stored),
            None => read_settings_file(folders)?,
        };
        let Some(stored) = stored else { return Ok(None) };
        let mut categories = parse(stored).map_err(|error| unreadable(&database, &error))?;
        categories.reverse();
        categories.sort_by_key(|category| std::cmp::Reverse(category.name.len()));
        Ok(Some(categories))
    }
}

/// Reads a setting from the database of the Rust server. Returns `None` if another server wrote the database.
fn read_setting(database: &Path, name: &str) -> Result<Option<Value>, Error> {
    let convert = |failure| convert_failure(failure, database, &Privacy::default());
    let deadline = ReadDeadline::after(&ReadHandle::default(), TIMEOUT);
    let read = |connection: &mut Connection| -> rusqlite::Result<Option<Value>> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'key_value'";
        if connection.query_row(sql, [], |row| row.get::<_, i64>(0))? == 0 {
            return Ok(None);
        }
        let mut found = None;
        let sql = "SELECT value FROM key_value WHERE key = ?1";
        Capacity::from_database(database).for_each_row(connection, sql, [format!("settings.{name}")], |row| {
            let text = row.get_ref(0)?.as_str().unwrap_or_default();
            found = serde_json::from_str(text).ok();
            Ok(text.len())
        })?;
        Ok(found)
    };
    let found = dayledger_sqlite::read_once(database, TIMEOUT, &deadline, read).map_err(convert)?;
    found.map_err(|error| convert((&error).into()))
}

/// Reads the categories from the settings file of the Python server.
fn read_settings_file(folders: &[&Path]) -> Result<Option<Value>, Error> {
    let files = folders
        .iter()
        .flat_map(|folder| FOLDERS.map(|parts| folder.join(parts.iter().collect::<PathBuf>()).join("settings.json")));
    let Some(file) = files.into_iter().find(|file| file.is_file()) else { return Ok(None) };
    if fs::metadata(&file).map_err(|error| unreadable(&file, &error))?.len() > MAX_BYTES {
        return Err(unreadable(&file, &"it is too large"));
    }
    let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, &error))?;
    let mut settings: Value = serde_json::from_str(&text).map_err(|error| unreadable(&file, &error))?;
    Ok(settings.get_mut(CLASSES).map(Value::take))
}

/// Returns the stored categories that have a regular expression, in the stored order.
fn parse(stored: Value) -> serde_json::Result<Vec<Category>> {
    let stored: Vec<StoredCategory> = serde_json::from_value(stored)?;
    let categories = stored.into_iter().filter_map(|StoredCategory { name, rule }| {
        let rule = rule.filter(|rule| rule.kind.as_deref() == Some("regex"))?;
        let regex = rule.regex.filter(|regex| !regex.is_empty())?;
        Some(Category { name, regex, ignores_case: rule.ignore_case.unwrap_or(false) })
    });
    Ok(categories.collect())
}

fn unreadable(file: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error {
        kind: ErrorKind::Failed,
        message: format!("cannot read the categories in `{}`: {reason}", file.display()),
        hint: "open ActivityWatch's settings, save its categories, and try again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use dayledger_source::FoundBy;
    use serde_json::json;

    use super::*;
    use crate::{Locator, Settings};

    fn classes() -> Value {
        json!([
            {"id": 0, "name": ["Work"], "rule": {"type": "regex", "regex": "Docs"}},
            {"id": 1, "name": ["Work", "Programming"],
             "rule": {"type": "regex", "regex": "Code|vim", "ignore_case": true}, "data": {"color": "#0F0"}},
            {"id": 2, "name": ["Games"], "rule": {"type": "none"}},
            {"id": 3, "name": ["Empty"], "rule": {"type": "regex", "regex": ""}},
            {"id": 4, "name": ["Media"], "rule": {"type": "regex", "regex": "(?<!x)Music"}},
            {"id": 5, "name": ["Uncategorized"], "rule": {"type": null}}
        ])
    }

    /// Returns each category as text: its levels, its expression, and whether it ignores case.
    fn categories(place: &Path, folders: &[&Path]) -> Option<Vec<String>> {
        let source = ActivityWatch::new(Settings::new(Locator::from_path(place, FoundBy::Flag))).unwrap();
        let categories = source.categories(folders).unwrap()?;
        let text = |Category { name, regex, ignores_case }| format!("{} {regex} {ignores_case}", name.join(" > "));
        Some(categories.into_iter().map(text).collect())
    }

    const EXPECTED: [&str; 3] = ["Work > Programming Code|vim true", "Media (?<!x)Music false", "Work Docs false"];

    #[test]
    fn categories_of_the_rust_server_are_sorted_by_precedence() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("sqlite.db");
        let connection = Connection::open(&file).unwrap();
        connection.execute_batch("CREATE TABLE key_value (key TEXT PRIMARY KEY, value TEXT)").unwrap();
        assert_eq!(categories(&file, &[]), None);
        let insert = "INSERT INTO key_value VALUES ('settings.classes', ?1)";
        connection.execute(insert, [classes().to_string()]).unwrap();
        assert_eq!(categories(&file, &[]).unwrap(), EXPECTED);
    }

    #[test]
    fn categories_of_the_python_server_are_in_a_file_of_their_own() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("peewee-sqlite.v2.db");
        Connection::open(&file).unwrap().execute_batch("CREATE TABLE eventmodel (id INTEGER)").unwrap();
        let folder = dir.path().join("activitywatch").join("aw-server");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(categories(&file, &[dir.path()]), None);
        let settings = json!({"startOfDay": "04:00", "classes": classes()});
        fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
        assert_eq!(categories(&file, &[dir.path()]).unwrap(), EXPECTED);
    }
}
