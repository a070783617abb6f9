//! Tagged time and the states of the computer, which are told as they are recorded, cut at the range alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::clock::Stretch;
use super::history::{History, STATES, TAGS};

/// What is told by name: stretches as they are, each with its device or without one, and seconds, each counted once.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) stretches: Vec<(&'static str, Option<usize>, Stretch)>,
    pub(super) totals: BTreeMap<&'static str, BTreeSet<i64>>,
}

impl Named {
    fn add(&mut self, name: &'static str, device: Option<usize>, stretch: Option<Stretch>) {
        if let Some(stretch) = stretch {
            self.stretches.push((name, device, stretch));
            self.totals.entry(name).or_default().extend(stretch.utc());
        }
    }
}

/// The states of all computers in a local range.
pub(super) fn states(history: &History, range: &Range<i64>) -> Named {
    let mut states = Named::default();
    for (number, device) in history.devices.iter().enumerate() {
        for row in device.usage.iter().flatten() {
            let stretch = row.stretch(device.zone).and_then(|stretch| stretch.within(range));
            states.add(STATES[row.about].2, Some(number), stretch);
        }
    }
    states
}

/// Tagged time in a local range.
pub(super) fn tags(history: &History, range: &Range<i64>) -> Named {
    let mut tags = Named::default();
    for (zone, rows) in &history.tags {
        for row in rows {
            tags.add(TAGS[row.about], None, row.stretch(*zone).and_then(|stretch| stretch.within(range)));
        }
    }
    tags
}
