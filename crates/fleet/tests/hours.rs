//! Tests that hours of large groups are shown and hours of small groups are hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Date32Array, RecordBatch, StringViewArray, TimestampSecondArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, UInt32Type};
use chrono::NaiveDate;
use datafusion::prelude::SessionContext;
use dayledger_fleet::hours::{CoveredDays, GroupBy, statement};
use dayledger_udfs::interval::DayStart;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::test_team::{NAMES, TestTeam, rows};

/// An interval in which a person used an application. `hours` are whole hours of `day`, and day 0 is 5 January 2026.
#[derive(Debug, Clone)]
struct AppInterval {
    person: u8,
    application: u8,
    day: i32,
    hours: std::ops::Range<i64>,
}

fn app_interval() -> impl Strategy<Value = AppInterval> {
    (0..9_u8, 0..6_u8, 0..10_i32, 0..20_i64, 0..4_i64).prop_map(|(person, application, day, start, length)| {
        AppInterval { person, application, day, hours: start..start + length }
    })
}

const MONDAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();

impl AppInterval {
    fn date(&self) -> NaiveDate {
        MONDAY + chrono::Days::new(self.day.unsigned_abs().into())
    }

    fn key(&self, by: GroupBy) -> String {
        match by {
            GroupBy::Application => format!("app {}", self.application),
            GroupBy::Day => self.date().to_string(),
            GroupBy::Week => if self.day < 7 { "2026-01-05" } else { "2026-01-12" }.to_owned(),
            GroupBy::All => "all".to_owned(),
        }
    }
}

/// Returns the hours of each person for each row name. Empty rows are left out.
fn expected_hours(intervals: &[AppInterval], by: GroupBy) -> BTreeMap<String, BTreeMap<u8, u32>> {
    let mut hours: BTreeMap<String, BTreeMap<u8, BTreeSet<(i32, i64)>>> = BTreeMap::new();
    for interval in intervals.iter().filter(|stretch| !stretch.hours.is_empty()) {
        let of_key = hours.entry(interval.key(by)).or_default().entry(interval.person).or_default();
        of_key.extend(interval.hours.clone().map(|hour| (interval.day, hour)));
    }
    let counted = |of: BTreeMap<u8, BTreeSet<_>>| {
        of.into_iter().map(|(person, hours)| (person, u32::try_from(hours.len()).unwrap())).collect()
    };
    hours.into_iter().map(|(key, of)| (key, counted(of))).collect()
}

