//! A source with its rows in memory. It has one device whose clock shows UTC. It has no hourly totals, no screenshots
//! and no additional tables.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use arrow::array::{
    ArrayRef, BooleanArray, Int64Array, ListBuilder, RecordBatch, StringViewArray, StringViewBuilder,
    TimestampSecondArray, new_null_array,
};
use dayledger::source::{
    Contents, Error, ErrorKind, FoundBy, HiddenScreenshots, HistorySource, Location, Privacy, ReadHandle, ReadRows,
    Role, ScanExtent, ScanRequest, SourceHealth, Table, Tracker, UnreadData,
};
use serde::ser::Error as _;

use super::redaction::{hidden_times, redact};

/// The only device.
pub(super) const DEVICE: &str = "BENCH";
/// The roles of the timelines, in the order of the timelines' ids.
pub(super) const TIMELINES: [Role; 5] =
    [Role::ComputerUsage, Role::Applications, Role::Documents, Role::Websites, Role::Tags];
/// The path that the source reports as its file.
const FILE: &str = "/home/ada/zqpath/rows";

/// An activity.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) role: Role,
    /// The activity's id, which is unique in its timeline.
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) key: String,
    pub(super) color: Option<&'static str>,
    pub(super) title: Option<String>,
    /// The text that the user's rules read.
    pub(super) rule_text: Option<String>,
    pub(super) notes: Option<String>,
    /// Whether the name of a tag consists of several levels.
    pub(super) has_tag_levels: bool,
    /// The id of the application activity to which a document or a website belongs.
    pub(super) related: Option<i64>,
    /// The start and the end in seconds since 1970. Local time is UTC.
    pub(super) span: Range<i64>,
}

impl Row {
    /// Creates a row without a colour, notes and a link.
    pub(super) fn new(role: Role, id: i64, (name, key): (&str, &str), title: &str, span: Range<i64>) -> Self {
        Self {
            role,
            id,
            name: name.to_owned(),
            key: key.to_owned(),
            color: None,
            title: Some(title.to_owned()),
            rule_text: Some(title.to_owned()),
            notes: None,
            has_tag_levels: true,
            related: None,
            span,
        }
    }

    pub(super) fn with_notes(self, notes: &str) -> Self {
        Self { notes: Some(notes.to_owned()), ..self }
    }

    pub(super) fn with_related(self, activity: i64) -> Self {
        Self { related: Some(activity), ..self }
    }

    /// Returns the state of a row of computer usage. The state is its key.
    pub(super) fn state(&self) -> Option<&str> {
        (self.role == Role::ComputerUsage).then_some(self.key.as_str())
    }

    /// Returns the levels of a tag.
    pub(super) fn tag_path(&self) -> Option<Vec<&str>> {
        let levels = || if self.has_tag_levels { self.name.split(", ").collect() } else { vec![self.name.as_str()] };
        (self.role == Role::Tags).then(levels)
    }

    /// Whether the name and the key of the row are those of a group.
    fn has_group(&self) -> bool {
        matches!(self.role, Role::Applications | Role::Documents | Role::Websites)
    }
}

/// A history with its rows in memory.
#[derive(Debug, Clone)]
pub(super) struct MemorySource {
    /// The current rows. `None` if the history doesn't exist.
    rows: Arc<Mutex<Option<Arc<Vec<Row>>>>>,
    privacy: Privacy,
    /// Receives a message whenever the history is preloaded, and the result of preloading.
    preloads: Option<(Sender<()>, Result<bool, Error>)>,
}

impl MemorySource {
    pub(super) fn new(rows: Vec<Row>) -> Self {
        Self { rows: Arc::new(Mutex::new(Some(Arc::new(rows)))), privacy: Privacy::default(), preloads: None }
    }

    /// Returns a history that doesn't exist.
    pub(super) fn missing() -> Self {
        Self { rows: Arc::default(), privacy: Privacy::default(), preloads: None }
    }

