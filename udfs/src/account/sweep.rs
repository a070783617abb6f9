//! Computes the account of a set of rows.

use super::cuts::cut_ends;
use super::device_times::DeviceTimes;
use super::input::{AccountInterval, AccountOptions, FoundInterval, Source};
use super::tags::Tags;
use super::work;

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
