//! Runs statements that users and models write in worker processes (`docs/decisions/0012-statements-in-a-worker.md`).
//!
//! The cost of such a statement can't be predicted. DataFusion's memory pool doesn't count the memory of functions, or
//! of rows that pass from one operator to the next. Work inside a batch can't be stopped. So the statement runs in a
//! *worker*: a process of the same program with the same settings. Pipes connect the worker to this process. The
//! operating system limits the memory of the worker, and this process also checks it. The worker is killed at the
//! deadline. This process never stores more than the rows of the result.
//!
//! Invariants:
//!
//! - A worker runs one statement at a time.
//! - A worker is ended if its statement was stopped or ran out of memory, or if the result is no longer wanted.
//! - A worker ends as soon as its standard input is closed, even while it computes.

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
