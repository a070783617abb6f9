//! Generated entries: some without hours, some with too many hours, some on one day and some over months. Their texts
//! contain characters that are special in the exported formats.

use chrono::{DateTime, NaiveDate, TimeDelta};
use dayledger_timesheet::{Day, EntryId, Hours, NewEntry, Tag, TimeEntry};
use proptest::prelude::*;
use uuid::Uuid;

/// Texts that have a special meaning in one of the formats or that are difficult to parse.
const HOSTILE: [&str; 26] = [
    "\n",
    "\r\n",
    "\r",
    ";",
    "|",
    "::",
    ":",
    "  ",
    "=",
    "+",
    "@",
    "'",
    ",",
    "\"",
    "\\",
    "\0",
    "\u{1b}[31m",
    "\t",
    "#project=X",
    "#TASK",
    "(",
    "[",
    "\u{a0}",
    "\u{2028}",
    "💶",
    "\u{85}",
];

pub(crate) fn day(number: i64) -> Day {
    Day::try_from(NaiveDate::from_ymd_opt(2025, 10, 20).unwrap() + TimeDelta::days(number)).unwrap()
}

pub(crate) fn entry(number: u128, project: &str, task: &str, hundredths: i64, first: i64, last: i64) -> TimeEntry {
    let new = NewEntry::new(project, task, Hours::from_hundredths(hundredths), day(first), day(last));
    let logged = DateTime::UNIX_EPOCH + TimeDelta::seconds(1_761_000_000);
    TimeEntry::from_new(EntryId::from(Uuid::from_u128(number)), new, logged)
}

pub(super) fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
        prop::sample::select(vec!["fix", "Zürich", "#17", "a b", "x".repeat(200).leak()]).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn names() -> impl Strategy<Value = (String, String)> {
    let usual =
        prop::sample::select(vec![("INTERNAL", "Code Review"), ("INTERNAL", "Testing"), ("CLIENT-A", "Testing")]);
    let usual = usual.prop_map(|(project, task)| (project.to_owned(), task.to_owned()));
    prop_oneof![3 => usual, 1 => (hostile(), hostile())]
}

pub(super) fn entries() -> impl Strategy<Value = Vec<TimeEntry>> {
    let hours = prop_oneof![Just(0_i64), 1..10_i64, 0..2_000_i64, 0..12_000_i64];
    let more = prop_oneof![3 => Just(0_i64), 1 => 0..40_i64];
    let words = (prop::option::of(hostile()), prop::option::of(hostile()));
    let tags = prop::collection::vec((hostile(), hostile()), 0..3);
    let one = (names(), hours, prop_oneof![Just(0_i64), 0..300_i64], 0..4_i64, more, words, tags, 0..3_i64);
    prop::collection::vec(one, 0..9).prop_map(|all| {
        let made = (1..).zip(all).map(|(number, ((project, task), hours, overtime, first, more, words, tags, at))| {
            let entry = entry(number, &project, &task, hours, first, first + more);
            let (issue_id, description) = words;
            TimeEntry {
                overtime_hours: Hours::from_hundredths(overtime),
                tags: tags.into_iter().map(|(name, value)| Tag::new(name, value)).collect(),
                created_at: entry.created_at + TimeDelta::seconds(at),
                issue_id,
                description,
                ..entry
            }
        });
        made.collect()
    })
}
