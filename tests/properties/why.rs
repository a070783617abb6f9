//! Tests the explanation of time (docs/spec/time.md#why). For every second, the explanation must agree with a naive
//! look at the rows. Its sums must equal the totals of the same range.

use std::collections::{BTreeMap, BTreeSet};

use dayledger::App;
use dayledger::rules::{RuleConfig, Rules};
use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};
use proptest::prelude::*;

use crate::histories::random::{CHANGE, Device, TimelineRow, device};
use crate::histories::{OpenHistory, builder_at, rows};

/// The range of all histories, single days, and parts of days. Some of them contain the clock change.
const RANGES: [&str; 6] = [
    "'2026-10-24', '2026-11-14'",
    "'2026-10-24', '2026-10-25'",
    "'2026-10-25', '2026-10-26'",
    "'2026-10-26', '2026-11-14'",
    "'2026-10-24T22:15', '2026-10-25T02:30'",
    "'2026-10-25T02:30', '2026-10-25T09:45:01'",
];

const STATES: [(&str, &str, &str); 4] = [
    ("ManicTime/Away", "Abwesend", "away"),
    ("ManicTime/SessionLocked", "Gesperrt", "locked"),
    ("ManicTime/PowerOff", "Aus", "off"),
    ("ManicTime/Other", "Anders", "unknown"),
];

/// The maximum time for which a call counts after the last active second, in seconds.
const MAX_CALL_SECONDS: i64 = 4 * 3_600;

/// A row of one timeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedRow {
    pub(super) timeline: i64,
    pub(super) id: i64,
    pub(super) row: TimelineRow,
}

impl RecordedRow {
    pub(super) fn holds(&self, utc: i64) -> bool {
        self.row.start <= utc && utc < self.row.end
    }

    /// Returns the rank of the row. Of all rows that contain a second, the row with the highest rank owns the second.
    fn rank(&self) -> (i64, i64, i64) {
        (self.row.start, self.id, self.timeline)
    }
}

/// The rows of a device. Its application rows may overlap each other, and so may its states.
pub(super) struct DeviceRecording {
    pub(super) name: String,
    is_tracked: bool,
    applications: Vec<RecordedRow>,
    active: Vec<RecordedRow>,
    states: Vec<RecordedRow>,
}

/// Returns the row that owns a second.
fn owner(rows: &[RecordedRow], utc: i64) -> Option<&RecordedRow> {
    rows.iter().filter(|row| row.holds(utc)).max_by_key(|row| row.rank())
}

pub(super) fn number_rows(timeline: i64, rows: &[TimelineRow]) -> Vec<RecordedRow> {
    (1..).zip(rows).map(|(id, row)| RecordedRow { timeline, id, row: *row }).collect()
}

