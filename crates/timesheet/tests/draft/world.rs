//! Generated weeks for drafts. The range has three days of 23, 24 and 25 hours. There are two devices, whose clocks can
//! differ by an hour, and all kinds of entries.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta};
use dayledger_timesheet::draft::{
    ActivePeriod, Draft, DraftInput, ItemKind, LoggedEntry, Memory, ProjectNames, Settings, UsedItem, WorkLabel, draft,
};
use dayledger_timesheet::{Day, EntryId, Evidence, Hours, NewEntry, Project, ProjectTask, TimeEntry};
use proptest::prelude::*;
use uuid::Uuid;

/// The first local midnight of the desktop, in seconds since 1970.
pub(super) const START: i64 = 1_761_170_400;
/// The lengths of the days in hours. Clocks go forward on the first day and back on the last day.
pub(super) const HOURS: [i64; 3] = [23, 24, 25];
/// The exclusive end of the range, in seconds since 1970.
pub(super) const END: i64 = START + 72 * 3600;

#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) periods: Vec<ActivePeriod>,
    pub(super) entries: Vec<(TimeEntry, Vec<Evidence>)>,
    pub(super) other_days: BTreeMap<Day, i64>,
    pub(super) settings: Settings,
}

/// Returns the day with this number. The first day of the range has the number 0.
pub(super) fn day(number: i64) -> Day {
    let date = NaiveDate::from_ymd_opt(2025, 10, 23).unwrap() + TimeDelta::days(number);
    Day::try_from(date).unwrap()
}

pub(super) fn projects() -> Vec<Project> {
    let project = |code: &str, tasks: &[&str]| Project {
        code: code.to_owned(),
        name: format!("Project {code}"),
        is_active: true,
        tasks: tasks.iter().map(|task| ProjectTask { name: (*task).to_owned(), is_active: true }).collect(),
        tags: Vec::new(),
    };
    vec![project("A", &["x", "y"]), project("B", &["z"])]
}

/// Returns a memory in which the time of the file `a.rs` was logged on the task `y` of the project `A`.
pub(super) fn memory() -> Memory {
    let mut memory = Memory::default();
    let entry = entry(0, "A", "y", Hours::from_hundredths(16), day(-9), day(-9));
    memory.learn(&entry, &[UsedItem { by: ItemKind::Document, text: "a.rs".to_owned(), seconds: 600 }]);
    memory
}

