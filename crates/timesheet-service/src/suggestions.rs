//! Suggests entries by drafting some days. The user reviews the draft, and its rows are then logged by their ids.

use std::collections::BTreeMap;

use chrono::Utc;
use dayledger_timesheet::draft::{
    Draft, ItemKind, Origin, Row, RowId, RowNote, RowSource, Settings, SkipReason, SkippedTime, UsedItem,
};
use dayledger_timesheet::{Day, DraftId, Evidence, Hours};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, SessionInfo};
use super::drafts::{BeyondEvidence, beyond_evidence, draft_days};
use super::entry_export::whole_days;
use super::service::TimesheetService;
use super::work::Work;
use dayledger_request::{DateRange, Error, Minutes, Request, Truncate, Truncation, minutes};

/// The maximum number of days that one request drafts.
pub(super) const MAX_DAYS: i64 = 31;
/// Two intervals of a row are shown as one if the gap between them is smaller than this many seconds.
const MERGE_GAP_SECONDS: i64 = 300;
/// The maximum number of intervals that are shown for a row.
const MAX_INTERVALS: usize = 3;
/// The maximum number of files, sites and applications that are shown for a row.
const MAX_ACTIVITY: usize = 3;
/// The maximum number of sources that are shown for a row, such as tags and rules.
const MAX_NAMES: usize = 2;

/// A request for a draft of whole local days.
#[derive(Debug, Clone)]
pub struct SuggestRequest {
    /// The first and the last day, both included.
    pub days: (Day, Day),
    /// The settings of the draft.
    pub settings: Settings,
    /// The session of the caller.
    pub call_session: CallSession,
}

impl SuggestRequest {
    /// Creates a request for a range with an exclusive end, at most 31 days long.
    ///
    /// # Errors
    /// Fails if the range is longer than 31 days or doesn't consist of whole days, or if [`Settings::new`] refuses a
    /// value.
    pub fn new(
        range: DateRange,
        round_to: Option<Hours>,
        min_minutes: Option<f64>,
        call_session: CallSession,
    ) -> Result<Self, Error> {
        let range = range.check_whole_days(("startDate", "endDate"))?.check_max_days(MAX_DAYS, "endDate")?;
        let settings = Settings::new(round_to, min_minutes)?;
        Ok(Self { days: whole_days(range, ("startDate", "endDate"))?, settings, call_session })
    }
}

/// A draft of the hours that aren't logged yet.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// The draft's id. Pass it to `log_time` to log rows of the draft.
    pub draft: DraftId,
    /// Hours of all rows, except rows with the note `unconfirmed`.
    pub hours: Hours,
    /// Active minutes of the range. Before rounding, logged, drafted and left-out minutes add up to active plus away
    /// minutes.
    pub active_minutes: Minutes,
    /// Tagged minutes away from the computer.
    pub away_minutes: Minutes,
    /// Minutes that existing entries cover.
    pub logged_minutes: Minutes,
    /// Minutes in rows of the draft, except rows with the note `unconfirmed`.
    pub drafted_minutes: Minutes,
    /// Minutes that are too short for a row, or that round to zero hours.
    pub left_out_minutes: Minutes,
    /// Entries of these days that exceed their activity by 15 minutes or more, the largest excess first, at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond_evidence: Vec<BeyondEvidence>,
    /// The days with active time, tagged time, or rows to confirm.
    pub days: Vec<SuggestedDay>,
    /// Present if rows are missing. Request fewer days then.
    pub truncation: Option<Truncation>,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// One day of a draft.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedDay {
    /// The local date.
    pub day: Day,
    /// Active minutes of the day.
    pub active_minutes: Minutes,
    /// Tagged minutes away from the computer, if any.
    pub away_minutes: Option<Minutes>,
    /// Minutes that existing entries cover, if any.
    pub logged_minutes: Option<Minutes>,
    /// Hours of the day's rows, except rows with the note `unconfirmed`.
    pub hours: Hours,
    /// The rows, the longest first. Rows with the note `unconfirmed` come last and aren't included in totals. They are
    /// meetings without a tag away from the computer, and tagged hours in which the computer was off.
    pub rows: Vec<SuggestedRow>,
    /// Time that didn't become a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutTime>,
}

