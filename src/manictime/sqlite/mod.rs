//! One `SQLite` file as it is read, whoever wrote it.
//!
//! **Owns** connections that change nothing and that nothing can do harm through, when a read has to end, how much a
//! statement may give, and what `SQLite`'s errors mean. **Does not own** what is in the file, nor when it is opened.
//!
//! Invariants: no connection writes, opens anything else, or runs for ever.

mod capacity;
mod connection;
mod errors;
mod restrictions;
mod uri;

pub(crate) use capacity::Capacity;
pub(crate) use connection::{FileIdentity, ReadDeadline, Reader, check_regular_files};
pub(crate) use errors::{BUSY_TIMEOUT, PATIENCE, sqlite_error};
pub(crate) use uri::file_uri;
