//! Tests phone and video calls during which the user doesn't use the keyboard. Compares the program with a second
//! implementation that looks at each second separately.

use std::collections::{BTreeMap, BTreeSet};

use dayledger::App;
use dayledger::activity::TimeBasis;
use dayledger::rules::{RuleConfig, Rules};
use dayledger::source::{Pattern, Privacy, Redaction};
use dayledger_fixtures::{Activity, Group, Moment, SchemaOptions, Span, Timeline};
use proptest::prelude::*;

use super::why::{DeviceRecording, number_rows, rules, write_tags};
use crate::histories::random::{Device, TimelineRow, days, device};
use crate::histories::{OpenHistory, builder_at, narrative, rows};

const RANGE: &str = "'2026-10-24', '2026-11-14'";

/// The seconds of each activity that count as active, by device, timeline and activity.
type CountedSeconds = BTreeMap<(String, i64, i64), BTreeSet<i64>>;

fn counted_seconds(app: &App) -> CountedSeconds {
    let lines = rows(
        app,
        &format!(
            "SELECT device, timeline_id, activity_id, to_unixtime(start_utc), to_unixtime(end_utc)
             FROM role_pieces('applications', {RANGE})"
        ),
    );
    let mut counted = CountedSeconds::new();
    for line in lines {
        let cells: Vec<_> = line.split(" | ").collect();
        let number = |place: usize| cells[place].parse::<i64>().unwrap();
        let seconds = counted.entry((cells[0].to_owned(), number(1), number(2))).or_default();
        for second in number(3)..number(4) {
            assert!(seconds.insert(second), "a second of a row counts more than once");
        }
    }
    counted
}

fn check(devices: &[[Device; 2]], tags: &[TimelineRow]) -> Result<(), TestCaseError> {
    let recordings: Vec<_> =
        devices.iter().enumerate().map(|(number, of)| DeviceRecording::new(number, true, of)).collect();
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        for recording in &recordings {
            recording.write(writer);
        }
        write_tags(writer, tags);
    });
    let tags = number_rows(200, tags);
    for calls in [None, Some(tags.as_slice())] {
        let app = builder_at(history.folder()).with_rules(rules().with_calls_counted(calls.is_some())).build().unwrap();
        let mut counted = CountedSeconds::new();
        for recording in &recordings {
            let ends = || recording.rows().flat_map(|row| [row.row.start, row.row.end]);
            for second in ends().min().unwrap_or(0)..ends().max().unwrap_or(0) {
                if let Some(("active" | "call", row)) = recording.at(second, calls) {
                    let of_row = counted.entry((recording.name.clone(), row.timeline, row.id)).or_default();
                    of_row.insert(second);
                }
            }
        }
        prop_assert_eq!(counted_seconds(&app), counted.clone());
        let all: BTreeSet<i64> = counted.into_values().flatten().collect();
        let total = rows(&app, &format!("SELECT COALESCE(sum(seconds), 0) FROM blocks({RANGE})"));
        prop_assert_eq!(total, [all.len().to_string()], "blocks add up to the counted time");
    }
    Ok(())
}

proptest! {
    #![proptest_config(super::config(3))]

    #[test]
    fn every_second_counts_as_its_rows_define(
        devices in [[device(), device()], [device(), device()]],
        tags in device(),
    ) {
        check(&devices, &tags.documents)?;
    }
}

/// The time 2026-10-26 08:00 UTC.
const MORNING: i64 = 1_793_001_600;
const MINUTE: i64 = 60;

fn span(from: i64, until: i64) -> Span {
    let moment = |minutes: i64| Moment { utc: MORNING + minutes * MINUTE, offset: 3_600 };
    Span { start: moment(from), end: moment(until) }
}

/// Returns a history with a meeting in front for five and a half hours. The user leaves the keyboard after ten minutes
/// and returns after five hours. Afterwards, the session is locked while the call is still in front.
fn long_call() -> OpenHistory {
    OpenHistory::create(&SchemaOptions::default(), |writer| {
        writer.add_environment("desk", "desk", None).unwrap();
        writer.add_timeline(&Timeline::computer_usage(1, "desk")).unwrap();
        writer.add_timeline(&Timeline::applications(2, "desk")).unwrap();
        let states =
            [("ManicTime/Active", "Active"), ("ManicTime/Away", "Away"), ("ManicTime/SessionLocked", "Locked")];
        let states = states.map(|(key, name)| writer.add_group(1, &Group::state(key, name)).unwrap());
        for (state, from, until) in [(0, 0, 10), (1, 10, 310), (0, 310, 315), (2, 315, 330)] {
            writer.add_activity(1, &Activity::new("State", span(from, until)).group(states[state])).unwrap();
        }
        let zoom = writer.add_group(2, &Group::application("zoom.exe;zoom meetings", "Zoom Meetings")).unwrap();
        writer.add_activity(2, &Activity::new("Quarter - Zoom Meeting", span(0, 330)).group(zoom)).unwrap();
    })
}

/// Returns the minutes of the day of [`long_call`], and the kind of time that was counted.
fn day(history: &OpenHistory, rules: Rules, privacy: Privacy) -> (String, TimeBasis) {
    let app = builder_at(history.folder()).with_privacy(privacy).with_rules(rules).build().unwrap();
    let narrative = narrative(&app, days("2026-10-26", "2026-10-27"));
    (format!("{:.1}", narrative.total_active_minutes), narrative.time_basis)
}

fn calls() -> Rules {
    Rules::default().with_calls_counted(true)
}

#[test]
fn call_of_five_hours_counts_for_four() {
    let history = long_call();
    let report = |rules: Rules| day(&history, rules, Privacy::default());
    assert_eq!(
        report(Rules::default()),
        ("15.0".to_owned(), TimeBasis::Active),
        "calls count only if they are enabled"
    );
    assert_eq!(report(calls()), ("255.0".to_owned(), TimeBasis::ActiveAndCalls));
    let never: RuleConfig = serde_json::from_str(r#"{"title": "quarter*", "call": false}"#).unwrap();
    let never = Rules::new(vec![never.try_into().unwrap()]).unwrap().with_calls_counted(true);
    assert_eq!(
        report(never),
        ("15.0".to_owned(), TimeBasis::ActiveAndCalls),
        "the user's rules have precedence over built-in ones"
    );
}

#[test]
fn redacted_windows_never_count_as_calls() {
    let history = long_call();
    let hidden = Privacy::new([], [Pattern::parse("zoom*").unwrap()], []);
    assert_eq!(day(&history, calls(), hidden).0, "15.0");
    assert_eq!(day(&history, calls(), Privacy::new([Redaction::Titles], [], [])).0, "15.0");
}
