//! Loads active time from the history in the form that the draft needs.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime};
use dayledger_timesheet::Day;
use dayledger_timesheet::draft::{ActivePeriod, WorkLabel};
use dayledger_timesheet::span::{Span, resolve_overlaps};

use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Row, Statement, statement};
use dayledger_request::{Error, run_statements};
use dayledger_source::HIDDEN;

static WORK: Statement = statement!(
    queries / "work",
    &[
        Parameter::instant("start"),
        Parameter::instant("blocks_from"),
        Parameter::instant("blocks_until"),
        Parameter::instant("end")
    ]
);

/// The active time of some days.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Active intervals with everything that is known about them, by device and in time order.
    pub(super) intervals: Vec<ActivePeriod>,
    /// The UTC offset of a device in seconds, from the start of each active interval on, in time order.
    clock: Vec<(i64, i64)>,
    /// The same for each device.
    clocks: HashMap<Option<String>, Vec<(i64, i64)>>,
}

impl Work {
    /// Loads the local days from `first` to `last`. Only intervals of the days in `asked` get the block that contains
    /// them.
    ///
    /// # Errors
    /// Fails if the history can't be read.
    pub(super) async fn load(
        engine: &Engine,
        first: NaiveDate,
        last: NaiveDate,
        asked: &RangeInclusive<Day>,
    ) -> Result<Self, Error> {
        let midnight = |date: NaiveDate| date.and_time(NaiveTime::MIN);
        let after = |date: NaiveDate| date.checked_add_days(Days::new(1)).map_or(NaiveDateTime::MAX, midnight);
        let arguments = Arguments::from_range(midnight(first), after(last))
            .with_instant("blocks_from", midnight(asked.start().date()))
            .with_instant("blocks_until", after(asked.end().date()));
        let [rows] = run_statements(engine, [(&WORK, arguments)]).await?;
        let mut facts = Facts::default();
        let mut pieces = Vec::new();
        for row in rows.iter() {
            facts.add_row(&row, &mut pieces)?;
        }
        let facts = facts.resolve_overlaps();
        let clock = pieces.iter().map(|piece: &Piece| (piece.start, piece.ahead)).collect();
        let mut clocks: HashMap<_, Vec<_>> = HashMap::new();
        for piece in &pieces {
            clocks.entry(piece.device.clone()).or_default().push((piece.start, piece.ahead));
        }
        let mut intervals: Vec<_> = pieces.iter().flat_map(|piece| facts.split(piece)).collect();
        assign_notes_to_main_work(&mut intervals);
        Ok(Self { intervals, clock, clocks })
    }

    /// Converts seconds since 1970 to local time, with the UTC offset of a device that was active then.
    pub(super) fn local_time(&self, utc: i64) -> NaiveDateTime {
        local_time(utc, utc_offset(&self.clock, utc))
    }

    /// Converts a part of an active interval to local time, with the UTC offset that its device had when the interval
    /// began.
    pub(super) fn local_part(&self, device: Option<&String>, start: i64, end: i64) -> (NaiveDateTime, NaiveDateTime) {
        let ahead = self.clocks.get(&device.cloned()).map_or(0, |clock| utc_offset(clock, start));
        (local_time(start, ahead), local_time(end, ahead))
    }

    /// Returns the active seconds of each day. Time on several devices counts once.
    pub(super) fn active_seconds(&self) -> BTreeMap<Day, i64> {
        let mut by_day: BTreeMap<Day, Vec<Span>> = BTreeMap::new();
        for interval in &self.intervals {
            by_day.entry(interval.day).or_default().push(interval.span(0));
        }
        let seconds = |spans: Vec<Span>| resolve_overlaps(spans).into_iter().map(Span::seconds).sum::<i64>();
        by_day.into_iter().map(|(day, spans)| (day, seconds(spans))).collect()
    }
}

/// Keeps each note only on the work on which it was open longest that day. A note stays open while the user does other
/// work, and its title would mention one client in the hours of another.
fn assign_notes_to_main_work(intervals: &mut [ActivePeriod]) {
    let mut seconds: HashMap<(Day, String), BTreeMap<WorkLabel, i64>> = HashMap::new();
    for interval in &*intervals {
        if let Some(note) = &interval.note {
            let by_work = seconds.entry((interval.day, note.clone())).or_default();
            *by_work.entry(interval.label.clone()).or_default() += interval.end_utc - interval.start_utc;
        }
    }
    let most = |by_work: BTreeMap<WorkLabel, i64>| {
        // Of equal durations, the smaller label wins, so that the result doesn't depend on the order of a hash map.
        by_work.into_iter().rev().max_by_key(|(_, seconds)| *seconds).map(|(naming, _)| naming)
    };
    let work_of: HashMap<_, _> = seconds.into_iter().map(|(note, by_work)| (note, most(by_work))).collect();
    for interval in intervals {
        let naming = &interval.label;
        let day = interval.day;
        interval.note = interval
            .note
            .take()
            .filter(|note| work_of.get(&(day, note.clone())).is_none_or(|work| work.as_ref() == Some(naming)));
    }
}

