//! Reads the events from the file and keeps them in memory.
//!
//! Events that start in the last day of the history can still change, because `ActivityWatch` extends the last event of
//! each bucket again and again. These events are the *tail*. The tail is read again after every commit.
//!
//! Earlier events are *settled*. Settled events are read only for the time range that a request needs, and kept in the
//! *window*. After a commit, dayledger compares the number of the window's events and their ids with the file. If
//! something differs, dayledger reads the window again.
//!
//! A request for a day must not read a whole year, but an event can begin long before that day. So each window also
//! contains the events that start up to 31 days before the window and end in or after it. This is enough, because
//! longer events are shortened to 31 days.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params_from_iter};

use dayledger_source::ReadHandle;
use dayledger_sqlite::{Capacity, ReadDeadline};

use crate::data::{self, Data};
use crate::instant::{DAY, HOUR, SECOND};
use crate::shape::{Bucket, BucketKind, Checksum, Content, MAX_LENGTH, Shape, Stored, Times};
use crate::spans::Event;
use crate::texts::Texts;

/// The maximum number of events in a slice. A slice is read in one transaction, which takes a few milliseconds.
const SLICE_ROWS: i64 = 5000;
/// The maximum time for which a read locks a file that has no write-ahead log. `ActivityWatch` gives up a write after
/// waiting for five seconds.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum number of events in each slice of a search for a bucket's first event.
const FIRST_ROWS: i64 = 10;
/// The maximum number of attempts of a read. A read starts again if settled events changed during the read.
const MAX_ATTEMPTS: usize = 10;
/// The length of the tail, whose events can still change, in microseconds.
const TAIL: i64 = DAY;
/// The maximum length of the tail in microseconds. New events make the tail longer. If it gets longer than this
/// maximum, all events are read again and the tail starts later.
const MAX_TAIL: i64 = 3 * DAY;
/// A window begins this many microseconds before the range of a request, so that it contains events that start shortly
/// before the range. A separate statement finds events that start before the window and end in or after the window.
const MARGIN: i64 = HOUR + 10 * SECOND;
/// A length in microseconds, which is used as two limits. If the gap between a window and a new request is longer, the
/// window isn't extended to the request. If a window exceeds the range that a request needs by more, the window isn't
/// checked after a commit. Instead, only the events for the request are read again.
const SPARE: i64 = 62 * DAY;
/// An empty range, for requests that don't need events.
pub(crate) const NOTHING: Range<i64> = Range { start: i64::MAX, end: i64::MIN };

/// The data of the history that a request needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The time range in microseconds. The request needs the events that overlap the range.
    pub(crate) range: Range<i64>,
    /// Whether the request needs the number of events of each bucket.
    pub(crate) counts: bool,
}

impl Needs {
    /// Returns the needs of a request for all events.
    pub(crate) fn everything() -> Self {
        Self { range: i64::MIN..i64::MAX, counts: false }
    }
}

/// A connection to the file, with the limits for reading from it.
#[derive(Debug)]
pub(crate) struct File<'f> {
    pub(crate) connection: &'f mut Connection,
    pub(crate) shape: &'f Shape,
    pub(crate) capacity: Capacity,
    /// Whether the file has a write-ahead log. With such a log, a long read transaction doesn't disturb
    /// `ActivityWatch`.
    pub(crate) can_wait: bool,
    pub(crate) handle: &'f ReadHandle,
}

/// The reason why a read failed.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `SQLite` returned an error.
    Sqlite(rusqlite::Error),
    /// Settled events changed during each of the [`MAX_ATTEMPTS`] attempts.
    Unsettled,
}

impl From<rusqlite::Error> for Stop {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl File<'_> {
    /// If the file has a write-ahead log, runs `read` in the transaction of the whole request, which is already open.
    /// Otherwise, runs `read` in a short transaction of its own.
    fn step<T>(&mut self, read: impl FnOnce(&Self) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        if self.can_wait {
            return read(self);
        }
        self.connection.execute_batch("BEGIN")?;
        // The first statement waits for the lock. The time limit starts after this statement, when the file is locked.
        let locked = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
        let limited = ReadDeadline::after(self.handle, LOCK_TIMEOUT).apply_to(self.connection);
        let result = locked.and(limited).and_then(|()| read(self));
        let ended = self.connection.progress_handler(0, None::<fn() -> bool>);
        let ended = ended.and_then(|()| self.connection.execute_batch("ROLLBACK"));
        result.and_then(|result| ended.map(|()| result))
    }

    /// Calls `each` with every row of a statement. `each` returns the number of bytes of text that it read.
    fn rows(
        &self,
        sql: &str,
        parameters: &[Stored],
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<usize>,
    ) -> rusqlite::Result<()> {
        let parameters = params_from_iter(parameters);
        self.capacity.for_each_row(self.connection, sql, parameters, |row| {
            self.handle.count_row();
            each(row)
        })
    }

