//! Runs statements over one consistent read, and returns their rows. Start with [`Engine::run`](engine::Engine::run).
//!
//! - `engine`: plans the statements of a request, loads their scans, and runs them.
//! - `runtime`: the engine's threads, and the number of requests that run simultaneously.
//! - `progress`: the stage of a running request.
//! - `rows`: the rows of a result.
//! - `first_rows`: the first rows of a result, and the total number of rows.
//! - `pass_through`: plan nodes that observe the rows of their input. `reservation`: such nodes that reserve memory for
//!   window functions.
//! - `scan`: the rows of one table or call, for engines over many members.

pub(crate) mod engine;
pub(crate) mod first_rows;
pub(crate) mod pass_through;
pub(crate) mod progress;
pub(crate) mod reservation;
pub(crate) mod rows;
pub(crate) mod runtime;
mod scan;
