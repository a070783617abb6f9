//! What a question of any room is made of: ranges and limits in, pages and lengths of time out, one error.
//!
//! **Owns** how text and numbers become values that cannot be wrong, how long lists are cut, how lengths of time are
//! rounded, the shape of every error, and the threads for what blocks. **Does not own** any question, nor what a reason
//! means that only a history has (`activity`).
//!
//! Invariants: a value that exists is valid; pages concatenated are the whole list; no total depends on the page.

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
