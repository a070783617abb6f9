//! Properties of every history (docs/spec/time.md#sums), tested with small random ones around a clock change.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod active_time;
mod calls;
mod client_time;
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

/// The configuration of a property test. A case writes a history and queries an unoptimised engine, which takes
/// seconds.
fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases, max_shrink_iters: 20, failure_persistence: None, ..Default::default() }
}
