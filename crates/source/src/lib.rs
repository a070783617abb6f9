//! The boundary between the engine and the files of a time tracker.
//!
//! A [`HistorySource`] provides the tables of [`Table`], redacted as [`privacy`] says, and facts about its files. The
//! engine reads nothing else of a tracker. This module holds everything that is the same for all sources: the columns of
//! the tables, what a plan asks of a source ([`ScanRequest`]) and which filters it can pass on ([`pushdown`]), the plan
//! node that holds the rows ([`load`]), and the rules for redaction.
//!
//! Invariants: a source never writes to its files. All scans of one call of [`HistorySource::read`] see the same state of
//! the files. A value that can't be read becomes null. Conditions are only passed on for columns that no privacy setting
//! changes, so a filter never selects by a text that isn't shown.

mod contents;
mod error;
mod found_by;
mod health;
mod loaded;
mod privacy;
pub mod pushdown;
mod read_handle;
mod role;
mod scan;
mod scan_exec;
pub mod selection;
mod tables;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use contents::{Capability, Contents, OwnTable};
pub use error::{Error, ErrorKind, codes};
pub use found_by::{FoundBy, Location};
pub use health::{ManifestTable, MissingData, SourceHealth, Tier, Tracker, UnreadData};
pub use privacy::{
    HIDDEN, HiddenScreenshots, HiddenScreenshotsBuilder, Interval, InvalidPattern, Pattern, Privacy, PrivacySummary,
    REDACTED, Redaction, Redactions, TextKind, UNKNOWN, merge_intervals, to_interval,
};
pub use read_handle::ReadHandle;
pub use role::Role;
pub use scan::{Batches, CachedRows, ReadRows, ScanExtent, ScanRequest};
pub use scan_exec::{
    HistoryTable, UnreadScan, activity_starts, forget, has_same_scans, has_scans_outside, load, share_rows, unread_scan,
};
pub use tables::{BATCH_ROWS, INSTANT, Table, schema_of};

/// The history of one time tracker. Implementations are cheap to share; methods that return `Result` block on the files.
///
/// Errors contain no text that the source's privacy settings redact.
pub trait HistorySource: fmt::Debug + Send + Sync + 'static {
    /// The tracker's name in SQL, such as `manictime`: the schema of the source's own tables.
    fn name(&self) -> &'static str;

    /// The privacy settings under which rows are read.
    fn privacy(&self) -> &Privacy;

    /// Returns the same history under other privacy settings.
    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource>;

    /// Returns where the history is now, without its folder if paths are redacted.
    ///
    /// # Errors
    /// Fails if there is no history, or if its folder can't be read.
    fn location(&self) -> Result<Location, Error>;

    /// Returns the size of the history's file in bytes, or `None` if it isn't known.
    fn size_bytes(&self) -> Option<u64>;

    /// Returns the tracker's own folders, in which nothing is ever written. Not to be shown if paths are redacted.
    fn folders(&self) -> Vec<PathBuf>;

    /// Returns the folder in which the tracker saves screenshots unless it is configured, whether or not it exists. Not to
    /// be shown if paths are redacted.
    ///
    /// # Errors
    /// Fails if there is no history.
    fn screenshots_folder(&self) -> Result<Option<PathBuf>, Error>;

    /// Returns what the files contain now. The engine plans its statements anew when it changes.
    ///
    /// # Errors
    /// Fails if the files can't be read, or if they lack what every request needs.
    fn contents(&self) -> Result<Arc<Contents>, Error>;

    /// Reads all scans at one state of the files, until `handle` is stopped. Returns their rows in the same order.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error>;

    /// Returns the table and the conditions of a scan as `EXPLAIN` shows them, in the words of the source. Reads no file.
    fn describe(&self, scan: &ScanRequest) -> String;

    /// Returns how the source would carry out a scan, one line per step.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn explain(&self, scan: &ScanRequest) -> Result<Vec<String>, Error>;

    /// Returns the periods whose screenshots must not be shown. Computed once per state of the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error>;

    /// Returns the state of the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn health(&self) -> Result<SourceHealth, Error>;

    /// Returns whether the tracker runs on this computer. Blocks for some milliseconds.
    fn tracker(&self) -> Tracker;

    /// Returns the settings from which another process of this program opens the same history.
    ///
    /// # Errors
    /// Fails if the source can't be opened in another process.
    fn settings(&self) -> serde_json::Result<serde_json::Value>;

    /// Discards cached rows, so that the next request reads the files like the first one did.
    fn forget(&self);
}
