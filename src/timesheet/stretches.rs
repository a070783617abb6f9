//! The work of a history, as the draft takes it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime};
use dayledger_timesheet::Day;
use dayledger_timesheet::draft::{Naming, Stretch};

use crate::engine::{self, Arguments, Engine, Parameter, Row, Statement, statement};
use crate::manictime::HIDDEN;
use crate::question::{Error, ask};

static WORK: Statement = statement!(queries / "work", &[Parameter::instant("start"), Parameter::instant("end")]);

/// The work of some days.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Pieces of active time with all that is known of them, of each device in the order of time.
    pub(super) stretches: Vec<Stretch>,
    /// What a device's clock was ahead of UTC, in seconds, from each start of a piece on, in the order of time.
    clock: Vec<(i64, i64)>,
    /// The same for each device.
    clocks: HashMap<Option<String>, Vec<(i64, i64)>>,
}

impl Work {
    /// The work of the days from `first` to `last`, local.
    ///
    /// # Errors
    /// A history that cannot be read.
    pub(super) async fn of(engine: &Engine, first: NaiveDate, last: NaiveDate) -> Result<Self, Error> {
        let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN);
        let end = last.checked_add_days(Days::new(1)).map_or(NaiveDateTime::MAX, midnight);
        let [rows] = ask(engine, [(&WORK, Arguments::range(midnight(first), end))]).await?;
        let mut facts = Facts::default();
        let mut pieces = Vec::new();
        for row in rows.iter() {
            facts.take(&row, &mut pieces)?;
        }
        let facts = facts.settled();
        let clock = pieces.iter().map(|piece: &Piece| (piece.start, piece.ahead)).collect();
        let mut clocks: HashMap<_, Vec<_>> = HashMap::new();
        for piece in &pieces {
            clocks.entry(piece.device.clone()).or_default().push((piece.start, piece.ahead));
        }
        Ok(Self { stretches: pieces.iter().flat_map(|piece| facts.cut(piece)).collect(), clock, clocks })
    }

    /// The local time of an instant in seconds since 1970, as the clock of a device beside it showed.
    pub(super) fn local(&self, utc: i64) -> NaiveDateTime {
        local(utc, ahead(&self.clock, utc))
    }

    /// The local start and end of a part of a piece, by the clock of its device when the piece began.
    pub(super) fn local_part(&self, device: Option<&String>, start: i64, end: i64) -> (NaiveDateTime, NaiveDateTime) {
        let ahead = self.clocks.get(&device.cloned()).map_or(0, |clock| ahead(clock, start));
        (local(start, ahead), local(end, ahead))
    }

    /// The active seconds of each day, each counted once over all devices.
    pub(super) fn active_seconds(&self) -> BTreeMap<Day, i64> {
        let mut by_day: BTreeMap<Day, Vec<(i64, i64)>> = BTreeMap::new();
        for stretch in &self.stretches {
            by_day.entry(stretch.day).or_default().push((stretch.start_utc, stretch.end_utc));
        }
        by_day.into_iter().map(|(day, spans)| (day, united(spans))).collect()
    }
}

/// What a clock was ahead of UTC at an instant.
fn ahead(clock: &[(i64, i64)], utc: i64) -> i64 {
    let place = clock.partition_point(|(start, _)| *start <= utc);
    clock.get(place.saturating_sub(1)).map_or(0, |(_, ahead)| *ahead)
}

/// An instant by a clock that is so far ahead of UTC.
fn local(utc: i64, ahead: i64) -> NaiveDateTime {
    DateTime::from_timestamp(utc.saturating_add(ahead), 0).unwrap_or_default().naive_utc()
}

/// How many seconds lie in any of the spans.
fn united(mut spans: Vec<(i64, i64)>) -> i64 {
    spans.sort_unstable();
    let (mut seconds, mut reached) = (0, i64::MIN);
    for (start, end) in spans {
        seconds += (end - start.max(reached)).max(0);
        reached = reached.max(end);
    }
    seconds
}

/// A piece of an application.
#[derive(Debug, Clone)]
struct Piece {
    start: i64,
    end: i64,
    day: Day,
    /// What its device's clock was ahead of UTC, in seconds.
    ahead: i64,
    device: Option<String>,
    activity: Option<i64>,
    application: Option<String>,
    title: Option<String>,
    rule: Naming,
}

/// Something that was there for a time.
#[derive(Debug, Clone)]
struct Fact<T> {
    start: i64,
    end: i64,
    what: T,
}

/// What was there beside the applications: documents and websites by device, and tags.
#[derive(Debug, Default)]
struct Facts {
    documents: HashMap<Option<String>, Layer<String>>,
    websites: HashMap<Option<String>, Layer<String>>,
    tags: Layer<Vec<String>>,
}

