//! Finds the project and task of an interval from earlier entries with the same file, site or application.

use std::collections::{BTreeMap, HashMap};

use super::names::{ProjectNames, Target};
use super::work::{ActivePeriod, Origin, WorkLabel, choose_target};
use crate::entry::{ItemKind, TimeEntry, UsedItem};
use crate::logged::{LoggedEntry, evidence_spans};
use crate::span::{Span, resolve_overlaps, split_by_covers};

/// The minimum share of a project in all time logged for a file, site or application, in percent.
pub const MIN_SHARE: i64 = 67;
/// The minimum number of seconds that must have been logged for a file, site or application.
pub const MIN_SECONDS: i64 = 300;

/// The seconds that were logged for each file, site and application, by project and task.
///
/// The memory is built from earlier entries and the files, sites and applications from which they were drafted. The age
/// of the entries doesn't matter.
///
/// For an interval, the most specific attribute with logged time decides: the file, then the site, then the
/// application. The result is the project with the most logged seconds, and the task of this project with the most
/// seconds. There is a result only if at least [`MIN_SECONDS`] were logged for the attribute, at least [`MIN_SHARE`]
/// percent of them on the project. Less specific attributes are not tried: if two projects share a file, the
/// application that opened the file is even less conclusive. Ties are resolved alphabetically.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    logged: HashMap<(ItemKind, String), BTreeMap<String, BTreeMap<String, i64>>>,
}

/// The project and task that earlier entries suggest for an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryMatch {
    /// The suggested project and task.
    pub target: Target,
    /// The attribute that matched: the file, the site or the application.
    pub by: ItemKind,
    /// The project's percentage of all time logged for the attribute, rounded down.
    pub share: i64,
}

impl Memory {
    /// Adds the files, sites and applications from which an entry was drafted.
    pub fn learn(&mut self, entry: &TimeEntry, known_by: &[UsedItem]) {
        for UsedItem { by, text, seconds } in known_by {
            let projects = self.logged.entry((*by, text.clone())).or_default();
            let tasks = projects.entry(entry.project_code.clone()).or_default();
            *tasks.entry(entry.task.clone()).or_default() += seconds;
        }
    }

    /// Returns the project and task that earlier entries suggest for the interval, if any.
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

/// Returns the key with the greatest weight. If several keys have this weight, returns the alphabetically first.
fn max_by_weight<V>(values: &BTreeMap<String, V>, weight: impl Fn(&V) -> i64) -> Option<(&String, &V)> {
    values.iter().rev().max_by_key(|(_, value)| weight(value))
}

impl ActivePeriod {
    /// Returns a sort key of all fields, so that the order of the input doesn't matter.
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
            [&self.application, &self.document, &self.site, &self.title, &self.note, &self.meeting].map(Clone::clone),
            self.is_away,
        )
    }

    /// Converts the interval to a span. `of` becomes [`Span::of`].
    pub fn span(&self, of: usize) -> Span {
        Span { start: self.start_utc, end: self.end_utc, of }
    }
}

/// Logged time with the same word, for which the tags, rules and blocks suggested another target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction<W> {
    /// The word that the time has in common, such as a site.
    pub word: W,
    /// The target on which the time was logged.
    pub target: Target,
    /// The seconds that were logged on the target although another target, or no target, was suggested.
    pub seconds: i64,
    /// The target's percentage of all time logged for the word, rounded down.
    pub share: i64,
    /// The rule that suggested another target. If there are several, it is the rule with the most seconds.
    pub against: Option<String>,
}

/// The seconds of a word that were logged on one target.
#[derive(Debug, Default)]
struct LoggedTime {
    seconds: i64,
    corrected: i64,
    against: BTreeMap<String, i64>,
}

/// Finds corrections: words whose time was logged on another target than suggested. The word with the most corrected
/// seconds comes first.
///
/// A word gives a correction if at least [`MIN_SECONDS`] were logged on a target that wasn't suggested. In addition,
/// this target must have at least [`MIN_SHARE`] percent of all time logged for the word. Tagged time never counts as
/// corrected, because tags take precedence over rules. As in a draft, each second counts once.
pub fn corrections<W: Ord>(
    intervals: &[ActivePeriod],
    entries: &[LoggedEntry<'_>],
    names: &ProjectNames<'_>,
    word: impl Fn(&ActivePeriod) -> Option<W>,
) -> Vec<Correction<W>> {
    let start = intervals.iter().map(|interval| interval.start_utc).min().unwrap_or_default();
    let end = intervals.iter().map(|interval| interval.end_utc).max().unwrap_or_default();
    let mut entries = entries.to_vec();
    entries.sort_by(LoggedEntry::compare_creation);
    let mut order: Vec<_> = intervals.iter().collect();
    order.sort_by_cached_key(|interval| interval.sort_key());
    let spans = order.iter().enumerate().map(|(of, stretch)| stretch.span(of));
    let (under, _) = split_by_covers(&resolve_overlaps(spans), &evidence_spans(&entries, start, end));

    let mut words: BTreeMap<W, BTreeMap<Target, LoggedTime>> = BTreeMap::new();
    for (span, of) in under {
        let interval = order[span.of];
        let Some(word) = word(interval) else { continue };
        let (entry, seconds) = (entries[of].entry, span.seconds());
        let target = Target { project: entry.project_code.clone(), task: Some(entry.task.clone()) };
        let said = choose_target((&interval.label, &interval.rule_label, &interval.block), names);
        let logged = words.entry(word).or_default().entry(target.clone()).or_default();
        logged.seconds += seconds;
        match said {
            Some((_, said)) if said == target => {}
            _ if matches!(interval.label, WorkLabel::Tag(_)) => {}
            said => {
                logged.corrected += seconds;
                if let Some((Origin::Rule { name }, _)) = said {
                    *logged.against.entry(name).or_default() += seconds;
                }
            }
        }
    }
    let mut corrections: Vec<_> = words.into_iter().filter_map(|(word, targets)| correction(word, targets)).collect();
    corrections.sort_by_key(|correction| std::cmp::Reverse(correction.seconds));
    corrections
}

fn correction<W>(word: W, targets: BTreeMap<Target, LoggedTime>) -> Option<Correction<W>> {
    let all: i64 = targets.values().map(|logged| logged.seconds).sum();
    let (target, logged) = targets.into_iter().rev().max_by_key(|(_, logged)| logged.seconds)?;
    let share = logged.seconds * 100 / all.max(1);
    let against = logged.against.into_iter().rev().max_by_key(|(_, seconds)| *seconds).map(|(name, _)| name);
    (logged.corrected >= MIN_SECONDS && share >= MIN_SHARE).then_some(Correction {
        word,
        target,
        seconds: logged.corrected,
        share,
        against,
    })
}
