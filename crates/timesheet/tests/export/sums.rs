//! Tests that the hours in a file add up to the hours of the entries.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use dayledger_timesheet::TimeEntry;
use dayledger_timesheet::export::Format;
use proptest::prelude::*;

use super::file;
use super::readers::{ParsedEntry, ics, klog, timeclock};
use super::samples::{entries, entry};

type Sums = BTreeMap<(NaiveDate, String, String), i64>;

/// Distributes the hundredths of each entry over its days, one after the other. An entry without hours is on its first
/// day. `names` converts a name to its form in the file.
fn expected_sums(entries: &[TimeEntry], names: impl Fn(&str) -> String) -> Sums {
    let mut sums = Sums::new();
    for entry in entries {
        let (first, last) = (entry.start_date.date(), entry.completion_date.date());
        let days = (last - first).num_days() + 1;
        let mut on_days = vec![0; usize::try_from(days.min(entry.total_hours().hundredths().max(1))).unwrap()];
        let count = on_days.len();
        (0..usize::try_from(entry.total_hours().hundredths()).unwrap())
            .for_each(|hundredth| on_days[hundredth % count] += 36);
        for (day, seconds) in (0..).zip(on_days) {
            let key = (first + TimeDelta::days(day), names(&entry.project_code), names(&entry.task));
            *sums.entry(key).or_default() += seconds;
        }
    }
    sums
}

fn sums(read: &[ParsedEntry]) -> Sums {
    let mut sums = Sums::new();
    for ParsedEntry { day, project, task, seconds, .. } in read {
        *sums.entry((*day, project.clone(), task.clone())).or_default() += seconds;
    }
    sums
}

fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c }).collect();
    spaced.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Checks that sessions overlap only on days with more than 24 hours, and that a day with at most 15 hours doesn't
/// start before 09:00.
fn check_times(read: &[ParsedEntry]) -> Result<(), TestCaseError> {
    let mut days: BTreeMap<NaiveDate, Vec<&ParsedEntry>> = BTreeMap::new();
    for read in read {
        days.entry(read.day).or_default().push(read);
    }
    for (day, read) in days {
        let total: i64 = read.iter().map(|read| read.seconds).sum();
        let mut spans: Vec<_> = read.iter().filter_map(|read| read.span).collect();
        spans.sort();
        let overlap = spans.windows(2).any(|pair| pair[1].0 < pair[0].1);
        prop_assert_eq!(overlap, total > 86_400, "{} of {} s: {:?}", day, total, spans);
        let (midnight, next) = (day.and_time(chrono::NaiveTime::MIN), day.succ_opt().unwrap());
        let first = (spans[0].0 - midnight).num_seconds();
        prop_assert_eq!(first < 9 * 3600, total >= 15 * 3600, "{} of {} s", day, total);
        prop_assert!(first <= 9 * 3600);
        let end = spans.iter().map(|span| span.1).max().unwrap();
        let end_of_day = next.and_time(chrono::NaiveTime::MIN);
        prop_assert_eq!(end == end_of_day, total >= 86_400);
        prop_assert!(end <= end_of_day);
    }
    Ok(())
}

