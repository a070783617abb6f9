//! Reads `ActivityWatch`'s database: finds it, recognises its shape, applies the rules of `docs/activitywatch.md`, and
//! returns its rows as Arrow.
//!
//! Start reading at [`ActivityWatch`].
//!
//! Invariants: the database and its folder are never written. A file whose journal isn't a write-ahead log is never
//! locked for longer than a second, because `ActivityWatch` loses events otherwise. One request is one consistent read.

mod categories;
mod error;
mod locate;
mod settings;
mod source;

pub use categories::Category;
pub use locate::{Candidate, Locator, Server};
pub use settings::{InvalidSetting, Journey, Settings};
pub use source::ActivityWatch;
