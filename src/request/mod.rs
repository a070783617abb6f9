//! The parts that all requests share: date ranges, limits, pages, durations, the error type, and threads for blocking
//! work.
//!
//! Invariants: a value that exists is valid. All pages together are the complete list. No total depends on the page.

pub mod codes;
mod dispatch;
mod error;
mod limit;
mod minutes;
mod paging;
mod pool;
mod range;

pub use dispatch::Request;
pub(crate) use dispatch::{Batch, BatchRows, Slot, run_statements};
pub(crate) use error::full_message;
pub use error::{Error, ErrorDetails};
pub use limit::Limit;
pub use minutes::{Minutes, minutes};
pub(crate) use paging::Page;
pub use paging::{Cursor, LimitedBy, Truncate, Truncation};
pub use pool::Pool;
pub(crate) use range::format_iso;
pub use range::{ComparedPart, ComparedRange, DateRange, parse_date, parse_moment};
