//! Tests every possible structure of a ManicTime history. The tests write the files themselves
//! (docs/spec/manictime.md#tables).
//!
//! These tests cover the content of a file, missing tables and columns, and changes during a read. The tests in
//! `properties/` and `sql/` cover the meaning of numbers.

#![cfg(test)]

mod calendars;
mod cancellation;
mod clock;
mod devices;
mod errors;
mod filters;
mod following;
mod hostile_files;
mod live;
mod long_texts;
mod missing;
mod prepared_plans;
mod pushdown;
mod random_writer;
mod range_report;
mod read_only;
mod real;
mod retention;
mod schemas;
mod traps;
mod writer_process;
