//! dayledger answers "what did I do?" from a `ManicTime` history on this machine.
//!
//! It reads the database through one local query engine, and shows the results in the terminal and to assistants over
//! MCP. [`App`] connects the modules: each request names the service that executes it, and `App` owns that service.
//!
//! `docs/architecture.md` lists the modules with their responsibilities, and the order in which they call each other.
//! Numbers are defined in `sql/`, and computed by the functions of the crate `dayledger-udfs`.

pub mod activity;
mod app;
pub mod calendar;
pub mod cli;
pub mod export;
pub mod mcp;
pub mod notes;
pub mod report;
pub mod request;
pub mod rows;
pub mod rules;
pub mod screenshots;
mod source_spec;
pub mod timesheet;

use dayledger_core::glob;
pub use dayledger_core::{code, files};
pub use dayledger_engine as engine;
pub use dayledger_manictime as manictime;
pub use dayledger_source as source;

pub use app::{App, AppBuilder, engine_for_export, model_for_export};
pub use source_spec::{OpenError, export_with_workers, run_worker};
