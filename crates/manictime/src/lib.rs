//! Reads `ManicTime`'s database: finds the file, checks its schema, redacts names, and returns rows in Arrow's format.
//!
//! In this list, each module uses only the modules before it:
//!
//! - `sqlite`: a connection to the file
//! - `shape`, `dimensions`: schema and names
//! - `privacy`: redaction
//! - `snapshot`: the state of the database at one commit
//! - `tables`: rows as Arrow
//! - `source`: opening the database, cached results
//!
//! Start reading at [`Source`].
//!
//! Invariants: dayledger never writes to the database or its folder. All data of a request comes from the same commit.
//! A value that can't be read becomes null, never zero. User data is logged only at debug level. A source returns all
//! tables already redacted.

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
