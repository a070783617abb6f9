//! Blocks: the day in a dozen lines, as one would write it on a timesheet (docs/spec/time.md#blocks).
//!
//! Owns: [`blocks`], and [`assign_blocks`] for SQL. Does not own: pieces by rule and their subjects
//! (docs/spec/time.md#pieces-by-rule), the applications, documents and sites that a block names: they are found by
//! overlap in UTC.
//!
//! Invariant: every second of the union of all pieces lies in exactly one block, so blocks add up to its measure.
//! Blocks are in order of time and disjoint in UTC, none crosses a break of ten minutes, each lies in one local day,
//! and two that follow one another without such an end between differ in subject. The order of pieces and tags changes
//! nothing, nor does a piece that comes in two touching parts.

mod choice;
mod forming;
mod function;
mod input;
mod slices;
#[cfg(test)]
mod tests;

pub use forming::{Block, Slice, blocks, sweep_blocks};
pub use function::assign_blocks;
pub use input::{Kind, RuledPiece, Subject, TagInterval};
