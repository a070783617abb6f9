//! Tests of the fleet as an operator uses it.

// The lints don't recognise test code outside of functions marked `#[test]`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code may panic")]

mod answers;
mod cluster;
mod hours;
#[cfg(target_os = "linux")] // Only there the tests find the processes of a server.
#[path = "../../../tests/mcp/workers.rs"]
mod processes;
mod program;
mod serve;
mod statements;
mod storage;
mod test_team;
