//! The events in memory, read from the file in slices.
//!
//! Events that start in the last day of the history can still change, because `ActivityWatch` updates the last event of
//! each bucket again and again. They are the *tail*, which is read again after every commit. Earlier events are
//! *settled*: they are read only for the range that a request needs, and kept while their number and their ids remain the
//! same.
//!
//! A request for a day must not read a year, but an event can begin long before the day. So one pass over the times of
//! all events ([`Survey`]) lists the events that are longer than an hour. All others begin at most an hour before the
//! range.

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
use crate::shape::{Bucket, BucketKind, Format, Shape, Stored, Times};
use crate::spans::Event;
use crate::texts::Texts;

/// The number of events in a slice. Reading them takes a few milliseconds.
const SLICE_ROWS: i64 = 5000;
/// The number of events in a slice of the survey, which reads no data.
const SURVEY_ROWS: i64 = 20_000;
/// How long a file without a write-ahead log may be locked. `ActivityWatch` gives up a write after five seconds.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// How many times a read starts again because settled events changed while they were read.
const MAX_ATTEMPTS: usize = 10;
/// The events that can still change.
const TAIL: i64 = DAY;
/// The longest tail. If the history has grown by more, the tail starts again.
const MAX_TAIL: i64 = 3 * DAY;
/// The length of an event that is found by its start.
const MAX_LENGTH: i64 = HOUR;
/// How much earlier or later than its text an instant can be, because the text can have an offset.
const TEXT_MARGIN: i64 = 15 * HOUR;
/// The range of all events.
pub(crate) const EVERYTHING: Range<i64> = i64::MIN..i64::MAX;

/// A connection to the file, and how it may be used.
#[derive(Debug)]
pub(crate) struct File<'f> {
    pub(crate) connection: &'f mut Connection,
    pub(crate) shape: &'f Shape,
    pub(crate) capacity: Capacity,
    /// Whether a read transaction doesn't disturb `ActivityWatch`, because the file has a write-ahead log.
    pub(crate) can_wait: bool,
    pub(crate) handle: &'f ReadHandle,
}

/// A reason to stop reading.
#[derive(Debug)]
pub(crate) enum Stop {
    /// `SQLite` failed.
    Sqlite(rusqlite::Error),
    /// Settled events changed again and again.
    Unsettled,
}

impl From<rusqlite::Error> for Stop {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl File<'_> {
    /// Runs `read` in a transaction of its own, unless the whole request is one transaction.
    fn step<T>(&mut self, read: impl FnOnce(&Self) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        if self.can_wait {
            return read(self);
        }
        self.connection.execute_batch("BEGIN")?;
        // The first statement waits for the lock, so the time counts from here.
        let locked = self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
        let limited = ReadDeadline::after(self.handle, LOCK_TIMEOUT).apply_to(self.connection);
        let result = locked.and(limited).and_then(|()| read(self));
        let ended = self.connection.progress_handler(0, None::<fn() -> bool>);
        let ended = ended.and_then(|()| self.connection.execute_batch("ROLLBACK"));
        result.and_then(|result| ended.map(|()| result))
    }

    /// Calls `each` with the rows of a statement.
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
        // The first statement takes the snapshot of the transaction.
        self.connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))
    }

    /// Returns the last parameters of a statement, once for each group of events that an index finds. The parameter is
    /// the bucket, if the index begins with it.
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
    pub(crate) survey: Survey,
    /// The number of texts that were truncated.
    pub(crate) truncated: i64,
    /// The settled events that are in memory, by bucket and in order, and the range of their starts.
    settled: HashMap<i64, Vec<Event>>,
    window: Option<Range<i64>>,
    /// Events whose times can't be read, settled or in the tail. Settled ones are in memory if the window contains
    /// everything.
    settled_timeless: Vec<Timeless>,
    tail_timeless: Vec<Timeless>,
    /// The newest events, by bucket and in order.
    tail: HashMap<i64, Vec<Event>>,
    /// The start of the tail.
    tail_start: i64,
    /// The numbers of settled events, by group.
    checksum: Vec<[f64; 3]>,
    version: Option<i64>,
}

/// An event whose times can't be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeless {
    pub(crate) bucket: i64,
    pub(crate) id: i64,
    pub(crate) data: Data,
}

