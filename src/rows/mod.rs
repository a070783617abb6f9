//! Rows in the formats that other programs read: CSV, the same with tabs, JSON and JSON lines.
//!
//! **Owns** how a value becomes text: null, lists, structs and instants, the same wherever rows are written.
//! **Does not own** which rows there are, where they are written, or how a person is shown them (`report`).
//!
//! Invariants: rows are written as they come, without a look at those that follow; lists and structs are JSON in every
//! format; timestamps without a time zone are ISO 8601 without offset, those with one carry it. Only CSV for
//! spreadsheets changes values, so that a spreadsheet shows them as they are.

mod csv;
mod values;
mod writer;

pub use csv::{Csv, InvalidSeparator, Separator};
pub use values::{for_each_row, io_error};
pub use writer::{RowFormat, RowWriter};