proptest! {
    #[test]
    fn timeclock_sums_equal_entry_sums(entries in entries()) {
        let read = timeclock(&file(Format::Timeclock, &entries));
        let account = |text: &str| one_line(text).replace(':', "：").replace(';', "；");
        let project = |sums: Sums| -> Sums {
            let bare = |name: &str| name.trim_start_matches(['(', '[', '（', '［']).to_owned();
            let mut merged = Sums::new();
            for ((day, project, task), seconds) in sums {
                *merged.entry((day, bare(&project), task)).or_default() += seconds;
            }
            merged
        };
        let expected = expected_sums(&entries, |text| Some(account(text)).filter(|name| !name.is_empty()).unwrap_or("-".to_owned()));
        prop_assert_eq!(project(sums(&read)), project(expected));
        prop_assert!(read.iter().all(|read| !read.project.starts_with(['(', '['])));
        check_times(&read)?;
    }

    #[test]
    fn calendar_sums_equal_entry_sums(entries in entries()) {
        let read = ics(&file(Format::Ics, &entries));
        let printable = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n")
            .replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        prop_assert_eq!(sums(&read), expected_sums(&entries, printable));
        check_times(&read)?;
    }

    #[test]
    fn klog_sums_equal_entry_sums(entries in entries()) {
        let (read, days) = klog(&file(Format::Klog, &entries));
        let value = |text: &str| {
            let line = one_line(text);
            match (line.contains('"'), line.contains('\'')) {
                (true, true) => line.replace('"', "＂"),
                _ => line,
            }
        };
        let expected = expected_sums(&entries, |text| value(text).trim_matches(['"', '\'']).to_owned());
        prop_assert_eq!(sums(&read), expected.clone());
        let mut exact: BTreeMap<NaiveDate, i64> = BTreeMap::new();
        for ((day, ..), seconds) in expected {
            *exact.entry(day).or_default() += seconds;
        }
        let rounded: BTreeMap<_, _> = exact.into_iter().map(|(day, seconds)| (day, (seconds + 30) / 60)).collect();
        prop_assert_eq!(days, rounded);
    }

    #[test]
    fn json_sums_equal_entry_sums(entries in entries()) {
        let json: serde_json::Value = serde_json::from_str(&file(Format::Json, &entries)).unwrap();
        prop_assert_eq!(&json["entries"], &serde_json::to_value(&entries).unwrap());
        prop_assert_eq!(json.as_object().unwrap().len(), 1);
    }

    #[test]
    fn order_of_entries_does_not_change_the_file(entries in entries(), seed in any::<u64>()) {
        let mut mixed = entries.clone();
        mixed.sort_by_key(|entry| {
            let id: uuid::Uuid = entry.id.to_string().parse().unwrap();
            id.as_u128().wrapping_mul(u128::from(seed | 1)) % 97
        });
        for format in [Format::Klog, Format::Timeclock, Format::Ics] {
            prop_assert_eq!(file(format, &entries), file(format, &mixed));
        }
    }
}

#[test]
fn long_day_starts_early_and_time_over_24_hours_wraps_around() {
    let spans = |hours: &[i64]| -> Vec<String> {
        let entries: Vec<_> =
            (1..).zip(hours).map(|(number, hours)| entry(number, "A", "x", hours * 100, 0, 0)).collect();
        let read = timeclock(&file(Format::Timeclock, &entries));
        let times = read.iter().map(|read| {
            let (start, end) = read.span.unwrap();
            format!("{}-{}", start.format("%H"), end.format("%d %H"))
        });
        times.collect()
    };
    assert_eq!(spans(&[7, 7]), ["09-20 16", "16-20 23"]);
    assert_eq!(spans(&[8, 8]), ["07-20 15", "15-20 23"]);
    assert_eq!(spans(&[24]), ["00-21 00"]);
    assert_eq!(spans(&[20, 10, 0]), ["00-20 20", "20-21 00", "00-20 06", "06-20 06"]);
}

#[test]
fn the_last_days_of_the_calendar_are_days_too() {
    let mut last = entry(1, "A", "x", 2400, 0, 0);
    last.start_date = "9999-12-30".parse().unwrap();
    last.completion_date = "9999-12-31".parse().unwrap();
    let mut whole = entry(2, "A", "x", 1200, 0, 0);
    whole.start_date = last.completion_date;
    whole.completion_date = last.completion_date;
    let entries = [last, whole];
    let clock = file(Format::Timeclock, &entries);
    assert!(clock.ends_with("\ni 9999-12-31 12:00:00 A:x\no 10000-01-01 00:00:00\n"), "{clock}");
    assert_eq!(ics(&file(Format::Ics, &entries)).iter().map(|read| read.seconds).sum::<i64>(), 36 * 3600);
}

#[test]
fn an_entry_of_all_days_with_few_hours_is_on_few_days() {
    let mut long = entry(1, "A", "x", 3, 0, 0);
    (long.start_date, long.completion_date) = ("0000-01-01".parse().unwrap(), "9999-12-31".parse().unwrap());
    for read in [timeclock(&file(Format::Timeclock, &[long.clone()])), klog(&file(Format::Klog, &[long.clone()])).0] {
        assert_eq!(sums(&read), expected_sums(&[long.clone()], str::to_owned));
    }
}

#[test]
fn no_entries_give_a_valid_file() {
    assert_eq!(file(Format::Klog, &[]), "");
    assert_eq!(timeclock(&file(Format::Timeclock, &[])), []);
    assert_eq!(ics(&file(Format::Ics, &[])), []);
    assert_eq!(file(Format::Json, &[]), "{\n  \"entries\": []\n}\n");
}
