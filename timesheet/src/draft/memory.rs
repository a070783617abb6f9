//! What was logged before for the same files, sites and applications.

use std::collections::{BTreeMap, HashMap};

use super::active_period::ActivePeriod;
use super::names::Target;
use crate::entry::TimeEntry;
use crate::span::Span;
use crate::used_item::{ItemKind, UsedItem};

/// Of what was logged for a file, site or application, one project has to have at least this part to be learned from it,
/// in percent.
pub const MIN_SHARE: i64 = 67;
/// And at least so many seconds have to have been logged for it.
pub const MIN_SECONDS: i64 = 300;

/// Seconds that were logged for each file, site and application, by project and task.
///
/// It is made of earlier entries and what each was drafted from; nothing is weighed by age. Asked for a stretch, the most telling thing decides that anything was logged for: its file,
/// else its site, else its application. The project with the most seconds there is the answer, with the task that has most
/// of them, where it has [`MIN_SHARE`] percent of at least [`MIN_SECONDS`]; else there is none, for a file that two
/// projects share says more than the editor that it was opened with. Of equals it is the lesser name.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    logged: HashMap<(ItemKind, String), BTreeMap<String, BTreeMap<String, i64>>>,
}

/// What earlier entries say of a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryMatch {
    /// What was logged for the like of it.
    pub target: Target,
    /// By what it was known.
    pub by: ItemKind,
    /// The project's part of what was logged for it, in whole percent, cut off.
    pub share: i64,
}

impl Memory {
    /// Adds what an entry was drafted from.
    pub fn learn(&mut self, entry: &TimeEntry, known_by: &[UsedItem]) {
        for UsedItem { by, text, seconds } in known_by {
            let projects = self.logged.entry((*by, text.clone())).or_default();
            let tasks = projects.entry(entry.project_code.clone()).or_default();
            *tasks.entry(entry.task.clone()).or_default() += seconds;
        }
    }

    /// What earlier entries say of that stretch.
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

/// The one with most, and of equals the first.
fn max_by_weight<V>(values: &BTreeMap<String, V>, weight: impl Fn(&V) -> i64) -> Option<(&String, &V)> {
    values.iter().rev().max_by_key(|(_, value)| weight(value))
}

impl ActivePeriod {
    /// An order that does not depend on where a stretch stands in a list.
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
