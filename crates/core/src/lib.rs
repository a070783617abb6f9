//! Shared code for all parts of dayledger. It depends on no other crate of the project.
//!
//! | module | content |
//! |---|---|
//! | `error` | [`Error`], the one error that the caller of a request receives |
//! | [`code`] | error codes, and the macro with which each crate declares its own |
//! | [`files`] | atomic writes, permissions, and reads up to a maximum size |
//! | [`glob`] | file name patterns with `*` and `?` |
//! | [`local_days`] | when local days and weeks start |
//! | [`zone_data`] | the newest available time zone data |
//!
//! Start reading at [`Error`].

pub mod code;
mod error;
pub mod files;
pub mod glob;
pub mod local_days;
pub mod zone_data;

pub use error::{Error, ErrorDetails, Position, full_message};
