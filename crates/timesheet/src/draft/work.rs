//! Assigns a project and task to each interval of active time, and ensures that each second is counted once.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::memory::{HistoryMatch, Memory};
use super::names::{ProjectNames, Target};
use crate::day::Day;
use crate::entry::{Evidence, ItemKind};
use crate::span::{Span, resolve_overlaps};

/// The source from which a second got its project and task. The most certain source comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "by")]
pub enum Origin {
    /// A tag that the user set.
    Tag {
        /// The levels of the tag, such as `Client A, Development`.
        name: String,
    },
    /// A rule of the user.
    Rule {
        /// The name of the rule.
        name: String,
    },
    /// The tag or rule of the surrounding block.
    Block {
        /// The levels of the tag, or the project and task of the rule.
        name: String,
    },
    /// Earlier entries with the same file, site or application.
    Learned {
        /// The attribute that matched: the file, the site or the application.
        from: ItemKind,
        /// The project's percentage of all time logged for this file, site or application.
        share: i64,
    },
    /// The time has no project.
    Nothing,
}

/// A source of a row's project and task, and the time for which it applies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowSource {
    /// The source of the project and task.
    #[serde(flatten)]
    pub origin: Origin,
    /// The number of the row's seconds with this source.
    pub seconds: i64,
}

/// An interval, its project and task, and their source.
#[derive(Debug)]
pub(super) struct Work<'s> {
    pub(super) period: &'s ActivePeriod,
    pub(super) origin: Origin,
    /// The project and task. `None` if no source assigns a project.
    pub(super) target: Option<Target>,
}

/// The active time of a range, and the tagged time away from the computer.
///
/// Each interval gets its target from the most certain source whose project exists. If no source has an existing
/// project, the most certain source is used, and its project stays as written.
///
/// If a second is in several intervals, it counts only for the interval with the most certain source. The order is tag,
/// rule, block, earlier entries, no source. Among equally certain sources, the alphabetically first device is chosen,
/// then the earliest start, and then the smallest values of the other fields. A device without a name comes first. The
/// order of the input therefore doesn't matter.
#[derive(Debug)]
pub(super) struct ActiveTime<'s> {
    pub(super) work: Vec<Work<'s>>,
    /// The intervals after resolving overlaps, in time order. `of` is an index of `work`.
    pub(super) spans: Vec<Span>,
    /// The number of seconds on each day, active or away.
    pub(super) by_day: BTreeMap<Day, i64>,
}

impl<'s> ActiveTime<'s> {
    pub(super) fn new(intervals: &'s [ActivePeriod], names: &ProjectNames<'_>, memory: &Memory) -> Self {
        let mut known = HashMap::new();
        let mut work: Vec<_> = intervals
            .iter()
            .map(|interval| {
                let said = (&interval.label, &interval.rule_label, &interval.block);
                match known.entry(said).or_insert_with(|| choose_target(said, names)).clone() {
                    Some((origin, target)) => Work { period: interval, origin, target: Some(target) },
                    None => Work::from_history(interval, memory.recall(interval)),
                }
            })
            .collect();
        work.sort_by_cached_key(|work| (rank(&work.origin), work.period.sort_key()));
        let spans = resolve_overlaps(work.iter().enumerate().map(|(of, work)| work.period.span(of)));
        let mut by_day = BTreeMap::new();
        for span in &spans {
            *by_day.entry(work[span.of].period.day).or_default() += span.seconds();
        }
        Self { work, spans, by_day }
    }

    pub(super) fn work(&self, span: Span) -> &Work<'s> {
        &self.work[span.of]
    }

    /// Returns the number of seconds in the spans during which the user was away from the computer.
    pub(super) fn away_seconds(&self, spans: &[Span]) -> i64 {
        spans.iter().filter(|span| self.work(**span).period.is_away).map(|span| span.seconds()).sum()
    }

    pub(super) fn day(&self, span: Span) -> Day {
        self.work(span).period.day
    }

    /// Converts spans to evidence. Adjacent spans of the same device become one interval. The interval has an activity
    /// only if all of its spans have this activity.
    pub(super) fn evidence(&self, spans: &[Span]) -> Vec<Evidence> {
        let mut evidence: Vec<Evidence> = Vec::new();
        for span in spans {
            let interval = self.work(*span).period;
            match evidence.last_mut().filter(|last| last.end_utc == span.start && last.device == interval.device) {
                Some(last) => {
                    last.end_utc = span.end;
                    last.activity = last.activity.filter(|activity| interval.activity == Some(*activity));
                }
                None => evidence.push(Evidence {
                    start_utc: span.start,
                    end_utc: span.end,
                    device: interval.device.clone(),
                    activity: interval.activity,
                    utc_offset: Some(interval.utc_offset),
                }),
            }
        }
        evidence
    }
}

