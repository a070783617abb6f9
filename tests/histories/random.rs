//! Small random histories, around the weekend on which the user's clock goes back an hour.
//!
//! The rows of a timeline don't overlap. Gaps, lengths, applications and states are random. Tests also know the content
//! of each second directly. Therefore they can check results by counting seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::{DateTime, NaiveDate};
use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};
use proptest::prelude::*;

use super::open_history::OpenHistory;
use dayledger::request::DateRange;

/// The time of the clock change, 2026-10-25 01:00 UTC. The local time changes from 03:00 to 02:00.
pub(crate) const CHANGE: i64 = 1_792_890_000;
/// The time at which the rows begin, 2026-10-24 20:00 local time.
const FIRST: i64 = CHANGE - 7 * 3_600;

/// The applications. The last one is a browser.
const APPLICATIONS: [(&str, &str); 3] =
    [("code.exe;code", "Code"), ("slack.exe;slack", "Slack"), ("firefox.exe;firefox", "Firefox")];

/// A row with its times in UTC seconds. Its subject is a number whose meaning depends on the timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimelineRow {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) about: usize,
}

/// The rows of one device. The rows of each timeline are in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) applications: Vec<TimelineRow>,
    pub(crate) active: Vec<TimelineRow>,
    pub(crate) documents: Vec<TimelineRow>,
}

impl Device {
    /// Returns every UTC second in which the device was used. Such a second is in an application row and in an Active
    /// row.
    pub(crate) fn seconds(&self) -> BTreeSet<i64> {
        let seconds = |rows: &[TimelineRow]| rows.iter().flat_map(|row| row.start..row.end).collect::<BTreeSet<_>>();
        &seconds(&self.applications) & &seconds(&self.active)
    }

    /// Returns the same device with rows split at the clock change.
    pub(crate) fn split_at_clock_change(&self) -> Self {
        let cut = |rows: &[TimelineRow]| {
            rows.iter().flat_map(|row| halves(*row, CHANGE)).filter(|row| row.start < row.end).collect()
        };
        Self { applications: cut(&self.applications), active: cut(&self.active), documents: cut(&self.documents) }
    }

    /// Returns the same device with every application row split at `share` percent of its length.
    pub(crate) fn split_rows(&self, share: i64) -> Self {
        let cut = |row: &TimelineRow| halves(*row, row.start + (row.end - row.start) * share / 100);
        let applications = self.applications.iter().flat_map(cut).filter(|row| row.start < row.end).collect();
        Self { applications, ..self.clone() }
    }
}

fn halves(row: TimelineRow, at: i64) -> [TimelineRow; 2] {
    let at = at.clamp(row.start, row.end);
    [TimelineRow { end: at, ..row }, TimelineRow { start: at, ..row }]
}

/// Generates rows in order of time. Gaps are between zero and hours long, and rows are between a second and hours long.
fn rows(count: Range<usize>, longest: i64) -> impl Strategy<Value = Vec<TimelineRow>> {
    let gap = prop_oneof![4 => Just(0), 2 => 1..60_i64, 1 => 60..600_i64, 1 => 600..9_000_i64];
    let length = prop_oneof![2 => 1..60_i64, 2 => 60..1_200_i64, 1 => 1_200..longest];
    prop::collection::vec((gap, length, 0..3_usize), count).prop_map(|rows| {
        let mut end = FIRST;
        let place = |(gap, length, about)| {
            let start = end + gap;
            end = start + length;
            TimelineRow { start, end, about }
        };
        rows.into_iter().map(place).collect()
    })
}

/// Generates a device with rows in all its timelines.
pub(crate) fn device() -> impl Strategy<Value = Device> {
    (rows(1..40, 20_000), rows(1..8, 40_000), rows(0..20, 9_000)).prop_map(|(applications, active, documents)| Device {
        applications,
        active,
        documents,
    })
}