    /// Returns the same history. Whenever it is preloaded, it sends a message and returns `result`.
    pub(super) fn with_preloads(self, preloads: Sender<()>, result: Result<bool, Error>) -> Self {
        Self { preloads: Some((preloads, result)), ..self }
    }

    /// Adds rows in one step.
    pub(super) fn add(&self, more: &[Row]) {
        let mut state = self.rows.lock().unwrap();
        let rows = state.iter().flat_map(|rows| rows.iter()).chain(more).cloned().collect();
        *state = Some(Arc::new(rows));
    }

    /// Returns the current rows.
    fn state(&self) -> Result<Arc<Vec<Row>>, Error> {
        self.rows.lock().unwrap().clone().ok_or_else(|| Error {
            kind: ErrorKind::NotFound,
            message: format!("no history in `{}`", self.privacy.redact_path(FILE.as_ref()).display()),
            hint: "add rows".to_owned(),
        })
    }
}

impl HistorySource for MemorySource {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn label(&self) -> &'static str {
        "Memory"
    }

    fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { privacy, ..self.clone() })
    }

    fn location(&self) -> Result<Location, Error> {
        self.state()?;
        Ok(Location::new(self.privacy.redact_path(FILE.as_ref()), FoundBy::Flag))
    }

    fn size_bytes(&self) -> Option<u64> {
        None
    }

    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn screenshots_folder(&self) -> Result<Option<PathBuf>, Error> {
        Ok(None)
    }

    fn contents(&self) -> Result<Arc<Contents>, Error> {
        self.state()?;
        Ok(Arc::default())
    }

    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        // All scans use the same version of the rows.
        let rows = redact(&self.state()?, &self.privacy);
        let read = scans.iter().map(|(scan, _)| {
            let failed =
                |message: String| Error { kind: ErrorKind::Failed, message, hint: "add other rows".to_owned() };
            if handle.is_stopped() {
                return Err(failed("the read was stopped".to_owned()));
            }
            let selected =
                scan.selection.apply(&batch(&scan.table, &rows)).map_err(|error| failed(error.to_string()))?;
            (0..selected.num_rows()).for_each(|_| handle.count_row());
            Ok(ReadRows::Batches(Arc::new(vec![selected])))
        });
        read.collect()
    }

    fn preload(&self, _handle: &ReadHandle) -> Result<bool, Error> {
        let Some((preloads, result)) = &self.preloads else { return Ok(true) };
        preloads.send(()).unwrap();
        result.clone()
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        format!("table={}", scan.table.name())
    }

    fn explain(&self, _scan: &ScanRequest) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error> {
        match HiddenScreenshots::without_history(&self.privacy) {
            Some(known) => Ok(Arc::new(known)),
            None => Ok(hidden_times(&self.state()?, &self.privacy).screenshots()),
        }
    }

    fn health(&self) -> Result<SourceHealth, Error> {
        Ok(SourceHealth {
            schema_version: None,
            journal_mode: "memory".to_owned(),
            tables: Vec::new(),
            missing: Vec::new(),
            missing_from: None,
            hourly_totals_remedy: "",
            unread: UnreadData::default(),
            contents: self.contents()?,
        })
    }

    fn tracker(&self) -> Tracker {
        Tracker::Unknown
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        Err(serde_json::Error::custom("another process can't read rows in memory"))
    }

    fn forget(&self) {}
}

/// Returns all rows and columns of a table. Columns that this source doesn't have are null.
fn batch(table: &Table, rows: &[Row]) -> RecordBatch {
    let schema = table.schema();
    let count = match table {
        Table::Activities => rows.len(),
        Table::Timelines | Table::TimelineBounds => TIMELINES.len(),
        Table::Devices => 1,
        Table::HourlyTotals | Table::Own(_) => 0,
    };
    let columns = schema.fields().iter().map(|field| {
        let known = match table {
            Table::Activities => activity_column(rows, field.name()),
            Table::Timelines | Table::TimelineBounds => timeline_column(rows, field.name()),
            Table::Devices => device_column(field.name()),
            Table::HourlyTotals | Table::Own(_) => None,
        };
        known.unwrap_or_else(|| new_null_array(field.data_type(), count))
    });
    RecordBatch::try_new(Arc::clone(&schema), columns.collect()).unwrap()
}