impl<'s> Work<'s> {
    fn from_history(interval: &'s ActivePeriod, recollection: Option<HistoryMatch>) -> Self {
        match recollection {
            Some(HistoryMatch { target, by: from, share }) => {
                Self { period: interval, origin: Origin::Learned { from, share }, target: Some(target) }
            }
            None => Self { period: interval, origin: Origin::Nothing, target: None },
        }
    }
}

/// Chooses the most certain target from the label, the rule of a tagged interval, and the block. Targets whose project
/// exists are preferred.
pub(super) fn choose_target(
    (naming, beside, block): (&WorkLabel, &WorkLabel, &WorkLabel),
    names: &ProjectNames<'_>,
) -> Option<(Origin, Target)> {
    let mut said =
        [resolve_label(naming, names), resolve_label(beside, names), resolve_block(block, names)].into_iter().flatten();
    let first = said.next()?;
    if names.is_known(&first.1) {
        return Some(first);
    }
    Some(said.find(|(_, target)| names.is_known(target)).unwrap_or(first))
}

fn resolve_label(naming: &WorkLabel, names: &ProjectNames<'_>) -> Option<(Origin, Target)> {
    match naming {
        WorkLabel::Tag(parts) if parts.is_empty() => None,
        WorkLabel::Tag(parts) => Some((Origin::Tag { name: parts.join(", ") }, names.resolve_tag(parts))),
        WorkLabel::Rule { name, project, task } => {
            Some((Origin::Rule { name: name.clone() }, names.resolve_rule(project, task.as_deref())))
        }
        WorkLabel::Nothing => None,
    }
}

/// Returns the target of a block's label. The origin is [`Origin::Block`].
fn resolve_block(block: &WorkLabel, names: &ProjectNames<'_>) -> Option<(Origin, Target)> {
    let (origin, target) = resolve_label(block, names)?;
    let name = match (origin, block) {
        (_, WorkLabel::Rule { project, task: Some(task), .. }) => format!("{project}, {task}"),
        (_, WorkLabel::Rule { project, .. }) => project.clone(),
        (Origin::Tag { name }, _) => name,
        _ => return None,
    };
    Some((Origin::Block { name }, target))
}

fn rank(origin: &Origin) -> u8 {
    match origin {
        Origin::Tag { .. } => 0,
        Origin::Rule { .. } => 1,
        Origin::Block { .. } => 2,
        Origin::Learned { .. } => 3,
        Origin::Nothing => 4,
    }
}

/// An active interval on one device and one local day, with one label and the same attributes throughout. It can also
/// be an interval of tagged time away from the computer.
///
/// The caller splits the time at the start of days and whenever an attribute changes, and leaves out redacted texts. A
/// draft ignores an interval whose end isn't after its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePeriod {
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The local date according to the UTC offset of the device.
    pub day: Day,
    /// The UTC offset of the device in seconds.
    pub utc_offset: i64,
    /// The device that recorded the interval.
    pub device: Option<String>,
    /// The activity that contains the interval, as its id in the history.
    pub activity: Option<i64>,
    /// Whether the computer wasn't used. In this case, only a tag shows the work.
    pub is_away: bool,
    /// The tag or rule that assigns a project to the interval.
    pub label: WorkLabel,
    /// A rule that also matches a tagged interval. The rule is used if the tag doesn't contain an existing project.
    pub rule_label: WorkLabel,
    /// The label of the surrounding block, from a tag or a rule. It is used if the interval's tag and rule don't set an
    /// existing project. For example, it applies to a web page that was looked up during the work.
    pub block: WorkLabel,
    /// The application in the foreground.
    pub application: Option<String>,
    /// The file, as a `file:` URI or as written in the history.
    pub document: Option<String>,
    /// The site, such as `github.com`.
    pub site: Option<String>,
    /// The title of a note that was taken during the interval and belongs to the same work.
    pub note: Option<String>,
    /// The name of a meeting that took place during the interval and belongs to the same work.
    pub meeting: Option<String>,
    /// The window title.
    pub title: Option<String>,
}

/// The tag or rule that assigns an interval to a project. As everywhere in this program, a tag takes precedence over a
/// rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkLabel {
    /// The levels of a tag: client, project and task, or some of these.
    Tag(Vec<String>),
    /// A rule that sets a project.
    Rule {
        /// The name of the rule.
        name: String,
        /// The project that the rule sets.
        project: String,
        /// The task that the rule sets, if any.
        task: Option<String>,
    },
    /// The interval has neither a tag nor a rule.
    #[default]
    Nothing,
}

impl ActivePeriod {
    /// Returns the file, the site and the application of the interval, in this order. Missing ones are left out.
    pub(super) fn used_items(&self) -> impl Iterator<Item = (ItemKind, &str)> {
        let traits = [
            (ItemKind::Document, &self.document),
            (ItemKind::Site, &self.site),
            (ItemKind::Application, &self.application),
        ];
        traits.into_iter().filter_map(|(kind, text)| text.as_deref().map(|text| (kind, text)))
    }
}