/// Facts about all settled events.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// By bucket.
    bounds: HashMap<i64, Bounds>,
    /// Events that are longer than an hour, by bucket and in order.
    long: HashMap<i64, Vec<Event>>,
}

/// The number of events, and the start and the end of those with an extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bounds {
    pub(crate) events: i64,
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
}

impl Bounds {
    fn add(&mut self, span: Option<(i64, i64)>) {
        self.events += 1;
        if let Some((start, end)) = span.filter(|(start, end)| end > start) {
            self.first = Some(self.first.map_or(start, |first| first.min(start)));
            self.last = Some(self.last.map_or(end, |last| last.max(end)));
        }
    }
}

impl History {
    /// Brings `known` to the current state of the file, with the events that overlap `range`. Returns whether anything in
    /// memory changed.
    pub(crate) fn update(known: &mut Option<Self>, file: &mut File<'_>, range: &Range<i64>) -> Result<bool, Stop> {
        let mut changed = false;
        for _ in 0..MAX_ATTEMPTS {
            changed |= Self::refresh(known, file)?;
            let Some(history) = known.as_mut() else { continue };
            let missing = history.missing(range);
            // A new history lacks its tail until the next refresh.
            if missing.is_empty() && history.version.is_some() {
                return Ok(changed);
            }
            changed = true;
            for part in missing {
                history.load(file, &part)?;
            }
        }
        *known = None;
        Err(Stop::Unsettled)
    }

    /// Reads the tail again if there was a commit. Returns whether anything changed. If settled events changed, everything
    /// is read again.
    fn refresh(known: &mut Option<Self>, file: &mut File<'_>) -> rusqlite::Result<bool> {
        let is_current = file.step(|file| {
            let version = file.data_version()?;
            let Some(history) = known.as_mut() else { return Ok(None) };
            if history.version == Some(version) {
                return Ok(Some(false));
            }
            let buckets = file.shape.read_buckets(file.connection, file.capacity)?;
            let newest = newest_start(file, &buckets)?;
            let is_same = buckets == history.buckets
                && newest.is_none_or(|newest| newest < history.tail_start.saturating_add(MAX_TAIL))
                && checksum(file, &buckets, history.tail_start)? == history.checksum;
            if !is_same {
                return Ok(None);
            }
            history.read_tail(file)?;
            history.version = Some(version);
            Ok(Some(true))
        })?;
        if let Some(changed) = is_current {
            return Ok(changed);
        }
        *known = Some(Self::begin(file)?);
        Ok(true)
    }

    /// Starts with an empty window. The tail is read by the next refresh, which also finds changes during the survey.
    fn begin(file: &mut File<'_>) -> rusqlite::Result<Self> {
        let mut history = file.step(|file| {
            let buckets = file.shape.read_buckets(file.connection, file.capacity)?;
            // Without events, everything is part of the tail.
            let tail_start = newest_start(file, &buckets)?.map_or(i64::MIN, |newest| newest.saturating_sub(TAIL));
            let checksum = checksum(file, &buckets, tail_start)?;
            Ok(Self {
                buckets,
                texts: Arc::default(),
                survey: Survey::default(),
                truncated: 0,
                settled: HashMap::new(),
                window: None,
                settled_timeless: Vec::new(),
                tail_timeless: Vec::new(),
                tail: HashMap::new(),
                tail_start,
                checksum,
                version: None,
            })
        })?;
        history.survey(file)?;
        Ok(history)
    }

    fn kind(&self, bucket: i64) -> BucketKind {
        let found = self.buckets.iter().find(|found| found.key == bucket);
        found.map_or(BucketKind::Ignored, |bucket| bucket.kind)
    }

