//! Counts days, hours and groups. Each minute counts once (docs/spec/time.md#minutes-that-count-once).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::attribution::site;
use super::clock::{DAY, LocalInterval};
use super::history::{History, Row};
use super::pieces::{active, clip_to_active, pieces_in};

/// The activity of one local day.
#[derive(Clone, Debug, Default)]
pub(super) struct Day {
    pub(super) seconds: BTreeSet<i64>,
    /// The seconds of each application.
    pub(super) applications: BTreeMap<usize, BTreeSet<i64>>,
    pub(super) first: Option<i64>,
    pub(super) last: Option<i64>,
}

impl Day {
    fn add(&mut self, about: usize, interval: LocalInterval) {
        self.seconds.extend(interval.utc());
        self.applications.entry(about).or_default().extend(interval.utc());
        let (start, end) = (interval.start.local, interval.end.local);
        self.first = Some(self.first.map_or(start, |first| first.min(start)));
        self.last = Some(self.last.map_or(end, |last| last.max(end)));
    }
}

/// Returns the days with activity in a local range. The keys are the local midnights.
pub(super) fn days(history: &History, range: &Range<i64>) -> BTreeMap<i64, Day> {
    units(history, range, DAY)
}

/// Returns the same as [`days`], for any unit of the local clock.
pub(super) fn units(history: &History, range: &Range<i64>, unit: i64) -> BTreeMap<i64, Day> {
    let mut days = BTreeMap::<i64, Day>::new();
    for piece in pieces_in(history, range) {
        for (day, part) in piece.stretch.split_by(unit) {
            days.entry(day).or_default().add(piece.about, part);
        }
    }
    days
}

/// Returns the seconds of each application in the whole range.
pub(super) fn applications(history: &History, range: &Range<i64>) -> BTreeMap<usize, BTreeSet<i64>> {
    let mut totals = BTreeMap::<_, BTreeSet<i64>>::new();
    for piece in pieces_in(history, range) {
        totals.entry(piece.about).or_default().extend(piece.stretch.utc());
    }
    totals
}

/// Returns the seconds of active use for each name of documents rows. `name` returns the name of a row.
fn documents<'a>(
    history: &History,
    range: &Range<i64>,
    name: impl Fn(&Row) -> Option<&'a str>,
) -> BTreeMap<&'a str, BTreeSet<i64>> {
    let mut totals = BTreeMap::<_, BTreeSet<i64>>::new();
    for device in &history.devices {
        let active = active(device);
        for row in device.documents.iter().flatten() {
            let (Some(stretch), Some(name)) = (row.stretch(device.zone), name(row)) else { continue };
            for part in clip_to_active(stretch, active.as_deref()).into_iter().filter_map(|part| part.clip(range)) {
                totals.entry(name).or_default().extend(part.utc());
            }
        }
    }
    totals
}

/// Returns the seconds of active use by site.
pub(super) fn websites(history: &History, range: &Range<i64>) -> BTreeMap<&'static str, BTreeSet<i64>> {
    documents(history, range, site)
}

/// Whether documents rows of one device overlap. No rule defines which of these rows gets the shared time.
pub(super) fn documents_overlap(history: &History) -> bool {
    history.devices.iter().any(|device| {
        let rows = device.documents.iter().flatten();
        let mut rows: Vec<_> = rows.filter_map(|row| row.stretch(device.zone)).collect();
        rows.sort();
        rows.windows(2).any(|pair| pair[1].start.utc < pair[0].end.utc)
    })
}
