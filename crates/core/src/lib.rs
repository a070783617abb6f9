//! Shared code for all parts of dayledger: errors and their codes, files, file name patterns, and time zone data.

pub mod code;
mod error;
pub mod files;
pub mod glob;
pub mod zone_data;

pub use error::{Error, ErrorDetails, Position, full_message};
