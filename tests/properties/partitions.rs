//! Long ranges are computed in partitions. The boundaries of partitions must not change rows.
//!
//! The histories are weeks long. They contain the two clock changes of a year, days without a break, rows over
//! midnight, a device without computer usage, and links between rows. The same statements run on an engine without
//! partitions, and on engines with as many boundaries as possible.

use std::sync::Arc;

use dayledger::activity;
use dayledger::calendar::Calendars;
use dayledger::engine::{Engine, Model, QueryLimits};
use dayledger::notes;
use dayledger::rules::{RuleConfig, Rules};
use dayledger::source::{Privacy, Redaction};
use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};
use proptest::prelude::*;

use crate::histories::{OpenHistory, block_on, cells, source_at};

/// The time 2026-03-20 00:00 UTC.
const FIRST: i64 = 1_773_964_800;
const DAY: i64 = 86_400;
/// The times at which the clock goes forward an hour, and back an hour.
const CHANGES: [i64; 2] = [FIRST + 9 * DAY + 3_600, FIRST + 16 * DAY + 3_600];

/// Statements whose results must not depend on partitions.
const STATEMENTS: [&str; 18] = [
    "SELECT * FROM role_pieces('applications', '2026-03-01', '2026-06-01')",
    "SELECT * FROM role_pieces('documents', '2026-03-22T07:31:05', '2026-04-11T16:00')",
    "SELECT * FROM role_pieces('websites', '2026-03-01', '2026-06-01')",
    "SELECT * FROM pieces_by_day('applications', '2026-03-23T11:00', '2026-06-01')",
    "SELECT * FROM pieces_by_rule('2026-03-01', '2026-06-01')",
    "SELECT * FROM narrative('2026-03-01', '2026-06-01')",
    "SELECT * FROM narrative('2026-03-24T01:02:03', '2026-04-09T22:10', 20, 7.5)",
    "SELECT * FROM narrative('2026-03-01', '2026-06-01', 1440)",
    "SELECT * FROM blocks('2026-03-01', '2026-06-01')",
    "SELECT * FROM blocks('2026-03-22T07:31:05', '2026-04-11T16:00', 1)",
    "SELECT * FROM segments",
    "SELECT * FROM day_summary('2026-03-01', '2026-06-01')",
    "SELECT * FROM device_day_totals('device-0', '2026-03-21T05:00', '2026-04-12T05:00')",
    "SELECT * FROM device_active_days(NULL, '2026-03-01', '2026-06-01') WHERE date > '2026-03-28' AND active_seconds > 900",
    "SELECT * FROM segments WHERE start_local >= '2026-03-29' AND start_local < '2026-03-30'",
    "SELECT * FROM segments WHERE end_local > '2026-04-04T02:30:00' AND start_local <= '2026-04-05T02:30:00'",
    "SELECT * FROM pieces_by_day('applications', '2026-03-01', '2026-06-01') WHERE date = '2026-03-28'",
    "SELECT application, sum(seconds) FROM pieces('2026-03-01', '2026-06-01') WHERE start_local > '2026-03-31' \
     AND seconds > 60 GROUP BY application",
];

/// The statements that also run with calls and with redaction. They are few, because planning each one takes seconds.
const CALL_STATEMENTS: [&str; 4] = [STATEMENTS[0], STATEMENTS[2], STATEMENTS[5], STATEMENTS[14]];

/// A row of a timeline: the pause before the row, its length, and its subject.
type Row = (i64, i64, usize);

#[derive(Clone, Debug)]
struct Device {
    is_tracked: bool,
    usage: Vec<Row>,
    applications: Vec<Row>,
    documents: Vec<(Row, Option<usize>)>,
}

fn row() -> impl Strategy<Value = Row> {
    let pause = prop_oneof![
        5 => Just(0),
        3 => 1..400_i64,
        3 => 400..4_000_i64,
        2 => 4_000..50_000_i64,
        1 => 50_000..200_000_i64,
    ];
    let length = prop_oneof![3 => 1..400_i64, 3 => 400..9_000_i64, 1 => 9_000..100_000_i64];
    (pause, length, 0..3_usize)
}

fn device() -> impl Strategy<Value = Device> {
    let rows = |most| prop::collection::vec(row(), 1..most);
    let documents = prop::collection::vec((row(), prop::option::of(0..60_usize)), 1..60);
    (any::<bool>(), rows(40), rows(120), documents).prop_map(|(is_tracked, usage, applications, documents)| Device {
        is_tracked,
        usage,
        applications,
        documents,
    })
}

fn moment(utc: i64) -> Moment {
    let is_summer = (CHANGES[0]..CHANGES[1]).contains(&utc);
    Moment { utc, offset: if is_summer { 7_200 } else { 3_600 } }
}

/// Converts rows to spans in order of time, each with its subject.
fn spans(rows: impl IntoIterator<Item = Row>) -> Vec<(Span, usize)> {
    let mut end = FIRST;
    let place = |(pause, length, about)| {
        let start = end + pause;
        end = start + length;
        (Span { start: moment(start), end: moment(end) }, about)
    };
    rows.into_iter().map(place).collect()
}

