//! Recognises the three formats of databases by the columns of their tables, and builds the statements that read these
//! tables.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql};

use dayledger_sqlite::Capacity;

use crate::instant::{self, DAY, HOUR, SECOND};

/// The maximum length of an event in microseconds. A longer event is damaged, so it is shortened. Otherwise, it could
/// be split at thousands of clock changes.
pub(crate) const MAX_LENGTH: i64 = 31 * DAY;

/// The format in which a database stores the times of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// aw-server, the Python server: the start as text, and the length in seconds.
    Peewee,
    /// aw-server-rust, the Rust server: the start and the end in nanoseconds.
    Nanoseconds,
    /// aw-server with the option `--storage sqlite`: the start and the end in microseconds.
    Microseconds,
}

/// The format of a database, the names of its tables, and whether it has an index by bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) format: Format,
    /// `SQLite`'s `user_version`, which only aw-server-rust sets.
    pub(crate) version: i64,
    events: String,
    buckets: String,
    /// Whether an index finds the events of one bucket by their start. Otherwise, an index finds the events of all
    /// buckets by their start.
    pub(crate) is_indexed_by_bucket: bool,
}

/// A series of events of one type from one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// The number of the bucket, which its events refer to.
    pub(crate) key: i64,
    /// The name of the bucket, such as `aw-watcher-window_laptop`.
    pub(crate) id: String,
    pub(crate) kind: BucketKind,
    /// The type of the bucket, as stored.
    pub(crate) type_name: String,
    pub(crate) host: String,
}

/// The kind of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BucketKind {
    Window,
    Presence,
    Tab,
    Editor,
    Stopwatch,
    /// Any other kind. The events of such a bucket aren't read.
    Ignored,
}

impl BucketKind {
    fn from_type(name: &str) -> Self {
        match name {
            "currentwindow" | "app" => Self::Window,
            "afkstatus" => Self::Presence,
            "web.tab.current" => Self::Tab,
            "app.editor.activity" => Self::Editor,
            "general.stopwatch" => Self::Stopwatch,
            _ => Self::Ignored,
        }
    }
}

impl Bucket {
    /// Whether aw-sync copied the bucket from another device.
    pub(crate) fn is_synced(&self) -> bool {
        self.id.contains("-synced-from-")
    }

    /// Whether the host of the bucket, which is the name of its device, is known.
    pub(crate) fn has_host(&self) -> bool {
        !matches!(self.host.as_str(), "" | "unknown")
    }

    /// Whether the bucket contains windows of a known device and wasn't copied from another device. The device of such
    /// a bucket probably runs the `ActivityWatch` that writes this database.
    pub(crate) fn has_own_windows(&self) -> bool {
        self.kind == BucketKind::Window && !self.is_synced() && self.has_host()
    }
}

/// The start of an event as the file stores it. The value can have any type, and a text can be invalid UTF-8.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stored {
    Integer(i64),
    Real(f64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

impl Stored {
    /// A value that `SQLite` sorts before every start. It is the smallest number, and `SQLite` sorts numbers before
    /// texts.
    pub(crate) const FIRST: Self = Self::Real(f64::NEG_INFINITY);
}

impl From<ValueRef<'_>> for Stored {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            // The statements never return a null start, because every comparison with null fails.
            ValueRef::Null => Self::Integer(0),
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(text.to_owned()),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_owned()),
        }
    }
}

