//! Reads `ManicTime`'s database: finds it, checks its schema, redacts its names, and returns its
//! rows as Arrow.
//!
//! The parts build on each other in this order: `sqlite` (a connection to the file), `shape`
//! and `dimensions` (schema and names), `privacy` (redaction), `snapshot` (one consistent read),
//! `tables` (rows as Arrow), `source` (opening the database, cached results). Start reading at
//! [`Source`].
//!
//! Invariants: the database and its folder are never written. One request is one consistent read. A
//! value that can't be read becomes null, never a silent zero. User data is never logged above
//! debug level. Redacted or hidden data appears in no table of a source.

mod dimensions;
mod error;
mod instant;
mod locate;
mod privacy;
mod shape;
mod snapshot;
mod source;
mod sqlite;
mod states;
mod tables;
mod tracker;
mod value;

pub use error::Error;
pub use locate::{DATABASE_FILE, Locator};
pub use source::Source;
