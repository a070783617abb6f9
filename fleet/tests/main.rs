//! The fleet, asked as an operator asks it.

// Outside of functions marked `#[test]`, the lints do not know that this is test code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test code stops where it may")]

mod answers;
mod cluster;
mod hours;
#[cfg(target_os = "linux")] // Only there the tests find the processes of a server.
#[path = "../../tests/mcp/workers.rs"]
mod processes;
mod program;
mod serve;
mod statements;
mod storage;
mod test_team;
