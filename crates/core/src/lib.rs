//! Shared code for all crates of dayledger. It doesn't depend on any other crate of the project.
//!
//! | module | content |
//! |---|---|
//! | `error` | [`Error`], the error type of all requests |
//! | [`code`] | error codes, and the macro that declares the error codes of a crate |
//! | [`files`] | atomic writes, permissions, and reads up to a maximum size |
//! | [`glob`] | file name patterns with `*` and `?` |
//! | [`local_days`] | the start of local days and weeks |
//! | [`zone_data`] | time zones, from the newest available data |
//!
//! Start reading at [`Error`].

pub mod code;
mod error;
pub mod files;
pub mod glob;
pub mod local_days;
pub mod zone_data;

pub use error::{Error, ErrorDetails, Position, full_message};
