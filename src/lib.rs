//! dayledger answers "what did I do?" from the data that already lies on a person's machine.
//!
//! It reads a `ManicTime` history, puts it behind one local query engine, and serves the answers to people at a
//! terminal and to assistants over MCP. Calls go down this list only:
//!
//! | room | what it is for |
//! |---|---|
//! | [`cli`] | one file per command: arguments in, exit code out |
//! | [`mcp`] | the server: tools, contents, errors; no domain logic |
//! | [`report`] | what a person looks at |
//! | [`export`] | the history as files for other tools, and such files as tables |
//! | [`activity`] | the questions: typed request, typed answer |
//! | [`timesheet`] | hours that are booked, and what could be |
//! | [`notes`] | what was noted in meetings, and what was agreed |
//! | [`question`] | what a question of any room is made of: ranges, limits, pages, one error |
//! | [`screenshots`] | pictures of the screen: names, index, sampling, pixels |
//! | [`engine`] | the DataFusion session: model, statements, limits |
//! | [`manictime`] | where the data is, what shape it has, `SQLite` rows as Arrow |
//! | [`rules`] | the user's own rules: what work was for |
//! | [`calendar`] | the user's calendars: when there were meetings |
//! | [`rows`] | rows as CSV and JSON |
//! | [`files`] | files that are written: whole or not there, and in the place of what |
//!
//! [`App`] puts them together: a request names the service that answers it, and the app contains that service.
//!
//! What a number means stands in `sql/`; how it is computed fast, in the crate `dayledger-udfs`.

pub mod activity;
mod app;
pub mod calendar;
pub mod cli;
pub mod code;
pub mod engine;
pub mod export;
pub mod files;
mod glob;
pub mod manictime;
pub mod mcp;
pub mod notes;
pub mod report;
pub mod request;
pub mod rows;
pub mod rules;
pub mod screenshots;
mod source_spec;
pub mod timesheet;

pub use app::{App, AppBuilder, engine_for_archive, model_for_archive};
pub use source_spec::{OpenError, archive_with_workers, run_worker};
