//! A second implementation of what the numbers mean, as naive as can be: a second of UTC at a time, over the rows that
//! were invented and not over those that were read. It shares nothing with the program.
//!
//! `DAYLEDGER_ORACLE_CASES=500` tries so many new histories in each test.

mod agreement;
mod attribution;
mod clock;
mod days;
mod history;
mod pieces;
mod recorded;
mod segments;
mod usage;
mod writing;
