//! Accounts for time: how each second of a history counts, and why (docs/spec/time.md#why).
//!
//! Start with [`sweep_account`]; [`account`] is the same for SQL. Pieces and their rules come as rows
//! (docs/spec/time.md#pieces-by-rule). Overlaps (`clip`), segments (`segment`) and blocks (`blocks`) are computed by
//! the functions of those modules.
//!
//! Invariants: on each device, every second of a row of computer usage or of an application row is returned once, no
//! matter how local time is divided into ranges. Application rows that a later row covers are returned in addition. A
//! second that only tags cover is returned once. The intervals that add to the overall total are the union of all
//! pieces, and those that add to an application's total are the union of its pieces.

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
