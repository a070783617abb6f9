//! Exports the history to Parquet, CSV or JSON Lines, one file per month and table, and opens an
//! export as SQL tables.
//!
//! ```text
//! DIR/manifest.json
//! DIR/app_usage/month=2025-01/app_usage.parquet
//! ```
//!
//! In an export for several people, each person has such a folder: `DIR/person=NAME`. The engine that the caller passes
//! decides which titles, URLs and paths are redacted. Start reading at [`Export::run`], [`OpenedExport::model`] for the
//! exported tables in SQL, and [`ExportHistory`] for an export of the whole history as a source.
//!
//! Invariants: each month is one consistent read, and is released from memory before the next month is read. Files are
//! written atomically. Only files of the requested months are replaced, and only if their content differs. A file is
//! never replaced by a file that covers less of the month.

mod encode;
mod error;
mod file;
mod folder;
mod history;
mod layout;
mod manifest;
mod month;
mod opened;
mod person;
mod run;
mod table;

pub use encode::FileFormat;
pub use error::Error;
pub use history::{ExportHistory, is_export};
pub use layout::is_file_of_export;
pub use manifest::{MANIFEST, Manifest, MonthFile};
pub use month::Month;
pub use opened::OpenedExport;
pub use person::{InvalidPerson, Person};
pub use run::{Export, ExportSummary, Progress};
pub use table::ExportTable;