    /// Reads the times of all settled events, and the events that are longer than an hour.
    fn survey(&mut self, file: &mut File<'_>) -> rusqlite::Result<()> {
        let (sql, event_sql) = (file.shape.survey_sql(), file.shape.event_sql());
        let kinds: HashMap<i64, BucketKind> = self.buckets.iter().map(|bucket| (bucket.key, bucket.kind)).collect();
        let (mut last, mut long) = (i64::MIN, Vec::new());
        loop {
            let (mut rows, before) = (0, last);
            file.step(|file| {
                file.rows(&sql, &[Stored::Integer(last), Stored::Integer(SURVEY_ROWS)], |row| {
                    let times = file.shape.read_times(row)?;
                    rows += 1;
                    last = times.id;
                    let is_settled = times.span.is_none_or(|(start, _)| start < self.tail_start);
                    if is_settled && kinds.get(&times.bucket).is_some_and(|kind| *kind != BucketKind::Ignored) {
                        self.survey.bounds.entry(times.bucket).or_default().add(times.span);
                        let length = times.span.map_or(0, |(start, end)| end - start);
                        long.extend((length > MAX_LENGTH).then_some(times.id));
                    }
                    Ok(0)
                })
            })?;
            // A damaged file can return the same events again.
            if rows < SURVEY_ROWS || last <= before {
                break;
            }
        }
        for ids in long.chunks(usize::try_from(SLICE_ROWS).unwrap_or(usize::MAX)) {
            let mut events = Vec::new();
            file.step(|file| {
                ids.iter().try_for_each(|id| {
                    file.rows(&event_sql, &[Stored::Integer(*id)], |row| self.read_event(file, row, &mut events))
                })
            })?;
            for (times, data) in events {
                if let Some((start, end)) = times.span {
                    let event = Event { id: times.id, start, end, data };
                    self.survey.long.entry(times.bucket).or_default().push(event);
                }
            }
        }
        self.survey.long.values_mut().for_each(|events| events.sort_unstable_by_key(Event::place));
        Ok(())
    }

    /// Reads an event with its data. Returns the bytes of the data.
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
        let texts = Arc::make_mut(&mut self.texts);
        events.push((times, data::parse(kind, stored, texts, &mut self.truncated)));
        Ok(stored.map_or(0, <[u8]>::len))
    }

    /// Reads the events of the tail.
    fn read_tail(&mut self, file: &File<'_>) -> rusqlite::Result<()> {
        let from = self.tail_start.saturating_sub(self.text_margin(file));
        let mut events = Vec::new();
        for lane in file.lanes(&self.buckets) {
            let mut parameters = vec![stored_at(file, from), Stored::Integer(i64::MIN), Stored::Integer(i64::MAX)];
            parameters.extend(lane);
            let sql = file.shape.slice_sql(false);
            file.rows(&sql, &parameters, |row| self.read_event(file, row, &mut events))?;
        }
        self.tail.clear();
        self.tail_timeless.clear();
        for (times, data) in events {
            match times.span {
                Some((start, end)) if start >= self.tail_start => {
                    self.tail.entry(times.bucket).or_default().push(Event { id: times.id, start, end, data });
                }
                Some(_) => {}
                None => self.tail_timeless.push(Timeless { bucket: times.bucket, id: times.id, data }),
            }
        }
        self.tail.values_mut().for_each(|events| events.sort_unstable_by_key(Event::place));
        Ok(())
    }

    fn text_margin(&self, file: &File<'_>) -> i64 {
        if file.shape.format == Format::Peewee && self.tail_start > i64::MIN { TEXT_MARGIN } else { 0 }
    }

    /// Returns the ranges of starts of settled events that a request for `range` needs, but that aren't in memory.
    fn missing(&self, range: &Range<i64>) -> Vec<Range<i64>> {
        let before = MAX_LENGTH + 10 * SECOND;
        let needed = range.start.saturating_sub(before)..range.end.saturating_add(10 * SECOND).min(self.tail_start);
        if needed.is_empty() {
            return Vec::new();
        }
        let Some(window) = &self.window else { return vec![needed] };
        let parts = [needed.start..window.start, window.end..needed.end];
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// Reads the settled events that start in `range`, which is next to the window.
    fn load(&mut self, file: &mut File<'_>, range: &Range<i64>) -> rusqlite::Result<()> {
        let margin = self.text_margin(file);
        let end = (range.end < i64::MAX).then(|| stored_at(file, range.end.saturating_add(margin)));
        let sql = file.shape.slice_sql(end.is_some());
        let mut loaded = Vec::new();
        for lane in file.lanes(&self.buckets) {
            let mut place = (stored_at(file, range.start.saturating_sub(margin)), i64::MIN);
            loop {
                let (mut rows, before) = (0, place.clone());
                // A transaction that doesn't disturb anything needs no slices.
                let most = if file.can_wait { i64::MAX } else { SLICE_ROWS };
                let mut parameters = vec![place.0.clone(), Stored::Integer(place.1), Stored::Integer(most)];
                // The statement numbers its parameters, so one without a bucket needs another value in its place.
                parameters.extend(lane.iter().cloned());
                if lane.is_empty() && end.is_some() {
                    parameters.push(Stored::Integer(0));
                }
                parameters.extend(end.clone());
                file.step(|file| {
                    file.rows(&sql, &parameters, |row| {
                        rows += 1;
                        place = (row.get_ref(2)?.into(), row.get_ref(0)?.as_i64().unwrap_or(i64::MAX));
                        self.read_event(file, row, &mut loaded)
                    })
                })?;
                if rows < most || place == before {
                    break;
                }
            }
        }
        self.add_settled(loaded, range);
        Ok(())
    }

    fn add_settled(&mut self, loaded: Vec<(Times, Data)>, range: &Range<i64>) {
        for (times, data) in loaded {
            match times.span {
                Some((start, end)) if range.contains(&start) && start < self.tail_start => {
                    let event = Event { id: times.id, start, end, data };
                    self.settled.entry(times.bucket).or_default().push(event);
                }
                None if range.start == i64::MIN => {
                    self.settled_timeless.push(Timeless { bucket: times.bucket, id: times.id, data });
                }
                _ => {}
            }
        }
        self.settled.values_mut().for_each(|events| events.sort_by_key(Event::place));
        self.window = Some(match &self.window {
            Some(window) => window.start.min(range.start)..window.end.max(range.end),
            None => range.clone(),
        });
    }

    /// Returns the events of a bucket that are in memory, in order. Some of them can be far before the range of the
    /// request.
    pub(crate) fn events(&self, bucket: i64) -> Vec<Event> {
        let first = self.window.as_ref().map_or(self.tail_start, |window| window.start);
        let list = |events: &HashMap<i64, Vec<Event>>| events.get(&bucket).cloned().unwrap_or_default();
        let mut events = list(&self.survey.long);
        // Long events inside the window are in memory twice.
        events.retain(|event| match &self.window {
            Some(window) => !window.contains(&event.start),
            None => event.start < first,
        });
        events.extend(list(&self.settled));
        events.extend(list(&self.tail));
        events.sort_by_key(Event::place);
        events
    }

    /// Returns the events in memory whose times can't be read.
    pub(crate) fn timeless(&self) -> impl Iterator<Item = &Timeless> {
        let settled: HashSet<_> = self.settled_timeless.iter().map(|event| event.id).collect();
        let new = self.tail_timeless.iter().filter(move |event| !settled.contains(&event.id));
        self.settled_timeless.iter().chain(new)
    }

    /// Returns the number of all events of a bucket and their bounds.
    pub(crate) fn bounds(&self, bucket: i64) -> Bounds {
        let mut bounds = self.survey.bounds.get(&bucket).copied().unwrap_or_default();
        for event in self.tail.get(&bucket).into_iter().flatten() {
            bounds.add(Some((event.start, event.end)));
        }
        bounds
    }
}

