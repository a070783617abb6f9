//! Computes recorded time: ManicTime's hourly totals, and activities for hours without totals
//! (docs/spec/time.md#recorded-time).

use std::collections::BTreeMap;
use std::ops::Range;

use super::clock::{DAY, HOUR, Zone};
use super::history::{Device, History, HourlyTotals, Row, STATES};
use super::recorded::states;

/// The recorded seconds of a subject in a local hour: the sum over rows and hourly totals of all timelines.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordedSeconds(i64);

impl RecordedSeconds {
    pub(super) fn seconds(&self) -> usize {
        usize::try_from(self.0).unwrap()
    }
}

/// The sources of the time in a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sources {
    /// Whether a timeline had no hourly totals on a day.
    pub(super) fallback: bool,
    /// Whether the hourly totals of a timeline ended before its activities on a day.
    pub(super) lag: bool,
}

/// The recorded time of a range of whole hours.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// The recorded time by local hour and subject.
    pub(super) hours: BTreeMap<(i64, usize), RecordedSeconds>,
    pub(super) sources: Sources,
    /// Whether a device was used in the range without an application row. Only set for applications.
    pub(super) unnamed_use: bool,
}

impl Usage {
    /// Sums the recorded time by group. `group` returns the group of an hour and a subject.
    pub(super) fn sum_by<K: Ord>(&self, group: impl Fn(i64, usize) -> Option<K>) -> BTreeMap<K, RecordedSeconds> {
        let mut sums = BTreeMap::<K, RecordedSeconds>::new();
        for ((hour, about), recorded) in &self.hours {
            if let Some(key) = group(*hour, *about) {
                sums.entry(key).or_default().0 += recorded.0;
            }
        }
        sums
    }

    fn add(&mut self, hour: i64, about: usize, seconds: i64) {
        self.hours.entry((hour, about)).or_default().0 += seconds;
    }
}

/// Returns the recorded time of applications.
pub(super) fn applications(history: &History, range: &Range<i64>) -> Usage {
    let mut usage = Usage { unnamed_use: has_unnamed_use(history, range), ..Usage::default() };
    for device in &history.devices {
        for (rows, hours) in device.applications.iter().zip(&device.application_hours) {
            // Rows without a group are left out, because hourly tables don't contain them.
            let mut totals = hours.totals(rows, device.zone);
            totals.retain(|(_, about), _| *about < super::history::APPLICATIONS.len());
            add_timeline(&mut usage, rows, device.zone, &totals, range);
        }
    }
    usage
}

/// Whether a device was used in a local range in which it has no application row (docs/spec/time.md#missing-data).
fn has_unnamed_use(history: &History, range: &Range<i64>) -> bool {
    let has_application = |device: &Device| {
        let mut rows = device.applications.iter().flatten().filter_map(|row| row.stretch(device.zone));
        rows.any(|row| row.clip(range).is_some())
    };
    let is_unnamed = |device: Option<usize>| device.is_some_and(|number| !has_application(&history.devices[number]));
    let states = states(history, range).stretches;
    states.iter().any(|(state, device, _)| *state == STATES[0].2 && is_unnamed(*device))
}

/// Returns the recorded time of the documents that `counts` accepts. Documents have their own hourly table.
pub(super) fn documents(history: &History, range: &Range<i64>, counts: impl Fn(usize) -> bool) -> Usage {
    let mut usage = Usage::default();
    for device in &history.devices {
        for (rows, hours) in device.documents.iter().zip(&device.document_hours) {
            let mut totals = hours.totals(rows, device.zone);
            totals.retain(|(_, about), _| counts(*about));
            let rows: Vec<_> = rows.iter().copied().filter(|row| counts(row.about)).collect();
            add_timeline(&mut usage, &rows, device.zone, &totals, range);
        }
    }
    usage
}

fn add_timeline(usage: &mut Usage, rows: &[Row], zone: Zone, totals: &HourlyTotals, range: &Range<i64>) {
    for ((hour, about), seconds) in totals {
        if range.contains(hour) {
            usage.add(*hour, *about, *seconds);
        }
    }
    let last_of_day: BTreeMap<_, _> = totals.keys().map(|(hour, _)| (hour.div_euclid(DAY), *hour)).collect();
    for row in rows {
        for (hour, part) in row.stretch(zone).into_iter().flat_map(|stretch| stretch.split_by(HOUR)) {
            let last = last_of_day.get(&hour.div_euclid(DAY));
            if range.contains(&hour) && last.is_none_or(|last| hour > *last) {
                usage.sources.fallback |= last.is_none();
                usage.sources.lag |= last.is_some();
                usage.add(hour, row.about, i64::try_from(part.utc().count()).unwrap());
            }
        }
    }
}

/// Returns the recorded time if only totals remain for the hours that overlap a range. A response for such a range
/// reports recorded time.
pub(super) fn remaining_totals(history: &History, range: &Range<i64>) -> Option<Usage> {
    let rows = |device: &Device| device.applications.iter().flatten().map(|row| row.stretch(device.zone)).collect();
    let mut rows = history.devices.iter().flat_map(|device| -> Vec<_> { rows(device) }).flatten();
    let hours = range.start.div_euclid(HOUR) * HOUR..(range.end + HOUR - 1).div_euclid(HOUR) * HOUR;
    let usage = applications(history, &hours);
    let any_row = rows.any(|row| row.clip(range).is_some());
    (!any_row && !usage.hours.is_empty()).then_some(usage)
}
