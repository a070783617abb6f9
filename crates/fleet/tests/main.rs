//! Tests the fleet as an operator uses it.

// The lints don't recognise test code outside of functions with `#[test]`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod answers;
mod cluster;
mod hours;
#[cfg(target_os = "linux")] // The tests can find the processes of a server only on Linux.
#[path = "../../../tests/mcp/workers.rs"]
mod processes;
mod program;
mod serve;
mod statements;
mod storage;
mod test_team;
