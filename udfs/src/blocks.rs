//! Divides a day into blocks, as a person would write them on a timesheet. A day has about a dozen blocks
//! (docs/spec/time.md#blocks).
//!
//! Start with [`sweep_blocks`]. [`assign_blocks`] is the SQL function for it. Each piece already has a subject, from a
//! rule or from its application (docs/spec/time.md#pieces-by-rule). Other modules find the applications, documents and
//! sites of a block, by overlap in UTC.
//!
//! Invariants:
//!
//! - Every second of the union of all pieces belongs to exactly one block, so the seconds of all blocks add up to the
//!   duration of this union.
//! - Blocks are in time order and disjoint in UTC. A block doesn't contain a break of ten minutes, and lies within one
//!   local day.
//! - Two consecutive blocks have different subjects, unless a break or the start of a day separates them.
//! - The order of pieces and tags doesn't change the result. The result also stays the same if a piece is split into
//!   two touching pieces.

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
