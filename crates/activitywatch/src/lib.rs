//! Reads `ActivityWatch`'s database: finds the file, recognises its tables, applies the rules of
//! `docs/activitywatch.md`, and returns rows as Arrow.
//!
//! Data passes through the modules in this order: `shape` (tables and statements), `data` (the JSON of an event),
//! `history` (the events in memory), `spans` (gaps and overlaps), `clock` (local time), `rows` (activities),
//! `redaction`, `tables` (rows as Arrow), `source`. Start reading at [`ActivityWatch`].
//!
//! Invariants: dayledger never writes to the database or its folder. A database without a write-ahead log is never
//! locked for longer than a second, because `ActivityWatch` would lose events. All data of a request comes from the
//! same state of the database.

mod categories;
mod clock;
mod data;
mod error;
mod history;
mod instant;
mod locate;
mod redaction;
mod remarks;
mod rows;
mod settings;
mod shape;
mod site;
mod source;
mod spans;
mod tables;
mod texts;

#[cfg(test)]
mod tests;

pub use categories::Category;
pub use locate::{Candidate, Locator, Server};
pub use settings::{InvalidSetting, Journey, Settings};
pub use source::ActivityWatch;
