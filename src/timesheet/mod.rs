//! The timesheet beside the history: hours that are booked, and what is proposed to book.
//!
//! **Owns** the questions about entries, projects and work that goes on, whose session a call belongs to, how the work of
//! a history becomes the material of a draft, which row of a draft is logged, and the tables of entries and of time that is
//! not booked. **Does not own** what an entry is and the rules that hold
//! for it, where entries are kept, and how a draft is made: that is the crate `dayledger-timesheet`; nor what a number of
//! the history means (`sql/`).
//!
//! Invariants: nothing is opened before the first question; a row of a draft is logged as it was looked at or not at all,
//! and once however often it is asked for; of one client's session another sees nothing.

mod call_session;
mod client_hours;
pub mod codes;
mod draft_text;
mod drafts;
mod entry_changes;
mod entry_export;
mod entry_list;
mod errors;
mod log_entries;
mod logged_draft;
mod projects;
mod rule_proposals;
mod running_work;
mod service;
mod setup;
mod submission;
mod suggestions;
mod tables;
mod week;
mod work;

pub use call_session::{CallSession, ContextRequest, EntryRef, SessionContext, SessionInfo, WorkDoneRequest};
pub use client_hours::{LoggedClients, LoggedHours};
pub use draft_text::{DraftText, LoggedText};
pub use drafts::BeyondEvidence;
pub use entry_changes::{DeleteRequest, Deleted, EntryAnswer, MoveRequest, UpdateRequest};
pub use entry_export::{EntryFormat, ExportedEntries};
pub use entry_list::{EntriesAnswer, EntriesRequest};
pub use log_entries::{DraftRows, LogRequest, Logged, LoggedRow, RowSelection};
pub use logged_draft::{LoggedDraft, LoggedDraftRow, Outcome};
pub use projects::{ProjectAnswer, ProjectsAnswer, ProjectsRequest};
pub use rule_proposals::{ProposedRule, ProposedRules};
pub use running_work::{RunningWork, StoppedTime, TrackedWork};
pub use service::TimesheetService;
pub use setup::{Setup, SetupError, StorageLocation, TimesheetConfig};
pub use submission::{Reopened, SubmitRequest, SubmitTarget, Submitted};
pub use suggestions::{LeftOutTime, SuggestRequest, SuggestedDay, SuggestedRow, Suggestions};
pub use tables::{register, register_unavailable};
pub use week::{DayTotals, PeriodHours, WeekDay, WeekLine, WeekTimesheet};
