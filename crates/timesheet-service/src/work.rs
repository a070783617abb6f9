//! Loads the recorded time of some days from the history, as intervals for a draft.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use dayledger_core::local_days::LocalDays;
use dayledger_timesheet::Day;
use dayledger_timesheet::draft::{ActivePeriod, WorkLabel};
use dayledger_timesheet::span::{Span, resolve_overlaps};

use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Row, Statement, local_now, statement};
use dayledger_request::{Error, run_statements};
use dayledger_source::{HIDDEN, REDACTED};

/// Tagged time away from the computer must be confirmed by the user if all computers were off for longer than this many
/// seconds.
const MAX_OFF_SECONDS: i64 = 4 * 3600;
/// The states of a computer. If several devices have different states, the state that comes first in this list counts.
const STATES: [&str; 4] = ["active", "away", "locked", OFF];
const OFF: &str = "off";

/// The maximum length of a piece in seconds: a day on which clocks go back has 25 hours.
const MAX_PIECE_SECONDS: i64 = 25 * 3600;

static WORK: Statement = statement!(
    queries / "work",
    &[
        Parameter::instant("start"),
        Parameter::instant("blocks_from"),
        Parameter::instant("blocks_until"),
        Parameter::instant("end"),
        Parameter::instant("now")
    ]
);

/// The recorded time of some days.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Active time, and tagged time away from the computer. Each interval has its tags, documents and other attributes.
    pub(super) intervals: Vec<ActivePeriod>,
    /// Time away from the computer that the user has to confirm.
    pub(super) unconfirmed: Vec<ActivePeriod>,
    /// UTC offsets in seconds, each with the UTC second from which it applies, in time order. There is one for each
    /// interval of activity or time away, on any device.
    clock: Vec<(i64, i64)>,
    /// The same pairs for each device.
    clocks: HashMap<Option<String>, Vec<(i64, i64)>>,
}

impl Work {
    /// Loads the local days from `first` to `last`. The surrounding block is loaded only for intervals on the days in
    /// `asked`.
    ///
    /// # Errors
    /// Fails if the history can't be read.
    pub(super) async fn load(
        engine: &Engine,
        first: NaiveDate,
        last: NaiveDate,
        asked: &RangeInclusive<Day>,
    ) -> Result<Self, Error> {
        let days = LocalDays::current();
        let arguments = Arguments::from_range(days.start_of(first), days.end_of(last))
            .with_instant("blocks_from", days.start_of(asked.start().date()))
            .with_instant("blocks_until", days.end_of(asked.end().date()))
            .with_instant("now", local_now());
        let [rows] = run_statements(engine, [(&WORK, arguments)]).await?;
        let mut facts = Facts::default();
        let mut pieces = Vec::new();
        for row in rows.iter() {
            facts.add_row(&row, &mut pieces)?;
        }
        let facts = facts.resolve_overlaps().assign_occasions(&pieces);
        let clock = facts.clock(&pieces);
        let mut clocks: HashMap<_, Vec<_>> = HashMap::new();
        for piece in &pieces {
            clocks.entry(piece.device.clone()).or_default().push((piece.start, piece.ahead));
        }
        let (away, active): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| piece.is_away);
        let (away_while_off, away) = facts.split_away(&away);
        let intervals = active.iter().chain(&away).flat_map(|piece| facts.split(piece)).collect();
        let meetings = facts.untagged_meetings();
        let unconfirmed = away_while_off.iter().flat_map(|piece| facts.split(piece)).chain(meetings).collect();
        Ok(Self { intervals, unconfirmed, clock, clocks })
    }

    /// Converts UTC seconds to local time. The UTC offset is taken from the last interval that began at or before this
    /// time.
    pub(super) fn local_time(&self, utc: i64) -> NaiveDateTime {
        local_time(utc, utc_offset(&self.clock, utc))
    }

    /// Converts the start and the end of a part of an interval to local time. Both times use the UTC offset that the
    /// device had at the start.
    pub(super) fn local_part(&self, device: Option<&String>, start: i64, end: i64) -> (NaiveDateTime, NaiveDateTime) {
        let ahead = self.clocks.get(&device.cloned()).map_or(0, |clock| utc_offset(clock, start));
        (local_time(start, ahead), local_time(end, ahead))
    }

    /// Returns the active seconds of each day. A second with activity on several devices counts once.
    pub(super) fn active_seconds(&self) -> BTreeMap<Day, i64> {
        seconds_by_day(self.intervals.iter().filter(|interval| !interval.is_away))
    }

    /// Returns the active and tagged seconds of each day. A second that several intervals contain counts once.
    pub(super) fn counted_seconds(&self) -> BTreeMap<Day, i64> {
        seconds_by_day(self.intervals.iter())
    }
}

