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
mod booking;
mod changing;
mod client;
pub mod codes;
mod draft_text;
mod drafting;
mod exporting;
mod listing;
mod logging;
mod projects;
mod proposing;
mod refused;
mod running;
mod setup;
mod sheet;
mod stretches;
mod submitting;
mod suggesting;
mod tables;
mod week;

pub use asker::{Aside, Asker, ContextRequest, EntryRef, SessionContext, WorkDoneRequest};
pub use booking::{Booked, BookedRow, Outcome};
pub use changing::{DeleteRequest, Deleted, EntryAnswer, MoveRequest, UpdateRequest};
pub use client::{BookedClients, BookedHours};
pub use draft_text::{BookedText, DraftText};
pub use drafting::BeyondEvidence;
pub use exporting::{EntryFormat, ExportedEntries};
pub use listing::{EntriesAnswer, EntriesRequest};
pub use logging::{LogRequest, Logged, LoggedRow, RowsOfDraft, WhichRows};
pub use projects::{ProjectAnswer, ProjectsAnswer, ProjectsRequest};
pub use proposing::{ProposedRule, ProposedRules};
pub use running::{RunningWork, StoppedTime, TrackedWork};
pub use setup::{Place, Setup, SetupError, WrittenTimesheet};
pub use sheet::Sheet;
pub use submitting::{Reopened, SubmitRequest, Submitted, ToSubmit};
pub use suggesting::{SuggestRequest, SuggestedDay, SuggestedRest, SuggestedRow, Suggestions};
pub use tables::{register, unavailable};
pub use week::{PeriodHours, SheetDay, WeekDay, WeekLine, WeekSheet};
