//! Corrections: time that was logged on another target than suggested, from which rules can be proposed.

use std::collections::BTreeMap;

use super::active_period::{ActivePeriod, WorkLabel};
use super::memory::{MIN_SECONDS, MIN_SHARE};
use super::names::{ProjectNames, Target};
use super::work::{Origin, choose_target};
use crate::logged::{LoggedEntry, evidence_spans};
use crate::span::{resolve_overlaps, split_by_covers};

/// Time with one word in common that was logged on another target than its tags, rules and blocks suggest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction<W> {
    /// The word, such as a site.
    pub word: W,
    /// The target that it was logged on.
    pub target: Target,
    /// The seconds that were logged on the target although another target, or none, was suggested.
    pub seconds: i64,
    /// The target's share of everything that was logged for the word, in percent, rounded down.
    pub share: i64,
    /// The rule that suggested another target for most of these seconds, if any.
    pub against: Option<String>,
}

/// The seconds of a word that were logged on one target.
#[derive(Debug, Default)]
struct LoggedTime {
    seconds: i64,
    corrected: i64,
    against: BTreeMap<String, i64>,
}

/// Returns the corrections that the logged entries imply for these intervals, longest first.
///
/// A word becomes a correction if at least [`MIN_SECONDS`] were logged on another target than suggested, and if that
/// target has at least [`MIN_SHARE`] percent of all time logged for the word. Tagged time is never a correction,
/// because tags take precedence over rules. As in a draft, each second counts once.
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
