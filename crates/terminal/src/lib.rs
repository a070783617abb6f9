//! The parts that the programs of dayledger share at a terminal: their start and end, output, error reports, and the SQL
//! prompt.
//!
//! It runs the statements that a user writes, but no other requests, and it reads no history. The caller passes the
//! engine, and the folders that rows are never written to. The pager, the width and the colours come from the
//! environment.
//!
//! Invariants: stdout contains only data, written through [`output::Output`]. Everything else goes to stderr. Text from
//! outside reaches a terminal only with its control characters escaped.
//!
//! Start reading in [`program`], then in [`output`] for commands and in [`sql`] for statements.

pub mod destination;
mod environment;
mod escaping_writer;
mod folders;
mod interrupts;
pub mod output;
mod pager;
pub mod program;
pub mod sql;

pub use environment::user_folders;
pub use folders::Folders;
pub use interrupts::Interrupts;
