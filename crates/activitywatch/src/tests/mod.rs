//! Helpers for tests: they write databases of each server, and compute totals by counting second by second.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the times of tests are small enough for every type"
)]

mod data;
mod examples;
mod files;
mod privacy;
mod writing;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int64Type, TimestampSecondType};
use rusqlite::{Connection, params};

use dayledger_source::selection::Selection;
use dayledger_source::{FoundBy, HistorySource, ReadHandle, ReadRows, ScanExtent, ScanRequest, Table};

use crate::{ActivityWatch, Locator, Settings};

/// 2025-10-06 00:00:00 UTC, a Monday.
pub(crate) const MONDAY: i64 = 1_759_708_800;
pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 3600;

/// A database of aw-server, the Python server.
pub(crate) struct Peewee(pub(crate) Connection);

impl Peewee {
    pub(crate) fn create(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        let tables = "CREATE TABLE bucketmodel (key INTEGER NOT NULL PRIMARY KEY, id VARCHAR(255) NOT NULL, \
                      created DATETIME NOT NULL, name VARCHAR(255), type VARCHAR(255) NOT NULL, \
                      client VARCHAR(255) NOT NULL, hostname VARCHAR(255) NOT NULL, datastr VARCHAR(255)); \
                      CREATE TABLE eventmodel (id INTEGER NOT NULL PRIMARY KEY, bucket_id INTEGER NOT NULL, \
                      timestamp DATETIME NOT NULL, duration DECIMAL(10, 5) NOT NULL, datastr VARCHAR(255) NOT NULL); \
                      CREATE INDEX eventmodel_bucket_id ON eventmodel (bucket_id); \
                      CREATE INDEX eventmodel_timestamp ON eventmodel (timestamp);";
        connection.execute_batch(tables).unwrap();
        Self(connection)
    }

    pub(crate) fn bucket(&self, id: &str, kind: &str, host: &str) -> i64 {
        let sql = "INSERT INTO bucketmodel (id, created, type, client, hostname) VALUES (?1, '', ?2, '', ?3)";
        self.0.execute(sql, [id, kind, host]).unwrap();
        self.0.last_insert_rowid()
    }

    pub(crate) fn event(&self, bucket: i64, start: f64, seconds: f64, json: &str) -> i64 {
        let at = jiff::Timestamp::from_microsecond((start * 1e6).round() as i64).unwrap();
        let at = at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S%.f+00:00").to_string();
        let sql = "INSERT INTO eventmodel (bucket_id, timestamp, duration, datastr) VALUES (?1, ?2, ?3, ?4)";
        self.0.execute(sql, params![bucket, at, seconds, json]).unwrap();
        self.0.last_insert_rowid()
    }
}

/// A database of aw-server-rust in its newest version.
pub(crate) struct Rust(pub(crate) Connection);

impl Rust {
    pub(crate) fn create(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        let tables = "CREATE TABLE buckets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, \
                      type TEXT NOT NULL, client TEXT NOT NULL, hostname TEXT NOT NULL, created TEXT NOT NULL, \
                      data_deprecated TEXT DEFAULT '{}', data TEXT NOT NULL DEFAULT '{}'); \
                      CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, bucketrow INTEGER NOT NULL, \
                      starttime INTEGER NOT NULL, endtime INTEGER NOT NULL, data TEXT NOT NULL); \
                      CREATE TABLE key_value (key TEXT PRIMARY KEY, value TEXT, last_modified NUMBER NOT NULL); \
                      CREATE INDEX i ON events (bucketrow, starttime DESC, endtime); \
                      PRAGMA user_version = 5; PRAGMA journal_mode = wal;";
        connection.execute_batch(tables).unwrap();
        Self(connection)
    }

    pub(crate) fn bucket(&self, id: &str, kind: &str, host: &str) -> i64 {
        let sql = "INSERT INTO buckets (name, type, client, hostname, created) VALUES (?1, ?2, '', ?3, '')";
        self.0.execute(sql, [id, kind, host]).unwrap();
        self.0.last_insert_rowid()
    }