/// Facts of which none overlaps another, in the order of time, once they are [`settled`](Facts::settled).
#[derive(Debug)]
struct Layer<T>(Vec<Fact<T>>);

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Facts {
    /// Takes a row of the statement; that of a piece goes to `pieces`.
    fn take(&mut self, row: &Row<'_>, pieces: &mut Vec<Piece>) -> Result<(), engine::Error> {
        let seconds = |column| Ok::<_, engine::Error>(row.required::<NaiveDateTime>(column)?.and_utc().timestamp());
        let (start, end) = (seconds("start_utc")?, seconds("end_utc")?);
        let device: Option<String> = row.optional("device")?;
        let name = row.optional("name")?.filter(|name: &String| name != HIDDEN);
        match row.required::<String>("kind")?.as_str() {
            "piece" => {
                let local: NaiveDateTime = row.required("start_local")?;
                // The draft knows no other years.
                let Ok(day) = Day::try_from(local.date()) else { return Ok(()) };
                let rule = match (row.optional("rule")?, row.optional("project")?) {
                    (Some(name), Some(project)) => Naming::Rule { name, project, task: row.optional("task")? },
                    _ => Naming::Nothing,
                };
                pieces.push(Piece {
                    start,
                    end,
                    day,
                    ahead: local.and_utc().timestamp() - start,
                    device,
                    activity: row.optional("activity_id")?,
                    application: name,
                    title: row.optional("title")?,
                    rule,
                });
            }
            "tag" => {
                let path = row.optional::<Vec<String>>("path")?.filter(|path| !path.is_empty());
                if let Some(what) = path.or(name.map(|name| vec![name])) {
                    self.tags.0.push(Fact { start, end, what });
                }
            }
            kind => {
                let layers = if kind == "document" { &mut self.documents } else { &mut self.websites };
                let what = row.optional("title")?.filter(|path: &String| path != HIDDEN).or(name);
                if let Some(what) = what {
                    layers.entry(device).or_default().0.push(Fact { start, end, what });
                }
            }
        }
        Ok(())
    }

    fn settled(self) -> Self {
        let each = |layers: HashMap<_, Layer<String>>| {
            layers.into_iter().map(|(device, layer)| (device, layer.settled())).collect()
        };
        Self { documents: each(self.documents), websites: each(self.websites), tags: self.tags.settled() }
    }

    /// The stretches of a piece: cut where its document, its site or its tag changes.
    fn cut(&self, piece: &Piece) -> Vec<Stretch> {
        let (documents, websites) = (self.documents.get(&piece.device), self.websites.get(&piece.device));
        let (mut stretches, mut start) = (Vec::new(), piece.start);
        while start < piece.end {
            let (document, until_document) = documents.map_or((None, i64::MAX), |layer| layer.at(start));
            let (site, until_site) = websites.map_or((None, i64::MAX), |layer| layer.at(start));
            let (tag, until_tag) = self.tags.at(start);
            let end = piece.end.min(until_document).min(until_site).min(until_tag);
            stretches.push(Stretch {
                start_utc: start,
                end_utc: end,
                day: piece.day,
                device: piece.device.clone(),
                activity: piece.activity,
                naming: tag.map_or_else(|| piece.rule.clone(), |path| Naming::Tag(path.clone())),
                application: piece.application.clone(),
                document: document.cloned(),
                site: site.cloned(),
                title: piece.title.clone(),
            });
            start = end;
        }
        stretches
    }
}

impl<T: Clone + Ord> Layer<T> {
    /// Of facts that overlap the one that starts later stays, and of equals the lesser.
    fn settled(self) -> Self {
        let mut edges = BTreeSet::new();
        for (index, fact) in self.0.iter().enumerate().filter(|(_, fact)| fact.start < fact.end) {
            edges.extend([(fact.start, true, index), (fact.end, false, index)]);
        }
        let mut there: BTreeSet<(i64, std::cmp::Reverse<&T>, usize)> = BTreeSet::new();
        let mut settled: Vec<Fact<T>> = Vec::new();
        let mut since = i64::MIN;
        for (instant, begins, index) in edges {
            if let Some((_, what, _)) = there.last().filter(|_| since < instant) {
                match settled.last_mut().filter(|last| last.end == since && last.what == *what.0) {
                    Some(last) => last.end = instant,
                    None => settled.push(Fact { start: since, end: instant, what: what.0.clone() }),
                }
            }
            since = instant;
            let fact = &self.0[index];
            let key = (fact.start, std::cmp::Reverse(&fact.what), index);
            let _ = if begins { there.insert(key) } else { there.remove(&key) };
        }
        Self(settled)
    }
}

impl<T> Layer<T> {
    /// What is there at an instant, and when that changes.
    fn at(&self, instant: i64) -> (Option<&T>, i64) {
        let place = self.0.partition_point(|fact| fact.end <= instant);
        match self.0.get(place) {
            Some(fact) if fact.start <= instant => (Some(&fact.what), fact.end),
            Some(fact) => (None, fact.start),
            None => (None, i64::MAX),
        }
    }
}
