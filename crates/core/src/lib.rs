//! Shared code for all parts of dayledger: error codes, files, file name patterns, and time zone data.

pub mod code;
pub mod files;
pub mod glob;
pub mod zone_data;
