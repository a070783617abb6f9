//! A second, naive implementation of all numbers. It looks at one UTC second at a time, and uses the generated rows
//! instead of the rows that the program reads. It shares no code with the program.
//!
//! With `DAYLEDGER_ORACLE_CASES=500`, each test uses 500 new histories.

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
