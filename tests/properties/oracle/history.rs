//! Random histories: the activity of a person on each device, second by second of UTC, with all possible oddities.

use std::collections::BTreeMap;
use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;

use super::clock::{CHANGE, HOUR, LocalInterval, Zone, text};

/// Rows begin here.
pub(super) const FIRST: i64 = CHANGE - 5 * HOUR;

/// A row of a timeline, with its subject: a number whose meaning depends on the timeline.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) about: usize,
    /// Whether its times are unreadable text.
    pub(super) unreadable: bool,
    /// The index of the row in the device's first applications timeline that this row belongs to.
    pub(super) related: Option<usize>,
}

impl Row {
    /// The interval on the clock of `zone`, or `None` for a row without duration.
    pub(super) fn stretch(&self, zone: Zone) -> Option<LocalInterval> {
        let has_extent = !self.unreadable && self.start < self.end;
        has_extent.then(|| LocalInterval { start: zone.at(self.start), end: zone.at(self.end) })
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}Z..{}Z about {}", text(self.start), text(self.end), self.about)?;
        let related = self.related.map(|row| format!(" of row {row}"));
        write!(out, "{}{}", related.unwrap_or_default(), if self.unreadable { " unreadable" } else { "" })
    }
}

/// Rows in order of their ids, which count from 1.
pub(super) type Timeline = Vec<Row>;

/// A device with its timelines. It can lack a timeline of a role, or have several.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) zone: Zone,
    pub(super) usage: Vec<Timeline>,
    pub(super) applications: Vec<Timeline>,
    pub(super) documents: Vec<Timeline>,
    /// The hourly tables of applications, one per timeline, in order.
    pub(super) application_hours: Vec<Hourly>,
    /// The hourly tables of documents.
    pub(super) document_hours: Vec<Hourly>,
}

/// Applications, by [`Row::about`]: key, name. Higher numbers don't have a group.
pub(super) const APPLICATIONS: [(&str, &str); 3] =
    [("code.exe;code", "Code"), ("slack.exe;slack", "Slack"), ("firefox.exe;firefox", "Firefox")];
/// The browser among them.
pub(super) const BROWSER: usize = 2;
/// The states of a computer: key, a name in the user's language, and the name in responses.
pub(super) const STATES: [(&str, &str, &str); 4] = [
    ("ManicTime/Active", "Aktiv", "active"),
    ("ManicTime/Away", "Abwesend", "away"),
    ("ManicTime/SessionLocked", "Gesperrt", "locked"),
    ("ManicTime/PowerOff", "Aus", "off"),
];
/// Sites. The last one is an incorrectly parsed path.
pub(super) const SITES: [&str; 3] = ["docs.example", "news.example", "x"];
/// Files, numbered after the sites: path, and the name in responses.
pub(super) const FILES: [(&str, &str); 2] = [("C:\\work\\plan.md", "file:///C:/work/plan.md"), ("notes", "notes")];
/// Tags.
pub(super) const TAGS: [&str; 2] = ["Client A, Development", "Internal"];

/// The content of ManicTime's hourly tables for a timeline: seconds of a subject in a local hour.
pub(super) type HourlyTotals = BTreeMap<(i64, usize), i64>;

/// The differences between the hourly tables of a timeline and its rows.
#[derive(Clone, Debug)]
pub(super) struct Hourly {
    /// Whether the tables exist.
    filled: bool,
    /// The local hour at which they end, counted from the hour of the first row.
    until: i64,
    /// Hours for which the tables contain totals without rows.
    lonely: Vec<(i64, usize, i64)>,
}