/// Returns the UTC offset of a clock at a time.
fn utc_offset(clock: &[(i64, i64)], utc: i64) -> i64 {
    let place = clock.partition_point(|(start, _)| *start <= utc);
    clock.get(place.saturating_sub(1)).map_or(0, |(_, ahead)| *ahead)
}

/// Converts seconds since 1970 to the time of a clock that is `ahead` seconds ahead of UTC.
fn local_time(utc: i64, ahead: i64) -> NaiveDateTime {
    DateTime::from_timestamp(utc.saturating_add(ahead), 0).unwrap_or_default().naive_utc()
}

/// An active interval of one application.
#[derive(Debug, Clone)]
struct Piece {
    start: i64,
    end: i64,
    day: Day,
    /// The UTC offset of its device in seconds.
    ahead: i64,
    device: Option<String>,
    activity: Option<i64>,
    application: Option<String>,
    title: Option<String>,
    rule: WorkLabel,
}

/// A value that held during an interval.
#[derive(Debug, Clone)]
struct Fact<T> {
    start: i64,
    end: i64,
    value: T,
}

/// The facts other than applications: documents and websites by device, tags and notes.
#[derive(Debug, Default)]
struct Facts {
    documents: HashMap<Option<String>, Layer<String>>,
    websites: HashMap<Option<String>, Layer<String>>,
    tags: Layer<Vec<String>>,
    /// The titles of notes, while they were taken.
    notes: Layer<String>,
    /// The subjects of blocks by name: the full label of a tag, or a project with its task.
    blocks: Layer<(BlockSource, String)>,
    /// The parts of each tag, by its full label.
    parts: HashMap<String, Vec<String>>,
    /// Projects and tasks of rules, by the name of blocks about them.
    purposes: HashMap<String, WorkLabel>,
}

/// The kind of a block's subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BlockSource {
    Tag,
    Project,
}