/// Hours of one day on one task, to review and log.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedRow {
    /// The row's id in the draft.
    #[schemars(with = "String")]
    pub row: RowId,
    /// The project's code. Absent if no project is known.
    pub project_code: Option<String>,
    /// The task. Absent if no task is known.
    pub task: Option<String>,
    /// Rounded hours.
    pub hours: Hours,
    /// Minutes before rounding.
    pub minutes: Minutes,
    /// The minutes of the row that are away from the computer, if any.
    pub away_minutes: Option<Minutes>,
    /// Minutes of the same day and task that existing entries cover, if any.
    pub logged_minutes: Option<Minutes>,
    /// A description in words that a client may read. It lists tags, meetings, tickets, branches, notes and files.
    pub description: Option<String>,
    /// The main files, sites and applications, if the row has no project. They help to recognise the work and are never
    /// logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub activity: Vec<String>,
    /// A ticket that appears in at least half of the time.
    pub issue_id: Option<String>,
    /// The sources of the project, the longest time first, at most 2. A source is a tag, a rule or the surrounding
    /// block, each with its name, or earlier entries. Absent if there is no source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named_by: Vec<String>,
    /// The confidence in the project, in percent. It is 100 if tags set the project for all of the time.
    pub confidence: u8,
    /// Reasons why the row can't be logged yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub notes: Vec<RowNote>,
    /// The longest periods in local time, such as 09:05-10:40.
    pub times: Vec<String>,
    /// The number of further periods that aren't listed.
    pub more_times: Option<usize>,
}

impl SuggestedRow {
    /// Whether the row can be logged: its project and task are known and accept hours, and it doesn't need to be
    /// confirmed.
    pub fn can_be_logged(&self) -> bool {
        self.notes.is_empty() && self.project_code.is_some() && self.task.is_some()
    }

    /// Whether the user has to confirm that the time was work. Totals don't include the hours of such a row.
    pub fn is_unconfirmed(&self) -> bool {
        self.notes.contains(&RowNote::Unconfirmed)
    }
}

/// Time of a day that didn't become a row.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutTime {
    /// The reason.
    #[schemars(with = "String")]
    pub reason: SkipReason,
    /// The minutes that were left out for this reason.
    pub minutes: Minutes,
}

impl Request for SuggestRequest {
    type Service = TimesheetService;
    type Response = Suggestions;

    async fn execute(self, service: &TimesheetService) -> Result<Suggestions, Error> {
        let ((), aside) = self.call_session.begin(service, |_| ()).await?;
        let (draft, work, logged) = draft_days(service, self.days.0, self.days.1, self.settings).await?;
        let id = service.store().await?.save_draft(&draft, Utc::now()).await?;
        let aside = self.call_session.end(service, aside, |_, _| ()).await?;
        let beyond = beyond_evidence(&draft.covered, &logged);
        Ok(Suggestions { beyond_evidence: beyond, ..Suggestions::new(id, &draft, &work, aside) })
    }
}

impl Suggestions {
    fn new(id: DraftId, draft: &Draft, work: &Work, aside: SessionInfo) -> Self {
        let all = draft.account();
        let mut rows: BTreeMap<Day, Vec<SuggestedRow>> = BTreeMap::new();
        for row in &draft.rows {
            rows.entry(row.day).or_default().push(SuggestedRow::new(row, work));
        }
        let days = draft.days.iter().map(|(day, account)| SuggestedDay {
            day: *day,
            active_minutes: minutes(account.active),
            away_minutes: minutes_if_any(account.away),
            logged_minutes: minutes_if_any(account.covered),
            hours: account.hours,
            rows: rows.remove(day).unwrap_or_default(),
            left_out: group_left_out(draft.left_out.iter().filter(|rest| rest.day == *day)),
        });
        Self {
            draft: id,
            hours: all.hours,
            active_minutes: minutes(all.active),
            away_minutes: minutes(all.away),
            logged_minutes: minutes(all.covered),
            drafted_minutes: minutes(all.drafted),
            left_out_minutes: minutes(all.too_short + all.rounded_away),
            beyond_evidence: Vec::new(),
            days: days.collect(),
            truncation: None,
            aside,
        }
    }
}

