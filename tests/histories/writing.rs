//! A small history to which a test adds rows one by one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dayledger::App;
use dayledger::manictime::DATABASE_FILE;
use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};
use tempfile::TempDir;

use super::engines::app_at;

/// If a test writes a time without a date, the time is on this local date. It is a Wednesday.
pub(crate) const DAY: &str = "2025-01-15";
/// The default UTC offset of local time, in minutes.
const OFFSET: i64 = 60;

/// A history in its own folder, with an open writer.
pub(crate) struct History {
    dir: TempDir,
    folder: PathBuf,
    writer: HistoryWriter,
    groups: HashMap<(i64, String), i64>,
    lists: HashMap<(i64, String), i64>,
}

impl History {
    /// Creates a history with every table that `ManicTime` writes.
    pub(crate) fn new() -> Self {
        Self::with(SchemaOptions::default())
    }

    /// Creates a history with only the core tables.
    pub(crate) fn core() -> Self {
        Self::with(SchemaOptions::core())
    }

    /// Creates a history with the chosen tables.
    pub(crate) fn with(options: SchemaOptions) -> Self {
        Self::in_folder("", options)
    }

    /// Creates a history in a folder with this name.
    pub(crate) fn in_folder(name: &str, options: SchemaOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let writer = HistoryWriter::in_folder(&folder, options).unwrap();
        Self { dir, folder, writer, groups: HashMap::new(), lists: HashMap::new() }
    }

    /// Creates a history with every table and one device. The timelines of the device have the ids 1 to 4.
    pub(crate) fn on_workstation() -> Self {
        let mut history = Self::new();
        history.device(1, "desk-id", "DESK");
        history
    }

    /// Creates a history with the core tables and one device. The timelines of the device have the ids 1 to 4.
    pub(crate) fn core_on_workstation() -> Self {
        let mut history = Self::core();
        history.device(1, "desk-id", "DESK");
        history
    }

    /// Creates a history with one device, which was used for an hour in one application.
    pub(crate) fn with_one_hour() -> Self {
        let mut history = Self::on_workstation();
        history.active(1, "09:00", "10:00");
        history.application(2, "Editor", "09:00", "10:00");
        history.commit();
        history
    }

    /// Adds a device. Its computer usage timeline has the id `first`. The timelines of applications, documents and tags
    /// get the next ids.
    pub(crate) fn device(&mut self, first: i64, id: &str, name: &str) {
        self.writer.add_device(first, id, name, Some("linux;6.1")).unwrap();
    }

    pub(crate) fn timeline(&mut self, timeline: &Timeline<'_>) {
        self.writer.add_timeline(timeline).unwrap();
    }

    /// Adds a computer state with its key and its displayed name. If the key is empty, the state has no key.
    pub(crate) fn state(&mut self, timeline: i64, (key, name): (&str, &str), from: &str, to: &str) -> i64 {
        let group = self.group(timeline, &Group::state(key, name));
        self.activity(timeline, &Activity::new(name, span(from, to)).group(group))
    }

    pub(crate) fn active(&mut self, timeline: i64, from: &str, to: &str) -> i64 {
        self.state(timeline, ("ManicTime/Active", "Active"), from, to)
    }

    /// Adds an application activity. The title of the window equals the name of the application.
    pub(crate) fn application(&mut self, timeline: i64, name: &str, from: &str, to: &str) -> i64 {
        let key = format!("{name}.exe;{name}").to_lowercase();
        let group = self.group(timeline, &Group::application(&key, name));
        self.activity(timeline, &Activity::new(name, span(from, to)).group(group))
    }

    pub(crate) fn website(&mut self, timeline: i64, host: &str, from: &str, to: &str) -> i64 {
        let group = self.group(timeline, &Group::web_site(host));
        self.activity(timeline, &Activity::new(&format!("https://{host}/page"), span(from, to)).group(group))
    }

    pub(crate) fn document(&mut self, timeline: i64, path: &str, from: &str, to: &str) -> i64 {
        let name = path.rsplit('/').next().unwrap_or(path);
        let group = self.group(timeline, &Group::file(path, name));
        self.activity(timeline, &Activity::new(path, span(from, to)).group(group))
    }

    /// Adds tagged time. `parts` are the names in its list of tags.
    pub(crate) fn tag(&mut self, timeline: i64, parts: &[&str], from: &str, to: &str) -> i64 {
        let groups: Vec<_> = parts.iter().map(|part| self.group(timeline, &Group::tag(part))).collect();
        let name = parts.join(", ");
        let list = match self.lists.get(&(timeline, name.clone())) {
            Some(list) => *list,
            None => self.writer.add_group_list(timeline, &name, &groups, false).unwrap(),
        };
        self.lists.insert((timeline, name.clone()), list);
        self.activity(timeline, &Activity::new(&name, span(from, to)).group_list(list))
    }

    pub(crate) fn activity(&mut self, timeline: i64, activity: &Activity<'_>) -> i64 {
        self.writer.add_activity(timeline, activity).unwrap()
    }

    pub(crate) fn group(&mut self, timeline: i64, group: &Group<'_>) -> i64 {
        if let Some(known) = self.groups.get(&(timeline, group.key.to_owned())) {
            return *known;
        }
        let id = self.writer.add_group(timeline, group).unwrap();
        self.groups.insert((timeline, group.key.to_owned()), id);
        id
    }

    pub(crate) fn writer(&mut self) -> &mut HistoryWriter {
        &mut self.writer
    }

    pub(crate) fn commit(&mut self) {
        self.writer.commit().unwrap();
    }

    /// Commits, then runs SQL statements. Used for changes that the writer doesn't support.
    pub(crate) fn sql(&mut self, text: &str) {
        self.commit();
        self.writer.connection().execute_batch(text).unwrap();
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join(DATABASE_FILE)
    }

    pub(crate) fn app(&self) -> App {
        app_at(&self.folder)
    }

    /// Closes the writer. The folder exists as long as the returned value.
    pub(crate) fn close(mut self) -> ClosedHistory {
        self.commit();
        let connection = self.writer.finish().unwrap();
        connection.close().unwrap();
        ClosedHistory { folder: self.folder, _dir: self.dir }
    }
}

/// The folder of a history whose writer is closed.
pub(crate) struct ClosedHistory {
    folder: PathBuf,
    _dir: TempDir,
}

impl ClosedHistory {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join(DATABASE_FILE)
    }
}

/// Converts a time to the format of `ManicTime`. Times such as `09:00` and `09:00:30` are on [`DAY`].
pub(crate) fn stored_time(time: &str) -> String {
    match time.len() {
        5 => format!("{DAY} {time}:00"),
        8 => format!("{DAY} {time}"),
        _ => time.to_owned(),
    }
}

pub(crate) fn span(from: &str, to: &str) -> Span {
    Span::local(&stored_time(from), &stored_time(to), OFFSET).unwrap()
}