    pub(crate) fn event(&self, bucket: i64, start: f64, seconds: f64, json: &str) -> i64 {
        let start = (start * 1e6).round() as i64 * 1000;
        let end = start + (seconds * 1e9) as i64;
        let sql = "INSERT INTO events (bucketrow, starttime, endtime, data) VALUES (?1, ?2, ?3, ?4)";
        self.0.execute(sql, params![bucket, start, end, json]).unwrap();
        self.0.last_insert_rowid()
    }
}

/// Returns settings for the database or folder at `path`, with UTC as the time zone.
pub(crate) fn settings(path: &Path) -> Settings {
    Settings { zone: Some("UTC".to_owned()), ..Settings::new(Locator::from_path(path, FoundBy::Flag)) }
}

pub(crate) fn source(settings: Settings) -> ActivityWatch {
    ActivityWatch::new(settings).unwrap()
}

/// An activity that a source returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) role: String,
    pub(crate) device: String,
    pub(crate) is_tracked: bool,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) state: Option<String>,
    pub(crate) related: Option<i64>,
    /// The start and the end as Unix seconds. `None` if they can't be read.
    pub(crate) span: Option<(i64, i64)>,
    pub(crate) local: Option<(i64, i64)>,
}

/// Returns a scan of all columns and rows of a table.
pub(crate) fn scan(table: Table) -> ScanRequest {
    let projection = (0..table.schema().fields().len()).collect();
    ScanRequest { table, selection: Selection { projection, predicates: Vec::new(), limit: None } }
}

pub(crate) fn batches(source: &dyn HistorySource, scan: &ScanRequest, extent: ScanExtent) -> Vec<RecordBatch> {
    let mut read = source.read(&[(scan, extent)], &ReadHandle::default()).unwrap();
    match read.pop().unwrap() {
        ReadRows::Batches(batches) => batches.to_vec(),
        ReadRows::Cached(rows) => rows.batches(&scan.selection).unwrap(),
    }
}

pub(crate) fn read(source: &dyn HistorySource, scan: &ScanRequest) -> Vec<Found> {
    batches(source, scan, ScanExtent::Whole).iter().flat_map(read_batch).collect()
}

pub(crate) fn read_all(source: &dyn HistorySource) -> Vec<Found> {
    read(source, &scan(Table::Activities))
}

fn read_batch(batch: &RecordBatch) -> Vec<Found> {
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let text = |name: &str, row: usize| {
        let texts = column(name).as_string_view();
        (!texts.is_null(row)).then(|| texts.value(row).to_owned())
    };
    let number = |name: &str, row: usize| {
        let numbers = column(name).as_primitive::<Int64Type>();
        (!numbers.is_null(row)).then(|| numbers.value(row))
    };
    let time = |name: &str, row: usize| {
        let times = column(name).as_primitive::<TimestampSecondType>();
        (!times.is_null(row)).then(|| times.value(row))
    };
    let row = |row: usize| Found {
        role: text("role", row).unwrap(),
        device: text("device", row).unwrap(),
        is_tracked: column("is_tracked").as_boolean().value(row),
        id: number("activity_id", row).unwrap(),
        name: text("name", row).unwrap_or_default(),
        key: text("key", row).unwrap_or_default(),
        title: text("title", row),
        state: text("state", row),
        related: number("related_activity_id", row),
        span: time("start_utc", row).zip(time("end_utc", row)),
        local: time("start_local", row).zip(time("end_local", row)),
    };
    (0..batch.num_rows()).map(row).collect()
}

/// The seconds by local day and name.
pub(crate) type Totals = BTreeMap<(String, String), i64>;

/// The activities of a history, whose totals are counted second by second.
pub(crate) struct Counted {
    rows: Vec<Found>,
    first: i64,
    last: i64,
}

impl Counted {
    pub(crate) fn new(rows: Vec<Found>) -> Self {
        let spans = || rows.iter().filter_map(|row| row.span).filter(|(start, end)| end > start);
        let first = spans().map(|span| span.0).min().unwrap_or(0);
        let last = spans().map(|span| span.1).max().unwrap_or(0);
        assert!(last - first < 100 * 86_400, "the count needs memory for each second");
        Self { rows, first, last }
    }