/// Facts in time order. They don't overlap once they are [resolved](Facts::resolve_overlaps).
#[derive(Debug)]
struct Layer<T>(Vec<Fact<T>>);

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Facts {
    /// Adds a row of the statement. Active intervals go to `pieces`.
    fn add_row(&mut self, row: &Row<'_>, pieces: &mut Vec<Piece>) -> Result<(), engine::Error> {
        let seconds = |column| Ok::<_, engine::Error>(row.get::<NaiveDateTime>(column)?.and_utc().timestamp());
        let (start, end) = (seconds("start_utc")?, seconds("end_utc")?);
        let device: Option<String> = row.get_optional("device")?;
        let name = row.get_optional("name")?.filter(|name: &String| name != HIDDEN);
        match row.get::<String>("kind")?.as_str() {
            "piece" => {
                let local: NaiveDateTime = row.get("start_local")?;
                // Drafts don't support years outside the range of `Day`.
                let Ok(day) = Day::try_from(local.date()) else { return Ok(()) };
                let rule = match (row.get_optional("rule")?, row.get_optional::<String>("project")?) {
                    (Some(name), Some(project)) => {
                        let task: Option<String> = row.get_optional("task")?;
                        let called = task.as_ref().map_or_else(|| project.clone(), |task| format!("{project}, {task}"));
                        let rule = WorkLabel::Rule { name, project, task };
                        self.purposes.entry(called).or_insert_with(|| rule.clone());
                        rule
                    }
                    _ => WorkLabel::Nothing,
                };
                pieces.push(Piece {
                    start,
                    end,
                    day,
                    ahead: local.and_utc().timestamp() - start,
                    device,
                    activity: row.get_optional("activity_id")?,
                    application: name,
                    title: row.get_optional("title")?,
                    rule,
                });
            }
            "tag" => {
                let path = row.get_optional::<Vec<String>>("path")?.filter(|path| !path.is_empty());
                if let Some(value) = path.or(name.clone().map(|name| vec![name])) {
                    self.parts.entry(name.unwrap_or_default()).or_insert_with(|| value.clone());
                    self.tags.0.push(Fact { start, end, value });
                }
            }
            "block" => {
                let of = if row.get::<String>("title")? == "tag" { BlockSource::Tag } else { BlockSource::Project };
                if let Some(name) = name {
                    self.blocks.0.push(Fact { start, end, value: (of, name) });
                }
            }
            "note" => self.notes.0.extend(name.map(|what| Fact { start, end, value: what })),
            kind => {
                let layers = if kind == "document" { &mut self.documents } else { &mut self.websites };
                let what = row.get_optional("title")?.filter(|path: &String| path != HIDDEN).or(name);
                if let Some(what) = what {
                    layers.entry(device).or_default().0.push(Fact { start, end, value: what });
                }
            }
        }
        Ok(())
    }

    fn resolve_overlaps(self) -> Self {
        let each = |layers: HashMap<_, Layer<String>>| {
            layers.into_iter().map(|(device, layer)| (device, layer.resolve_overlaps())).collect()
        };
        Self {
            documents: each(self.documents),
            websites: each(self.websites),
            tags: self.tags.resolve_overlaps(),
            notes: self.notes.resolve_overlaps(),
            blocks: self.blocks.resolve_overlaps(),
            ..self
        }
    }

    /// Splits an active interval at each change of document, site, tag or note.
    fn split(&self, piece: &Piece) -> Vec<ActivePeriod> {
        let (documents, websites) = (self.documents.get(&piece.device), self.websites.get(&piece.device));
        let (mut intervals, mut start) = (Vec::new(), piece.start);
        while start < piece.end {
            let (document, until_document) = documents.map_or((None, i64::MAX), |layer| layer.at(start));
            let (site, until_site) = websites.map_or((None, i64::MAX), |layer| layer.at(start));
            let (tag, until_tag) = self.tags.at(start);
            let (note, until_note) = self.notes.at(start);
            let (block, until_block) = self.blocks.at(start);
            let ends = [until_document, until_site, until_tag, until_note, until_block];
            let end = ends.into_iter().fold(piece.end, i64::min);
            intervals.push(ActivePeriod {
                start_utc: start,
                end_utc: end,
                day: piece.day,
                device: piece.device.clone(),
                activity: piece.activity,
                label: tag.map_or_else(|| piece.rule.clone(), |path| WorkLabel::Tag(path.clone())),
                rule_label: tag.map_or(WorkLabel::Nothing, |_| piece.rule.clone()),
                block: block.map_or(WorkLabel::Nothing, |(of, name)| self.block_naming(*of, name)),
                application: piece.application.clone(),
                document: document.cloned(),
                site: site.cloned(),
                note: note.cloned(),
                title: piece.title.clone(),
            });
            start = end;
        }
        intervals
    }

    /// Returns the tag or rule that a block is about.
    fn block_naming(&self, of: BlockSource, name: &str) -> WorkLabel {
        match of {
            BlockSource::Tag => WorkLabel::Tag(self.parts.get(name).cloned().unwrap_or_else(|| vec![name.to_owned()])),
            BlockSource::Project => self.purposes.get(name).cloned().unwrap_or_default(),
        }
    }
}

impl<T: Clone + Ord> Layer<T> {
    /// Resolves overlaps: the fact that starts later wins, and of equal starts the smaller value.
    fn resolve_overlaps(mut self) -> Self {
        self.0.sort_unstable_by(|one, other| (other.start, &one.value).cmp(&(one.start, &other.value)));
        let spans = self.0.iter().enumerate().map(|(of, fact)| Span { start: fact.start, end: fact.end, of });
        let mut settled: Vec<Fact<T>> = Vec::new();
        for Span { start, end, of } in resolve_overlaps(spans) {
            let value = &self.0[of].value;
            match settled.last_mut().filter(|last| last.end == start && last.value == *value) {
                Some(last) => last.end = end,
                None => settled.push(Fact { start, end, value: value.clone() }),
            }
        }
        Self(settled)
    }
}

