//! Reads `ActivityWatch`'s database: finds it, recognises its shape, applies the rules of `docs/activitywatch.md`, and
//! returns its rows as Arrow.
//!
//! The parts build on each other in this order: `shape` (tables and statements), `data` (the JSON of an event), `history`
//! (the events in memory), `spans` (gaps and overlaps), `clock` (local time), `rows` (the activities of the model),
//! `redaction`, `tables` (rows as Arrow), `source`. Start reading at [`ActivityWatch`].
//!
//! Invariants: the database and its folder are never written. A file whose journal isn't a write-ahead log is never
//! locked for longer than a second, because `ActivityWatch` loses events otherwise. One request is one consistent read.

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
