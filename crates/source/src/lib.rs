//! The boundary between the engine and the files of a time tracker.
//!
//! A [`HistorySource`] provides the tables of [`Table`], and information about its files. Its tables are redacted
//! according to [`Privacy`]. The engine doesn't read any other data of a tracker. This crate contains everything that
//! is the same for all sources:
//!
//! - the columns of the tables
//! - the requests that a plan sends to a source ([`ScanRequest`])
//! - the conversion of filters to conditions for a source ([`pushdown`])
//! - the plan node that returns the rows ([`load`])
//! - the rules for redaction
//!
//! Start reading at [`HistorySource::read`].
//!
//! Invariants:
//!
//! - A source never writes to its files.
//! - All scans of one call of [`HistorySource::read`] see the same state of the files.
//! - A value that can't be read becomes null.
//! - A source receives conditions only on columns that privacy settings never change. With other conditions, a filter
//!   could select rows by a text that isn't shown.

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
pub use found_by::{FoundBy, Location, SearchedPaths, configuration_name, set_configuration_name};
pub use health::{ManifestTable, MissingData, SourceHealth, Tier, Tracker, UnreadData};
pub use privacy::{
    Activity, ActivityRedactor, HIDDEN, HiddenScreenshots, HiddenTimes, HiddenTimesBuilder, InvalidPattern, Pattern,
    Privacy, PrivacySummary, REDACTED, RedactedActivity, Redaction, Redactions, TextKind, UNKNOWN, is_shown,
};
pub use role::Role;
pub use scan::{Batches, CachedRows, ReadHandle, ReadRows, ScanExtent, ScanRequest};
pub use scan_exec::{
    HistoryTable, UnreadScan, activity_starts, forget, has_same_scans, has_scans_outside, load, one_partition,
    share_rows, unread_scan,
};
pub use shared_reads::{merge_scans, rows_of_scan};
pub use tables::{BATCH_ROWS, ComputerState, INSTANT, Table, schema_of};

/// The start of days and weeks in a tracker, if its settings are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrackerDays {
    /// The time at which a day starts.
    pub day_start: Option<DayStart>,
    /// The tracker's text for the start of a day, if dayledger doesn't support this start.
    pub unsupported_start: Option<String>,
    /// The first day of a week.
    pub week_start: Option<Weekday>,
}

/// The history of one time tracker. Implementations are cheap to share. Methods that return `Result` block while they
/// access the files.
///
/// A source redacts its rows before it returns them. The source decides which [`TextKind`] each text has. [`Privacy`],
/// [`Redactions`], [`HiddenTimesBuilder`] and [`ActivityRedactor`] apply the settings to the names, rows and times of
/// the source. The engine never passes a condition on a redacted text to the source. The engine offers the source's own
/// tables only if there are no privacy settings. Errors don't contain text that the settings redact.
pub trait HistorySource: fmt::Debug + Send + Sync + 'static {
    /// Returns the tracker's name in lower case, as an identifier. In SQL, this is also the name of the schema with the
    /// source's own tables.
    fn name(&self) -> &'static str;

    /// Returns the tracker's name as its users write it, for messages.
    fn label(&self) -> &'static str;

    /// Returns the privacy settings that apply to all rows.
    fn privacy(&self) -> &Privacy;

    /// Returns the same history with other privacy settings.
    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource>;

    /// Returns the current location of the history. If paths are redacted, the location contains only the file name of
    /// the database.
    ///
    /// # Errors
    /// Fails if the history doesn't exist, or if its folder can't be read.
    fn location(&self) -> Result<Location, Error>;

    /// Returns the size of the history's file in bytes, or `None` if it isn't known. A process that runs users'
    /// statements may use this much additional memory for the rows.
    fn size_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns the tracker's own folders. Callers must not write in these folders, and must not
    /// show them if paths are redacted.
    fn folders(&self) -> Vec<PathBuf>;

    /// Returns the tracker's default folder for screenshots. The folder doesn't have to exist. Returns `None` if the
    /// tracker doesn't take screenshots. Callers must not show the folder if paths are redacted.
    ///
    /// # Errors
    /// Fails if the history doesn't exist.
    fn screenshots_folder(&self) -> Result<Option<PathBuf>, Error> {
        Ok(None)
    }

    /// Returns the kinds of data and the own tables that the files currently contain. If the result differs from the
    /// previous result, the engine plans its statements again.
    ///
    /// # Errors
    /// Fails if the files can't be read, or if they lack a table or column that every request
    /// needs.
    fn contents(&self) -> Result<Arc<Contents>, Error>;

    /// Returns a local time: before it, the files contain everything that the tracker recorded. Later time counts as
    /// unknown, and not as idle. Returns `None` if the tracker itself writes the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn covered_until(&self) -> Result<Option<NaiveDateTime>, Error> {
        Ok(None)
    }

    /// Whether the tracker stores hourly totals ([`Table::HourlyTotals`]) at all. The result is also `true` if these
    /// files lack the totals. The default is `false`. If the result is `false`, recorded time is always computed from
    /// activities, and responses don't report missing totals.
    fn stores_hourly_totals(&self) -> bool {
        false
    }

    /// Reads all scans from the same state of the files. Returns the rows of each scan, in the order of `scans`. Stops
    /// if `handle` is stopped.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error>;

    /// Reads the rows that most requests need into memory, so that later reads of any range are faster. A server calls
    /// this function in the background after a response. It does nothing if the source doesn't cache rows, or if the
    /// rows need too much memory. Returns `false` if the history changed during the read, so that the rows couldn't be
    /// used. Another call is then useful.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn preload(&self, _handle: &ReadHandle) -> Result<bool, Error> {
        Ok(true)
    }

    /// Returns a description of a scan for `EXPLAIN`: the table and the conditions, in the source's own terms. This
    /// function doesn't read any file.
    fn describe(&self, scan: &ScanRequest) -> String;

    /// Returns the source's own plan for a scan, one step per line. The result is empty if these steps add nothing to
    /// [`Self::describe`].
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn explain(&self, _scan: &ScanRequest) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Returns the periods whose screenshots must not be shown. The result is computed only once for each state of the
    /// files. If nothing is redacted or hidden, the files aren't read and don't have to exist.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error>;

    /// Returns the health of the files. All values describe the same state of the files.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn health(&self) -> Result<SourceHealth, Error>;

    /// Returns the time zone that the source uses for all local times, as an IANA name or as an offset from UTC.
    /// Returns `None` if the files already contain local times.
    fn zone(&self) -> Option<String> {
        None
    }

    /// Returns remarks about the history for `doctor`, each as a sentence without a full stop. A remark describes data
    /// that isn't read, or a setting of the tracker that isn't applied. By default, there are no remarks.
    ///
    /// # Errors
    /// Fails if the files can't be read.
    fn remarks(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Returns the start of days and weeks in the tracker, if its files contain these settings. By default, nothing is
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

    /// Discards cached rows, so that the next request reads the files again. Does nothing if the source doesn't cache
    /// rows.
    fn forget(&self) {}
}
