//! Opens SQLite files safely, even if their author is malicious.
//!
//! It provides read-only connections, deadlines, limits on the size of results, and meanings for SQLite's errors.
//! `source` decides when a file is opened, and other modules interpret its content.
//!
//! Invariants: no connection writes, opens other files, or runs forever.

mod capacity;
mod connection;
mod errors;
mod restrictions;

pub(crate) use capacity::Capacity;
pub(crate) use connection::{FileIdentity, ReadDeadline, Reader, check_regular_files};
pub(crate) use errors::{BUSY_TIMEOUT, READ_TIMEOUT, sqlite_error};
