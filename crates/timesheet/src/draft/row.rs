//! Rows of a draft. Each row contains the uncovered time of one day, project and task.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::DraftInput;
use super::description::{Describer, RowText};
use super::names::{ProjectNames, RowNote, Target};
use super::settings::Settings;
use super::version::{RowId, RowVersion};
use super::work::{ActiveTime, Origin, RowSource};
use crate::apportion::{Share, distribute};
use crate::day::Day;
use crate::entry::{Evidence, ItemKind, NewEntry, UsedItem};
use crate::hours::Hours;
use crate::logged::{evidence_spans, seconds};
use crate::refusal::Refusal;
use crate::span::{Span, split_by_covers};

/// Hours of one day on one task, which the user checks and then logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The id, which is the same in every draft for the same day, project and task.
    pub id: RowId,
    /// The version, which changes if the evidence or the sources of the project change.
    pub version: RowVersion,
    /// The local date.
    pub day: Day,
    /// The project's code. `None` if no project is known.
    pub project_code: Option<String>,
    /// The task, if known.
    pub task: Option<String>,
    /// The rounded hours. The hours of all rows of a day add up to the rounded time of the day.
    pub hours: Hours,
    /// The exact number of seconds in the evidence.
    pub seconds: i64,
    /// The number of the row's seconds during which the user was away from the computer.
    #[serde(default)]
    pub away_seconds: i64,
    /// Active seconds of the same day, project and task that existing entries cover.
    pub logged_seconds: i64,
    /// A description of the work, in words that a client may read.
    pub description: Option<String>,
    /// A ticket that the window titles contain in at least half of the time.
    pub issue_id: Option<String>,
    /// The sources of the project, the source with the most seconds first.
    pub named_by: Vec<RowSource>,
    /// The confidence that the project is right, in percent, rounded down. The confidence is the average of a value for
    /// each second. The value is 100 for a tag, 80 for a rule, 60 for a block, and 0 without a source. For earlier
    /// entries, the value is 60 % of the share in [`Origin::Learned`]. If a note says that the row can't be logged yet,
    /// the confidence is at most 50.
    pub confidence: u8,
    /// Reasons why the row can't be logged yet.
    pub notes: Vec<RowNote>,
    /// The active intervals of the row, in time order.
    pub evidence: Vec<Evidence>,
    /// The files, sites and applications used in the evidence, the longest used first, at most [`MAX_ITEMS`].
    #[serde(default)]
    pub known_by: Vec<UsedItem>,
}

/// The maximum number of files, sites and applications that a row contains.
pub const MAX_ITEMS: usize = 40;

/// Uncovered time of one day, project and task that didn't become a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkippedTime {
    /// The reason why the time was skipped.
    pub reason: SkipReason,
    /// The local date.
    pub day: Day,
    /// The project's code, if known.
    pub project_code: Option<String>,
    /// The task, if known.
    pub task: Option<String>,
    /// The number of skipped seconds.
    pub seconds: i64,
    /// The skipped intervals, in time order.
    pub evidence: Vec<Evidence>,
}

/// The reason why time is skipped. If both reasons apply, it is `TooShort`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SkipReason {
    /// The time is shorter than the minimum for a row.
    TooShort,
    /// The hours round to zero. The rounded total of the day still includes this time, as hours of other rows.
    RoundedAway,
}

impl Row {
    /// Whether the user has to confirm that the time was work. Totals don't include the hours of such a row.
    pub fn is_unconfirmed(&self) -> bool {
        self.notes.contains(&RowNote::Unconfirmed)
    }

    /// Returns the entry to log, with its evidence.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for `projectCode` if the row has no project, or for `task` if it has no task.
    pub fn to_entry(&self) -> Result<NewEntry, Refusal> {
        let missing = |field, what| {
            Refusal::invalid(field, format_args!("row `{}` of {} has no {what}: pass one", self.id, self.day))
        };
        let project = self.project_code.as_deref().ok_or_else(|| missing("projectCode", "project"))?;
        let task = self.task.as_deref().ok_or_else(|| missing("task", "task"))?;
        Ok(NewEntry {
            issue_id: self.issue_id.clone(),
            description: self.description.clone(),
            evidence: self.evidence.clone(),
            known_by: self.known_by.clone(),
            ..NewEntry::new(project, task, self.hours, self.day, self.day)
        })
    }
}