impl ToSql for Stored {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl Shape {
    /// Recognises the format of a file. Returns `None` if the file isn't a database of `ActivityWatch`.
    pub(crate) fn read(connection: &Connection, capacity: Capacity) -> rusqlite::Result<Option<Self>> {
        let mut names = Vec::new();
        // Ignore views, because a view could return any data.
        capacity.for_each_row(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'", [], |row| {
            let name: String = row.get(0)?;
            let length = name.len();
            names.push(name);
            Ok(length)
        })?;
        let mut tables = Vec::new();
        for name in names {
            let (mut columns, mut has_row_numbers) = (Vec::new(), false);
            capacity.for_each_row(connection, &format!("PRAGMA table_info({})", quote(&name)), [], |row| {
                let [column, type_name] = [stored_text(row, 1)?, stored_text(row, 2)?];
                has_row_numbers |=
                    column == "id" && type_name.eq_ignore_ascii_case("INTEGER") && row.get::<_, i64>(5)? == 1;
                let length = column.len() + type_name.len();
                columns.push(column);
                Ok(length)
            })?;
            tables.push((name, columns, has_row_numbers));
        }
        // Events are read in the order of their ids, so the id must be a unique integer, which SQLite uses as the row
        // number.
        let find = |wanted: &[&str], needs_row_numbers: bool| {
            let has = |columns: &[String]| wanted.iter().all(|name| columns.iter().any(|column| column == name));
            let mut fitting = tables.iter().filter(|(_, columns, _)| has(columns));
            fitting.find(|(.., has_row_numbers)| *has_row_numbers || !needs_row_numbers).map(|(name, ..)| name.clone())
        };
        let formats = [
            (
                Format::Peewee,
                &["id", "bucket_id", "timestamp", "duration", "datastr"],
                &["key", "id", "type", "hostname"],
            ),
            (
                Format::Nanoseconds,
                &["id", "bucketrow", "starttime", "endtime", "data"],
                &["id", "name", "type", "hostname"],
            ),
            (
                Format::Microseconds,
                &["id", "bucketrow", "starttime", "endtime", "datastr"],
                &["rowid", "id", "type", "hostname"],
            ),
        ];
        let found = formats.into_iter().find_map(|(format, events, buckets)| {
            find(events.as_slice(), true).zip(find(buckets.as_slice(), false)).map(|tables| (format, tables))
        });
        let Some((format, (events, buckets))) = found else { return Ok(None) };
        let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let mut shape = Self { format, version, events, buckets, is_indexed_by_bucket: false };
        shape.is_indexed_by_bucket = shape.has_index_by_bucket(connection, capacity)?;
        Ok(Some(shape))
    }

    /// Returns the name and version of the schema for `doctor`.
    pub(crate) fn version_name(&self) -> String {
        match self.format {
            Format::Peewee => "aw-server v2".to_owned(),
            Format::Nanoseconds => format!("aw-server-rust {}", self.version),
            Format::Microseconds => "aw-core sqlite v1".to_owned(),
        }
    }

    fn has_index_by_bucket(&self, connection: &Connection, capacity: Capacity) -> rusqlite::Result<bool> {
        let sql = format!("PRAGMA index_list({})", quote(&self.events));
        for index in first_texts(connection, capacity, &sql, 1)? {
            let columns = first_texts(connection, capacity, &format!("PRAGMA index_info({})", quote(&index)), 2)?;
            if columns.iter().take(2).eq([self.bucket_column(), self.start_column()]) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn bucket_column(&self) -> &'static str {
        if self.format == Format::Peewee { "bucket_id" } else { "bucketrow" }
    }

    fn start_column(&self) -> &'static str {
        if self.format == Format::Peewee { "timestamp" } else { "starttime" }
    }

    /// Returns the columns to select: the id, the bucket, the start, the end or length, and, if requested, the data.
    fn columns(&self, content: Content) -> String {
        let (times, data) = match self.format {
            Format::Peewee => ("id, bucket_id, timestamp, duration", "datastr"),
            Format::Nanoseconds => ("id, bucketrow, starttime, endtime", "data"),
            Format::Microseconds => ("id, bucketrow, starttime, endtime", "datastr"),
        };
        match content {
            Content::Times => times.to_owned(),
            Content::TimesAndData => format!("{times}, {data}"),
        }
    }

