//! Every shape that a history can have, on files of our own making (docs/spec/manictime.md#tables).
//!
//! Owns what a file may look like, be missing, or undergo while it is read. What numbers mean is `properties/` and
//! `sql/`.

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
