//! Reads `ManicTime`'s database: finds it, checks its schema, redacts its names, and returns its rows as Arrow.
//!
//! The parts build on each other in this order: `sqlite` (safe access to any SQLite file), `shape` and `dimensions`
//! (schema and names), `privacy` (redaction), `snapshot` (one consistent read), `tables` and `scan` (rows as Arrow),
//! `source` (opening the database, cached results), `provider` (tables for DataFusion).
//!
//! Invariants: the database and its folder are never written. One request is one consistent read. A value that can't be
//! read becomes null, never a silent zero. User data is never logged above debug level. Redacted or hidden data appears
//! in no table of a source.

mod dimensions;
mod error;
mod found_by;
mod instant;
mod loaded;
mod locate;
mod privacy;
mod provider;
pub(crate) mod pushdown;
mod read_handle;
mod role;
mod scan;
pub(crate) mod selection;
mod shape;
mod snapshot;
mod source;
mod sqlite;
mod tables;
mod tracker;
mod value;

pub use error::{Error, codes};
pub use found_by::FoundBy;
pub use locate::{DATABASE_FILE, Location, Locator};
pub(crate) use privacy::{HIDDEN, REDACTED};
pub use privacy::{HiddenScreenshots, InvalidPattern, Pattern, Privacy, PrivacySummary, Redaction};
pub use provider::{
    HistoryTable, UnreadScan, activity_starts, forget, has_same_scans, has_scans_outside, load, share_rows, unread_scan,
};
pub use read_handle::ReadHandle;
pub use role::Role;
pub use scan::ScanExtent;
pub use shape::{Capability, Shape, Tier};
pub use source::Source;
pub use source::losses::Losses;
pub(crate) use sqlite::file_uri;
pub use tracker::Tracker;