fn write(writer: &mut HistoryWriter, number: i64, device: &Device) {
    let environment = format!("device-{number}");
    writer.add_environment(&environment, &environment, None).unwrap();
    let [usage, applications, documents] = [1, 2, 3].map(|timeline| number * 10 + timeline);
    if device.is_tracked {
        writer.add_timeline(&Timeline::computer_usage(usage, &environment)).unwrap();
        let active = writer.add_group(usage, &Group::state("ManicTime/Active", "Active")).unwrap();
        let away = writer.add_group(usage, &Group::state("ManicTime/Away", "Away")).unwrap();
        let mut end = None;
        for (span, _) in spans(device.usage.iter().copied()) {
            writer.add_activity(usage, &Activity::new("Active", span).group(active).active(true)).unwrap();
            if let Some(start) = end.replace(span.end).filter(|end| end.utc < span.start.utc) {
                let span = Span { start, end: span.start };
                writer.add_activity(usage, &Activity::new("Away", span).group(away).active(false)).unwrap();
            }
        }
    }
    writer.add_timeline(&Timeline::applications(applications, &environment)).unwrap();
    let groups = [("code.exe;code", "Code"), ("slack.exe;slack", "Slack"), ("firefox.exe;firefox", "Firefox")];
    let groups = groups.map(|(key, name)| writer.add_group(applications, &Group::application(key, name)).unwrap());
    let mut ids = Vec::new();
    for (span, about) in spans(device.applications.iter().copied()) {
        let title = format!("window {}", about * 7);
        ids.push(writer.add_activity(applications, &Activity::new(&title, span).group(groups[about])).unwrap());
    }
    writer.add_timeline(&Timeline::documents(documents, &environment)).unwrap();
    let groups =
        [Group::web_site("docs.example"), Group::web_site("chat.example"), Group::file("/a/plan.md", "plan.md")];
    let groups = groups.map(|group| writer.add_group(documents, &group).unwrap());
    let rows = spans(device.documents.iter().map(|(row, _)| *row));
    for ((span, about), (_, related)) in rows.into_iter().zip(&device.documents) {
        let name = ["https://docs.example/a", "https://chat.example/b", "/a/plan.md"][about];
        let activity = Activity::new(name, span).group(groups[about]);
        let activity = match related.and_then(|related| ids.get(related)) {
            Some(id) => activity.related_activity(*id),
            None => activity,
        };
        writer.add_activity(documents, &activity).unwrap();
    }
}

/// Returns rules that depend on documents, sites and titles.
fn rules() -> Rules {
    let rules = r#"[
        {"app": "code*", "site": "docs.*", "project": "Docs"},
        {"path": "*.md", "category": "Plan"},
        {"title": "regex:window (0|14)", "project": "Windows", "task": "Even"},
        {"app": "slack*", "call": true},
        {"site": "chat.*", "call": true}
    ]"#;
    let written: Vec<RuleConfig> = serde_json::from_str(rules).unwrap();
    Rules::new(written.into_iter().map(|rule| rule.try_into().unwrap()).collect()).unwrap()
}

fn engine(history: &OpenHistory, privacy: Privacy, rules: &Rules, cut: impl FnOnce(Model) -> Model) -> Engine {
    let model = activity::register(Model::default(), rules, &Calendars::default(), &privacy);
    let model = notes::register_unavailable(model);
    Engine::new(Arc::new(source_at(history.folder()).with_privacy(privacy)), cut(model)).unwrap()
}

/// Returns the rows of a result, sorted.
fn rows(engine: &Engine, sql: &str) -> Vec<String> {
    let table = block_on(engine.query(sql, &QueryLimits { rows: 1_000_000, ..QueryLimits::default() })).unwrap();
    let mut rows: Vec<_> = cells(&table).iter().map(|row| row.join("|")).collect();
    rows.sort();
    rows
}

/// Compares two results. Returns the rows that only one of the two contains.
fn differences(actual: &[String], whole: &[String]) -> Vec<String> {
    let beside = |rows: &[String], others: &[String], sign: char| {
        let beside = rows.iter().filter(|row| !others.contains(row)).map(|row| format!("{sign} {row}"));
        beside.collect::<Vec<_>>()
    };
    let mut differences = [beside(whole, actual, '-'), beside(actual, whole, '+')].concat();
    if differences.is_empty() && actual.len() != whole.len() {
        differences.push(format!("{} rows instead of {}", actual.len(), whole.len()));
    }
    differences
}

fn write_history(devices: &[Device]) -> OpenHistory {
    OpenHistory::create(&SchemaOptions::default(), |writer| {
        for (number, device) in (0..).zip(devices) {
            write(writer, number, device);
        }
    })
}

/// Checks that an engine with partitions returns the same rows as an engine without partitions.
fn check(
    history: &OpenHistory,
    part: usize,
    rules: &Rules,
    (privacy, statements): (impl Fn() -> Privacy, &[&str]),
) -> Result<(), TestCaseError> {
    let whole = engine(history, privacy(), rules, |model| model.with_part_size(usize::MAX, i64::MAX));
    let cut = engine(history, privacy(), rules, |model| model.with_part_size(part, 0));
    for statement in statements {
        let expected = rows(&whole, statement);
        prop_assert_eq!(differences(&rows(&cut, statement), &expected), Vec::<String>::new(), "{}", statement);
        let some = rows(&cut, &format!("SELECT * FROM ({statement}) LIMIT 5"));
        prop_assert_eq!(some.len(), expected.len().min(5), "{}", statement);
        prop_assert!(some.iter().all(|row| expected.contains(row)), "{}", statement);
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::config(2))]

    #[test]
    fn partition_boundaries_do_not_change_rows(devices in prop::collection::vec(device(), 1..3), part in 8..200_usize) {
        let history = write_history(&devices);
        check(&history, part, &rules(), (Privacy::default, &STATEMENTS))?;
        check(&history, part, &rules(), (|| Privacy::new([Redaction::Titles], [], []), &CALL_STATEMENTS))?;
    }

    #[test]
    fn partition_boundaries_do_not_change_rows_with_calls(devices in prop::collection::vec(device(), 1..3), part in 8..200_usize) {
        check(&write_history(&devices), part, &rules().with_calls_counted(true), (Privacy::default, &CALL_STATEMENTS))?;
    }
}