impl Hourly {
    /// Returns the content of the tables for rows, split at the hours of their own clock. Totals from rows have an
    /// additional second, so that a test can see which source was used.
    pub(super) fn totals(&self, rows: &[Row], zone: Zone) -> HourlyTotals {
        let mut totals = HourlyTotals::new();
        let first = zone.at(FIRST).local.div_euclid(HOUR) * HOUR;
        for row in rows.iter().filter(|_| self.filled) {
            for (hour, part) in row.stretch(zone).into_iter().flat_map(|stretch| stretch.split_by(HOUR)) {
                if hour < first + self.until * HOUR {
                    *totals.entry((hour, row.about)).or_insert(1) += part.seconds();
                }
            }
        }
        for (hour, about, seconds) in &self.lonely {
            *totals.entry((first + hour * HOUR, *about)).or_default() += seconds;
        }
        // The maximum of a local hour with repeated hours. Sums ignore a higher total.
        for seconds in totals.values_mut() {
            *seconds = (*seconds).min(2 * HOUR);
        }
        totals
    }
}

fn hourly(kinds: usize, odd: Oddities) -> impl Strategy<Value = Hourly> {
    let until = if odd.totals { prop_oneof![2 => Just(100), 1 => 0..20_i64].boxed() } else { Just(100).boxed() };
    let most = if odd.totals { 2 } else { 0 };
    let lonely = prop::collection::vec((-30..30_i64, 0..kinds, 1..1_000_i64), 0..=most);
    (prop::bool::weighted(0.7), until, lonely).prop_map(|(filled, until, lonely)| Hourly { filled, until, lonely })
}

/// All devices, and the timelines of tags, which belong to the person.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) devices: Vec<Device>,
    pub(super) tags: Vec<(Zone, Timeline)>,
}

/// The oddities of a history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oddities {
    /// The clocks.
    pub(super) zones: &'static [Zone],
    /// The maximum number of devices.
    pub(super) devices: usize,
    /// The maximum number of timelines of one role per device.
    pub(super) timelines: usize,
    /// Whether rows of a timeline overlap, start simultaneously, are out of order, or don't have a duration.
    pub(super) rows: bool,
    /// Whether a device can lack computer usage.
    pub(super) without_usage: bool,
    /// Whether hourly totals end before the rows, or cover hours without rows.
    pub(super) totals: bool,
}

impl Oddities {
    /// One device with a constant clock.
    pub(super) const NONE: Self =
        Self { zones: &[Zone::STEADY], devices: 1, timelines: 1, rows: false, without_usage: false, totals: false };
    /// Clocks that change or are unusual.
    pub(super) const CLOCKS: Self = Self {
        zones: &[
            Zone::BACK,
            Zone::FORWARD,
            Zone::BACK_AT_MIDNIGHT,
            Zone::FORWARD_AT_MIDNIGHT,
            Zone::HALF_AN_HOUR_BACK,
            Zone::HALF_AN_HOUR_FORWARD,
            Zone::WESTWARD,
            Zone::EASTWARD,
            Zone::KATHMANDU,
        ],
        ..Self::NONE
    };
    /// Rows that ManicTime should not write.
    pub(super) const ROWS: Self = Self { timelines: 2, rows: true, without_usage: true, ..Self::NONE };
    /// Several devices.
    pub(super) const DEVICES: Self = Self { devices: 3, without_usage: true, ..Self::NONE };
    /// Hourly totals that end before or after the rows.
    pub(super) const TOTALS: Self = Self { totals: true, ..Self::NONE };
    /// All oddities together.
    pub(super) const ALL: Self = Self { zones: Self::CLOCKS.zones, devices: 2, totals: true, ..Self::ROWS };
}

/// Seconds at which a rule changes its result.
const LENGTHS: [i64; 12] = [1, 5, 6, 29, 30, 31, 120, 121, 246, 247, 300, 301];

/// The start of a row.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// This many seconds after the end of the previous row.
    After(i64),
    /// This many seconds before the end of the previous row.
    Before(i64),
    /// At the start of the previous row.
    There,
}

