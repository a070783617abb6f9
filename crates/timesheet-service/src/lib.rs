//! Requests about logged hours, and drafts of hours from recorded activity.
//!
//! The crate `dayledger-timesheet` defines entries and their rules, stores entries, and computes drafts. This crate
//! finds the session of each call, loads the activity for a draft, and provides the SQL tables for entries and unlogged
//! time.
//!
//! Invariants: files and connections are opened by the first request that needs them. A row of a draft is logged only
//! if it hasn't changed since the user reviewed it. Submitting a row several times logs it once. An assistant
//! can't delete or submit an entry without the user's confirmation. A client can't see the sessions of other clients.
//!
//! Start reading in `service`, which opens the timesheet for all requests, and then in `drafts`. Each kind of request
//! has its own file.

mod balance;
mod call_session;
mod client_hours;
mod confirmation;
mod drafts;
mod entries;
mod entry_export;
mod entry_import;
mod entry_push;
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
mod targets;
mod timer;
mod week;
mod work;

pub use balance::{MonthBalance, WeekBalance, YearBalance};
pub use call_session::{CallSession, ContextRequest, EntryRef, SessionContext, SessionInfo, WorkDoneRequest};
pub use client_hours::{ClientEntry, ClientTask, LoggedClients, LoggedHours};
pub use confirmation::Confirmation;
pub use dayledger_timesheet::codes;
pub use drafts::BeyondEvidence;
pub use entries::{DeleteRequest, Deleted, EntriesAnswer, EntriesRequest, EntryAnswer, MoveRequest, UpdateRequest};
pub use entry_export::{AmountColumns, EntryFormat, ExportedEntries};
pub use entry_import::EntryImport;
pub use log_entries::{DraftRows, LogRequest, Logged, LoggedRow, RowSelection};
pub use logged_draft::{DraftText, LoggedDraft, LoggedDraftRow, LoggedText, Outcome};
pub use projects::{ProjectAnswer, ProjectsAnswer, ProjectsRequest};
pub use rule_proposals::{ProposedRule, ProposedRules};
pub use running_work::{IfRunning, RunningWork, StoppedTime, TrackedWork};
pub use service::TimesheetService;
pub use setup::{Setup, SetupError, StorageLocation, TimesheetConfig};
pub use submission::{Reopened, SubmitRequest, SubmitTarget, Submitted, exact_week};
pub use suggestions::{LeftOutTime, SuggestRequest, SuggestedDay, SuggestedRow, Suggestions};
pub use tables::{register, register_unavailable};
pub use timer::{GetTimerRequest, LoggedDay, StartTimerRequest, StopTimerRequest, TimerAnswer};
pub use week::{DayTotals, PeriodHours, WeekDay, WeekLine, WeekTimesheet};
