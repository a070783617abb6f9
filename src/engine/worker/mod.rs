//! Statements of others in a process of their own (`docs/decisions/0012-statements-in-a-worker.md`).
//!
//! What a statement that somebody wrote costs cannot be told beforehand: DataFusion's memory pool does not see windows,
//! functions and the rows between two operators, and nothing stops it inside a batch. So the statement runs in a
//! *worker*: the same program with the same settings, asked and answering over pipes. Its memory is limited by the
//! system and watched from here, its time ends with it, and whoever asked never holds more than the rows of the answer.
//!
//! **Owns** the processes, what is said over their pipes, and what a process may hold. **Does not own** what a statement
//! means or may do (`query`, `guard`, `read_only`), nor how a worker makes its engine: that is told by whoever starts it.
//!
//! Invariants: a worker carries out one statement at a time; one whose statement was stopped, or whose answer nobody wants
//! any more, or that failed for want of memory, is ended and never used again; a worker whose input ends, ends at once,
//! whatever it does.

mod compact;
mod frame;
mod memory;
mod pool;
mod process;
mod remote_statement;
mod serving;

pub use memory::{LOOK_EVERY, OwnLimit, process_memory};
pub(super) use pool::Workers;
pub use process::{Launch, Spawned, is_for_memory};
pub(super) use remote_statement::RemoteStatement;
pub use serving::{OpenedEngine, read_setup, serve};
