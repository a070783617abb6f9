//! dayledger answers "what did I do?" from a time tracker's history on this machine.
//!
//! dayledger reads the history through one local query engine. It shows the results in the terminal, and to assistants
//! over MCP. [`App`] connects the crates. It owns the services, and each type of request specifies the service that
//! executes the request.
//!
//! `docs/architecture.md` lists the crates with their responsibilities, and the order of their dependencies. Metrics
//! are defined in `sql/`, and computed by the functions of the crate `dayledger-udfs`.
//!
//! To read about a command, start in [`cli`]. For the tools, resources and prompts of the MCP server, start in [`mcp`].
//! For the services that [`cli`] and [`mcp`] share, start at [`App`].

mod app;
pub mod cli;
pub mod mcp;
mod source_spec;
mod trackers;

pub use dayledger_activity as activity;
pub use dayledger_activitywatch as activitywatch;
pub use dayledger_calendar as calendar;
pub use dayledger_core::{code, files};
pub use dayledger_engine as engine;
pub use dayledger_export as export;
pub use dayledger_manictime as manictime;
pub use dayledger_notes_service as notes;
pub use dayledger_questions as questions;
pub use dayledger_render as report;
pub use dayledger_request as request;
pub use dayledger_rows as rows;
pub use dayledger_rules as rules;
pub use dayledger_screenshots as screenshots;
pub use dayledger_source as source;
pub use dayledger_timesheet_service as timesheet;

pub use app::{App, AppBuilder};
pub use source_spec::{OpenError, export_with_workers, run_worker};
