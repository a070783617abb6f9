//! Writes rows as CSV, TSV, JSON or JSON Lines. Start reading at [`RowWriter`].
//!
//! It decides how each value becomes text (null, lists, structs, timestamps), so that it looks the
//! same in all output.
//!
//! Invariants: each row is written as soon as it arrives, independently of later rows. Lists and
//! structs are JSON in every format. Timestamps without a time zone are ISO 8601 without an offset,
//! and those with a time zone have their offset. Only CSV for spreadsheets changes values, so that
//! a spreadsheet shows them unchanged.

mod csv;
mod values;
mod writer;

pub use csv::{Csv, InvalidSeparator, Separator};
pub use values::{for_each_row, io_error};
pub use writer::{RowFormat, RowWriter};
