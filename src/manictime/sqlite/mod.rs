//! One `SQLite` file as it is read, whoever wrote it.
//!
//! **Owns** connections that change nothing and that nothing can do harm through, when a read has to end, how much a
//! statement may give, and what `SQLite`'s errors mean. **Does not own** what is in the file, nor when it is opened.
//!
//! Invariants: no connection writes, opens anything else, or runs for ever.

mod capacity;
mod connection;
mod fault;
mod harmless;
mod uri;

pub(crate) use capacity::Capacity;
pub(crate) use connection::{End, FileIdentity, Reader, refuse_what_is_no_file};
pub(crate) use fault::{BUSY_TIMEOUT, PATIENCE, sqlite_error};
pub(crate) use uri::file_uri;
