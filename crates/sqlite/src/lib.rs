//! Opens SQLite files of other programs safely, even if their author is malicious.
//!
//! It provides read-only connections, deadlines, limits on the size of results, and meanings for SQLite's errors. A source
//! decides when a file is opened, and interprets its content.
//!
//! Start reading at [`open`]. Invariants: no connection writes, opens other files, or runs forever.

mod capacity;
mod connection;
mod failure;
mod restrictions;

pub use capacity::{Capacity, RowBudget};
pub use connection::{FileIdentity, ReadDeadline, UnusedFile, find_special_file, open, read_once};
pub use failure::Failure;