    fn data_version(&self) -> rusqlite::Result<i64> {
        // The first statement of a transaction determines the version of the file that all later statements see.
        self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))
    }

    /// Returns lists of parameters for a statement about events. The statement must run once for each list, with the
    /// list as its last parameters. If an index begins with the bucket, there is one list for each bucket, and it
    /// contains only the bucket. Otherwise, there is only one empty list, and the statement reads the events of all
    /// buckets.
    fn lanes(&self, buckets: &[Bucket]) -> Vec<Vec<Stored>> {
        if self.shape.is_indexed_by_bucket {
            let read = buckets.iter().filter(|bucket| bucket.kind != BucketKind::Ignored);
            read.map(|bucket| vec![Stored::Integer(bucket.key)]).collect()
        } else {
            vec![Vec::new()]
        }
    }
}

/// The events of a file in memory.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) texts: Arc<Texts>,
    /// The number of truncated texts, by the id of the event.
    truncated: HashMap<i64, i64>,
    /// The settled events in memory.
    window: Option<Window>,
    /// For each bucket, the events of the tail, sorted by [`Event::place`].
    tail: HashMap<i64, Vec<Event>>,
    tail_timeless: Vec<Timeless>,
    tail_start: i64,
    /// The bounds of the settled events, by bucket. The function `bounds` adds the bounds of the tail.
    bounds: HashMap<i64, Bounds>,
    /// The number of settled events, to detect changes. `None` if an index begins with the bucket.
    settled_events: Option<i64>,
    /// The number of events in each bucket of application windows. Buckets without a host are assigned to a device by
    /// these numbers. Empty if every bucket has a host, or if there is only one device.
    windows: HashMap<i64, i64>,
    /// The number of events of each bucket. `None` if no request has needed it since the last commit.
    counts: Option<HashMap<i64, i64>>,
    /// The version of the file (`PRAGMA data_version`) to which all fields except `window` belong.
    version: i64,
}

/// The settled events that start in a time range, and the earlier events that end in or after this range.
#[derive(Debug)]
struct Window {
    starts: Range<i64>,
    /// For each bucket, the events that start in `starts`, sorted by [`Event::place`].
    events: HashMap<i64, Vec<Event>>,
    /// The events whose times can't be read. Filled only if the window starts at the beginning of the history.
    timeless: Vec<Timeless>,
    /// The ranges that were read, each with its checksums. There is one checksum for each bucket, or one for all
    /// buckets (see [`File::lanes`]).
    parts: Vec<(Range<i64>, Vec<Checksum>)>,
    /// For each bucket, the events that start before the window and end at its start or later, sorted by
    /// [`Event::place`].
    long: HashMap<i64, Vec<Event>>,
    /// The version of the file with which `parts` was last compared.
    version: i64,
    /// The version of the file and the start of the window when `long` was read.
    long_of: Option<(i64, i64)>,
}

/// An event whose times can't be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeless {
    pub(crate) bucket: i64,
    pub(crate) id: i64,
    pub(crate) data: Data,
}

/// The first start and the last end of the events of a bucket, in microseconds. The last end is searched only among the
/// events that start in the last day of the bucket. So an earlier event with a later end isn't found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bounds {
    /// Whether the bucket has an event, including events of length zero.
    pub(crate) has_events: bool,
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
}

impl Bounds {
    fn add(&mut self, span: Option<(i64, i64)>) {
        self.has_events = true;
        if let Some((start, end)) = span.filter(|(start, end)| start < end) {
            self.first = Some(self.first.map_or(start, |first| first.min(start)));
            self.last = Some(self.last.map_or(end, |last| last.max(end)));
        }
    }

    /// Adds the times of an event. Returns 0, because no text is read.
    fn add_row(&mut self, file: &File<'_>, row: &Row<'_>) -> rusqlite::Result<usize> {
        self.add(file.shape.read_times(row)?.span);
        Ok(0)
    }
}

impl Window {
    /// Creates an empty window at the time `at`.
    fn new(at: i64, version: i64) -> Self {
        Self {
            starts: at..at,
            events: HashMap::new(),
            timeless: Vec::new(),
            parts: Vec::new(),
            long: HashMap::new(),
            version,
            long_of: None,
        }
    }

    /// Whether it costs less to extend this window to the range `needed` than to read a new window. Returns false if
    /// the gap between the window and `needed` is longer than [`SPARE`]. If the file has changed to `version`, the
    /// whole window must be checked. In this case, also returns false if the window is longer than `needed` by more
    /// than [`SPARE`].
    fn is_useful_for(&self, needed: &Range<i64>, version: i64) -> bool {
        let length = |range: &Range<i64>| range.end.saturating_sub(range.start);
        let gap = needed.start.saturating_sub(self.starts.end).max(self.starts.start.saturating_sub(needed.end));
        gap <= SPARE && (self.version == version || length(&self.starts) <= length(needed).saturating_add(SPARE))
    }

