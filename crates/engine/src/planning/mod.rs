//! Plans statements. Start with [`Session`](session::Session).
//!
//! - `session`: the DataFusion session: catalog, views, functions and cached plans.
//! - `statement`: the files in `sql/` with their parameters, and plans with open parameters.
//! - `prepared`: plans that are reused with other arguments.
//! - `analysis`: changes and checks a plan before DataFusion optimises it: times without seconds, the clock (`clock`),
//!   casts of timestamps (`exact_cast`), and outdated time zones (`outdated_zones`).
//! - `impossible_filters`: an optimizer rule that skips scans without matching rows.

mod analysis;
pub(crate) mod clock;
mod exact_cast;
mod impossible_filters;
mod outdated_zones;
pub(crate) mod prepared;
pub(crate) mod session;
pub(crate) mod statement;
