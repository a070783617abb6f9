//! Splits pieces by rule: each resulting part has one of the user's rules, or no rule
//! (docs/spec/time.md#pieces-by-rule).
//!
//! Start with [`sweep_ruled`]. For each time of a piece, it finds the rows that belong to the piece, and the first rule
//! that matches. [`split_by_rule`] and [`main_rule`] are the SQL functions. This module doesn't evaluate the conditions
//! of rules: each row comes with the numbers of the conditions that it meets.
//!
//! Invariant: the intervals of a piece are disjoint and not empty, and together they cover exactly the piece.

mod function;
mod sweep;
#[cfg(test)]
mod tests;

pub use function::{main_rule, split_by_rule};
pub use sweep::{Detail, Piece, RuleInterval, dominant_rule, sweep_ruled};