    /// Returns the parts of the range `needed` before and after the window.
    fn missing(&self, needed: &Range<i64>) -> Vec<Range<i64>> {
        let parts = [needed.start..self.starts.start, self.starts.end..needed.end];
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// Adds the events that start in `range`, which must be next to the window.
    fn add(&mut self, loaded: Vec<(Times, Data)>, range: &Range<i64>, checksums: Vec<Checksum>) {
        let timeless = add_events(&mut self.events, loaded, |start| range.contains(&start));
        if range.start == i64::MIN {
            self.timeless.extend(timeless);
        }
        self.parts.push((range.clone(), checksums));
        self.starts = self.starts.start.min(range.start)..self.starts.end.max(range.end);
    }
}

impl History {
    /// Updates `known` to the current state of the file, and reads the data that a request needs. Returns whether the
    /// events in memory changed.
    pub(crate) fn update(known: &mut Option<Self>, file: &mut File<'_>, needs: &Needs) -> Result<bool, Stop> {
        let mut changed = false;
        for _ in 0..MAX_ATTEMPTS {
            changed |= Self::refresh(known, file, needs)?;
            let Some(history) = known.as_mut() else { continue };
            let missing = history.prepare_window(&needs.range);
            if missing.is_empty() && history.is_complete(needs) {
                return Ok(changed);
            }
            changed |= !missing.is_empty();
            for part in missing {
                history.load(file, &part)?;
            }
        }
        *known = None;
        Err(Stop::Unsettled)
    }

    /// Whether the data in memory is up to date for a request. Doesn't check whether the window already contains all
    /// events that the request needs.
    fn is_complete(&self, needs: &Needs) -> bool {
        let is_checked = |window: &Window| window.long_of == Some((self.version, window.starts.start));
        let has_activities = self.needed_starts(&needs.range).is_none() || self.window.as_ref().is_some_and(is_checked);
        has_activities && (self.counts.is_some() || !needs.counts)
    }

    /// Returns a range of times. A request for `range` needs the settled events that start in the returned range.
    /// Returns `None` if `range` is empty.
    fn needed_starts(&self, range: &Range<i64>) -> Option<Range<i64>> {
        let start = range.start.saturating_sub(MARGIN).min(self.tail_start);
        let end = range.end.saturating_add(10 * SECOND).min(self.tail_start);
        (!range.is_empty()).then_some(start..end)
    }

    /// Keeps the window if it is useful for a request for `range`, otherwise creates a new window. Returns the parts of
    /// the needed range that the window lacks.
    fn prepare_window(&mut self, range: &Range<i64>) -> Vec<Range<i64>> {
        let Some(needed) = self.needed_starts(range) else { return Vec::new() };
        let known = self.window.take().filter(|window| window.is_useful_for(&needed, self.version));
        let window = self.window.insert(known.unwrap_or_else(|| Window::new(needed.start, self.version)));
        window.missing(&needed)
    }

    /// Updates the events in memory to the last commit. If settled events have changed, starts again without a window.
    /// Returns whether the events in memory changed.
    fn refresh(known: &mut Option<Self>, file: &mut File<'_>, needs: &Needs) -> rusqlite::Result<bool> {
        let is_current = file.step(|file| {
            let version = file.data_version()?;
            let Some(history) = known.as_mut() else { return Ok(None) };
            let mut changed = false;
            if history.version != version {
                if !history.follow(file)? {
                    return Ok(None);
                }
                history.version = version;
                history.counts = None;
                changed = true;
            }
            if history.is_complete(needs) {
                return Ok(Some(changed));
            }
            history.prepare_window(&needs.range);
            if !needs.range.is_empty() && !history.check_window(file)? {
                return Ok(None);
            }
            if needs.counts && history.counts.is_none() {
                history.counts = Some(count_events(file, &history.buckets)?);
            }
            Ok(Some(true))
        })?;
        if let Some(changed) = is_current {
            return Ok(changed);
        }
        *known = Some(Self::begin(file)?);
        Ok(true)
    }

    /// Reads the tail and the bounds from the file. The new history has no window.
    fn begin(file: &mut File<'_>) -> rusqlite::Result<Self> {
        let mut history = file.step(|file| {
            let version = file.data_version()?;
            let buckets = file.shape.read_buckets(file.connection, file.capacity)?;
            // If there are no events yet, all events that are added later belong to the tail.
            let tail_start = newest_start(file, &buckets)?.map_or(i64::MIN, |newest| newest.saturating_sub(TAIL));
            let mut history = Self {
                windows: count_windows(file, &buckets)?,
                buckets,
                texts: Arc::default(),
                truncated: HashMap::new(),
                window: None,
                tail: HashMap::new(),
                tail_timeless: Vec::new(),
                tail_start,
                bounds: HashMap::new(),
                settled_events: None,
                counts: None,
                version,
            };
            history.settled_events = history.read_tail(file)?;
            Ok(history)
        })?;
        if !file.shape.is_indexed_by_bucket {
            history.search_bounds(file)?;
        }
        Ok(history)
    }

