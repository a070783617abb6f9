//! The connection to the database, which `dayledger_sqlite` opens safely, and its errors.

mod connection;
mod errors;

pub(crate) use connection::Reader;
pub(crate) use errors::{BUSY_TIMEOUT, READ_TIMEOUT, convert_failure, sqlite_error};
