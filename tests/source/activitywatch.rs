//! Writes the rows in memory to a file of ActivityWatch, and converts them to the rows that ActivityWatch can record.

use std::path::{Path, PathBuf};

use dayledger::activitywatch::{ActivityWatch, Locator, Settings};
use dayledger::source::{FoundBy, Role};
use dayledger_fixtures::{ActivityWatchWriter, Server};
use serde_json::{Value, json};

use super::memory::{DEVICE, Row};

/// A history file of ActivityWatch.
pub(super) struct ActivityWatchFile {
    folder: PathBuf,
    writer: ActivityWatchWriter,
    /// The numbers of the buckets for windows, presence, files, tabs and stopwatches.
    buckets: [i64; 5],
}

impl ActivityWatchFile {
    /// Creates a history file without events in an existing folder.
    pub(super) fn in_folder(folder: &Path, server: Server) -> Self {
        let mut writer = ActivityWatchWriter::in_folder(folder, server).unwrap();
        let buckets = [
            ("aw-watcher-window", "currentwindow"),
            ("aw-watcher-afk", "afkstatus"),
            ("aw-watcher-vscode", "app.editor.activity"),
            ("aw-watcher-web-firefox", "web.tab.current"),
        ];
        let [windows, presence, files, tabs] =
            buckets.map(|(watcher, kind)| writer.add_bucket(&format!("{watcher}_{DEVICE}"), kind, DEVICE).unwrap());
        let stopwatches = writer.add_bucket("aw-stopwatch", "general.stopwatch", "unknown").unwrap();
        writer.commit().unwrap();
        let buckets = [windows, presence, files, tabs, stopwatches];
        Self { folder: folder.to_owned(), writer, buckets }
    }

    /// Adds rows in one commit. Leaves out time in which the computer is off.
    pub(super) fn add(&mut self, rows: &[Row]) {
        let [windows, presence, files, tabs, stopwatches] = self.buckets;
        for row in rows {
            let title = row.title.as_deref().unwrap();
            let (bucket, data): (i64, Value) = match row.role {
                Role::Applications => (windows, json!({"app": program(row), "title": title})),
                Role::ComputerUsage => match row.key.as_str() {
                    "active" => (presence, json!({"status": "not-afk"})),
                    "off" => continue,
                    _ => (presence, json!({"status": "afk"})),
                },
                Role::Documents => (files, json!({"file": row.key, "project": "unknown", "language": "unknown"})),
                Role::Websites => {
                    (tabs, json!({"url": title, "title": "Page", "audible": false, "incognito": false, "tabCount": 1}))
                }
                Role::Tags | Role::Other => (stopwatches, json!({"label": row.name, "running": false})),
            };
            let [start, length] = [row.span.start, row.span.end - row.span.start].map(|seconds| seconds * 1_000_000);
            self.writer.add_event(bucket, start, length, &data).unwrap();
        }
        self.writer.commit().unwrap();
    }

    /// Returns the history in this file. Its local time is UTC.
    pub(super) fn source(&self) -> ActivityWatch {
        source_at(&self.folder)
    }
}

/// Returns the history in a folder. Its local time is UTC.
pub(super) fn source_at(folder: &Path) -> ActivityWatch {
    let locator = Locator::from_path(folder, FoundBy::Flag);
    ActivityWatch::new(Settings { zone: Some("UTC".to_owned()), ..Settings::new(locator) }).unwrap()
}

/// Returns the rows as ActivityWatch records them. Applications have the name of their program and no colour. Files
/// don't belong to a window. A locked computer counts as away. Tags have neither levels nor notes.
pub(super) fn convert_rows(rows: Vec<Row>) -> Vec<Row> {
    let rows = rows.into_iter().filter_map(|row| {
        let row = Row { color: None, notes: None, has_tag_levels: false, ..row };
        Some(match (row.role, row.key.as_str()) {
            (Role::ComputerUsage, "off") => return None,
            (Role::ComputerUsage, "locked") => {
                let away = || "Away".to_owned();
                Row { name: away(), key: "away".to_owned(), title: Some(away()), rule_text: Some(away()), ..row }
            }
            (Role::Applications, _) => Row { name: program(&row).to_owned(), key: program(&row).to_owned(), ..row },
            (Role::Documents, _) => Row { related: None, ..row },
            _ => row,
        })
    });
    rows.collect()
}

/// Returns the program of an application, as on Windows.
fn program(row: &Row) -> &str {
    row.key.split_once(';').map_or(row.key.as_str(), |(program, _)| program)
}
