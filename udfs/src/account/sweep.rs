//! From rows to the stretches that account for their time.

use super::cuts::cut_ends;
use super::device_times::DeviceTimes;
use super::input::{AccountInterval, AccountOptions, FoundInterval, Source};
use super::tags::Tags;
use super::work;

/// Calls `told` with each stretch of each row, in the order of the rows and of time: the row's place and the stretch.
pub fn sweep_account<'a>(
    sources: &[Source<'a>],
    terms: AccountOptions,
    mut told: impl FnMut(usize, AccountInterval<'a>),
) {
    let rest = DeviceTimes::new(sources);
    let mut found: Vec<FoundInterval<'a>> = Vec::with_capacity(sources.len());
    work::sweep(sources, terms, &rest, &Tags::new_excluding(sources, &[]), |interval| found.push(interval));
    rest.sweep(sources, terms, |interval| found.push(interval));
    cut_ends(sources, &rest, &mut found);
    // Stable, so that the stretches of one row stay in order of time.
    found.sort_by_key(|interval| (interval.source, interval.interval.interval.start_utc));
    for FoundInterval { source, interval } in found {
        told(source, interval);
    }
}
