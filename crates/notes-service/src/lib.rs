//! Requests about meeting notes in a Chronicle workspace.
//!
//! The crate `dayledger-notes` reads and writes notes, and sends requests to the Chronicle application and to language
//! models. This crate finds the note to which a request refers. It also selects the method that makes the record of a
//! note: a configured language model, the client's own model, or the markers in the note.
//!
//! Invariants: before the first request, no file is opened and no connection is made. A note is sent only to the
//! destination that was set when the server started. A note that changed after it was read isn't overwritten. Text of
//! notes is redacted in responses ([`RedactedText`]), but not when it is written to a note.
//!
//! To understand this crate, start in `notebook`, which opens the workspace for all requests. Each kind of request has
//! its own file.

mod action_items;
mod changes;
pub mod codes;
mod errors;
mod note_list;
mod note_paths;
mod note_ref;
mod notebook;
mod process;
mod prompts;
mod redacted_text;
mod resources;
mod setup;
mod state;
mod tables;
mod versions;

pub use action_items::{ActionItem, ActionItems, ActionItemsRequest, ActionsRequest};
pub use changes::{ChangesRequest, NoteChanges};
pub use note_list::{ListedNote, NoteList, NoteListRequest, NotesRequest};
pub use note_paths::{NotePaths, NotePathsRequest};
pub use note_ref::NoteRef;
pub use notebook::Notebook;
pub use process::{ProcessRequest, WriteRequest, serve_triggers};
pub use prompts::prompt_text;
pub use redacted_text::{NoteFile, RedactedJson, RedactedText};
pub use resources::{ConfigRequest, FileRequest, RecentRequest, TodayRequest};
pub use setup::{EnvironmentVariables, NotesConfig, Setup, SetupError, WorkspaceLocations};
pub use state::{NotesState, StateRequest};
pub use tables::{ScreenshotPolicy, register, register_unavailable};
pub use versions::{CompareRequest, HistoryRequest, VersionRequest};
