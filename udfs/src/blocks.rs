//! Divides a day into blocks, about a dozen, as a person would write them on a timesheet (docs/spec/time.md#blocks).
//!
//! Start with [`sweep_blocks`]; [`assign_blocks`] is the same for SQL. Pieces come with the subjects that rules gave them
//! (docs/spec/time.md#pieces-by-rule). The applications, documents and sites of a block are found elsewhere, by overlap
//! in UTC.
//!
//! Invariants: every second of the union of all pieces belongs to exactly one block, so the blocks add up to its
//! duration. Blocks are in time order and disjoint in UTC, don't contain a break of ten minutes, and each lies in one
//! local day. Two consecutive blocks have different subjects, unless a break or the start of a day separates them. Neither the
//! order of pieces and tags nor a piece that comes in two touching parts changes the result.

mod choice;
mod forming;
mod function;
mod input;
mod slices;
#[cfg(test)]
mod tests;

pub use forming::{Block, Slice, sweep_blocks};
pub use function::assign_blocks;
pub use input::{Kind, RuledPiece, Subject, TagInterval};