impl DeviceRecording {
    pub(super) fn new(number: usize, is_tracked: bool, [device, besides]: &[Device; 2]) -> Self {
        let first = 10 * i64::try_from(number).unwrap();
        let mut applications = number_rows(first + 1, &device.applications);
        applications.extend(number_rows(first + 2, &besides.applications));
        let usage = [device.active.as_slice(), &besides.active].concat();
        let mut active = number_rows(first + 3, if is_tracked { &usage } else { &[] });
        let states = active.split_off(device.active.len().min(active.len()));
        Self { name: format!("device-{number}"), is_tracked, applications, active, states }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &RecordedRow> {
        self.applications.iter().chain(&self.active).chain(&self.states)
    }

    /// Returns the kind of time at a second, and the row that decides it. If calls count, `calls` contains the tags.
    pub(super) fn at(&self, utc: i64, calls: Option<&[RecordedRow]>) -> Option<(&'static str, &RecordedRow)> {
        match [&self.applications, &self.active, &self.states].map(|rows| owner(rows, utc)).into() {
            (Some(front), Some(_), _) => Some(("active", front)),
            (Some(front), ..) if !self.is_tracked => Some(("active", front)),
            (None, Some(active), _) => Some(("no_application", active)),
            (Some(front), None, Some(state)) if calls.is_some_and(|tags| self.is_call(front, state, utc, tags)) => {
                Some(("call", front))
            }
            (_, None, Some(state)) => Some((STATES[state.row.about % STATES.len()].2, state)),
            (Some(front), None, None) => Some(("unknown", front)),
            (None, None, None) => None,
        }
    }

    /// Whether the application in front is a call that counts in this state. The rules are those of [`rules`].
    fn is_call(&self, front: &RecordedRow, state: &RecordedRow, utc: i64, tags: &[RecordedRow]) -> bool {
        let is_talk = match front.row.about {
            1 => self.name != "device-1",
            2 => tags.iter().any(|tag| tag.holds(utc) && tag.row.about == 1),
            _ => false,
        };
        let was_active = self.active.iter().any(|row| row.row.start <= utc && utc < row.row.end + MAX_CALL_SECONDS);
        is_talk && was_active && STATES[state.row.about % STATES.len()].2 == "away"
    }

    pub(super) fn write(&self, writer: &mut HistoryWriter) {
        writer.add_environment(&self.name, &self.name, None).unwrap();
        let timelines: BTreeSet<_> = self.applications.iter().map(|row| row.timeline).collect();
        for timeline in timelines {
            writer.add_timeline(&Timeline::applications(timeline, &self.name)).unwrap();
            let groups = [("code.exe", "Code"), ("slack.exe", "Slack"), ("firefox.exe", "Firefox")];
            let groups = groups.map(|(key, name)| writer.add_group(timeline, &Group::application(key, name)).unwrap());
            for RecordedRow { row, .. } in self.applications.iter().filter(|row| row.timeline == timeline) {
                let activity = Activity::new("Window", span(row.start, row.end)).group(groups[row.about]);
                writer.add_activity(timeline, &activity).unwrap();
            }
        }
        if !self.is_tracked {
            return;
        }
        let timeline = self.active.first().map_or(0, |row| row.timeline);
        writer.add_timeline(&Timeline::computer_usage(timeline, &self.name)).unwrap();
        let active = writer.add_group(timeline, &Group::state("ManicTime/Active", "Aktiv")).unwrap();
        let states = STATES.map(|(key, name, _)| writer.add_group(timeline, &Group::state(key, name)).unwrap());
        for RecordedRow { row, .. } in &self.active {
            writer.add_activity(timeline, &Activity::new("Aktiv", span(row.start, row.end)).group(active)).unwrap();
        }
        for RecordedRow { row, .. } in &self.states {
            let state = states[row.about % STATES.len()];
            writer.add_activity(timeline, &Activity::new("Anders", span(row.start, row.end)).group(state)).unwrap();
        }
    }
}

fn span(start: i64, end: i64) -> Span {
    let offset = |utc: i64| if utc < CHANGE { 7_200 } else { 3_600 };
    Span { start: Moment { utc: start, offset: offset(start) }, end: Moment { utc: end, offset: offset(end - 1) } }
}

pub(super) fn write_tags(writer: &mut HistoryWriter, tags: &[TimelineRow]) {
    writer.add_timeline(&Timeline::tags(200, "device-0")).unwrap();
    for row in tags {
        let name = ["Client A", "Client B", "Client A, Review"][row.about];
        let group = writer.add_group(200, &Group::tag(name)).unwrap();
        writer.add_activity(200, &Activity::new(name, span(row.start, row.end)).group(group)).unwrap();
    }
}

/// Returns rules in which tags and devices also decide whether an application is a call.
pub(super) fn rules() -> Rules {
    let rules = [
        serde_json::json!({"app": "slack", "device": "device-1", "call": false}),
        serde_json::json!({"name": "writing", "app": "code", "device": "*-1", "project": "Ledger", "task": "Code"}),
        serde_json::json!({"name": "talking", "app": "slack", "tag": "*", "category": "Talks", "call": true}),
        serde_json::json!({"app": "slack.*", "call": true}),
        serde_json::json!({"app": "firefox", "tag": "client b", "call": true}),
    ];
    let written = rules.map(|rule| serde_json::from_value::<RuleConfig>(rule).unwrap());
    Rules::new(written.map(|rule| rule.try_into().unwrap()).into()).unwrap()
}

/// For each row: the seconds that are active, not in use, and hidden by a later row.
type RowSeconds = BTreeMap<(String, i64, i64), [i64; 3]>;

fn explained_seconds(app: &App, range: &str) -> RowSeconds {
    let lines = rows(
        app,
        &format!(
            "SELECT device, timeline_id, activity_id, counted_seconds + shared_seconds, not_in_use_seconds, hidden_seconds
             FROM why({range}) WHERE reason IS NULL"
        ),
    );
    let explained = lines.iter().map(|line| {
        let cells: Vec<_> = line.split(" | ").collect();
        let number = |place: usize| cells[place].parse().unwrap();
        ((cells[0].to_owned(), number(1), number(2)), [number(3), number(4), number(5)])
    });
    explained.collect()
}

/// Returns the expected seconds of each row. They are counted by looking at every second.
fn expected_seconds(recordings: &[DeviceRecording], calls: Option<&[RecordedRow]>) -> RowSeconds {
    let mut expected = RowSeconds::new();
    for recording in recordings {
        for row in &recording.applications {
            for utc in row.row.start..row.row.end {
                let is_owner = owner(&recording.applications, utc).map(RecordedRow::rank) == Some(row.rank());
                let is_active = matches!(recording.at(utc, calls), Some(("active" | "call", _)));
                let share = match (is_owner, is_active) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, _) => 2,
                };
                expected.entry((recording.name.clone(), row.timeline, row.id)).or_default()[share] += 1;
            }
        }
    }
    expected
}