/// Returns the rows of the statement for these intervals: name, number of people and hours.
async fn query_hours(intervals: &[AppInterval], by: GroupBy, least: u16) -> Vec<(String, usize, u32)> {
    let mut session = SessionContext::new();
    dayledger_udfs::register(&mut session, DayStart::default()).unwrap();
    let at = |interval: &AppInterval, hour: i64| (i64::from(interval.day) * 24 + hour) * 3600;
    let times = |of: &dyn Fn(&AppInterval) -> i64| -> ArrayRef {
        Arc::new(intervals.iter().map(|interval| Some(of(interval))).collect::<TimestampSecondArray>())
    };
    let texts = |of: &dyn Fn(&AppInterval) -> String| -> ArrayRef {
        Arc::new(intervals.iter().map(|interval| Some(of(interval))).collect::<StringViewArray>())
    };
    let epoch = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
    let day = |interval: &AppInterval| i32::try_from((interval.date() - epoch).num_days()).unwrap();
    let columns: [(&str, ArrayRef); 5] = [
        ("person", texts(&|interval| format!("person {}", interval.person))),
        ("name", texts(&|interval| interval.key(GroupBy::Application))),
        ("date", Arc::new(intervals.iter().map(|interval| Some(day(interval))).collect::<Date32Array>())),
        ("start_utc", times(&|interval| at(interval, interval.hours.start))),
        ("end_utc", times(&|interval| at(interval, interval.hours.end))),
    ];
    session.register_batch("days", RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    let people = (0..9).map(|person| format!("person {person}")).collect();
    let covered = CoveredDays { days: MONDAY..MONDAY + chrono::Days::new(10), people };
    let sql = statement(&[covered], by, NonZeroU16::new(least).unwrap());
    let call = "pieces_by_day('applications', '2026-01-05', '2026-01-15')";
    assert!(sql.contains(call), "{sql}");
    let batches = session.sql(&sql.replace(call, "days")).await.unwrap().collect().await.unwrap();
    let of_batch = |batch: &RecordBatch| {
        let names = cast(batch.column(0), &DataType::Utf8).unwrap();
        let people = batch.column(1).as_primitive::<Int64Type>().clone();
        // The intervals consist of whole hours, so the conversion is exact.
        let hours = cast(batch.column(2), &DataType::UInt32).unwrap().as_primitive::<UInt32Type>().clone();
        let row = |row| {
            let name = names.as_string::<i32>().value(row).to_owned();
            (name, usize::try_from(people.value(row)).unwrap(), hours.value(row))
        };
        (0..names.len()).map(row).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of_batch).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn groups_below_the_minimum_are_not_shown(
        stretches in vec(app_interval(), 1..40),
        by in prop_oneof![Just(GroupBy::Application), Just(GroupBy::Day), Just(GroupBy::Week), Just(GroupBy::All)],
        least in 1..6_u16,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(query_hours(&stretches, by, least));
        let mut rest = expected_hours(&stretches, by);
        let all: u32 = rest.values().flat_map(BTreeMap::values).sum();
        let everybody: BTreeSet<u8> = rest.values().flat_map(|of| of.keys().copied()).collect();
        for (name, people, hours) in result.iter().filter(|(name, ..)| name != "(others)") {
            let of = rest.remove(name).unwrap();
            prop_assert!(*people >= usize::from(least));
            prop_assert_eq!(*people, of.len());
            prop_assert_eq!(*hours, of.values().sum::<u32>());
        }
        let others = result.iter().find(|(name, ..)| name == "(others)");
        let left: BTreeSet<u8> = rest.values().flat_map(|of| of.keys().copied()).collect();
        match others {
            Some((_, people, hours)) => {
                prop_assert!(left.len() >= usize::from(least));
                prop_assert_eq!(*people, left.len());
                prop_assert_eq!(*hours, rest.values().flat_map(BTreeMap::values).sum::<u32>());
            }
            // If there is no row `(others)`, either all rows are shown or the result is empty.
            None => prop_assert!(rest.is_empty() || result.is_empty()),
        }
        let sum: u32 = result.iter().map(|(.., hours)| hours).sum();
        prop_assert!(result.is_empty() || sum == all);
        // The result is empty only if there are fewer than `least` people in total.
        prop_assert_eq!(result.is_empty(), everybody.len() < usize::from(least));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn team_hours_are_the_sum_of_each_persons_hours() {
    let team = TestTeam::export().await;
    let date = |day| NaiveDate::from_ymd_opt(2025, 3, day).unwrap();
    let covered = [CoveredDays { days: date(3)..date(15), people: NAMES.map(str::to_owned).to_vec() }];
    let least = |people| NonZeroU16::new(people).unwrap();
    let whole = rows(&team.engine(), &statement(&covered, GroupBy::All, least(3))).await;
    let mut hours = 0.0;
    for name in NAMES {
        let sql = "SELECT union_seconds(start_utc, end_utc) FROM pieces('2025-03-03', '2025-03-15')";
        hours += rows(&team.person_engine(name), sql).await[0].parse::<f64>().unwrap() / 3600.0;
    }
    let total: f64 = whole[0].strip_prefix("all | 3 | ").unwrap().parse().unwrap();
    assert!((total - hours).abs() < 0.01, "{total}, not {hours}");
    assert!(rows(&team.engine(), &statement(&covered, GroupBy::Application, least(4))).await.is_empty());
    assert!(rows(&team.engine(), &statement(&covered, GroupBy::Day, least(2))).await.len() > 3);
}

/// A statement for many ranges is deeply nested. A person with a gap in their export appears in several ranges.
#[tokio::test(flavor = "multi_thread")]
async fn ranges_of_days_add_up() {
    let team = TestTeam::export().await;
    let date = |day| NaiveDate::from_ymd_opt(2025, 3, day).unwrap();
    let all = |days| CoveredDays { days, people: NAMES.map(str::to_owned).to_vec() };
    let least = NonZeroU16::MIN;
    let whole = rows(&team.engine(), &statement(&[all(date(3)..date(15))], GroupBy::Day, least)).await;
    let days: Vec<_> = (3..15).map(|day| all(date(day)..date(day + 1))).collect();
    assert_eq!(rows(&team.engine(), &statement(&days, GroupBy::Day, least)).await, whole);
    let one_by_one: Vec<_> = days
        .iter()
        .flat_map(|part| NAMES.map(|name| CoveredDays { days: part.days.clone(), people: vec![name.to_owned()] }))
        .collect();
    assert_eq!(rows(&team.engine(), &statement(&one_by_one, GroupBy::Day, least)).await, whole);
}
