//! Tests properties that every history must have (docs/spec/time.md#sums). Uses small random histories around a clock
//! change.

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

/// Returns the configuration of a property test. Each case takes seconds, because it writes a history and queries an
/// unoptimised engine.
fn config(cases: u32) -> proptest::test_runner::Config {
    proptest::test_runner::Config { cases, max_shrink_iters: 20, failure_persistence: None, ..Default::default() }
}
