//! The timesheet beside the history: hours that are booked, and what is proposed to book.
//!
//! **Owns** the questions about entries and projects, whose session a call belongs to, how the work of a history becomes
//! the material of a draft, which row of a draft is logged, and
//! the tables of entries and of time that is not booked. **Does not own** what an entry is and the rules that hold
//! for it, where entries are kept, and how a draft is made: that is the crate `dayledger-timesheet`; nor what a number of
//! the history means (`sql/`).
//!
//! Invariants: nothing is opened before the first question; a row of a draft is logged as it was looked at or not at all,
//! and once however often it is asked for; of one client's session another sees nothing.

mod asker;
pub mod codes;
mod context;
mod deleting;
mod drafting;
mod entries;
mod listing;
mod logging;
mod moving;
mod projects;
mod refused;
mod setup;
mod sheet;
mod stretches;
mod submitting;
mod suggesting;
mod tables;
mod updating;

pub use asker::{Aside, Asker, EntryRef};
pub use context::{ContextRequest, SessionContext};
pub use deleting::{DeleteRequest, Deleted};
pub use entries::EntryAnswer;
pub use listing::{EntriesAnswer, EntriesRequest};
pub use logging::{LogRequest, Logged, LoggedRow, RowsOfDraft, WhichRows, WrittenEntry};
pub use moving::MoveRequest;
pub use projects::{ProjectAnswer, ProjectsAnswer, ProjectsRequest};
pub use setup::{Place, Setup, SetupError, WrittenTimesheet};
pub use sheet::Sheet;
pub use submitting::{SubmitRequest, Submitted, ToSubmit};
pub use suggesting::{SuggestRequest, Suggestions};
pub use tables::{register, unavailable};
pub use updating::UpdateRequest;
