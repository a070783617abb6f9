//! Opens SQLite files of other programs safely, even if the author of a file is malicious.
//!
//! This crate provides read-only connections, deadlines and limits on the size of results. It also converts SQLite's
//! errors to reasons why a file can't be read. Other crates, such as `dayledger_manictime`, decide when to open a file
//! and interpret its content.
//!
//! Start reading at [`open`]. Invariants: a connection never writes to the database, never opens another database, and
//! never runs forever.

mod capacity;
mod connection;
mod failure;
mod restrictions;

pub use capacity::{Capacity, RowBudget};
pub use connection::{FileIdentity, ReadDeadline, UnusedFile, find_special_file, open, read_once};
pub use failure::Failure;
