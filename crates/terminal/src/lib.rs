//! The terminal functions that the programs of dayledger share: their start and end, output, error reports, and the SQL
//! prompt.
//!
//! The crate runs only statements that a user writes, and it reads no history itself. The caller passes the engine, and
//! the folders into which rows are never written. The pager, the width and the colours come from the environment.
//!
//! Invariants: stdout contains only data, written through [`output::Output`]. All other text goes to stderr. Text from
//! outside of dayledger reaches a terminal only with its control characters escaped.
//!
//! Start reading in [`program`]. Then read [`output`] for commands, and [`sql`] for statements.

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
