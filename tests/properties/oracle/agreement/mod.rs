//! Compares the program with a naive second implementation, over random histories.

mod days;
mod opened_exports;
mod pieces;
mod recorded;
mod segments;
mod usage;

use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::clock::{CHANGE, DAY, HOUR, text};
use super::history::APPLICATIONS;
use crate::histories::random;
use dayledger::request::DateRange;

/// The default number of histories per test. It is small, because about forty tests query a debug build.
const CASES: u32 = 1;

/// Returns the configuration. By default, every run uses the same histories. If `DAYLEDGER_ORACLE_CASES` sets a number
/// of cases, a run uses this number of new histories.
fn config() -> ProptestConfig {
    #[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
    let cases_setting = std::env::var("DAYLEDGER_ORACLE_CASES").ok().map(|cases| cases.parse().unwrap());
    let few = ProptestConfig { failure_persistence: None, max_shrink_time: 30_000, ..ProptestConfig::default() };
    match cases_setting {
        Some(cases) => ProptestConfig { cases, ..few },
        None => ProptestConfig { cases: CASES, rng_seed: RngSeed::Fixed(1), ..few },
    }
}

/// Returns the range of the whole history, in local time.
fn everything() -> Range<i64> {
    let midnight = CHANGE.div_euclid(DAY) * DAY;
    midnight - 2 * DAY..midnight + 4 * DAY
}

/// Generates three ranges: the whole range, one day, and a range that begins and ends at other times than midnight.
fn ranges() -> impl Strategy<Value = Vec<Range<i64>>> {
    let whole = everything();
    let day = (1..4_i64).prop_map(move |day| whole.start + day * DAY..whole.start + (day + 1) * DAY);
    let part =
        (-30..40_i64, prop_oneof![Just(0), -1_800..1_800_i64], 1..20_000_i64).prop_map(|(hour, more, length)| {
            let start = CHANGE.div_euclid(DAY) * DAY + hour * HOUR / 2 + more;
            start..start + length
        });
    (day, part).prop_map(|(day, part)| vec![everything(), day, part])
}

/// Formats a range as arguments of a table function.
fn arguments(range: &Range<i64>) -> String {
    format!("'{}', '{}'", text(range.start), text(range.end))
}

/// Converts a range to the type of typed requests.
fn date_range(range: &Range<i64>) -> DateRange {
    random::days(&text(range.start), &text(range.end))
}

/// Returns the name of the application with the number `about`, which is the subject of a row.
fn application(about: usize) -> &'static str {
    APPLICATIONS.get(about).map_or("Unknown", |(_, name)| name)
}

/// Formats seconds in the same way as responses: as minutes, rounded half up to a tenth.
fn minutes(seconds: usize) -> String {
    let tenths = (10 * seconds + 30) / 60;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Sorts lines.
fn sorted(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort();
    lines
}

/// Defines tests. Each test generates ranges, and histories with some oddities. Then it compares both implementations.
macro_rules! agreement {
    ($($name:ident: $odd:ident, $agree:ident;)*) => {
        proptest::proptest! {
            #![proptest_config(super::config())]
            $(
                #[test]
                fn $name(
                    invented in super::super::history::history(super::super::history::Oddities::$odd),
                    ranges in super::ranges(),
                ) {
                    let program = super::super::writing::write(&invented, |_| ());
                    $agree(&invented, &program, &ranges)?;
                }
            )*
        }
    };
}
use agreement;
