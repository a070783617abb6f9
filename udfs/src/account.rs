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
mod tags;
#[cfg(test)]
mod tests;
mod work;

pub use function::account;
pub use input::{AccountInterval, AccountOptions, Adds, Counts, Cut, Kind, Source, State, Step, Work};

use cuts::cut_ends;
use device_times::DeviceTimes;
use input::FoundInterval;
use tags::Tags;

/// Calls `visit` with each interval of each row, in the order of the rows and then of time. The first argument is the
/// index of the row.
pub fn sweep_account<'a>(
    sources: &[Source<'a>],
    terms: AccountOptions,
    mut visit: impl FnMut(usize, AccountInterval<'a>),
) {
    let rest = DeviceTimes::new(sources);
    let mut found: Vec<FoundInterval<'a>> = Vec::with_capacity(sources.len());
    work::sweep(sources, terms, &rest, &Tags::new_excluding(sources, &[]), |interval| found.push(interval));
    rest.sweep(sources, terms, |interval| found.push(interval));
    cut_ends(sources, &rest, &mut found);
    // A stable sort keeps the intervals of one row in time order.
    found.sort_by_key(|interval| (interval.source, interval.interval.interval.start_utc));
    for FoundInterval { source, interval } in found {
        visit(source, interval);
    }
}