impl<T> Layer<T> {
    /// Returns the value at a time, and the time of its next change.
    fn at(&self, instant: i64) -> (Option<&T>, i64) {
        let place = self.0.partition_point(|fact| fact.end <= instant);
        match self.0.get(place) {
            Some(fact) if fact.start <= instant => (Some(&fact.value), fact.end),
            Some(fact) => (None, fact.start),
            None => (None, i64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const DEVICE: &str = "DESK";

    fn piece(start: i64, end: i64) -> Piece {
        let day = "2025-01-15".parse().expect("a day");
        let (device, rule) = (Some(DEVICE.to_owned()), WorkLabel::Nothing);
        Piece { start, end, day, ahead: 3600, device, activity: None, application: None, title: None, rule }
    }

    #[test]
    fn a_note_belongs_only_to_the_work_with_most_of_its_time() {
        let facts = Facts {
            notes: Layer(vec![Fact { start: 0, end: 100, value: "Kickoff".to_owned() }]),
            tags: Layer(vec![
                Fact { start: 0, end: 60, value: vec!["A".to_owned()] },
                Fact { start: 60, end: 200, value: vec!["B".to_owned()] },
            ]),
            ..Facts::default()
        };
        let mut intervals = facts.resolve_overlaps().split(&piece(0, 200));
        assign_notes_to_main_work(&mut intervals);
        let actual: Vec<_> = intervals.iter().map(|interval| (interval.end_utc, interval.note.as_deref())).collect();
        assert_eq!(actual, [(60, Some("Kickoff")), (100, None), (200, None)]);
    }

    /// Facts that don't overlap, as those of one device.
    fn separate_facts() -> impl Strategy<Value = Vec<Fact<String>>> {
        vec((0_i64..4, 1_i64..6, "[ab]"), 0..8).prop_map(|gaps| {
            let mut end = 0;
            let fact = |(gap, length, what): (i64, i64, String)| {
                let start = end + gap;
                end = start + length;
                Fact { start, end, value: what }
            };
            gaps.into_iter().map(fact).collect()
        })
    }

    /// Tags, which can overlap, be equal, or be empty intervals.
    fn tags() -> impl Strategy<Value = Vec<Fact<Vec<String>>>> {
        vec((0_i64..30, 0_i64..12, "[xyz]"), 0..6).prop_map(|tags| {
            let fact = |(start, length, name)| Fact { start, end: start + length, value: vec![name] };
            tags.into_iter().map(fact).collect()
        })
    }

    proptest! {
        #[test]
        fn each_second_has_the_document_site_and_tag_of_that_time(
            documents in separate_facts(),
            websites in separate_facts(),
            tags in tags(),
            start in 0_i64..20,
            length in 1_i64..25,
        ) {
            let at = |facts: &[Fact<String>], second| {
                facts.iter().find(|fact| fact.start <= second && second < fact.end).map(|fact| fact.value.clone())
            };
            // The tag that began last, and of equals the smaller one.
            let tag = |second| {
                let there = tags.iter().filter(|tag| tag.start <= second && second < tag.end);
                there.min_by_key(|tag| (-tag.start, &tag.value)).map(|tag| tag.value.clone())
            };
            let device = Some(DEVICE.to_owned());
            let facts = Facts {
                documents: HashMap::from([(device.clone(), Layer(documents.clone()))]),
                websites: HashMap::from([(device, Layer(websites.clone()))]),
                tags: Layer(tags.clone()),
                ..Facts::default()
            };
            let intervals = facts.resolve_overlaps().split(&piece(start, start + length));
            let mut next = start;
            for interval in &intervals {
                prop_assert_eq!(interval.start_utc, next);
                prop_assert!(interval.end_utc > interval.start_utc);
                for second in interval.start_utc..interval.end_utc {
                    prop_assert_eq!(&interval.document, &at(&documents, second));
                    prop_assert_eq!(&interval.site, &at(&websites, second));
                    let named = tag(second).map_or(WorkLabel::Nothing, WorkLabel::Tag);
                    prop_assert_eq!(&interval.label, &named);
                }
                next = interval.end_utc;
            }
            prop_assert_eq!(next, start + length);
        }
    }

    #[test]
    fn seconds_count_once_and_have_the_local_time_of_their_device() {
        let pieces = [(0, 10), (5, 15), (20, 30), (22, 25)].map(|(start, end)| piece(start, end));
        let intervals: Vec<_> = pieces.iter().flat_map(|piece| Facts::default().split(piece)).collect();
        let work = Work { intervals, clock: vec![(100, 3600), (200, 7200)], ..Work::default() };
        assert_eq!(work.active_seconds().into_values().collect::<Vec<_>>(), [25]);
        let clock = |utc| work.local_time(utc).and_utc().timestamp() - utc;
        assert_eq!([clock(100), clock(199), clock(200), clock(900)], [3600, 3600, 7200, 7200]);
    }
}