    /// Returns the condition that selects a bucket, or an empty text if no index begins with the bucket.
    fn bucket_condition(&self, parameter: &str) -> String {
        if self.is_indexed_by_bucket { format!("{} = {parameter} AND ", self.bucket_column()) } else { String::new() }
    }

    /// Returns all buckets in the order of their numbers.
    pub(crate) fn read_buckets(&self, connection: &Connection, capacity: Capacity) -> rusqlite::Result<Vec<Bucket>> {
        let (key, name) = match self.format {
            Format::Peewee => ("key", "id"),
            Format::Nanoseconds => ("id", "name"),
            Format::Microseconds => ("rowid", "id"),
        };
        let sql = format!("SELECT \"{key}\", \"{name}\", type, hostname FROM {} ORDER BY 1", quote(&self.buckets));
        let mut buckets = Vec::new();
        capacity.for_each_row(connection, &sql, [], |row| {
            let texts = [1, 2, 3].map(|column| stored_text(row, column));
            let [id, type_name, host] = texts;
            let (id, type_name, host) = (id?, type_name?, host?);
            let length = id.len() + type_name.len() + host.len();
            if let Ok(key) = row.get_ref(0)?.as_i64() {
                buckets.push(Bucket { key, id, kind: BucketKind::from_type(&type_name), type_name, host });
            }
            Ok(length)
        })?;
        Ok(buckets)
    }

    /// Returns the statement that reads at most `?3` events of bucket `?4`, sorted by start and id. It reads the events
    /// after the event with the start `?1` and the id `?2`. If `has_end` is set, it reads only events that start before
    /// `?5`. If no index begins with the bucket, it reads events of all buckets and doesn't use `?4`.
    pub(crate) fn slice_sql(&self, content: Content, has_end: bool) -> String {
        let (start, table) = (self.start_column(), quote(&self.events));
        let (columns, bucket) = (self.columns(content), self.bucket_condition("?4"));
        let end = if has_end { format!(" AND {start} < ?5") } else { String::new() };
        format!(
            "SELECT {columns} FROM {table} \
             WHERE {bucket}{start} >= ?1 AND ({start} > ?1 OR id > ?2){end} ORDER BY {start}, id LIMIT ?3"
        )
    }

    /// Returns the statement that reads the events with `?1` ≤ start < `?2`, with their data. If an index begins with
    /// the bucket, it reads only events of bucket `?3`. The events aren't sorted, because sorting them would take
    /// `SQLite` as long as reading them.
    pub(crate) fn range_sql(&self) -> String {
        let (start, table) = (self.start_column(), quote(&self.events));
        let (columns, bucket) = (self.columns(Content::TimesAndData), self.bucket_condition("?3"));
        format!("SELECT {columns} FROM {table} WHERE {bucket}{start} >= ?1 AND {start} < ?2")
    }

    /// Returns the statement that reads the times of events of bucket `?3`, sorted by id. It reads at most `?2` events,
    /// with ids greater than `?1`.
    pub(crate) fn bucket_sql(&self) -> String {
        let (columns, bucket) = (self.columns(Content::Times), self.bucket_column());
        format!("SELECT {columns} FROM {} WHERE {bucket} = ?3 AND id > ?1 ORDER BY id LIMIT ?2", quote(&self.events))
    }

    /// Returns the statement that reads the long events with `?1` ≤ start < `?2`, with their data. If the file stores
    /// ends, it reads events that end at `?3` or later. If the file stores lengths, it reads events that last at least
    /// `?3`. If an index begins with the bucket, it reads only events of bucket `?4`.
    pub(crate) fn long_sql(&self) -> String {
        let (start, table) = (self.start_column(), quote(&self.events));
        let (columns, bucket) = (self.columns(Content::TimesAndData), self.bucket_condition("?4"));
        // The `+` keeps SQLite from using an index on the end, which would find all later events.
        let limited = if self.format == Format::Peewee { "+duration" } else { "+endtime" };
        format!("SELECT {columns} FROM {table} WHERE {bucket}{start} >= ?1 AND {start} < ?2 AND {limited} >= ?3")
    }

