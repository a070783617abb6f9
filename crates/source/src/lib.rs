//! The boundary between the engine and the files of a time tracker.
//!
//! A [`HistorySource`] provides the tables of [`Table`], redacted according to [`Privacy`], and
//! facts about its files. The engine reads nothing else of a tracker. This crate contains
//! everything that is the same for all sources: the columns of the tables, the requests that a plan
//! sends to a source ([`ScanRequest`]), the filters that it can pass on ([`pushdown`]), the plan
//! node that returns the rows ([`load`]), and the rules for redaction.
//!
//! Start reading at [`HistorySource::read`].
//!
//! Invariants: a source never writes to its files. All scans of one call of [`HistorySource::read`]
//! see the same state of the files. A value that can't be read becomes null. Conditions are passed
//! on only for columns that privacy settings don't change, so that a filter never selects by a text
//! that isn't shown.

mod contents;
mod error;
mod found_by;
mod health;
mod loaded;
mod privacy;
pub mod pushdown;
mod role;
mod scan;
mod scan_exec;
pub mod selection;
mod shared_reads;
mod tables;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{NaiveDateTime, Weekday};
use dayledger_core::local_days::DayStart;

pub use contents::{Capability, Contents, OwnTable};
pub use error::{Error, ErrorKind, codes};
pub use found_by::{FoundBy, Location, SearchedPaths};
pub use health::{ManifestTable, MissingData, SourceHealth, Tier, Tracker, UnreadData};
pub use privacy::{
    Activity, ActivityRedactor, HIDDEN, HiddenScreenshots, HiddenTimes, HiddenTimesBuilder, InvalidPattern, Pattern,
    Privacy, PrivacySummary, REDACTED, RedactedActivity, Redaction, Redactions, TextKind, UNKNOWN,
};
pub use role::Role;
pub use scan::{Batches, CachedRows, ReadHandle, ReadRows, ScanExtent, ScanRequest};
pub use scan_exec::{
    HistoryTable, UnreadScan, activity_starts, forget, has_same_scans, has_scans_outside, load, one_partition,
    share_rows, unread_scan,
};
pub use shared_reads::{merge_scans, rows_of_scan};
pub use tables::{BATCH_ROWS, ComputerState, INSTANT, Table, schema_of};

/// When days and weeks start in a tracker, if its settings are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrackerDays {
    /// When a day starts.
    pub day_start: Option<DayStart>,
    /// The first day of a week.
    pub week_start: Option<Weekday>,
}

/// The history of one time tracker. Implementations are cheap to share. Methods that return
/// `Result` block while they access the files.
///
/// A source redacts its rows before it returns them. It decides which [`TextKind`] each text has, and passes names, rows
/// and times to the functions of [`Privacy`], [`Redactions`], [`HiddenTimesBuilder`] and [`ActivityRedactor`], which apply
/// the settings. The engine passes on no condition on a redacted text, and offers the source's own tables only
/// without privacy settings. Errors contain no text that the settings redact.
pub trait HistorySource: fmt::Debug + Send + Sync + 'static {
    /// The tracker's name in lower case, as an identifier. In SQL, it is the schema of the source's
    /// own tables.
    fn name(&self) -> &'static str;

    /// The tracker's name as its users write it, for messages.
    fn label(&self) -> &'static str;

    /// The privacy settings that apply to all rows.
    fn privacy(&self) -> &Privacy;

    /// Returns the same history with other privacy settings.
    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource>;

    /// Returns the current location of the history, without its folder if paths are redacted.
    ///
    /// # Errors
    /// Fails if the history doesn't exist, or if its folder can't be read.
    fn location(&self) -> Result<Location, Error>;

    /// Returns the size of the history's file in bytes, or `None` if it isn't known. A process for
    /// statements of users gets as much additional memory for the rows.
    fn size_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns the tracker's own folders. Callers must not write in these folders, and must not
    /// show them if paths are redacted.
    fn folders(&self) -> Vec<PathBuf>;

    /// Returns the tracker's default folder for screenshots, which doesn't have to exist, or `None`
    /// if the tracker takes no screenshots. Callers must not show it if paths are redacted.
    ///
    /// # Errors
    /// Fails if the history doesn't exist.
    fn screenshots_folder(&self) -> Result<Option<PathBuf>, Error> {
        Ok(None)
    }

    /// Returns the current content of the files. When the result changes, the engine plans its statements
    /// again.
    ///
    /// # Errors
    /// Fails if the files can't be read, or if they lack a table or column that every request
    /// needs.
    fn contents(&self) -> Result<Arc<Contents>, Error>;

    /// Returns the local time until which the files contain everything that the tracker recorded, or
    /// `None` if the tracker itself writes them. Later time is unknown, and not idle.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn covered_until(&self) -> Result<Option<NaiveDateTime>, Error> {
        Ok(None)
    }

    /// Whether the tracker stores hourly totals ([`Table::HourlyTotals`]), even if these files lack
    /// them. By default, it doesn't: recorded time is then always computed from activities, and no
    /// response reports missing totals.
    fn stores_hourly_totals(&self) -> bool {
        false
    }

    /// Reads all scans at the same state of the files, and returns their rows in the same order.
    /// Stops if `handle` is stopped.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error>;

    /// Returns the table and the conditions of a scan in the source's own terms, for `EXPLAIN`.
    /// Reads no file.
    fn describe(&self, scan: &ScanRequest) -> String;

    /// Returns how the source would run a scan, one line per step. Empty if there is nothing to add
    /// to [`Self::describe`].
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn explain(&self, _scan: &ScanRequest) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Returns the periods whose screenshots must not be shown. Computed once per state of the files. If
    /// nothing is redacted or hidden, the files aren't read and don't have to exist.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error>;

    /// Returns the health of the files. All facts describe the same state of the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn health(&self) -> Result<SourceHealth, Error>;

    /// Returns the IANA name of the time zone of all local times, or its offset from UTC. Returns `None` if the files
    /// contain local times themselves.
    fn zone(&self) -> Option<String> {
        None
    }

    /// Returns facts about the history for `doctor`, each as a sentence without a full stop: data that isn't read, and
    /// settings of the tracker that aren't applied. By default, there are none.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn remarks(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Returns when days and weeks start in the tracker, as far as its files contain these settings. By default, nothing is
    /// known.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn tracker_days(&self) -> Result<TrackerDays, Error> {
        Ok(TrackerDays::default())
    }

    /// Returns whether the tracker runs on this computer. Blocks for some milliseconds.
    fn tracker(&self) -> Tracker {
        Tracker::Unknown
    }

    /// Returns the settings that another process of this program needs to open the same history.
    ///
    /// # Errors
    /// Fails if the source can't be opened in another process.
    fn settings(&self) -> serde_json::Result<serde_json::Value>;

    /// Discards cached rows, so that the next request reads the files again. Does nothing if the
    /// source caches no rows.
    fn forget(&self) {}
}