fn activity_column(rows: &[Row], name: &str) -> Option<ArrayRef> {
    let rows = rows.iter();
    Some(match name {
        "timeline_id" => numbers(rows.map(|row| Some(timeline_id(row.role)))),
        "activity_id" => numbers(rows.map(|row| Some(row.id))),
        "role" => texts(rows.map(|row| Some(row.role.name()))),
        "device" => texts(rows.map(|_| Some(DEVICE))),
        "is_tracked" => flags(rows.map(|_| Some(true))),
        "name" => texts(rows.map(|row| Some(&row.name))),
        "title" => texts(rows.map(|row| row.title.as_ref())),
        "rule_text" => texts(rows.map(|row| row.rule_text.as_ref())),
        "key" => texts(rows.map(|row| Some(&row.key))),
        "color" => texts(rows.map(|row| row.color)),
        "group_name" => texts(rows.map(|row| row.has_group().then_some(&row.name))),
        "group_key" => texts(rows.map(|row| row.has_group().then_some(&row.key))),
        "tag_path" => tag_paths(rows),
        "state" => texts(rows.map(Row::state)),
        "notes" => texts(rows.map(|row| row.notes.as_ref())),
        "related_activity_id" => numbers(rows.map(|row| row.related)),
        "start_local" | "start_utc" => instants(rows.map(|row| Some(row.span.start))),
        "end_local" | "end_utc" => instants(rows.map(|row| Some(row.span.end))),
        "seconds" => numbers(rows.map(|row| Some(row.span.end - row.span.start))),
        _ => return None,
    })
}

fn timeline_column(rows: &[Row], name: &str) -> Option<ArrayRef> {
    let timelines = TIMELINES.into_iter();
    let spans = |role: Role| rows.iter().filter(move |row| row.role == role).map(|row| &row.span);
    Some(match name {
        "timeline_id" => numbers(timelines.map(|role| Some(timeline_id(role)))),
        "role" => texts(timelines.map(|role| Some(role.name()))),
        "schema_name" => texts(timelines.map(|role| Some(schema_name(role)))),
        "device" => texts(timelines.map(|_| Some(DEVICE))),
        "activities" => numbers(timelines.map(|role| i64::try_from(spans(role).count()).ok())),
        "first_local" => instants(timelines.map(|role| spans(role).map(|span| span.start).min())),
        "last_local" => instants(timelines.map(|role| spans(role).map(|span| span.end).max())),
        _ => return None,
    })
}

fn device_column(name: &str) -> Option<ArrayRef> {
    matches!(name, "device" | "environment_id").then(|| texts([Some(DEVICE)].into_iter()))
}

/// Returns the id of the timeline with this role.
pub(super) fn timeline_id(role: Role) -> i64 {
    (1..).zip(TIMELINES).find(|(_, timeline)| *timeline == role).unwrap().0
}

/// Returns the type of the timeline with this role. The type's name is specific to this source.
pub(super) fn schema_name(role: Role) -> String {
    format!("Memory/{}", role.name())
}

fn numbers(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(values.collect::<Int64Array>())
}

fn instants(values: impl Iterator<Item = Option<i64>>) -> ArrayRef {
    Arc::new(TimestampSecondArray::from(values.collect::<Vec<_>>()))
}

fn flags(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.collect::<BooleanArray>())
}

fn texts<T: AsRef<str>>(values: impl Iterator<Item = Option<T>>) -> ArrayRef {
    Arc::new(values.collect::<StringViewArray>())
}

fn tag_paths<'r>(rows: impl Iterator<Item = &'r Row>) -> ArrayRef {
    let mut paths = ListBuilder::new(StringViewBuilder::new());
    for row in rows {
        let path = row.tag_path();
        for level in path.iter().flatten() {
            paths.values().append_value(level);
        }
        paths.append(path.is_some());
    }
    Arc::new(paths.finish())
}
