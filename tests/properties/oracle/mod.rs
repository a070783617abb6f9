//! A second, naive implementation of all numbers: one second of UTC at a time, over the generated rows instead of the
//! rows that were read. It shares no code with the program.
//!
//! `DAYLEDGER_ORACLE_CASES=500` runs this many new histories in each test.

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