fn seconds_by_day<'w>(intervals: impl Iterator<Item = &'w ActivePeriod>) -> BTreeMap<Day, i64> {
    let mut by_day: BTreeMap<Day, Vec<Span>> = BTreeMap::new();
    for interval in intervals {
        by_day.entry(interval.day).or_default().push(interval.span(0));
    }
    by_day.into_iter().map(|(day, spans)| (day, union_seconds(spans))).collect()
}

/// Returns the number of seconds in the spans. A second in several spans counts once.
fn union_seconds(spans: Vec<Span>) -> i64 {
    resolve_overlaps(spans).into_iter().map(Span::seconds).sum()
}

/// Returns the UTC offset that applies at a time.
fn utc_offset(clock: &[(i64, i64)], utc: i64) -> i64 {
    let place = clock.partition_point(|(start, _)| *start <= utc);
    clock.get(place.saturating_sub(1)).map_or(0, |(_, ahead)| *ahead)
}

/// Converts UTC seconds to the local time of a clock that is `ahead` seconds ahead of UTC.
fn local_time(utc: i64, ahead: i64) -> NaiveDateTime {
    DateTime::from_timestamp(utc.saturating_add(ahead), 0).unwrap_or_default().naive_utc()
}

/// Whether the name is a real name, rather than the placeholder for a hidden or redacted name.
pub(super) fn is_shown(name: &str) -> bool {
    ![HIDDEN, REDACTED].contains(&name)
}

/// An active interval of one application, or an interval away from the computer that may have a tag.
#[derive(Debug, Clone)]
struct Piece {
    start: i64,
    end: i64,
    day: Day,
    is_away: bool,
    /// The UTC offset of the device in seconds.
    ahead: i64,
    device: Option<String>,
    activity: Option<i64>,
    application: Option<String>,
    title: Option<String>,
    rule: WorkLabel,
}

/// A value that applied from `start` to `end`, such as a tag or an open document.
#[derive(Debug, Clone)]
struct Fact<T> {
    start: i64,
    end: i64,
    value: T,
}

/// The client of a period, in lower case: the first level of its tag, or the project of its rule. `None` if the period
/// has neither a tag nor a rule.
type Client = Option<String>;

fn client(label: &WorkLabel) -> Client {
    match label {
        WorkLabel::Tag(path) => path.first().map(|first| first.to_lowercase()),
        WorkLabel::Rule { project, .. } => Some(project.to_lowercase()),
        WorkLabel::Nothing => None,
    }
}

/// A note or a meeting, with its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Occasion {
    name: String,
    /// The client to which the note or meeting belongs. During a note or meeting, the user may also work for other
    /// clients. Descriptions of that other work must not contain the name of the note or meeting.
    client: Client,
}

impl Occasion {
    fn new(name: String) -> Self {
        Self { name, client: None }
    }

    /// Returns the name if `label` belongs to the client of this note or meeting.
    fn name_for(&self, label: &WorkLabel) -> Option<String> {
        (self.client == client(label)).then(|| self.name.clone())
    }
}

