//! The history as files that other tools read: Parquet, CSV or JSON lines, a file a month.
//!
//! **Owns** which tables can be exported, the layout of the folder, the manifest, and how a folder is opened again as
//! tables ([`Archive`]). **Does not own** what a number means (`sql/`), nor what is told of titles, addresses and paths
//! (`manictime`: the engine that is handed in withholds them or does not).
//!
//! ```text
//! DIR/manifest.json
//! DIR/app_usage/month=2025-01/app_usage.parquet
//! ```
//!
//! Of many people each has such a folder, `DIR/person=NAME`.
//!
//! Invariants: a month is one consistent read, and nothing of a month is in memory while another is read; a file under
//! its final name is whole; only files of the months that were asked for are replaced, and only where they would differ; a
//! month's file never becomes one that holds less of the month, unless that was asked for.

mod archive;
mod encode;
mod error;
mod file;
mod folder;
mod layout;
mod manifest;
mod month;
mod person;
mod run;
mod table;

pub use archive::Archive;
pub use encode::FileFormat;
pub use error::Error;
pub use layout::is_file_of_archive;
pub use manifest::{MANIFEST, Manifest, MonthFile};
pub use month::Month;
pub use person::{InvalidPerson, Person};
pub use run::{Export, ExportSummary, Progress};
pub use table::ExportTable;
