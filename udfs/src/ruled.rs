//! Pieces by rule: what of a piece of activity a person's rules say one thing of (docs/spec/time.md#pieces-by-rule).
//!
//! Owns: `split_by_rule` and `main_rule`, which rows belong to a piece at which instant, and which rule comes first there. Does
//! not own: what the conditions of a rule are, or whether a row's words fulfil one: a row comes with the numbers of
//! those that it fulfils.
//!
//! Invariant: the stretches of a piece are disjoint, none is empty, and together they are the piece.

mod function;
mod sweep;
#[cfg(test)]
mod tests;

pub use function::{main_rule, split_by_rule};
pub use sweep::{Detail, Piece, RuleInterval, dominant_rule, sweep_ruled};
