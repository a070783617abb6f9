//! Code that all requests share: the trait [`Request`], batches of statements, date ranges, limits, pages, durations,
//! and threads for blocking work. The requests themselves are in other crates, such as `dayledger-activity`.
//!
//! Start reading at [`Request`] for a request, and at [`DateRange`] for its parameters.
//!
//! Invariants: the types in this crate can't contain invalid values, because their constructors reject them. The pages
//! of a list together contain the complete list. Every page of a list has the same totals.

pub mod codes;
mod date_words;
mod dispatch;
mod limit;
mod minutes;
mod paging;
mod pool;
mod range;

pub use date_words::start_and_end;
pub use dayledger_core::{Error, full_message};
pub use dispatch::{Batch, BatchRows, Request, Slot, run_statements};
pub use limit::Limit;
pub use minutes::{Minutes, minutes};
pub use paging::{Cursor, LimitedBy, Page, Truncate, Truncation};
pub use pool::Pool;
pub use range::{ComparedPart, ComparedRange, DateRange, format_iso, parse_date, parse_moment};