    /// Reads the tail again after a commit. Returns false if it finds a reason to read the settled events again. It
    /// doesn't find every change of settled events. [`Self::check_window`] finds the remaining changes later.
    fn follow(&mut self, file: &File<'_>) -> rusqlite::Result<bool> {
        let buckets = file.shape.read_buckets(file.connection, file.capacity)?;
        let newest = newest_start(file, &buckets)?;
        let is_tail_long = newest.is_some_and(|newest| newest >= self.tail_start.saturating_add(MAX_TAIL));
        Ok(buckets == self.buckets && !is_tail_long && self.read_tail(file)? == self.settled_events)
    }

    /// Compares the window with the current version of the file, and reads the earlier events that end at the start of
    /// the window or later. Returns false if settled events in the window have changed.
    fn check_window(&mut self, file: &File<'_>) -> rusqlite::Result<bool> {
        let Some(mut window) = self.window.take() else { return Ok(true) };
        if window.version != self.version {
            for (range, known) in &window.parts {
                if checksums(file, &self.buckets, range)? != *known {
                    return Ok(false);
                }
            }
            window.version = self.version;
        }
        let place = Some((self.version, window.starts.start));
        if window.long_of != place {
            window.long = self.read_long(file, window.starts.start)?;
            window.long_of = place;
        }
        self.window = Some(window);
        Ok(true)
    }

    /// Reads the settled events that start before `until` and end at `until` or later. Returns them by bucket, sorted
    /// by [`Event::place`].
    fn read_long(&mut self, file: &File<'_>, until: i64) -> rusqlite::Result<HashMap<i64, Vec<Event>>> {
        let (mut found, mut long) = (Vec::new(), HashMap::new());
        if until == i64::MIN {
            return Ok(long);
        }
        let margin = file.shape.margin();
        let [from, to] = [until.saturating_sub(MAX_LENGTH + margin), until.saturating_add(margin)]
            .map(|micros| file.shape.to_stored(micros));
        for lane in file.lanes(&self.buckets) {
            let mut parameters =
                vec![from.clone(), to.clone(), file.shape.long_limit(until.saturating_sub(margin), HOUR)];
            parameters.extend(lane);
            file.rows(&file.shape.long_sql(), &parameters, |row| match file.shape.read_times(row)?.span {
                Some((start, end)) if start < until && end >= until => self.read_event(file, row, &mut found),
                _ => Ok(0),
            })?;
        }
        add_events(&mut long, found, |start| start < until);
        Ok(long)
    }

    fn kind(&self, bucket: i64) -> BucketKind {
        let found = self.buckets.iter().find(|found| found.key == bucket);
        found.map_or(BucketKind::Ignored, |bucket| bucket.kind)
    }

    /// Reads an event with its data, and adds it to `events`. Returns the length of the data in bytes.
    fn read_event(
        &mut self,
        file: &File<'_>,
        row: &Row<'_>,
        events: &mut Vec<(Times, Data)>,
    ) -> rusqlite::Result<usize> {
        let times = file.shape.read_times(row)?;
        let kind = self.kind(times.bucket);
        if kind == BucketKind::Ignored {
            return Ok(0);
        }
        let stored = match row.get_ref(4)? {
            ValueRef::Text(text) => Some(text),
            _ => None,
        };
        let mut truncated = 0;
        let data = data::parse(kind, stored, Arc::make_mut(&mut self.texts), &mut truncated);
        if truncated > 0 {
            self.truncated.insert(times.id, truncated);
        }
        events.push((times, data));
        Ok(stored.map_or(0, <[u8]>::len))
    }

    /// Reads the events of the tail. If an index begins with the bucket, also reads the bounds and returns `None`.
    /// Otherwise, returns the number of settled events.
    fn read_tail(&mut self, file: &File<'_>) -> rusqlite::Result<Option<i64>> {
        let from = stored_at(file, self.tail_start.saturating_sub(file.shape.margin()));
        let (mut events, mut rows) = (Vec::new(), 0);
        for lane in file.lanes(&self.buckets) {
            let mut slices = Slices::new(file.shape.slice_sql(Content::TimesAndData, false), lane, from.clone(), None);
            slices.next(file, i64::MAX, |row| {
                rows += 1;
                self.read_event(file, row, &mut events)
            })?;
        }
        self.tail.clear();
        self.tail_timeless = add_events(&mut self.tail, events, |start| start >= self.tail_start);
        if file.shape.is_indexed_by_bucket {
            self.bounds = self.read_bounds(file)?;
            return Ok(None);
        }
        let all: i64 = file.connection.query_row(&file.shape.count_all_sql(), [], |row| row.get(0))?;
        Ok(Some(all - rows))
    }

