//! The account of time: what each second of a history counts as, and why (docs/spec/time.md#why).
//!
//! Owns: [`sweep_account`], and [`account`] for SQL. Does not own: pieces and their rules, which come as rows
//! (docs/spec/time.md#pieces-by-rule); who owns a second (`clip`), segments (`segment`) and blocks (`blocks`), whose
//! functions it calls.
//!
//! Invariants: of each device, every second that a row of its computer usage or an application row holds is told once,
//! however local time is divided into ranges; application rows under a later one are told besides. A second that only
//! tags hold is told once. What adds to the whole total is the union of the pieces; what adds to an application's total
//! is the union of those of that application.

mod blocks;
mod cuts;
mod device_times;
mod function;
mod input;
mod spans;
mod sweep;
mod tags;
#[cfg(test)]
mod tests;
mod work;

pub use function::account;
pub use input::{AccountInterval, AccountOptions, Adds, Counts, Cut, Kind, Source, State, Step, Work};
pub use sweep::sweep_account;
