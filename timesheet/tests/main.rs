//! The timesheet from outside: one suite of cases for every keeper of entries, and what is true of one alone.

#![cfg(test)]

mod draft;
mod export;
mod graphql;
mod kills;
mod ledger;
mod program;
mod random;
mod simulator;
mod suite;