    /// Uses an index to find the bounds of each bucket. Searches for the last end only in buckets without events in the
    /// tail, because [`Self::bounds`] adds the ends of the tail.
    fn read_bounds(&self, file: &File<'_>) -> rusqlite::Result<HashMap<i64, Bounds>> {
        let (sql, newest_sql) = (file.shape.slice_sql(Content::Times, false), file.shape.newest_sql());
        let mut found = HashMap::new();
        for key in self.read_keys() {
            let mut bounds = Bounds::default();
            let mut slices = Slices::new(sql.clone(), vec![Stored::Integer(key)], Stored::FIRST, None);
            while bounds.first.is_none() && slices.next(file, FIRST_ROWS, |row| bounds.add_row(file, row))? {}
            let mut newest = None;
            if bounds.has_events && !self.tail.contains_key(&key) {
                file.rows(&newest_sql, &[stored_at(file, self.tail_start), Stored::Integer(key)], |row| {
                    newest = file.shape.read_start(row.get_ref(0)?);
                    Ok(0)
                })?;
            }
            if let Some(newest) = newest {
                let from = file.shape.to_stored(newest.saturating_sub(TAIL));
                let mut slices = Slices::new(sql.clone(), vec![Stored::Integer(key)], from, None);
                while slices.next(file, SLICE_ROWS, |row| bounds.add_row(file, row))? {}
            }
            found.insert(key, bounds);
        }
        Ok(found)
    }

    /// Finds the bounds of each bucket if no index begins with the bucket. For buckets with events in the tail, it
    /// reads all events in order until it finds the first event of each bucket. These events are usually early in the
    /// order. For a bucket without events in the tail, it reads all events of the bucket.
    fn search_bounds(&mut self, file: &mut File<'_>) -> rusqlite::Result<()> {
        let sql = file.shape.bucket_sql();
        let (used, unused): (Vec<_>, Vec<_>) = self.read_keys().partition(|key| self.tail.contains_key(key));
        for key in unused {
            let bounds = self.bounds.entry(key).or_default();
            let mut last = i64::MIN;
            loop {
                let (mut rows, before) = (0, last);
                file.step(|file| {
                    let parameters = [Stored::Integer(last), Stored::Integer(SLICE_ROWS), Stored::Integer(key)];
                    file.rows(&sql, &parameters, |row| {
                        (rows, last) = (rows + 1, row.get_ref(0)?.as_i64().unwrap_or(i64::MAX));
                        bounds.add_row(file, row)
                    })
                })?;
                // Stop if no progress was made, because a damaged file could return the same events endlessly.
                if rows < SLICE_ROWS || last <= before {
                    break;
                }
            }
        }
        let mut wanted: HashSet<_> = used.into_iter().collect();
        let mut slices = Slices::new(file.shape.slice_sql(Content::Times, false), Vec::new(), Stored::FIRST, None);
        let mut has_more = true;
        while has_more && !wanted.is_empty() {
            has_more = file.step(|file| {
                slices.next(file, SLICE_ROWS, |row| {
                    let times = file.shape.read_times(row)?;
                    if wanted.contains(&times.bucket) && times.has_extent() {
                        self.bounds.entry(times.bucket).or_default().add(times.span);
                        wanted.remove(&times.bucket);
                    }
                    Ok(0)
                })
            })?;
        }
        Ok(())
    }

    /// Returns the keys of the buckets that are read.
    fn read_keys(&self) -> impl Iterator<Item = i64> {
        self.buckets.iter().filter(|bucket| bucket.kind != BucketKind::Ignored).map(|bucket| bucket.key)
    }

    /// Reads the settled events that start in `range` into the window. `range` must be next to the window.
    fn load(&mut self, file: &mut File<'_>, range: &Range<i64>) -> rusqlite::Result<()> {
        let [from, to] = stored_range(file, range);
        let (mut loaded, mut checksums) = (Vec::new(), Vec::new());
        for lane in file.lanes(&self.buckets) {
            let mut checksum = Checksum::default();
            let mut read_row = |file: &File<'_>, row: &Row<'_>| {
                file.shape.add_to(&mut checksum, row)?;
                self.read_event(file, row, &mut loaded)
            };
            if file.can_wait {
                // Read all events with one statement. A long transaction doesn't disturb `ActivityWatch` if there is a
                // write-ahead log.
                let (file, parameters) =
                    (&*file, [from.clone(), to.clone()].into_iter().chain(lane).collect::<Vec<_>>());
                file.rows(&file.shape.range_sql(), &parameters, |row| read_row(file, row))?;
            } else {
                let sql = file.shape.slice_sql(Content::TimesAndData, true);
                let mut slices = Slices::new(sql, lane, from.clone(), Some(to.clone()));
                while file.step(|file| slices.next(file, SLICE_ROWS, |row| read_row(file, row)))? {}
            }
            checksums.push(checksum);
        }
        if let Some(window) = &mut self.window {
            window.add(loaded, range, checksums);
        }
        Ok(())
    }