/// The recorded values that are assigned to intervals, such as documents, websites, tags, notes and meetings.
#[derive(Debug, Default)]
struct Facts {
    documents: HashMap<Option<String>, Layer<String>>,
    websites: HashMap<Option<String>, Layer<String>>,
    tags: Layer<Vec<String>>,
    /// Notes, each for the time in which it was taken.
    notes: Layer<Occasion>,
    meetings: Layer<Occasion>,
    /// The subject of each block: the full label of a tag, or a project with its task.
    blocks: Layer<(BlockSource, String)>,
    /// Intervals away from the computer during a meeting. Each is on one day and has the name of the meeting.
    gaps: Vec<Fact<(Day, String)>>,
    /// The UTC offset in seconds at the start of each interval away from the computer.
    gap_clock: Vec<(i64, i64)>,
    /// The states of devices. `of` is an index of [`STATES`].
    states: Vec<Span>,
    /// All meetings, including meetings without a client.
    all_meetings: Vec<Fact<String>>,
    /// The levels of each tag, by the full label of the tag.
    parts: HashMap<String, Vec<String>>,
    /// The labels of the rules that set a project. The key is the name of the blocks about this project and task.
    purposes: HashMap<String, WorkLabel>,
}

/// Whether a block's subject is a tag or a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BlockSource {
    Tag,
    Project,
}

