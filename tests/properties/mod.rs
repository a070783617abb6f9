//! What holds for every history (docs/spec/time.md#sums), tried on small random ones around a clock change.

#![expect(clippy::unwrap_used, reason = "a test tells what went wrong by its panic")]

mod active_time;
mod calls;
mod filters;
mod invariance;
mod oracle;
mod paging;
mod partitions;
mod recorded_time;
mod rules;
mod timesheet;
mod why;
mod worked_example;

/// How a property is tried: a case writes a history and asks an unoptimised engine, which takes seconds.
fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases, max_shrink_iters: 20, failure_persistence: None, ..Default::default() }
}
