//! `ManicTime`'s files: where they are, what shape they have, and their rows as Arrow.
//!
//! **Owns** finding the database, whether `ManicTime` runs, checking the file's shape, consistent read-only access,
//! resolving names while reading, what of them is withheld, and the tables that DataFusion scans. **Does not own** what
//! a number means (`sql/`) nor how a question is put (`engine`).
//!
//! Each part knows those before it alone: `sqlite`, the file whoever wrote it; `shape` and `dimensions`, what it says;
//! `privacy`, which makes of that what may be told; `snapshot`, one consistent read of both; `tables` and `scan`, rows as
//! Arrow; `source`, when the file is opened and what is remembered of it; `provider`, all of it for DataFusion.
//!
//! Invariants: the file and its folder are never written; one question is one consistent read; a value that cannot be
//! read becomes null and is never a silent zero; nothing of the user's data goes into a log above debug level; what the
//! switches of a source withhold leaves through none of its tables.

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