/// Values in time order. After [`resolve_overlaps`](Facts::resolve_overlaps), they don't overlap.
#[derive(Debug)]
struct Layer<T>(Vec<Fact<T>>);

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Facts {
    /// Adds a row of the statement. Also adds intervals of the kinds `piece` and `away` to `pieces`.
    fn add_row(&mut self, row: &Row<'_>, pieces: &mut Vec<Piece>) -> Result<(), engine::Error> {
        let seconds = |column| Ok::<_, engine::Error>(row.get::<NaiveDateTime>(column)?.and_utc().timestamp());
        let (start, end) = (seconds("start_utc")?, seconds("end_utc")?);
        let device: Option<String> = row.get_optional("device")?;
        let name = row.get_optional("name")?.filter(|name: &String| is_shown(name));
        match row.get::<String>("kind")?.as_str() {
            kind @ ("piece" | "away" | "gap") => {
                let local: NaiveDateTime = row.get("start_local")?;
                // Drafts support only the years of `Day`, so other years are skipped.
                let Ok(day) = Day::try_from(LocalDays::current().day_of(local)) else { return Ok(()) };
                let ahead = local.and_utc().timestamp() - start;
                if kind == "gap" {
                    self.gap_clock.push((start, ahead));
                    self.gaps.extend(name.map(|meeting| Fact { start, end, value: (day, meeting) }));
                    return Ok(());
                }
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
                    is_away: kind == "away",
                    ahead,
                    device,
                    activity: row.get_optional("activity_id")?,
                    application: name,
                    title: row.get_optional("title")?,
                    rule,
                });
            }
            "tag" => {
                let levels = row.get_optional::<Vec<String>>("path")?.unwrap_or_default();
                // If a level of a tag is redacted, the levels above it are kept, because they still identify the
                // client.
                let path: Vec<_> = levels.into_iter().take_while(|level| is_shown(level)).collect();
                let path = Some(path).filter(|path| !path.is_empty());
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
            "note" => self.notes.0.extend(name.map(|name| Fact { start, end, value: Occasion::new(name) })),
            "meeting" => {
                if let Some(name) = name {
                    self.all_meetings.push(Fact { start, end, value: name.clone() });
                    self.meetings.0.push(Fact { start, end, value: Occasion::new(name) });
                }
            }
            "state" => {
                let of = STATES.iter().position(|state| name.as_deref() == Some(*state));
                self.states.extend(of.map(|of| Span { start, end, of }));
            }
            kind => {
                let layers = if kind == "document" { &mut self.documents } else { &mut self.websites };
                let what = row.get_optional("title")?.filter(|path: &String| is_shown(path)).or(name);
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
            blocks: self.blocks.resolve_overlaps(),
            ..self
        }
    }

    /// Assigns clients to the notes and meetings, and resolves their overlaps. A note or meeting without a main client
    /// is dropped. `pieces` must be ordered by start, and overlaps of tags must already be resolved.
    fn assign_occasions(mut self, pieces: &[Piece]) -> Self {
        let (notes, meetings) = (std::mem::take(&mut self.notes), std::mem::take(&mut self.meetings));
        let assign = |layer: Layer<Occasion>| {
            let facts = layer.0.into_iter().filter_map(|fact| {
                let client = self.main_client(fact.start, fact.end, pieces)?;
                Some(Fact { value: Occasion { client, ..fact.value }, ..fact })
            });
            Layer(facts.collect()).resolve_overlaps()
        };
        let (notes, meetings) = (assign(notes), assign(meetings));
        Self { notes, meetings, ..self }
    }

    /// Returns the client to which at least half of the time from `start` to `end` belongs, or `None` if there isn't
    /// such a client. Tagged time counts even if it is away from the computer. Other time counts only if it is active.
    /// A second on several devices counts once for each client.
    fn main_client(&self, start: i64, end: i64, pieces: &[Piece]) -> Option<Client> {
        let mut clients: BTreeMap<Client, Vec<Span>> = BTreeMap::new();
        let mut add = |client: Client, from: i64, until: i64| {
            let span = Span { start: from.max(start), end: until.min(end), of: 0 };
            if span.start < span.end {
                clients.entry(client).or_default().push(span);
            }
        };
        let first = self.tags.0.partition_point(|tag| tag.end <= start);
        for tag in self.tags.0[first..].iter().take_while(|tag| tag.start < end) {
            add(tag.value.first().map(|first| first.to_lowercase()), tag.start, tag.end);
        }
        let first = pieces.partition_point(|piece| piece.start <= start - MAX_PIECE_SECONDS);
        for piece in pieces[first..].iter().take_while(|piece| piece.start < end) {
            let mut from = piece.start;
            while from < piece.end {
                let (tag, until) = self.tags.at(from);
                let until = until.min(piece.end);
                if tag.is_none() {
                    add(client(&piece.rule), from, until);
                }
                from = until;
            }
        }
        let clients = clients.into_iter().map(|(client, spans)| (client, union_seconds(spans)));
        let (client, seconds) = clients.rev().max_by_key(|(_, seconds)| *seconds)?;
        (seconds * 2 >= end - start).then_some(client)
    }

    /// Splits tagged time away from the computer. Returns two lists: the time during which all computers were off for
    /// more than [`MAX_OFF_SECONDS`], and the other time.
    fn split_away(&self, away: &[Piece]) -> (Vec<Piece>, Vec<Piece>) {
        let states = resolve_overlaps(self.states.iter().copied()).into_iter();
        let off = states.filter(|span| STATES[span.of] == OFF && span.seconds() > MAX_OFF_SECONDS);
        let off = Layer(off.map(|span| Fact { start: span.start, end: span.end, value: () }).collect());
        let (mut while_off, mut others) = (Vec::new(), Vec::new());
        for piece in away {
            let mut start = piece.start;
            while start < piece.end {
                let (is_off, until) = off.at(start);
                let end = until.min(piece.end);
                let part = Piece { start, end, ..piece.clone() };
                let parts = if is_off.is_some() { &mut while_off } else { &mut others };
                parts.push(part);
                start = end;
            }
        }
        (while_off, others)
    }

    /// Returns the UTC offsets with the time from which each applies, in time order. Intervals away from the computer
    /// are included, because they are the only intervals on days on which the computer wasn't used.
    fn clock(&self, pieces: &[Piece]) -> Vec<(i64, i64)> {
        let mut clock: Vec<_> = pieces.iter().map(|piece| (piece.start, piece.ahead)).collect();
        clock.extend(&self.gap_clock);
        clock.sort_unstable();
        clock
    }

    /// For each meeting away from the computer, returns the parts of the meeting that don't have a tag.
    fn untagged_meetings(&self) -> Vec<ActivePeriod> {
        let mut periods = Vec::new();
        for gap in &self.gaps {
            let (day, name) = &gap.value;
            for meeting in self.all_meetings.iter().filter(|meeting| meeting.value == *name) {
                let (mut start, end) = (meeting.start.max(gap.start), meeting.end.min(gap.end));
                let ahead = utc_offset(&self.gap_clock, gap.start);
                while start < end {
                    let (tag, next) = self.tags.at(start);
                    let part_end = next.min(end);
                    if tag.is_none() {
                        let meeting = Some(meeting.value.clone());
                        periods.push(ActivePeriod { meeting, ..away_period(*day, ahead, start, part_end) });
                    }
                    start = part_end;
                }
            }
        }
        periods
    }

    /// Splits an interval whenever its document, site, tag, note, meeting or block changes.
    fn split(&self, piece: &Piece) -> Vec<ActivePeriod> {
        if piece.is_away {
            return self.split_tagged(piece);
        }
        let (documents, websites) = (self.documents.get(&piece.device), self.websites.get(&piece.device));
        let (mut intervals, mut start) = (Vec::new(), piece.start);
        while start < piece.end {
            let (document, until_document) = documents.map_or((None, i64::MAX), |layer| layer.at(start));
            let (site, until_site) = websites.map_or((None, i64::MAX), |layer| layer.at(start));
            let (tag, until_tag) = self.tags.at(start);
            let (note, until_note) = self.notes.at(start);
            let (meeting, until_meeting) = self.meetings.at(start);
            let (block, until_block) = self.blocks.at(start);
            let ends = [until_document, until_site, until_tag, until_note, until_meeting, until_block];
            let end = ends.into_iter().fold(piece.end, i64::min);
            let label = tag.map_or_else(|| piece.rule.clone(), |path| WorkLabel::Tag(path.clone()));
            intervals.push(ActivePeriod {
                start_utc: start,
                end_utc: end,
                day: piece.day,
                utc_offset: piece.ahead,
                device: piece.device.clone(),
                activity: piece.activity,
                is_away: false,
                rule_label: tag.map_or(WorkLabel::Nothing, |_| piece.rule.clone()),
                block: block.map_or(WorkLabel::Nothing, |(of, name)| self.block_naming(*of, name)),
                application: piece.application.clone(),
                document: document.cloned(),
                site: site.cloned(),
                note: note.and_then(|note| note.name_for(&label)),
                meeting: meeting.and_then(|meeting| meeting.name_for(&label)),
                label,
                title: piece.title.clone(),
            });
            start = end;
        }
        intervals
    }

    /// Splits an interval away from the computer whenever its tag, note or meeting changes. Parts without a tag are
    /// dropped.
    fn split_tagged(&self, piece: &Piece) -> Vec<ActivePeriod> {
        let (mut periods, mut start) = (Vec::new(), piece.start);
        while start < piece.end {
            let (tag, until_tag) = self.tags.at(start);
            let (note, until_note) = self.notes.at(start);
            let (meeting, until_meeting) = self.meetings.at(start);
            let end = piece.end.min(until_tag).min(until_note).min(until_meeting);
            if let Some(path) = tag {
                let label = WorkLabel::Tag(path.clone());
                periods.push(ActivePeriod {
                    note: note.and_then(|note| note.name_for(&label)),
                    meeting: meeting.and_then(|meeting| meeting.name_for(&label)),
                    label,
                    ..away_period(piece.day, piece.ahead, start, end)
                });
            }
            start = end;
        }
        periods
    }

    /// Returns the tag or rule that is the subject of a block.
    fn block_naming(&self, of: BlockSource, name: &str) -> WorkLabel {
        match of {
            BlockSource::Tag => WorkLabel::Tag(self.parts.get(name).cloned().unwrap_or_else(|| vec![name.to_owned()])),
            BlockSource::Project => self.purposes.get(name).cloned().unwrap_or_default(),
        }
    }
}