/// Finds the current version of a row before it is logged. `kept` is the row in the draft that the user checked, and
/// `now` are the rows of a new draft.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `rows` if the row no longer exists, or if its evidence or sources have changed since `kept`.
pub fn find_unchanged<'r>(kept: &Row, now: &'r [Row]) -> Result<&'r Row, Refusal> {
    let Row { id, day, hours, .. } = kept;
    let refusal = |why| Refusal::invalid("rows", format_args!("row `{id}` of {day} {why}. Draft the day again"));
    let row = now.iter().find(|row| row.id == *id);
    let row = row.ok_or_else(|| {
        refusal(format!("no longer exists: its {hours} hours are logged, not included or assigned to another task"))
    })?;
    if row.version == kept.version {
        return Ok(row);
    }
    Err(refusal(format!("has changed since it was drafted, from {hours} to {} hours or in its activity", row.hours)))
}

type Key = (Day, Option<Target>);

/// Converts the uncovered time to rows. Returns the rows and the skipped time, both ordered by day. Within a day, the
/// longest rows come first.
pub(super) fn rows(
    active: &ActiveTime<'_>,
    free: &[Span],
    covered: &[Span],
    names: &ProjectNames<'_>,
    settings: &Settings,
) -> (Vec<Row>, Vec<SkippedTime>) {
    let mut days: BTreeMap<Day, Vec<Group>> = BTreeMap::new();
    for ((day, target), spans) in group_spans(active, free) {
        days.entry(day).or_default().push(Group { day, target, spans });
    }
    let logged = group_spans(active, covered);
    let mut describer = Describer::new(&settings.patterns);
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for (day, mut groups) in days {
        groups.sort_by_key(|group| Reverse(group.seconds()));
        let is_long = |group: &Group| group.seconds() >= settings.min_seconds;
        let (kept, short): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_long);
        left_out.extend(short.iter().map(|group| group.to_skipped(active, SkipReason::TooShort)));
        for (group, hours) in kept.iter().zip(round_hours(&kept, settings.round_to)) {
            if hours == Hours::ZERO {
                left_out.push(group.to_skipped(active, SkipReason::RoundedAway));
                continue;
            }
            let logged = logged.get(&(day, group.target.clone())).map_or(0, |spans| total_seconds(spans));
            let words = describer.describe(active, &group.spans, group.target.as_ref());
            let notes = group.target.as_ref().map_or(Vec::new(), |target| names.notes(target));
            rows.push(Row { logged_seconds: logged, ..group.row(active, hours, words, notes) });
        }
    }
    (rows, left_out)
}

/// Creates rows that the user must confirm. Seconds that are evidence of an entry are left out. Each row is rounded
/// separately. Rows that are too short or round to zero are left out.
pub(super) fn unconfirmed_rows(input: &DraftInput<'_>, settings: &Settings) -> Vec<Row> {
    let active = ActiveTime::new(input.unconfirmed, input.names, input.memory);
    let (Some(first), Some(last)) = (active.spans.first(), active.spans.last()) else { return Vec::new() };
    let (_, free) = split_by_covers(&active.spans, &evidence_spans(input.entries, first.start, last.end));
    let mut groups: BTreeMap<(Key, Option<&str>), Vec<Span>> = BTreeMap::new();
    for span in free {
        let work = active.work(span);
        let meeting = if work.target.is_none() { work.period.meeting.as_deref() } else { None };
        groups.entry(((work.period.day, work.target.clone()), meeting)).or_default().push(span);
    }
    let mut describer = Describer::new(&settings.patterns);
    let rows = groups.into_iter().filter_map(|(((day, target), meeting), spans)| {
        let group = Group { day, target, spans };
        let hours = *round_hours(std::slice::from_ref(&group), settings.round_to).first()?;
        if group.seconds() < settings.min_seconds || hours == Hours::ZERO {
            return None;
        }
        let words = describer.describe(&active, &group.spans, group.target.as_ref());
        let notes = group.target.as_ref().map_or(Vec::new(), |target| input.names.notes(target));
        let row = group.row(&active, hours, words, notes.into_iter().chain([RowNote::Unconfirmed]).collect());
        let id = RowId::for_unconfirmed(day, row.project_code.as_deref(), row.task.as_deref(), meeting);
        Some(Row { id, ..row })
    });
    rows.collect()
}

/// Groups the spans by day and target. The spans of a group are in time order.
fn group_spans(active: &ActiveTime<'_>, spans: &[Span]) -> BTreeMap<Key, Vec<Span>> {
    let mut groups: BTreeMap<Key, Vec<Span>> = BTreeMap::new();
    for span in spans {
        groups.entry((active.day(*span), active.work(*span).target.clone())).or_default().push(*span);
    }
    groups
}