    /// Returns the third parameter of [`Self::long_sql`]: `length` if the file stores lengths, otherwise `until`.
    pub(crate) fn long_limit(&self, until: i64, length: i64) -> Stored {
        match self.format {
            Format::Peewee => Stored::Integer(instant::to_seconds(length)),
            Format::Nanoseconds | Format::Microseconds => self.to_stored(until),
        }
    }

    /// Returns the statement that reads the latest start before `?1`. If an index begins with the bucket, it reads only
    /// events of bucket `?2`.
    pub(crate) fn newest_sql(&self) -> String {
        let (start, table) = (self.start_column(), quote(&self.events));
        let bucket = self.bucket_condition("?2");
        format!("SELECT {start} FROM {table} WHERE {bucket}{start} < ?1 ORDER BY {start} DESC LIMIT 1")
    }

    /// Returns the statement that reads the earliest start. If an index begins with the bucket, it reads only events of
    /// bucket `?1`.
    pub(crate) fn oldest_sql(&self) -> String {
        let (start, table) = (self.start_column(), quote(&self.events));
        let bucket =
            if self.is_indexed_by_bucket { format!(" WHERE {} = ?1", self.bucket_column()) } else { String::new() };
        format!("SELECT {start} FROM {table}{bucket} ORDER BY {start} LIMIT 1")
    }

    /// Returns the statement that computes the [`Checksum`] of the events with `?1` ≤ start < `?2`. If an index begins
    /// with the bucket, it reads only events of bucket `?3`. `SQLite` reads only the index, not the table.
    pub(crate) fn checksum_sql(&self) -> String {
        let (start, table, mask) = (self.start_column(), quote(&self.events), Checksum::MASK);
        let bucket = self.bucket_condition("?3");
        let ends = if self.index_has_ends() {
            format!("sum(CASE typeof(endtime) WHEN 'integer' THEN endtime & {mask} ELSE 0 END)")
        } else {
            "0".to_owned()
        };
        format!(
            "SELECT count(*), coalesce(sum(id & {mask}), 0), coalesce({ends}, 0) \
             FROM {table} WHERE {bucket}{start} >= ?1 AND {start} < ?2"
        )
    }

    /// Whether the index with the starts of events also contains their ends.
    fn index_has_ends(&self) -> bool {
        self.format == Format::Nanoseconds && self.is_indexed_by_bucket
    }

    /// Returns the statement that counts the events of bucket `?1`.
    pub(crate) fn count_sql(&self) -> String {
        format!("SELECT count(*) FROM {} WHERE {} = ?1", quote(&self.events), self.bucket_column())
    }

    /// Returns the statement that counts all events.
    pub(crate) fn count_all_sql(&self) -> String {
        format!("SELECT count(*) FROM {}", quote(&self.events))
    }

    /// Returns the margin in microseconds for a comparison of stored starts. A stored text can have an offset from UTC,
    /// and nanoseconds are rounded. So two events whose starts differ by at most this margin can be in the wrong order
    /// when they are sorted by their stored starts.
    pub(crate) fn margin(&self) -> i64 {
        if self.format == Format::Peewee { 15 * HOUR } else { 1 }
    }

    /// Converts a time in microseconds to a value that can be compared with stored starts.
    pub(crate) fn to_stored(&self, micros: i64) -> Stored {
        match self.format {
            Format::Peewee => Stored::Text(instant::to_text(micros).into_bytes()),
            Format::Nanoseconds => Stored::Integer(micros.saturating_mul(1000)),
            Format::Microseconds => Stored::Integer(micros),
        }
    }