/// Returns an interval away from the computer, without a tag or rule.
fn away_period(day: Day, utc_offset: i64, start_utc: i64, end_utc: i64) -> ActivePeriod {
    ActivePeriod {
        start_utc,
        end_utc,
        day,
        utc_offset,
        device: None,
        activity: None,
        is_away: true,
        label: WorkLabel::Nothing,
        rule_label: WorkLabel::Nothing,
        block: WorkLabel::Nothing,
        application: None,
        document: None,
        site: None,
        note: None,
        meeting: None,
        title: None,
    }
}

impl<T: Clone + Ord> Layer<T> {
    /// Resolves overlaps. The value that starts later takes precedence. If two values start at the same time, the
    /// smaller one takes precedence.
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
    /// Returns the value at a time, and the time of the next change.
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
        Piece {
            start,
            end,
            day,
            is_away: false,
            ahead: 3600,
            device,
            activity: None,
            application: None,
            title: None,
            rule,
        }
    }

    fn fact<T>(start: i64, end: i64, value: T) -> Fact<T> {
        Fact { start, end, value }
    }

    fn tag(name: &str) -> Vec<String> {
        vec![name.to_owned(), "Advice".to_owned()]
    }

    /// Returns the end of each interval of a draft, with the interval's note and meeting.
    fn occasions(facts: Facts, pieces: &[Piece]) -> Vec<(i64, Option<String>, Option<String>)> {
        let facts = facts.resolve_overlaps().assign_occasions(pieces);
        let intervals = pieces.iter().flat_map(|piece| facts.split(piece));
        intervals.map(|interval| (interval.end_utc, interval.note, interval.meeting)).collect()
    }

    #[test]
    fn a_note_belongs_only_to_the_client_with_half_of_its_time() {
        let facts = |until| Facts {
            notes: Layer(vec![fact(0, 100, Occasion::new("Kickoff".to_owned()))]),
            tags: Layer(vec![fact(0, until, tag("A")), fact(until, 200, tag("B"))]),
            ..Facts::default()
        };
        let kickoff = Some("Kickoff".to_owned());
        assert_eq!(occasions(facts(60), &[piece(0, 200)]), [(60, kickoff, None), (100, None, None), (200, None, None)]);
        let without_tags = Facts { tags: Layer::default(), ..facts(0) };
        assert_eq!(occasions(without_tags, &[piece(90, 200)]), [(200, None, None)], "an open note is no work");
    }

    #[test]
    fn time_on_two_devices_counts_once_for_the_client_of_a_meeting() {
        let rule =
            |project: &str| WorkLabel::Rule { name: project.to_owned(), project: project.to_owned(), task: None };
        let on = |device: &str, end| Piece { device: Some(device.to_owned()), rule: rule("A"), ..piece(0, end) };
        let facts = |length| Facts {
            meetings: Layer(vec![fact(0, length, Occasion::new("Estimate".to_owned()))]),
            ..Facts::default()
        };
        let pieces = [on("DESK", 40), on("LAPTOP", 40)];
        let estimate = Some("Estimate".to_owned());
        assert_eq!(occasions(facts(100), &pieces), [(40, None, None), (40, None, None)], "40 of 100 seconds");
        assert_eq!(occasions(facts(80), &pieces), [(40, None, estimate.clone()), (40, None, estimate)]);
    }

    /// The user was away in a meeting for one client. Before the meeting ended, the user started to work for another
    /// client.
    #[test]
    fn a_meeting_away_from_the_computer_belongs_to_the_client_of_its_tag() {
        let facts = || Facts {
            meetings: Layer(vec![fact(0, 100, Occasion::new("Estimate".to_owned()))]),
            tags: Layer(vec![fact(0, 80, tag("A")), fact(80, 200, tag("B"))]),
            ..Facts::default()
        };
        assert_eq!(occasions(facts(), &[piece(80, 200)]), [(100, None, None), (200, None, None)]);
        let estimate = Some("Estimate".to_owned());
        assert_eq!(
            occasions(facts(), &[piece(70, 200)]),
            [(80, None, estimate), (100, None, None), (200, None, None)],
            "the row of the tag's own client"
        );
    }

    /// A tag that covers a night must be confirmed. A tag during which a laptop is only locked, for example in a
    /// meeting room, doesn't need to be confirmed.
    #[test]
    fn tagged_time_is_confirmed_if_all_computers_were_off_for_hours() {
        let hour = 3600;
        let state = |start: i64, end: i64, of| Span { start: start * hour, end: end * hour, of };
        let facts = Facts {
            tags: Layer(vec![fact(0, 20 * hour, tag("A"))]),
            states: vec![state(0, 2, 1), state(2, 12, 3), state(12, 15, 3), state(13, 14, 2), state(15, 20, 1)],
            ..Facts::default()
        };
        let away = Piece { is_away: true, ..piece(hour, 20 * hour) };
        let (off, others) = facts.resolve_overlaps().split_away(&[away]);
        let hours = |pieces: Vec<Piece>| -> Vec<_> {
            pieces.into_iter().map(|piece| (piece.start / hour, piece.end / hour)).collect()
        };
        assert_eq!((hours(off), hours(others)), (vec![(2, 13)], vec![(1, 2), (13, 20)]));
    }

    #[test]
    fn a_meeting_away_is_proposed_only_for_its_time_without_a_tag() {
        let day: Day = "2025-01-15".parse().unwrap();
        let facts = Facts {
            gaps: vec![fact(1000, 5000, (day, "Estimate".to_owned()))],
            all_meetings: vec![
                fact(0, 1100, "Not a meeting of the interval".to_owned()),
                fact(4000, 6000, "Estimate".to_owned()),
                fact(8000, 9000, "At the computer".to_owned()),
            ],
            tags: Layer(vec![fact(4500, 7000, tag("A"))]),
            ..Facts::default()
        };
        let proposed: Vec<_> = facts
            .resolve_overlaps()
            .untagged_meetings()
            .into_iter()
            .map(|period| (period.start_utc, period.end_utc, period.meeting.unwrap()))
            .collect();
        assert_eq!(proposed, [(4000, 4500, "Estimate".to_owned())]);
    }

    /// The user worked on one day. On the next day, after a clock change, the user was only in a meeting.
    #[test]
    fn a_meeting_on_a_day_without_use_has_the_local_time_of_that_day() {
        let facts = Facts { gap_clock: vec![(500, 7200)], ..Facts::default() };
        let offsets = |pieces: &[Piece]| {
            let work = Work { clock: facts.clock(pieces), ..Work::default() };
            [100, 500].map(|utc| work.local_time(utc).and_utc().timestamp() - utc)
        };
        assert_eq!(offsets(&[piece(100, 200)]), [3600, 7200]);
        assert_eq!(offsets(&[]), [7200, 7200], "the range has no use");
    }

    /// Generates values that don't overlap, such as the documents on one device.
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

    /// Generates tags. They can overlap, be identical, or have no length.
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
            // The tag that began last applies. If several tags began at the same time, the smallest one applies.
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
        assert_eq!(work.counted_seconds(), work.active_seconds());
        let clock = |utc| work.local_time(utc).and_utc().timestamp() - utc;
        assert_eq!([clock(100), clock(199), clock(200), clock(900)], [3600, 3600, 7200, 7200]);
    }
}