/// Rounds the groups of a day so that they add up to the rounded sum of their seconds. For the sum, half a step rounds
/// up. The hours of a group differ from its exact time by less than a step. The groups with the largest remainders are
/// rounded up. If remainders are equal, the group with the most seconds is rounded up first. If the seconds are equal
/// too, the order of projects and tasks decides, with unassigned time first.
fn round_hours(groups: &[Group], round_to: Hours) -> Vec<Hours> {
    let step = seconds(round_to).max(1);
    let total: i64 = groups.iter().map(Group::seconds).sum();
    let steps = (total * 2 + step) / (step * 2);
    let share = |group: &Group| Share { whole: group.seconds() / step, remainder: i128::from(group.seconds() % step) };
    let parts = distribute(steps, &groups.iter().map(share).collect::<Vec<_>>());
    parts.into_iter().map(|part| Hours::from_hundredths(part * round_to.hundredths())).collect()
}

/// The uncovered time of one day, project and task.
struct Group {
    day: Day,
    target: Option<Target>,
    spans: Vec<Span>,
}

impl Group {
    fn seconds(&self) -> i64 {
        total_seconds(&self.spans)
    }

    fn names(&self) -> (Option<String>, Option<String>) {
        (
            self.target.as_ref().map(|target| target.project.clone()),
            self.target.as_ref().and_then(|target| target.task.clone()),
        )
    }

    fn to_skipped(&self, active: &ActiveTime<'_>, reason: SkipReason) -> SkippedTime {
        let (project_code, task) = self.names();
        let evidence = active.evidence(&self.spans);
        SkippedTime { reason, day: self.day, project_code, task, seconds: self.seconds(), evidence }
    }

    /// Creates the row. The caller sets `logged_seconds`, which depends on the other entries of the day.
    fn row(&self, active: &ActiveTime<'_>, hours: Hours, words: RowText, notes: Vec<RowNote>) -> Row {
        let (project_code, task) = self.names();
        let named_by = row_sources(active, &self.spans);
        let evidence = active.evidence(&self.spans);
        Row {
            id: RowId::new(self.day, project_code.as_deref(), task.as_deref()),
            version: RowVersion::from_row(project_code.as_deref(), task.as_deref(), &named_by, &evidence),
            day: self.day,
            project_code,
            task,
            hours,
            seconds: self.seconds(),
            away_seconds: active.away_seconds(&self.spans),
            logged_seconds: 0,
            description: words.description,
            issue_id: words.issue_id,
            confidence: confidence(&named_by, &notes),
            named_by,
            notes,
            evidence,
            known_by: used_items(active, &self.spans),
        }
    }
}

/// Returns the sources of the spans' seconds, the source with the most seconds first. If two sources have the same
/// number of seconds, the more certain source comes first.
fn row_sources(active: &ActiveTime<'_>, spans: &[Span]) -> Vec<RowSource> {
    let mut origins: BTreeMap<&Origin, i64> = BTreeMap::new();
    for span in spans {
        *origins.entry(&active.work(*span).origin).or_default() += span.seconds();
    }
    let mut named: Vec<_> =
        origins.into_iter().map(|(origin, seconds)| RowSource { origin: origin.clone(), seconds }).collect();
    named.sort_by_key(|named| Reverse(named.seconds));
    named
}

/// Returns the files, sites and applications used in the spans, the longest used first.
pub(super) fn used_items(active: &ActiveTime<'_>, spans: &[Span]) -> Vec<UsedItem> {
    let mut things: BTreeMap<(ItemKind, &str), i64> = BTreeMap::new();
    for span in spans {
        for thing in active.work(*span).period.used_items() {
            *things.entry(thing).or_default() += span.seconds();
        }
    }
    let known = things.into_iter().map(|((by, text), seconds)| UsedItem { by, text: text.to_owned(), seconds });
    let mut known: Vec<_> = known.collect();
    known.sort_by_key(|known| Reverse(known.seconds));
    known.truncate(MAX_ITEMS);
    known
}

/// Calculates the confidence as described at [`Row::confidence`].
fn confidence(named_by: &[RowSource], notes: &[RowNote]) -> u8 {
    let percent = |origin: &Origin| match origin {
        Origin::Tag { .. } => 100,
        Origin::Rule { .. } => 80,
        Origin::Block { .. } => 60,
        Origin::Learned { share, .. } => share * 60 / 100,
        Origin::Nothing => 0,
    };
    let seconds: i64 = named_by.iter().map(|named| named.seconds).sum();
    let weighed: i64 = named_by.iter().map(|named| named.seconds * percent(&named.origin)).sum();
    let most = if notes.is_empty() { 100 } else { 50 };
    u8::try_from((weighed / seconds.max(1)).clamp(0, most)).unwrap_or_default()
}

fn total_seconds(spans: &[Span]) -> i64 {
    spans.iter().map(|span| span.seconds()).sum()
}
