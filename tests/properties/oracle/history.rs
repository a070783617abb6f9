//! Generates random histories: the activity of a user on each device in UTC seconds, with all possible oddities.

use std::collections::BTreeMap;
use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;

use super::clock::{CHANGE, HOUR, LocalInterval, Zone, text};

/// The time at which rows begin.
pub(super) const FIRST: i64 = CHANGE - 5 * HOUR;

/// A row of a timeline. Its subject is a number whose meaning depends on the timeline.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) about: usize,
    /// Whether the times of the row are unreadable text.
    pub(super) unreadable: bool,
    /// The application row to which this row belongs, as an index in the device's first applications timeline.
    pub(super) related: Option<usize>,
}

impl Row {
    /// Returns the row's interval on the clock of `zone`, or `None` if the row has no duration.
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

/// The rows of a timeline, in order of their ids. The ids are counted from 1.
pub(super) type Timeline = Vec<Row>;

/// A device with its timelines. A device can lack a timeline of a role, or have several timelines of a role.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) zone: Zone,
    pub(super) usage: Vec<Timeline>,
    pub(super) applications: Vec<Timeline>,
    pub(super) documents: Vec<Timeline>,
    /// The hourly tables of applications. There is one for each applications timeline, in the same order.
    pub(super) application_hours: Vec<Hourly>,
    /// The hourly tables of documents. There is one for each documents timeline, in the same order.
    pub(super) document_hours: Vec<Hourly>,
}

/// The keys and names of applications, by [`Row::about`]. Rows with a higher number don't have a group.
pub(super) const APPLICATIONS: [(&str, &str); 3] =
    [("code.exe;code", "Code"), ("slack.exe;slack", "Slack"), ("firefox.exe;firefox", "Firefox")];
/// The index of the browser in [`APPLICATIONS`].
pub(super) const BROWSER: usize = 2;
/// The states of a computer: the key, a name in the user's language, and the name in responses.
pub(super) const STATES: [(&str, &str, &str); 4] = [
    ("ManicTime/Active", "Aktiv", "active"),
    ("ManicTime/Away", "Abwesend", "away"),
    ("ManicTime/SessionLocked", "Gesperrt", "locked"),
    ("ManicTime/PowerOff", "Aus", "off"),
];
/// Sites. The last one is an incorrectly parsed path instead of a site.
pub(super) const SITES: [&str; 3] = ["docs.example", "news.example", "x"];
/// Files: the path, and the name in responses. The numbers of the files follow after the numbers of the sites.
pub(super) const FILES: [(&str, &str); 2] = [("C:\\work\\plan.md", "file:///C:/work/plan.md"), ("notes", "notes")];
/// The names of tags.
pub(super) const TAGS: [&str; 2] = ["Client A, Development", "Internal"];

/// The content of ManicTime's hourly tables for a timeline: the seconds of each subject in each local hour.
pub(super) type HourlyTotals = BTreeMap<(i64, usize), i64>;

/// How the hourly tables of a timeline differ from its rows.
#[derive(Clone, Debug)]
pub(super) struct Hourly {
    /// Whether the tables exist.
    filled: bool,
    /// The local hour at which the totals end, counted from the hour of the first row.
    until: i64,
    /// Hours for which the tables contain totals, although the timeline has no rows in these hours.
    lonely: Vec<(i64, usize, i64)>,
}

impl Hourly {
    /// Returns the content of the hourly tables for `rows`. Rows are split at local hours, with the UTC offset at the
    /// start of each row. Totals that come from rows have an additional second, so that a test can recognise which
    /// source was used.
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
        // A local hour that is repeated lasts at most two hours. Sums ignore a higher total.
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

/// The devices, and the timelines of tags. Tags belong to the user, not to a device.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) devices: Vec<Device>,
    pub(super) tags: Vec<(Zone, Timeline)>,
}

/// The oddities that a history may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Oddities {
    /// The clocks that devices may have.
    pub(super) zones: &'static [Zone],
    /// The maximum number of devices.
    pub(super) devices: usize,
    /// The maximum number of timelines of one role per device.
    pub(super) timelines: usize,
    /// Whether rows of a timeline may overlap, start simultaneously, be out of order, or have no duration.
    pub(super) rows: bool,
    /// Whether a device may lack a computer usage timeline.
    pub(super) without_usage: bool,
    /// Whether hourly totals may end before the rows, or cover hours without rows.
    pub(super) totals: bool,
}

impl Oddities {
    /// No oddities: one device with a constant clock.
    pub(super) const NONE: Self =
        Self { zones: &[Zone::STEADY], devices: 1, timelines: 1, rows: false, without_usage: false, totals: false };
    /// Devices with clocks that change or are unusual.
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
    /// Rows that ManicTime should never write.
    pub(super) const ROWS: Self = Self { timelines: 2, rows: true, without_usage: true, ..Self::NONE };
    /// Several devices.
    pub(super) const DEVICES: Self = Self { devices: 3, without_usage: true, ..Self::NONE };
    /// Hourly totals that end before or after the rows.
    pub(super) const TOTALS: Self = Self { totals: true, ..Self::NONE };
    /// All oddities together.
    pub(super) const ALL: Self = Self { zones: Self::CLOCKS.zones, devices: 2, totals: true, ..Self::ROWS };
}

/// Numbers of seconds at which the result of a rule changes.
const LENGTHS: [i64; 12] = [1, 5, 6, 29, 30, 31, 120, 121, 246, 247, 300, 301];

/// The position of a row's start.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The row starts this number of seconds after the end of the previous row.
    After(i64),
    /// The row starts this number of seconds before the end of the previous row.
    Before(i64),
    /// The row starts at the start of the previous row.
    There,
}

/// Generates the rows of one timeline. Gaps and lengths are between seconds and hours. Rows often touch, and often end
/// at a full hour.
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

/// If a row belongs to an application row, both rows usually start simultaneously. The row then ends with the
/// application row or earlier. Every third row is an exception.
fn relate(row: &mut Row, applications: &[Row]) {
    row.related = row.related.filter(|related| *related < applications.len());
    let belongs_to = row.related.filter(|_| row.start % 3 != 0 && row.start < row.end);
    if let Some(activity) = belongs_to.map(|related| applications[related]).filter(|row| row.start < row.end) {
        let length = row.end - row.start;
        (row.start, row.end) = (activity.start, activity.end.min(activity.start + length));
    }
}

/// Turns about half of the states into active use: the states that start at an even second.
fn mostly_active(mut timelines: Vec<Timeline>) -> Vec<Timeline> {
    for row in timelines.iter_mut().flatten() {
        if row.start % 2 == 0 {
            row.about = 0;
        }
    }
    timelines
}

/// Generates a history with these oddities.
pub(super) fn history(odd: Oddities) -> impl Strategy<Value = History> {
    let devices = prop::collection::vec(device(odd), 1..=odd.devices);
    let tags = prop::collection::vec((select(odd.zones), timeline(TAGS.len(), 5, 20_000, odd)), 0..=2);
    (devices, tags).prop_map(|(devices, tags)| History { devices, tags })
}
