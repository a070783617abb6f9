//! Writes rows as CSV, TSV, JSON or JSON Lines. Start reading at [`RowWriter`].
//!
//! This crate decides how values are written as text, for example nulls, lists, structs and timestamps. The commands
//! and the export use this crate, so a value has the same text in their output.
//!
//! Invariants: each batch of rows is written as soon as it arrives. Lists and structs are JSON in
//! every format. Timestamps are ISO 8601, with an offset if they have a time zone. Only CSV for
//! spreadsheets changes values: for example, it escapes texts that a spreadsheet would read as
//! formulas.

mod csv;
mod values;
mod writer;

pub use csv::{Csv, InvalidSeparator, Separator};
pub use values::{for_each_row, io_error};
pub use writer::{RowFormat, RowWriter};