impl OpenHistory {
    /// Writes the rows of `devices`, with the tables of `options` and exact hourly tables.
    pub(crate) fn from_devices(devices: &[Device], options: &SchemaOptions) -> Self {
        Self::create(options, |writer| {
            for (number, device) in devices.iter().enumerate() {
                write_device(writer, number, device);
            }
            writer.fill_hourly_tables().unwrap();
        })
    }
}

pub(crate) fn write_device(writer: &mut HistoryWriter, number: usize, device: &Device) {
    let environment = format!("device-{number}");
    // The timelines of two devices use the same activity ids.
    let first = i64::try_from(number).unwrap() * 10 + 1;
    writer.add_environment(&environment, &environment, None).unwrap();
    let (usage, applications, documents) = (first, first + 1, first + 2);
    writer.add_timeline(&Timeline::computer_usage(usage, &environment)).unwrap();
    writer.add_timeline(&Timeline::applications(applications, &environment)).unwrap();
    writer.add_timeline(&Timeline::documents(documents, &environment)).unwrap();
    let active = writer.add_group(usage, &Group::state("ManicTime/Active", "Aktiv")).unwrap();
    for row in &device.active {
        writer.add_activity(usage, &Activity::new("Aktiv", span(*row)).group(active).active(true)).unwrap();
    }
    let groups: Vec<_> = APPLICATIONS
        .iter()
        .map(|(key, name)| writer.add_group(applications, &Group::application(key, name)).unwrap())
        .collect();
    for row in &device.applications {
        writer.add_activity(applications, &Activity::new("Active", span(*row)).group(groups[row.about])).unwrap();
    }
    let groups = [Group::web_site("docs.example"), Group::web_site("x"), Group::file("/home/ada/plan.md", "plan.md")];
    let groups = groups.map(|group| writer.add_group(documents, &group).unwrap());
    for row in &device.documents {
        let name = ["https://docs.example/a", "file:x", "/home/ada/plan.md"][row.about];
        writer.add_activity(documents, &Activity::new(name, span(*row)).group(groups[row.about])).unwrap();
    }
}

/// Writes one device that was used `count` times. Each use takes a minute and is followed by a minute without use.
pub(crate) fn write_many(writer: &mut HistoryWriter, count: i64) {
    let uses = (0..count).map(|number| FIRST + 120 * number);
    let active = uses.map(|start| TimelineRow { start, end: start + 60, about: 0 }).collect();
    write_device(writer, 0, &Device { applications: Vec::new(), active, documents: Vec::new() });
}

fn span(row: TimelineRow) -> Span {
    // If a row ends at the clock change, its end has the UTC offset from before the change.
    let end = Moment { utc: row.end, offset: offset(row.end - 1) };
    Span { start: Moment { utc: row.start, offset: offset(row.start) }, end }
}

/// Returns the UTC offset at a time, in seconds.
fn offset(utc: i64) -> i64 {
    if utc < CHANGE { 7_200 } else { 3_600 }
}

/// Returns the range of all histories, in local days.
pub(crate) fn range() -> DateRange {
    days("2026-10-24", "2026-11-14")
}

/// Returns the range of the local days from `start`, excluding `end`.
pub(crate) fn days(start: &str, end: &str) -> DateRange {
    DateRange::parse(start, end, ("startDate", "endDate")).unwrap()
}

/// Counts the `seconds` in each local hour. The key is the local start of the hour.
pub(crate) fn by_hour(seconds: impl IntoIterator<Item = i64>) -> BTreeMap<String, i64> {
    let mut hours = BTreeMap::new();
    for second in seconds {
        let local = DateTime::from_timestamp(second + offset(second), 0).unwrap();
        *hours.entry(local.format("%Y-%m-%d %H").to_string()).or_default() += 1;
    }
    hours
}

/// Counts the `seconds` in each local day.
pub(crate) fn by_day(seconds: impl IntoIterator<Item = i64>) -> BTreeMap<NaiveDate, i64> {
    let mut days = BTreeMap::new();
    for second in seconds {
        *days.entry(DateTime::from_timestamp(second + offset(second), 0).unwrap().date_naive()).or_default() += 1;
    }
    days
}