    fn timed_rows<'r>(
        &'r self,
        role: &'r str,
        device: &'r str,
    ) -> impl Iterator<Item = (usize, &'r Found, (i64, i64))> {
        let of = move |(_, row): &(usize, &Found)| row.role == role && row.device == device;
        let timed = |(index, row): (usize, &'r Found)| {
            row.span.filter(|(start, end)| end > start).map(|span| (index, row, span))
        };
        self.rows.iter().enumerate().filter(of).filter_map(timed)
    }

    fn index(&self, second: i64) -> usize {
        usize::try_from(second - self.first).unwrap()
    }

    /// Returns for each second whether a device is active.
    fn active(&self, device: &str) -> Vec<bool> {
        let mut active = vec![false; self.index(self.last)];
        for (_, row, (start, end)) in self.timed_rows("computer_usage", device) {
            if row.state.as_deref() == Some("active") {
                active[self.index(start)..self.index(end)].fill(true);
            }
        }
        active
    }

    /// Returns the active seconds of a device by local day, including seconds without a known window.
    pub(crate) fn presence(&self, device: &str) -> Totals {
        let mut days = vec![None; self.index(self.last)];
        for (_, row, (start, end)) in self.timed_rows("computer_usage", device) {
            if row.state.as_deref() == Some("active") {
                for second in start..end {
                    let local = second + row.local.unwrap().0 - start;
                    days[self.index(second)] = Some(local.div_euclid(86_400));
                }
            }
        }
        let mut seconds = HashMap::<i64, i64>::new();
        days.into_iter().flatten().for_each(|day| *seconds.entry(day).or_default() += 1);
        seconds.into_iter().map(|(day, seconds)| ((format_day(day), String::new()), seconds)).collect()
    }

    /// Returns the row that owns each second. If several rows overlap, the row that starts last owns the second. If
    /// they start at the same time, the row with the greatest id owns it.
    fn owners(&self, role: &str, device: &str) -> Vec<Option<usize>> {
        let mut rows: Vec<_> = self.timed_rows(role, device).collect();
        rows.sort_by_key(|(_, row, (start, _))| (*start, row.id));
        let mut owners = vec![None; self.index(self.last)];
        for (index, _, (start, end)) in rows {
            owners[self.index(start)..self.index(end)].fill(Some(index));
        }
        owners
    }

    /// Returns the seconds of a role on a device, by local day and key. If `recorded` is false, only active time
    /// counts.
    pub(crate) fn totals(&self, role: &str, device: &str, recorded: bool) -> Totals {
        let active = self.active(device);
        let mut totals = Totals::new();
        let mut days: HashMap<(usize, i64), i64> = HashMap::new();
        for (second, owner) in (self.first..).zip(self.owners(role, device)) {
            if let Some(owner) = owner.filter(|_| recorded || active[self.index(second)]) {
                let row = &self.rows[owner];
                let local = second + row.local.unwrap().0 - row.span.unwrap().0;
                *days.entry((owner, local.div_euclid(86_400))).or_default() += 1;
            }
        }
        for ((owner, day), seconds) in days {
            let key = (format_day(day), self.rows[owner].key.clone());
            *totals.entry(key).or_default() += seconds;
        }
        totals
    }

    /// Returns the number of seconds in `span` in which at least one of the devices is active and has a known window.
    pub(crate) fn union(&self, devices: &[&str], span: std::ops::Range<i64>) -> usize {
        let each: Vec<_> =
            devices.iter().map(|device| (self.active(device), self.owners("applications", device))).collect();
        let counts = |second: &i64| {
            let index = self.index(*second);
            each.iter().any(|(active, owners)| active[index] && owners[index].is_some())
        };
        (span.start.max(self.first)..span.end.min(self.last)).filter(counts).count()
    }
}

pub(crate) fn format_day(day: i64) -> String {
    let at = jiff::Timestamp::from_second(day * 86_400).unwrap().to_zoned(jiff::tz::TimeZone::UTC);
    at.strftime("%Y-%m-%d").to_string()
}

/// Returns the sum of all totals of a day.
pub(crate) fn day_total(totals: &Totals, day: &str) -> i64 {
    totals.iter().filter(|((of, _), _)| of == day).map(|(_, seconds)| seconds).sum()
}

pub(crate) fn window(app: &str) -> String {
    format!(r#"{{"app": "{app}", "title": "{app} title"}}"#)
}

pub(crate) fn afk(status: &str) -> String {
    format!(r#"{{"status": "{status}"}}"#)
}
