//! The notes beside the history: meetings in a workspace of Chronicle.
//!
//! **Owns** the questions about notes, which note a call means, and which way one is processed: by a model, by the client's
//! own, or by its markers alone. **Does not own** what a note is, how it is read, written and kept, how the application is
//! talked to and how a model is asked: that is the crate `dayledger-notes`.
//!
//! Invariants: nothing is opened, connected or sent before the first question; a note goes nowhere but where the start of
//! the server said; a note that changed since it was read is not replaced; what is told of a note
//! passes [`Notebook::told`](notebook::Notebook), what is written does not.

mod action_items;
mod change_log;
mod changes;
pub mod codes;
mod errors;
mod note_list;
mod note_ref;
mod notebook;
mod process;
mod prompts;
mod redacted_text;
mod resources;
mod setup;
mod state;
mod tables;
mod triggers;
mod versions;
mod write_record;

pub use action_items::ActionsRequest;
pub use change_log::NoteChanges;
pub use changes::ChangesRequest;
pub use note_list::NotesRequest;
pub use note_ref::NoteRef;
pub use notebook::Notebook;
pub use process::ProcessRequest;
pub use prompts::prompt_text;
pub use redacted_text::{NoteFile, RedactedJson, RedactedText};
pub use resources::{ConfigRequest, CurrentRequest, FileRequest, RecentRequest, TodayRequest};
pub use setup::{EnvironmentVariables, NotesConfig, Setup, SetupError, WorkspaceLocations};
pub use state::{NotesState, StateRequest};
pub use tables::{ScreenshotPolicy, register, register_unavailable};
pub use triggers::serve_triggers;
pub use versions::{CompareRequest, HistoryRequest, VersionRequest};
pub use write_record::WriteRequest;