    /// Converts a stored start to microseconds. Returns `None` if the start can't be read.
    pub(crate) fn read_start(&self, value: ValueRef<'_>) -> Option<i64> {
        let start = match self.format {
            Format::Peewee => instant::parse(value.as_bytes().ok()?)?,
            Format::Nanoseconds => value.as_i64().ok()?.saturating_add(500).div_euclid(1000),
            Format::Microseconds => value.as_i64().ok()?,
        };
        Some(instant::clamp(start))
    }

    /// Reads the id, the bucket, the start and the end of an event.
    pub(crate) fn read_times(&self, row: &Row<'_>) -> rusqlite::Result<Times> {
        let id = row.get_ref(0)?.as_i64().unwrap_or_default();
        let bucket = row.get_ref(1)?.as_i64().unwrap_or_default();
        let span = match self.format {
            Format::Peewee => {
                let start = self.read_start(row.get_ref(2)?);
                let length = match row.get_ref(3)? {
                    ValueRef::Integer(seconds) => Some(seconds.saturating_mul(SECOND)),
                    ValueRef::Real(seconds) => Some(instant::from_seconds(seconds)),
                    _ => None,
                };
                start.zip(length).map(|(start, length)| (start, start.saturating_add(length)))
            }
            Format::Nanoseconds | Format::Microseconds => {
                self.read_start(row.get_ref(2)?).zip(self.read_start(row.get_ref(3)?))
            }
        };
        let span = span.map(|(start, end)| (start, instant::clamp(end).min(start.saturating_add(MAX_LENGTH))));
        Ok(Times { id, bucket, span })
    }

    /// Adds an event to a checksum.
    pub(crate) fn add_to(&self, checksum: &mut Checksum, row: &Row<'_>) -> rusqlite::Result<()> {
        let masked =
            |column: usize| row.get_ref(column).map(|value| value.as_i64().unwrap_or_default() & Checksum::MASK);
        checksum.events += 1;
        checksum.ids += masked(0)?;
        if self.index_has_ends() {
            checksum.ends += masked(3)?;
        }
        Ok(())
    }
}

/// The columns of events that a statement reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Times,
    TimesAndData,
}

/// The number of events, the sum of their ids, and the sum of their ends. The checksum changes if an event is added or
/// removed. It changes with the end of an event only if an index contains the ends. Otherwise, the sum of ends is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Checksum {
    events: i64,
    ids: i64,
    ends: i64,
}

impl Checksum {
    /// The bits of each value that are added up. Only 32 bits are added, so that the sum never overflows.
    const MASK: i64 = 0xffff_ffff;

    /// Reads the result of [`Shape::checksum_sql`].
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { events: row.get(0)?, ids: row.get(1)?, ends: row.get(2)? })
    }
}

/// The times of an event.
#[derive(Debug)]
pub(crate) struct Times {
    pub(crate) id: i64,
    pub(crate) bucket: i64,
    /// The start and the end in microseconds. `None` if they can't be read.
    pub(crate) span: Option<(i64, i64)>,
}

impl Times {
    pub(crate) fn has_extent(&self) -> bool {
        self.span.is_some_and(|(start, end)| start < end)
    }
}

/// Returns the texts in a column of a statement's result.
fn first_texts(connection: &Connection, capacity: Capacity, sql: &str, column: usize) -> rusqlite::Result<Vec<String>> {
    let mut texts = Vec::new();
    capacity.for_each_row(connection, sql, [], |row| {
        // A column name in an index is null if the index contains an expression.
        let text = stored_text(row, column)?;
        let length = text.len();
        texts.push(text);
        Ok(length)
    })?;
    Ok(texts)
}

/// Returns the text at `index` with invalid UTF-8 replaced. Returns an empty text if the value isn't a text.
fn stored_text(row: &Row<'_>, index: usize) -> rusqlite::Result<String> {
    Ok(row.get_ref(index)?.as_bytes().map(|text| String::from_utf8_lossy(text).into_owned()).unwrap_or_default())
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
