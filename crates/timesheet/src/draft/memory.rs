//! Lookup of the project that the same files, sites and applications were logged on before.

use std::collections::{BTreeMap, HashMap};

use super::active_period::ActivePeriod;
use super::names::Target;
use crate::entry::TimeEntry;
use crate::entry::{ItemKind, UsedItem};
use crate::span::Span;

/// The minimum share, in percent, that one project needs of all time logged for a file, site or application.
pub const MIN_SHARE: i64 = 67;
/// The minimum number of seconds logged for a file, site or application.
pub const MIN_SECONDS: i64 = 300;

/// Seconds that were logged for each file, site and application, by project and task.
///
/// It is built from earlier entries and the files, sites and applications that they were drafted from, without regard
/// to age. For an interval, the most specific attribute for which time was logged decides: the file, then the site,
/// then the application. The result is the project with the most seconds and its task with the most seconds, if the
/// project has at least [`MIN_SHARE`] percent of at least [`MIN_SECONDS`]. Otherwise there is no result and no less
/// specific attribute is tried: if two projects share a file, the editor says even less. Ties are resolved
/// alphabetically.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    logged: HashMap<(ItemKind, String), BTreeMap<String, BTreeMap<String, i64>>>,
}

/// The project and task that earlier entries suggest for an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryMatch {
    /// The target that was logged for it.
    pub target: Target,
    /// The attribute that matched.
    pub by: ItemKind,
    /// The project's share of the time logged for the attribute, in percent, rounded down.
    pub share: i64,
}

impl Memory {
    /// Adds the files, sites and applications that an entry was drafted from.
    pub fn learn(&mut self, entry: &TimeEntry, known_by: &[UsedItem]) {
        for UsedItem { by, text, seconds } in known_by {
            let projects = self.logged.entry((*by, text.clone())).or_default();
            let tasks = projects.entry(entry.project_code.clone()).or_default();
            *tasks.entry(entry.task.clone()).or_default() += seconds;
        }
    }

    /// Returns the target that earlier entries suggest for the interval.
    pub fn recall(&self, interval: &ActivePeriod) -> Option<HistoryMatch> {
        let known = |(kind, text): (ItemKind, &str)| Some((kind, self.logged.get(&(kind, text.to_owned()))?));
        let (by, projects) = interval.used_items().find_map(known)?;
        let sum = |tasks: &BTreeMap<String, i64>| tasks.values().sum::<i64>();
        let all: i64 = projects.values().map(sum).sum();
        let (project, tasks) = max_by_weight(projects, sum)?;
        let (task, _) = max_by_weight(tasks, |seconds| *seconds)?;
        let share = sum(tasks) * 100 / all.max(1);
        let target = Target { project: project.clone(), task: Some(task.clone()) };
        (all >= MIN_SECONDS && share >= MIN_SHARE).then_some(HistoryMatch { target, by, share })
    }
}

/// Returns the key with the greatest weight; the first in order if several are equal.
fn max_by_weight<V>(values: &BTreeMap<String, V>, weight: impl Fn(&V) -> i64) -> Option<(&String, &V)> {
    values.iter().rev().max_by_key(|(_, value)| weight(value))
}

impl ActivePeriod {
    /// Returns a sort key that doesn't depend on the order of the input.
    pub(super) fn sort_key(&self) -> impl Ord {
        (
            self.device.clone(),
            self.start_utc,
            self.end_utc,
            self.day,
            self.activity,
            self.label.clone(),
            self.rule_label.clone(),
            self.block.clone(),
            [&self.application, &self.document, &self.site, &self.title].map(Clone::clone),
        )
    }

    pub(super) fn span(&self, of: usize) -> Span {
        Span { start: self.start_utc, end: self.end_utc, of }
    }
}