pub(super) fn period(start_utc: i64, end_utc: i64, label: WorkLabel) -> ActivePeriod {
    ActivePeriod {
        start_utc,
        end_utc,
        day: day(0),
        utc_offset: 7200,
        device: Some("desk".to_owned()),
        activity: Some(start_utc),
        is_away: false,
        label,
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

pub(super) fn rule(project: &str, task: Option<&str>) -> WorkLabel {
    WorkLabel::Rule { name: format!("of {project}"), project: project.to_owned(), task: task.map(str::to_owned) }
}

pub(super) fn tag(parts: &[&str]) -> WorkLabel {
    WorkLabel::Tag(parts.iter().map(|part| (*part).to_owned()).collect())
}

pub(super) fn entry(number: u128, project: &str, task: &str, hours: Hours, first: Day, last: Day) -> TimeEntry {
    let new = NewEntry::new(project, task, hours, first, last);
    TimeEntry::from_new(EntryId::from(Uuid::from_u128(number)), new, DateTime::UNIX_EPOCH)
}

impl World {
    pub(super) fn draft(&self) -> Draft {
        self.with_input(|input| draft(input, &self.settings))
    }

    /// Calls `make` with the input for a draft of this world.
    pub(super) fn with_input<T>(&self, make: impl FnOnce(&DraftInput<'_>) -> T) -> T {
        let projects = projects();
        let (names, memory) = (ProjectNames::new(&projects, &[]), memory());
        let entries: Vec<_> = self.entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
        let input = DraftInput {
            first: day(self.first),
            last: day(self.last),
            periods: &self.periods,
            unconfirmed: &[],
            entries: &entries,
            other_days: &self.other_days,
            names: &names,
            memory: &memory,
        };
        make(&input)
    }
}

/// Splits an interval at each midnight of its device. The device's midnight is `shift` seconds after the desktop's.
fn cut(whole: &ActivePeriod, shift: i64) -> Vec<ActivePeriod> {
    let mut midnight = START + shift;
    let mut pieces = Vec::new();
    for (number, hours) in (-1..).zip([48].iter().chain(&HOURS).chain(&[48])) {
        let start = if number == -1 { midnight - 48 * 3600 } else { midnight };
        let end = if number == -1 { midnight } else { midnight + hours * 3600 };
        midnight = end;
        let (start_utc, end_utc) = (whole.start_utc.max(start), whole.end_utc.min(end));
        if start_utc < end_utc {
            pieces.push(ActivePeriod { start_utc, end_utc, day: day(number), ..whole.clone() });
        }
    }
    pieces
}

/// Generates start times in the range. Many of them are close to a midnight of the desktop.
fn moment() -> impl Strategy<Value = i64> {
    let midnight = prop::sample::select(vec![START, START + 23 * 3600, START + 47 * 3600]);
    prop_oneof![START..END, midnight.prop_flat_map(|at| at - 1800..at + 1800)].prop_map(|at| at.clamp(START, END - 1))
}

fn namings() -> Vec<WorkLabel> {
    vec![
        WorkLabel::Nothing,
        WorkLabel::Nothing,
        rule("A", Some("x")),
        rule("A", None),
        rule("B", None),
        rule("Gone", Some("y")),
        tag(&["Client", "A", "y"]),
        tag(&["B"]),
        tag(&["Nowhere"]),
    ]
}

/// Returns labels for the matching rule of a tagged interval, and for blocks.
fn other_labels() -> Vec<WorkLabel> {
    vec![WorkLabel::Nothing, WorkLabel::Nothing, rule("A", Some("x")), rule("Gone", Some("y"))]
}

fn periods(devices: Vec<(&'static str, i64)>) -> impl Strategy<Value = Vec<ActivePeriod>> {
    let length = prop_oneof![0..120_i64, 0..1800_i64, 0..14_400_i64];
    let naming = prop::sample::select(namings());
    let document = prop::sample::select(vec![None, Some("a.rs"), Some("b.rs")]);
    let others = prop::sample::select(other_labels());
    let others = (others.clone(), others, prop::bool::weighted(0.1));
    let one = (moment(), length, naming, others, document, prop::sample::select(devices));
    let one = one.prop_map(|(start, length, naming, (beside, block, is_away), document, (device, shift))| {
        let document = document.map(str::to_owned);
        let end = (start + length).min(END);
        let rule_label = if matches!(naming, WorkLabel::Tag(_)) { beside } else { WorkLabel::Nothing };
        cut(
            &ActivePeriod {
                device: Some(device.to_owned()),
                is_away,
                rule_label,
                block,
                document,
                ..period(start, end, naming)
            },
            shift,
        )
    });
    prop::collection::vec(one, 0..40).prop_map(|intervals| intervals.concat())
}

pub(super) fn entries() -> impl Strategy<Value = Vec<(TimeEntry, Vec<Evidence>)>> {
    let target = prop::sample::select(vec![("A", "x"), ("A", "y"), ("B", "z"), ("Gone", "y"), ("C", "c")]);
    let evidence = (moment(), 1..7200_i64).prop_map(|(start_utc, length)| Evidence {
        start_utc,
        end_utc: start_utc + length,
        device: None,
        activity: None,
        utc_offset: None,
    });
    let evidence = prop_oneof![Just(Vec::new()), prop::collection::vec(evidence, 1..4)];
    let one = (target, 0..900_i64, -4..5_i64, prop_oneof![Just(0_i64), 0..7_i64], evidence, 0..2_i64);
    prop::collection::vec(one, 0..7).prop_map(|entries| {
        let made = (1..).zip(entries).map(|(number, ((project, task), hours, first, more, evidence, at))| {
            let hours = Hours::from_hundredths(hours);
            let entry = entry(number, project, task, hours, day(first), day(first + more));
            (TimeEntry { created_at: DateTime::UNIX_EPOCH + TimeDelta::seconds(at), ..entry }, evidence)
        });
        made.collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    let round_to = prop::sample::select(vec![1, 10, 25, 50, 100]);
    let at_least = prop::sample::select(vec![0.0, 1.0, 15.0]);
    (round_to, at_least)
        .prop_map(|(round_to, at_least)| Settings::new(Some(Hours::from_hundredths(round_to)), Some(at_least)).unwrap())
}

fn elsewhere() -> impl Strategy<Value = BTreeMap<Day, i64>> {
    let one = (prop::sample::select(vec![-4, -3, -2, 4, 5, 6]), 0..30_000_i64);
    prop::collection::vec(one, 0..4)
        .prop_map(|days| days.into_iter().map(|(number, seconds)| (day(number), seconds)).collect())
}

fn worlds(devices: Vec<(&'static str, i64)>) -> impl Strategy<Value = World> {
    (periods(devices), entries(), elsewhere(), settings()).prop_map(|(periods, entries, other_days, settings)| World {
        first: -1,
        last: 3,
        periods,
        entries,
        other_days,
        settings,
    })
}

/// Generates worlds with a desktop and a laptop. The laptop's clock is one hour behind the desktop's.
pub(super) fn any_world() -> impl Strategy<Value = World> {
    worlds(vec![("desk", 0), ("laptop", 3600)])
}

/// Generates worlds with a desktop and a laptop whose clocks show the same time.
pub(super) fn world_in_one_zone() -> impl Strategy<Value = World> {
    worlds(vec![("desk", 0), ("laptop", 0)])
}