/// Checks that the explained time adds up to every total of the same range.
fn check_sums(app: &App, range: &str) -> Result<(), TestCaseError> {
    for (explained, elsewhere) in [
        (
            format!("SELECT COALESCE(sum(counted_seconds), 0) FROM why({range})"),
            format!("SELECT union_seconds(start_utc, end_utc) FROM pieces({range})"),
        ),
        (
            format!(
                "SELECT device, application, sum(counted_seconds + shared_seconds) FROM why({range}) \
                 WHERE counted_seconds + shared_seconds > 0 GROUP BY 1, 2 ORDER BY 1, 2"
            ),
            format!("SELECT device, application, sum(seconds) FROM pieces({range}) GROUP BY 1, 2 ORDER BY 1, 2"),
        ),
        (
            format!(
                "SELECT count(*) FROM why({range}) WHERE seconds <> counted_seconds + shared_seconds \
                 + not_in_use_seconds + hidden_seconds OR call_seconds > counted_seconds + shared_seconds \
                 OR least(counted_seconds, shared_seconds, not_in_use_seconds, hidden_seconds) < 0"
            ),
            "SELECT 0".to_owned(),
        ),
        // Breaks must be between the first and the last active second of their day, and must not contain an active
        // second.
        (
            format!(
                "SELECT count(*) \
                 FROM (SELECT day, sum(seconds) AS breaks FROM away_intervals({range}, 0) WHERE is_break GROUP BY 1) AS b \
                 LEFT JOIN (SELECT date, union_seconds(start_utc, end_utc) AS active, \
                   max(to_unixtime(end_utc)) - min(to_unixtime(start_utc)) AS elapsed \
                   FROM pieces_by_day('applications', {range}) GROUP BY 1) AS d ON b.day = d.date \
                 WHERE date IS NULL OR active + breaks > elapsed"
            ),
            "SELECT 0".to_owned(),
        ),
        (
            format!(
                "SELECT count(*) FROM away_intervals({range}, 0) AS b \
                 JOIN pieces_by_day('applications', {range}) AS p \
                 ON b.day = p.date AND p.start_utc < b.end_utc AND p.end_utc > b.start_utc WHERE is_break"
            ),
            "SELECT 0".to_owned(),
        ),
    ] {
        prop_assert_eq!(rows(app, &explained), rows(app, &elsewhere), "{}", explained);
    }
    Ok(())
}

fn check(devices: &[[Device; 2]], untracked: &[bool], tags: &[TimelineRow]) -> Result<(), TestCaseError> {
    let recordings: Vec<_> =
        devices.iter().enumerate().map(|(number, of)| DeviceRecording::new(number, !untracked[number], of)).collect();
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        for recording in &recordings {
            recording.write(writer);
        }
        write_tags(writer, tags);
    });
    let tags = number_rows(200, tags);
    for calls in [None, Some(tags.as_slice())] {
        let app = builder_at(history.folder()).with_rules(rules().with_calls_counted(calls.is_some())).build().unwrap();
        let all = explained_seconds(&app, RANGES[0]);
        prop_assert_eq!(&all, &expected_seconds(&recordings, calls));
        // Each range takes seconds. Without calls, only the ranges after and around the clock change are tested.
        let ranges = if calls.is_some() { &RANGES[..] } else { &RANGES[3..] };
        for range in ranges {
            check_sums(&app, range)?;
        }
        // If the range is split into days, every active second must still be explained exactly once.
        let active = |rows: &RowSeconds| rows.values().map(|[active, ..]| active).sum::<i64>();
        let days: i64 = RANGES[1..4].iter().map(|range| active(&explained_seconds(&app, range))).sum();
        prop_assert_eq!(days, active(&all));
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::config(2))]

    #[test]
    fn every_second_of_one_device_is_accounted_for(device in [device(), device()], tags in device(), untracked in any::<bool>()) {
        check(&[device], &[untracked], &tags.documents)?;
    }
}

proptest! {
    // These tests use one case, because each of its three devices is also tested as a separate history.
    #![proptest_config(super::config(1))]

    #[test]
    fn explained_seconds_of_several_devices_equal_the_totals(
        devices in [[device(), device()], [device(), device()], [device(), device()]],
        tags in device(),
        untracked in [any::<bool>(), any::<bool>(), any::<bool>()],
    ) {
        check(&devices, &untracked, &tags.documents)?;
    }
}