    /// Returns the events of a bucket that are in memory, sorted by [`Event::place`]. Some of these events can end
    /// before the range of the request.
    pub(crate) fn events(&self, bucket: i64) -> Vec<Event> {
        let of_window = self.window.iter().flat_map(|window| [&window.long, &window.events]);
        let lists = of_window.chain([&self.tail]).filter_map(|events| events.get(&bucket));
        lists.flatten().copied().collect()
    }

    /// Returns the events in memory whose times can't be read.
    pub(crate) fn timeless(&self) -> impl Iterator<Item = &Timeless> {
        let settled = self.window.as_ref().map_or(&[][..], |window| &window.timeless[..]);
        let known: HashSet<_> = settled.iter().map(|event| event.id).collect();
        settled.iter().chain(self.tail_timeless.iter().filter(move |event| !known.contains(&event.id)))
    }

    /// Returns the bounds of a bucket, including its events in the tail.
    pub(crate) fn bounds(&self, bucket: i64) -> Bounds {
        let mut bounds = self.bounds.get(&bucket).copied().unwrap_or_default();
        for event in self.tail.get(&bucket).into_iter().flatten() {
            bounds.add(Some((event.start, event.end)));
        }
        bounds
    }

    /// Returns the number of events of a bucket, or 0 if no request needed it since the last commit.
    pub(crate) fn count(&self, bucket: i64) -> i64 {
        self.counts.as_ref().and_then(|counts| counts.get(&bucket)).copied().unwrap_or_default()
    }

    /// Returns the number of events in a bucket of application windows, or 0 if the number isn't needed to find a
    /// device.
    pub(crate) fn window_count(&self, bucket: i64) -> i64 {
        self.windows.get(&bucket).copied().unwrap_or_default()
    }

    /// Returns the number of truncated texts of all events in memory.
    pub(crate) fn truncated_texts(&self) -> i64 {
        self.truncated.values().sum()
    }
}

/// Adds each loaded event to the list of its bucket, if `wanted` accepts its start. Sorts the lists by
/// [`Event::place`]. Returns the events whose times can't be read.
fn add_events(
    events: &mut HashMap<i64, Vec<Event>>,
    loaded: Vec<(Times, Data)>,
    wanted: impl Fn(i64) -> bool,
) -> Vec<Timeless> {
    let mut timeless = Vec::new();
    for (Times { id, bucket, span }, data) in loaded {
        match span {
            Some((start, end)) if wanted(start) => {
                events.entry(bucket).or_default().push(Event { id, start, end, data });
            }
            Some(_) => {}
            None => timeless.push(Timeless { bucket, id, data }),
        }
    }
    for events in events.values_mut() {
        events.sort_by_key(Event::place);
    }
    timeless
}

/// Reads the events of a bucket, or of all buckets, in the order of their starts. Each slice is one statement.
struct Slices {
    sql: String,
    lane: Vec<Stored>,
    /// The start and id of the last event that was read. The next slice begins after this event.
    place: (Stored, i64),
    end: Option<Stored>,
}

impl Slices {
    /// Creates slices that begin with the events at `from`. `sql` is a statement from [`Shape::slice_sql`].
    fn new(sql: String, lane: Vec<Stored>, from: Stored, end: Option<Stored>) -> Self {
        Self { sql, lane, place: (from, i64::MIN), end }
    }