fn stored_at(file: &File<'_>, micros: i64) -> Stored {
    if micros == i64::MIN { Stored::FIRST } else { file.shape.to_stored(micros) }
}

/// Returns the greatest start that isn't in the future.
pub(crate) fn newest_start(file: &File<'_>, buckets: &[Bucket]) -> rusqlite::Result<Option<i64>> {
    let now = jiff::Timestamp::now().as_microsecond();
    edge(file, buckets, &file.shape.newest_sql(), Some(&file.shape.to_stored(now.saturating_add(DAY))))
        .map(|(_, last)| last)
}

/// Returns the least start.
pub(crate) fn oldest_start(file: &File<'_>, buckets: &[Bucket]) -> rusqlite::Result<Option<i64>> {
    edge(file, buckets, &file.shape.oldest_sql(), None).map(|(first, _)| first)
}

/// Returns the least and the greatest start that a statement returns for the groups of events.
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

fn checksum(file: &File<'_>, buckets: &[Bucket], before: i64) -> rusqlite::Result<Vec<[f64; 3]>> {
    let (sql, mut sums) = (file.shape.checksum_sql(), Vec::new());
    for lane in file.lanes(buckets) {
        let parameters: Vec<_> = [stored_at(file, before)].into_iter().chain(lane).collect();
        file.rows(&sql, &parameters, |row| {
            sums.push([row.get(0)?, row.get(1)?, row.get(2)?]);
            Ok(0)
        })?;
    }
    Ok(sums)
}
