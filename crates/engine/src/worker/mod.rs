//! Runs statements that users and models write in worker processes (`docs/decisions/0012-statements-in-a-worker.md`).
//!
//! The cost of such a statement can't be predicted: DataFusion's memory pool doesn't see windows, functions, or rows
//! between two operators, and nothing can stop the work inside a batch. So the statement runs in a *worker*, which is
//! the same program with the same settings, controlled over pipes. The operating system limits its memory, and this
//! process watches it. The worker is killed at the deadline. The caller never holds more than the rows of the result.
//!
//! Invariants: a worker runs one statement at a time. If a statement was stopped, its result is no longer wanted, or it
//! ran out of memory, its worker is ended and never used again. A worker ends as soon as its input ends, even
//! while it computes.

mod compact;
mod frame;
mod memory;
mod pool;
mod process;
mod remote_statement;
mod serving;

pub use frame::{read_setup, write_setup};
pub use memory::{OwnLimit, POLL_INTERVAL, process_memory};
pub(super) use pool::Workers;
pub use process::{Launch, Spawned, is_for_memory};
pub(super) use remote_statement::RemoteStatement;
pub use serving::{OpenedEngine, serve};
