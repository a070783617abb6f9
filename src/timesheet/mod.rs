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

mod asker;
mod beyond;
mod booking;
mod client;
pub mod codes;
mod context;
mod deleting;
mod draft_text;
mod drafting;
mod editing;
mod entries;
mod exporting;
mod found;
mod importing;
mod listing;
mod logging;
mod moving;
mod outcome;
mod period;
mod projects;
mod proposing;
mod refused;
mod reopening;
mod running;
mod setup;
mod sheet;
mod starting;
mod stopping;
mod stretches;
mod submitting;
mod suggesting;
mod tables;
mod updating;
mod week;

pub use asker::{Aside, Asker, EntryRef};
pub use beyond::BeyondEvidence;
pub use booking::BookDraftRequest;
pub use client::{BookedClients, BookedClientsRequest, BookedHours, BookedPiece};
pub use context::{ContextRequest, SessionContext, WorkDone, WorkDoneRequest};
pub use deleting::{DeleteRequest, Deleted};
pub use draft_text::{DraftText, DraftTextRequest};
pub use editing::{BookTextRequest, BookedText};
pub use entries::EntryAnswer;
pub use exporting::{EntryFormat, ExportEntriesRequest, ExportedEntries};
pub use importing::{ImportProjectsRequest, ImportedProjects};
pub use listing::{EntriesAnswer, EntriesRequest};
pub use logging::{LogRequest, Logged, LoggedRow, RowsOfDraft, WhichRows, WrittenEntry};
pub use moving::MoveRequest;
pub use outcome::{Booked, BookedRow, Outcome};
pub use period::{PeriodHours, PeriodHoursRequest, SheetDay};
pub use projects::{ProjectAnswer, ProjectsAnswer, ProjectsRequest};
pub use proposing::{ProposedRule, ProposedRules, ProposedRulesRequest};
pub use reopening::{ReopenRequest, Reopened};
pub use running::RunningWork;
pub use setup::{Place, Setup, SetupError, WrittenTimesheet};
pub use sheet::Sheet;
pub use starting::{StartRequest, Started};
pub use stopping::{StopRequest, StoppedTime, StoppedWork};
pub use submitting::{SubmitRequest, Submitted, ToSubmit};
pub use suggesting::{SuggestRequest, SuggestedDay, SuggestedRest, SuggestedRow, Suggestions};
pub use tables::{register, unavailable};
pub use updating::UpdateRequest;
pub use week::{WeekDay, WeekLine, WeekRequest, WeekSheet};
