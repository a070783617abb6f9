//! Every shape that a history can have, on files of our own making (docs/spec/manictime.md#tables).
//!
//! Owns what a file may look like, be missing, or undergo while it is read. What numbers mean is `properties/` and
//! `sql/`.

#![cfg(test)]

mod calendars;
mod clock;
mod daybook;
mod devices;
mod errors;
mod filters;
mod following;
mod hostile_files;
mod live;
mod long_texts;
mod missing;
mod prepared;
mod pushdown;
mod random_writer;
mod read_only;
mod real;
mod retention;
mod schemas;
mod stopping;
mod traps;
mod writer_process;
