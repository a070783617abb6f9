//! Exports the history to Parquet, CSV or JSON Lines, with one file per month and table. Also opens an export as SQL
//! tables.
//!
//! ```text
//! DIR/manifest.json
//! DIR/app_usage/month=2025-01/app_usage.parquet
//! ```
//!
//! In an export for several people, each person has such a folder: `DIR/person=NAME`. The caller passes an engine, and
//! the engine redacts titles, URLs and paths. Start reading at [`Export::run`]. [`OpenedExport::model`] provides the
//! exported tables in SQL. [`ExportHistory`] reads an export of the whole history as a source.
//!
//! Invariants: each month is read in one consistent read. The memory for a month is freed before the next month is
//! read. Files are written atomically. Only files of the requested months are replaced, and only if their content
//! differs. A new file never covers less of its month than the file that it replaces.

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
