//! Submits entries for approval, and reopens the submitted entries of a week.

use dayledger_core::local_days::LocalDays;
use dayledger_timesheet::rules::Operation;
use dayledger_timesheet::{Day, EntryId, Hours, Refusal, Status, TimeEntry, Week};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::call_session::{CallSession, EntryRef, SessionInfo};
use super::codes;
use super::confirmation::Confirmation;
use super::entries::list_entries;
use super::service::TimesheetService;
use dayledger_request::{DateRange, Error, Request, Truncate};

/// A request to submit entries for approval.
#[derive(Debug, Clone)]
pub struct SubmitRequest {
    /// The entries to submit.
    pub target: SubmitTarget,
    /// The user's confirmation.
    pub confirmation: Confirmation,
    /// The session of the caller.
    pub call_session: CallSession,
}

/// Selects the entries to submit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubmitTarget {
    /// One entry.
    Entry(EntryRef),
    /// All entries that start in the week and are open or declined.
    Week(Week),
}

/// The result of submitting one entry, or the entries of a week.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    /// The submitted entry, if the call submitted one entry.
    #[serde(flatten)]
    pub entry: Option<TimeEntry>,
    /// The week, such as 2025-W43, if the call submitted a week. If it doesn't start on Monday: its first and last day.
    pub week: Option<String>,
    /// The number of submitted entries of the week.
    pub submitted: Option<usize>,
    /// The hours of the submitted entries.
    pub hours: Option<Hours>,
    /// Entries that couldn't be submitted, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<NotSubmitted>,
    /// Fields about the session.
    #[serde(flatten)]
    pub aside: SessionInfo,
}

/// An entry that couldn't be submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotSubmitted {
    /// The id of the entry.
    pub id: EntryId,
    /// The error code.
    pub code: String,
    /// The reason, as a message to display.
    pub message: String,
}

/// The entries of a week that were reopened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reopened {
    /// The week, such as 2025-W43, or 2025-10-19 to 2025-10-25 if it doesn't start on Monday.
    pub week: String,
    /// The ids of the reopened entries.
    pub entries: Vec<EntryId>,
    /// The hours of the reopened entries.
    pub hours: Hours,
}

impl Request for SubmitRequest {
    type Service = TimesheetService;
    type Response = Submitted;

    async fn execute(self, service: &TimesheetService) -> Result<Submitted, Error> {
        let timesheet = service.timesheet().await?;
        match self.target {
            SubmitTarget::Entry(entry) => {
                let (id, aside) = self.call_session.entry(service, entry, "id").await?;
                let entry = timesheet.find(id).await?;
                // The user isn't asked about a change that would be refused.
                Operation::Submit.check(entry.status)?;
                self.confirmation.check(Operation::Submit, &[entry])?;
                let entry = Some(timesheet.submit(id).await?);
                let aside = self.call_session.end(service, aside, |_, _| ()).await?;
                Ok(Submitted { entry, aside, ..Submitted::default() })
            }
            SubmitTarget::Week(week) => {
                let ((), aside) = self.call_session.begin(service, |_| ()).await?;
                let (mut hours, mut submitted, mut failed) = (Hours::ZERO, 0, Vec::new());
                let open = open_entries(service, week).await?;
                if !open.is_empty() {
                    self.confirmation.check(Operation::Submit, &open)?;
                }
                for entry in open {
                    match timesheet.submit(entry.id).await {
                        Ok(entry) => {
                            submitted += 1;
                            hours = hours + entry.total_hours();
                        }
                        Err(Refusal { code, message, .. }) => {
                            failed.push(NotSubmitted { id: entry.id, code: code.to_string(), message });
                        }
                    }
                }
                let aside = self.call_session.end(service, aside, |_, _| ()).await?;
                let (week, submitted, hours) = (Some(week.to_string()), Some(submitted), Some(hours));
                Ok(Submitted { week, submitted, hours, failed, aside, entry: None })
            }
        }
    }
}

/// Returns the week if the range is exactly one week. A week starts on Monday, or on the set weekday
/// (docs/spec/time.md#days-and-weeks).
pub fn exact_week(range: DateRange) -> Option<Week> {
    let first = Day::try_from(range.first_day()).ok()?;
    let week = Week::from_first_day(first);
    let is_start = week.is_numbered() || LocalDays::current().first_of_week(first.date()) == Some(first.date());
    (is_start && range.is_whole_days() && range.last_day() == week.last().date()).then_some(week)
}

/// Returns the entries of a week that can be submitted. The week of an entry is the week in which it starts.
async fn open_entries(service: &TimesheetService, week: Week) -> Result<Vec<TimeEntry>, Error> {
    let days = Some((week.first(), week.last()));
    let mut open = list_entries(service, days, Some(Status::NotReported)).await?;
    open.extend(list_entries(service, days, Some(Status::Declined)).await?);
    Ok(open)
}

impl TimesheetService {
    /// Reopens the submitted entries that start in a week. MCP tools can't do this.
    ///
    /// # Errors
    /// Fails if the entries are stored by an API, or if the ledger can't be written.
    pub async fn reopen(&self, week: Week) -> Result<Reopened, Error> {
        let Some(ledger) = self.ledger().await? else {
            return Err(Error::new(
                codes::FORBIDDEN,
                "cannot reopen the entries: they are on the timesheet server",
                "ask the approver to decline the entries",
            ));
        };
        let entries = ledger.reopen(week).await?;
        let mut hours = Hours::ZERO;
        for id in &entries {
            hours = hours + self.timesheet().await?.find(*id).await?.total_hours();
        }
        Ok(Reopened { week: week.to_string(), entries, hours })
    }
}

impl Truncate for Submitted {
    fn rows(&self) -> usize {
        self.failed.len()
    }

    fn keep(&mut self, rows: usize) {
        self.failed.truncate(rows);
    }
}
