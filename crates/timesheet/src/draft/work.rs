//! Active time with each second counted once, and the target of each interval.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::memory::{HistoryMatch, Memory};
use super::names::{ProjectNames, Target};
use crate::day::Day;
use crate::entry::{Evidence, ItemKind};
use crate::span::{Span, resolve_overlaps};

/// The source of a second's project and task. The most certain source comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "by")]
pub enum Origin {
    /// A person's tag.
    Tag {
        /// Its parts, as in `Client A, Development`.
        name: String,
    },
    /// A rule.
    Rule {
        /// Its name.
        name: String,
    },
    /// The label of the surrounding block.
    Block {
        /// The tag, or project and task.
        name: String,
    },
    /// Earlier entries with the same file, site or application.
    Learned {
        /// The attribute that matched.
        from: ItemKind,
        /// The project's share of the time logged for it, in percent.
        share: i64,
    },
    /// No source: the time is unassigned.
    Nothing,
}

/// The source of some of the seconds of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowSource {
    /// The source.
    #[serde(flatten)]
    pub origin: Origin,
    /// The number of seconds.
    pub seconds: i64,
}

/// An interval with its resolved target.
#[derive(Debug)]
pub(super) struct Work<'s> {
    pub(super) period: &'s ActivePeriod,
    pub(super) origin: Origin,
    /// The target, unless no source sets a project.
    pub(super) target: Option<Target>,
}

/// The active time of a range, and the tagged time away from the computer.
///
/// The target of an interval comes from its most certain source with a known project. If no project is known, the most
/// certain source is used unchanged.
///
/// A second in several intervals counts once, for the interval with the most certain source: tag, rule, block, earlier
/// entries, none. Ties go to the alphabetically first device (a device without a name first), then to the earliest
/// start, then to the smaller texts, so that the order of the input doesn't matter.
#[derive(Debug)]
pub(super) struct ActiveTime<'s> {
    pub(super) work: Vec<Work<'s>>,
    /// In time order. `of` is an index into `work`.
    pub(super) spans: Vec<Span>,
    /// The seconds of each day, active or away.
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

    /// Returns the seconds of the spans that are away from the computer.
    pub(super) fn away_seconds(&self, spans: &[Span]) -> i64 {
        spans.iter().filter(|span| self.work(**span).period.is_away).map(|span| span.seconds()).sum()
    }

    pub(super) fn day(&self, span: Span) -> Day {
        self.work(span).period.day
    }

    /// Converts spans to evidence. Adjacent spans of one device become one interval, which has an activity if all of
    /// its spans have the same.
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

/// Chooses the target from the label, the rule of a tagged interval and the block.
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

/// Returns the target of a block.
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

/// An active interval of one device on one local date, with one label and one set of attributes, or an interval of
/// tagged time away from the computer.
///
/// The caller splits intervals at local midnight and at every change. Redacted texts are absent. The draft ignores an
/// interval that ends no later than it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePeriod {
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The local date on the device's clock.
    pub day: Day,
    /// The UTC offset of the device's clock in seconds.
    pub utc_offset: i64,
    /// The device that recorded the interval.
    pub device: Option<String>,
    /// The activity in the history that contains the interval.
    pub activity: Option<i64>,
    /// Whether no device was active, so that only a tag shows the work.
    pub is_away: bool,
    /// The tag or rule that assigns the work.
    pub label: WorkLabel,
    /// A rule that also matched a tagged interval. It is the fallback if the tag doesn't match a known project.
    pub rule_label: WorkLabel,
    /// The label of the surrounding block, from a tag or a rule. It is the fallback if nothing else matches a known
    /// project, for example for a page that was looked up in between.
    pub block: WorkLabel,
    /// The foreground application.
    pub application: Option<String>,
    /// The file, as a `file:` URI or in the form of the history.
    pub document: Option<String>,
    /// The site, such as `github.com`.
    pub site: Option<String>,
    /// The title of a note that was taken during the interval about the same work.
    pub note: Option<String>,
    /// The name of a meeting that took place during the interval and belongs to the same work.
    pub meeting: Option<String>,
    /// The window title.
    pub title: Option<String>,
}

/// The source of an interval's label. As everywhere, a person's tag takes precedence over a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkLabel {
    /// A tag as a list of its parts: client, project and task, or some of these.
    Tag(Vec<String>),
    /// A rule that sets a project.
    Rule {
        /// The rule's name.
        name: String,
        /// The project that it sets.
        project: String,
        /// The task that it sets, if any.
        task: Option<String>,
    },
    /// Neither a tag nor a rule.
    #[default]
    Nothing,
}

impl ActivePeriod {
    /// Returns the file, the site and the application, the most specific first.
    pub(super) fn used_items(&self) -> impl Iterator<Item = (ItemKind, &str)> {
        let traits = [
            (ItemKind::Document, &self.document),
            (ItemKind::Site, &self.site),
            (ItemKind::Application, &self.application),
        ];
        traits.into_iter().filter_map(|(kind, text)| text.as_deref().map(|text| (kind, text)))
    }
}
