//! The notes beside the history: meetings in a workspace of Chronicle.
//!
//! **Owns** the questions about notes, which note a call means, and which way one is processed: by a model, by the client's
//! own, or by its markers alone. **Does not own** what a note is, how it is read, written and kept, how the application is
//! talked to and how a model is asked: that is the crate `dayledger-notes`.
//!
//! Invariants: nothing is opened, connected or sent before the first question; a note goes nowhere but where the start of
//! the server said; a note that changed since it was read is not replaced; what is told of a note
//! passes [`Notebook::told`](notebook::Notebook), what is written does not.

mod agreed;
mod change_log;
mod changing;
pub mod codes;
mod listing;
mod notebook;
mod processing;
mod prompting;
mod reading;
mod refused;
mod setup;
mod state;
mod tables;
mod told;
mod triggers;
mod versions;
mod which;
mod writing;

pub use agreed::ActionsRequest;
pub use change_log::NoteChanges;
pub use changing::ChangesRequest;
pub use listing::NotesRequest;
pub use notebook::Notebook;
pub use processing::ProcessRequest;
pub use prompting::prompt_text;
pub use reading::{ConfigRequest, CurrentRequest, FileRequest, RecentRequest, TodayRequest};
pub use setup::{Places, Setup, SetupError, Surroundings, WrittenNotes};
pub use state::{NotesState, StateRequest};
pub use tables::{Screens, register, unavailable};
pub use told::{NoteFile, Shown, Told};
pub use triggers::attend;
pub use versions::{CompareRequest, HistoryRequest, VersionRequest};
pub use which::Which;
pub use writing::WriteRequest;