    /// Reads the next slice, which has at most `most` events. Calls `each` for each event. Returns whether there can be
    /// more events.
    fn next(
        &mut self,
        file: &File<'_>,
        most: i64,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<usize>,
    ) -> rusqlite::Result<bool> {
        let mut parameters = vec![self.place.0.clone(), Stored::Integer(self.place.1), Stored::Integer(most)];
        parameters.extend(self.lane.iter().cloned());
        if let Some(end) = &self.end {
            // The end is parameter 5. If the statement doesn't use parameter 4, the bucket, pass 0 as parameter 4.
            parameters.resize(4, Stored::Integer(0));
            parameters.push(end.clone());
        }
        let (mut rows, before) = (0, self.place.clone());
        let place = &mut self.place;
        file.rows(&self.sql, &parameters, |row| {
            rows += 1;
            if rows == most {
                *place = (row.get_ref(2)?.into(), row.get_ref(0)?.as_i64().unwrap_or(i64::MAX));
            }
            each(row)
        })?;
        // Stop if no progress was made, because a damaged file could return the same events endlessly.
        Ok(rows == most && *place != before)
    }
}

fn stored_at(file: &File<'_>, micros: i64) -> Stored {
    if micros == i64::MIN { Stored::FIRST } else { file.shape.to_stored(micros) }
}

/// Returns the lowest and highest stored start that an event in `range` can have.
fn stored_range(file: &File<'_>, range: &Range<i64>) -> [Stored; 2] {
    let margin = file.shape.margin();
    [stored_at(file, range.start.saturating_sub(margin)), stored_at(file, range.end.saturating_add(margin))]
}

/// Returns the latest start of an event in microseconds. Ignores starts more than a day in the future.
pub(crate) fn newest_start(file: &File<'_>, buckets: &[Bucket]) -> rusqlite::Result<Option<i64>> {
    let now = jiff::Timestamp::now().as_microsecond();
    edge(file, buckets, &file.shape.newest_sql(), Some(&file.shape.to_stored(now.saturating_add(DAY))))
        .map(|(_, last)| last)
}

/// Returns the earliest start of an event in microseconds.
pub(crate) fn oldest_start(file: &File<'_>, buckets: &[Bucket]) -> rusqlite::Result<Option<i64>> {
    edge(file, buckets, &file.shape.oldest_sql(), None).map(|(first, _)| first)
}

/// Runs a statement once for each item of [`File::lanes`]. Returns the earliest and the latest start in the results.
fn edge(
    file: &File<'_>,
    buckets: &[Bucket],
    sql: &str,
    limit: Option<&Stored>,
) -> rusqlite::Result<(Option<i64>, Option<i64>)> {
    let mut starts = Vec::new();
    for lane in file.lanes(buckets) {
        let parameters: Vec<_> = limit.cloned().into_iter().chain(lane).collect();
        file.rows(sql, &parameters, |row| {
            starts.extend(file.shape.read_start(row.get_ref(0)?));
            Ok(0)
        })?;
    }
    Ok((starts.iter().copied().min(), starts.into_iter().max()))
}

/// Returns the checksums of the events that [`History::load`] reads for a range, with one checksum for each item of
/// [`File::lanes`].
fn checksums(file: &File<'_>, buckets: &[Bucket], range: &Range<i64>) -> rusqlite::Result<Vec<Checksum>> {
    let (sql, mut found) = (file.shape.checksum_sql(), Vec::new());
    for lane in file.lanes(buckets) {
        let parameters: Vec<_> = stored_range(file, range).into_iter().chain(lane).collect();
        file.rows(&sql, &parameters, |row| {
            found.push(Checksum::read(row)?);
            Ok(0)
        })?;
    }
    Ok(found)
}

/// Returns the number of events of each of these buckets. Skips ignored buckets.
fn count_events<'b>(
    file: &File<'_>,
    buckets: impl IntoIterator<Item = &'b Bucket>,
) -> rusqlite::Result<HashMap<i64, i64>> {
    let sql = file.shape.count_sql();
    let count = |bucket: &Bucket| {
        let counted = file.connection.query_row(&sql, [bucket.key], |row| row.get(0));
        counted.map(|count: i64| (bucket.key, count))
    };
    buckets.into_iter().filter(|bucket| bucket.kind != BucketKind::Ignored).map(count).collect()
}

