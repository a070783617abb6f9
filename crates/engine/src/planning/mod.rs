//! Plans statements. Start with [`Session`](session::Session).
//!
//! - `session`: the DataFusion session, with its catalog, views, functions and cached plans.
//! - `statement`: the files in `sql/` with their parameters, and plans with open parameters.
//! - `statement_times`: the times of a user's statement as parameters, so that similar statements share a plan.
//! - `prepared`: plans that later requests reuse with other arguments.
//! - `analysis`: prepares a plan for DataFusion's optimiser. It completes times in texts, names scalar subqueries,
//!   replaces clock functions (`clock`), preserves casts of timestamps (`exact_cast`), and rejects outdated time zones
//!   (`outdated_zones`).
//! - `impossible_filters`: an optimizer rule that skips scans without matching rows.

mod analysis;
pub(crate) mod clock;
mod exact_cast;
mod impossible_filters;
mod outdated_zones;
pub(crate) mod prepared;
pub(crate) mod session;
pub(crate) mod statement;
pub(crate) mod statement_times;