fn minutes_if_any(seconds: i64) -> Option<Minutes> {
    (seconds > 0).then(|| minutes(seconds))
}

/// Sums the skipped time by reason.
fn group_left_out<'d>(left_out: impl Iterator<Item = &'d SkippedTime>) -> Vec<LeftOutTime> {
    let mut seconds: BTreeMap<SkipReason, i64> = BTreeMap::new();
    for rest in left_out {
        *seconds.entry(rest.reason).or_default() += rest.seconds;
    }
    seconds.into_iter().map(|(reason, seconds)| LeftOutTime { reason, minutes: minutes(seconds) }).collect()
}

impl SuggestedRow {
    fn new(row: &Row, work: &Work) -> Self {
        let (times, more_times) = times(&row.evidence, work);
        let activity = row.known_by.iter().filter(|_| row.project_code.is_none()).map(UsedItem::label);
        Self {
            row: row.id.clone(),
            project_code: row.project_code.clone(),
            task: row.task.clone(),
            hours: row.hours,
            minutes: minutes(row.seconds),
            away_minutes: minutes_if_any(row.away_seconds),
            logged_minutes: minutes_if_any(row.logged_seconds),
            description: row.description.clone(),
            activity: activity.take(MAX_ACTIVITY).collect(),
            issue_id: row.issue_id.clone(),
            named_by: row.named_by.iter().filter_map(describe_source).take(MAX_NAMES).collect(),
            confidence: row.confidence,
            notes: row.notes.clone(),
            times,
            more_times,
        }
    }
}

/// Describes the source of a row's project, such as `tag Client A, Development`. Returns `None` if there is no source.
pub(super) fn describe_source(RowSource { origin, .. }: &RowSource) -> Option<String> {
    match origin {
        Origin::Tag { name } => Some(format!("tag {name}")),
        Origin::Rule { name } => Some(format!("rule {name}")),
        Origin::Block { name } => Some(format!("block {name}")),
        Origin::Learned { from, share } => {
            let from = match from {
                ItemKind::Document => "files",
                ItemKind::Site => "sites",
                ItemKind::Application => "applications",
            };
            Some(format!("learned from {from}, {share} %"))
        }
        Origin::Nothing => None,
    }
}

/// Returns the longest intervals of a row in time order, and the number of further intervals.
fn times(evidence: &[Evidence], work: &Work) -> (Vec<String>, Option<usize>) {
    let mut intervals: Vec<(i64, i64)> = Vec::new();
    for interval in evidence {
        match intervals.last_mut().filter(|last| interval.start_utc - last.1 < MERGE_GAP_SECONDS) {
            Some(last) => last.1 = last.1.max(interval.end_utc),
            None => intervals.push((interval.start_utc, interval.end_utc)),
        }
    }
    let more = intervals.len().saturating_sub(MAX_INTERVALS);
    intervals.sort_by_key(|(start, end)| start - end);
    intervals.truncate(MAX_INTERVALS);
    intervals.sort_unstable();
    let clock = |utc| work.local_time(utc).format("%H:%M");
    let times = intervals.into_iter().map(|(start, end)| format!("{}-{}", clock(start), clock(end)));
    (times.collect(), (more > 0).then_some(more))
}

impl Truncate for Suggestions {
    fn rows(&self) -> usize {
        self.days.iter().map(|day| day.rows.len()).sum()
    }

    fn keep(&mut self, rows: usize) {
        let available = Truncate::rows(self);
        if rows >= available {
            return;
        }
        let mut left = rows;
        for day in &mut self.days {
            day.rows.truncate(left);
            left -= day.rows.len();
        }
        self.truncation = Some(Truncation::new(rows, available));
    }
}