/// Returns the number of events in each bucket of application windows. The numbers decide to which device a bucket
/// without a host belongs. So the result is empty if every bucket has a host, or if there is only one device.
fn count_windows(file: &File<'_>, buckets: &[Bucket]) -> rusqlite::Result<HashMap<i64, i64>> {
    let own: Vec<_> = buckets.iter().filter(|bucket| bucket.has_own_windows()).collect();
    let hosts: HashSet<_> = own.iter().map(|bucket| &bucket.host).collect();
    let depends = |bucket: &Bucket| !bucket.has_host() && bucket.kind != BucketKind::Ignored;
    if hosts.len() > 1 && buckets.iter().any(depends) { count_events(file, own) } else { Ok(HashMap::new()) }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::datatypes::TimestampSecondType;
    use dayledger_source::selection::{Comparison, Predicate, Test};
    use dayledger_source::{HistorySource, ScanExtent, ScanRequest, Table};

    use super::*;
    use crate::tests::{self, MONDAY, Peewee, Rust, batches, read, read_all, scan, settings, source, window};

    const DAY_SECONDS: i64 = 86_400;

    /// `Old` has neither a write-ahead log nor an index by bucket. `New` has both.
    enum AnyFile {
        Old(Peewee),
        New(Rust),
    }

    impl AnyFile {
        fn bucket(&self, id: &str) -> i64 {
            match self {
                Self::Old(file) => file.bucket(id, "currentwindow", "desk"),
                Self::New(file) => file.bucket(id, "currentwindow", "desk"),
            }
        }

        #[expect(clippy::cast_precision_loss, reason = "the times of tests are exact in every type")]
        fn event(&self, bucket: i64, day: i64, seconds: i64, length: i64, app: &str) -> i64 {
            let (start, length) = ((MONDAY + day * DAY_SECONDS + seconds) as f64, length as f64);
            match self {
                Self::Old(file) => file.event(bucket, start, length, &window(app)),
                Self::New(file) => file.event(bucket, start, length, &window(app)),
            }
        }
    }

    fn for_each_file(check: impl Fn(&AnyFile, &dyn HistorySource)) {
        let dir = tempfile::tempdir().unwrap();
        let paths = ["peewee-sqlite.v2.db", "sqlite.db"].map(|name| dir.path().join(name));
        check(&AnyFile::Old(Peewee::create(&paths[0])), &source(settings(&paths[0])));
        check(&AnyFile::New(Rust::create(&paths[1])), &source(settings(&paths[1])));
    }

    fn span_of(day: i64) -> Range<i64> {
        MONDAY + day * DAY_SECONDS..MONDAY + (day + 1) * DAY_SECONDS
    }

    fn read_day(source: &dyn HistorySource, day: i64) -> Vec<tests::Found> {
        let range = span_of(day);
        let bounds = [("start_local", Comparison::Before, range.end), ("end_local", Comparison::After, range.start)];
        let mut scan = scan(Table::Activities);
        scan.selection.predicates = bounds
            .map(|(column, comparison, at)| Predicate {
                column: column.to_owned(),
                test: Test::Instant(comparison, at),
            })
            .into();
        read(source, &scan)
    }

    #[test]
    fn day_is_the_same_in_every_window() {
        for_each_file(|file, source| {
            let bucket = file.bucket("w");
            for day in 0..200 {
                for hour in 8..12 {
                    file.event(bucket, day, hour * 3600, 3598, ["a", "b"][usize::from(hour % 2 == 0)]);
                }
            }
            file.event(bucket, 50, 18 * 3600, 61 * 3600, "long");
            for (step, day) in [199, 51, 120, 52, 0, 53, 199].into_iter().enumerate() {
                file.event(bucket, 200, i64::try_from(step).unwrap() * 60, 60, "new");
                let found = read_day(source, day);
                let span = span_of(day);
                let overlaps =
                    |row: &tests::Found| row.span.is_some_and(|(from, to)| from < span.end && to > span.start);
                source.forget();
                let expected: Vec<_> = read_all(source).into_iter().filter(overlaps).collect();
                assert!(!expected.is_empty());
                assert_eq!(found, expected, "day {day}");
                // Read the day into a new window. The next read then extends this window or creates another window.
                source.forget();
                read_day(source, day);
            }
        });
    }

    #[test]
    fn deleted_event_is_missing_in_the_next_answer() {
        for_each_file(|file, source| {
            let bucket = file.bucket("w");
            let deleted = file.event(bucket, 3, 3600, 60, "deleted");
            file.event(bucket, 3, 7200, 60, "kept");
            file.event(bucket, 30, 0, 60, "new");
            assert_eq!(read_day(source, 3).len(), 2);
            match file {
                AnyFile::Old(file) => file.0.execute("DELETE FROM eventmodel WHERE id = ?1", [deleted]).unwrap(),
                AnyFile::New(file) => file.0.execute("DELETE FROM events WHERE id = ?1", [deleted]).unwrap(),
            };
            assert_eq!(read_day(source, 3).len(), 1);
        });
    }

    #[test]
    fn bounds_of_a_bucket_are_those_of_its_own_events() {
        for_each_file(|file, source| {
            let buckets = ["always", "ended", "begun", "empty"].map(|id| file.bucket(id));
            for day in 0..100 {
                file.event(buckets[0], day, 0, 60, "a");
                if day < 10 {
                    file.event(buckets[1], day, 60, 60, "a");
                }
                if day >= 90 {
                    file.event(buckets[2], day, 120, 60, "a");
                }
            }
            // An event of length zero doesn't count as the first event.
            file.event(buckets[0], -1, 0, 0, "a");
            let bounds = |columns: &[&str]| {
                let mut request: ScanRequest = scan(Table::TimelineBounds);
                let schema = request.table.schema();
                request.selection.projection = columns.iter().map(|name| schema.index_of(name).unwrap()).collect();
                batches(source, &request, ScanExtent::Whole).remove(0)
            };
            let at = |day: i64, seconds: i64| Some(MONDAY + day * DAY_SECONDS + seconds);
            let found = bounds(&["first_local", "last_local"]);
            let times =
                |column: usize| found.column(column).as_primitive::<TimestampSecondType>().iter().collect::<Vec<_>>();
            assert_eq!(times(0), [at(0, 0), at(0, 60), at(90, 120), None]);
            assert_eq!(times(1), [at(99, 60), at(9, 120), at(99, 180), None]);
            let counted = bounds(&["activities"]);
            let counts = counted.column(0).as_primitive::<arrow::datatypes::Int64Type>().values().to_vec();
            assert_eq!(counts, [101, 10, 10, 0]);
        });
    }
}
