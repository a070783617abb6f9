//! Tests of the timesheet through its public API: a common suite for all backends, and separate tests of each backend.

#![cfg(test)]

mod draft;
mod export;
mod graphql;
mod kills;
mod ledger;
mod program;
mod push;
mod random;
mod simulator;
mod suite;