/// Rows of one timeline: touching or with gaps from seconds to hours, seconds to hours long, often ending at a full
/// hour.
fn timeline(kinds: usize, count: usize, longest: i64, odd: Oddities) -> impl Strategy<Value = Timeline> {
    let exact = select(LENGTHS.as_slice());
    let gap = prop_oneof![4 => Just(0), 2 => exact, 2 => 1..60_i64, 2 => 60..400_i64, 1 => 400..9_000_i64];
    let after = gap.prop_map(Place::After);
    let place = if odd.rows {
        prop_oneof![6 => after, 2 => (1..900_i64).prop_map(Place::Before), 1 => Just(Place::There)].boxed()
    } else {
        after.boxed()
    };
    let exact = select(LENGTHS.as_slice());
    let length = prop_oneof![2 => 1..60_i64, 1 => exact, 2 => 60..1_200_i64, 1 => 1_200..longest];
    let length = if odd.rows { prop_oneof![12 => length, 1 => -600..1_i64].boxed() } else { length.boxed() };
    let strikes = prop_oneof![5 => Just(false), 1 => Just(true)];
    let unreadable = prop_oneof![20 => Just(false), 1 => Just(odd.rows)];
    let related = prop::option::of(0..12_usize);
    let row = (place, length, 0..kinds, (strikes, unreadable), related);
    (prop::collection::vec(row, 0..count), any::<bool>()).prop_map(move |(rows, reversed)| {
        let (mut start, mut end) = (FIRST, FIRST);
        let mut rows: Timeline = rows
            .into_iter()
            .map(|(place, length, about, (strikes, unreadable), related)| {
                start = match place {
                    Place::After(gap) => end + gap,
                    Place::Before(overlap) => end - overlap,
                    Place::There => start,
                };
                end = start + length;
                if strikes && length > 0 {
                    end = (end.div_euclid(HOUR / 2) + 1) * HOUR / 2;
                }
                Row { start, end, about, unreadable, related }
            })
            .collect();
        if reversed && odd.rows {
            rows.reverse();
        }
        rows
    })
}

fn timelines(
    least: usize,
    kinds: usize,
    count: usize,
    longest: i64,
    odd: Oddities,
) -> impl Strategy<Value = Vec<Timeline>> {
    prop::collection::vec(timeline(kinds, count, longest, odd), least..=odd.timelines)
}

fn device(odd: Oddities) -> impl Strategy<Value = Device> {
    let usage = timelines(usize::from(!odd.without_usage), STATES.len(), 8, 30_000, odd).prop_map(mostly_active);
    let applications = timelines(1, APPLICATIONS.len() + 1, 14, 20_000, odd);
    let documents = timelines(0, SITES.len() + FILES.len(), 10, 9_000, odd);
    let hours = (
        prop::collection::vec(hourly(APPLICATIONS.len(), odd), odd.timelines),
        prop::collection::vec(hourly(SITES.len() + FILES.len(), odd), odd.timelines),
    );
    (select(odd.zones), usage, applications, documents, hours).prop_map(
        |(zone, usage, applications, documents, hours)| {
            let mut documents = documents;
            documents.iter_mut().flatten().for_each(|row| relate(row, &applications[0]));
            let (application_hours, document_hours) = hours;
            Device { zone, usage, applications, documents, application_hours, document_hours }
        },
    )
}

/// A row that belongs to another one begins with it and doesn't end after it, except for one in three.
fn relate(row: &mut Row, applications: &[Row]) {
    row.related = row.related.filter(|related| *related < applications.len());
    let belongs_to = row.related.filter(|_| row.start % 3 != 0 && row.start < row.end);
    if let Some(activity) = belongs_to.map(|related| applications[related]).filter(|row| row.start < row.end) {
        let length = row.end - row.start;
        (row.start, row.end) = (activity.start, activity.end.min(activity.start + length));
    }
}

/// Every other state is active use.
fn mostly_active(mut timelines: Vec<Timeline>) -> Vec<Timeline> {
    for row in timelines.iter_mut().flatten() {
        if row.start % 2 == 0 {
            row.about = 0;
        }
    }
    timelines
}

/// A history with some oddities.
pub(super) fn history(odd: Oddities) -> impl Strategy<Value = History> {
    let devices = prop::collection::vec(device(odd), 1..=odd.devices);
    let tags = prop::collection::vec((select(odd.zones), timeline(TAGS.len(), 5, 20_000, odd)), 0..=2);
    (devices, tags).prop_map(|(devices, tags)| History { devices, tags })
}
