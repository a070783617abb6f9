//! What the program says of an invented history is what a second, naive way of counting says.

use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::clock::{CHANGE, DAY, HOUR, text};
use super::history::{APPLICATIONS, History, Oddities, history};
use super::pieces::{Piece, pieces_in};
use super::writing::{device_name, written};
use crate::properties::histories;

/// How many histories each test invents, where nobody asks for more.
const CASES: u32 = 4;

/// The same histories every time, or as many new ones as somebody asks for.
fn config() -> ProptestConfig {
    #[expect(clippy::disallowed_methods, reason = "a switch of the tests, which configures nothing")]
    let asked = std::env::var("DAYLEDGER_ORACLE_CASES").ok().map(|cases| cases.parse().unwrap());
    let few = ProptestConfig { failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() };
    match asked {
        Some(cases) => ProptestConfig { cases, max_shrink_iters: 400, ..few },
        None => ProptestConfig { cases: CASES, rng_seed: RngSeed::Fixed(1), ..few },
    }
}

/// Everything that was invented, in local time.
fn everything() -> Range<i64> {
    let midnight = CHANGE.div_euclid(DAY) * DAY;
    midnight - 2 * DAY..midnight + 4 * DAY
}

/// The whole, a day of it, and a range that begins and ends in between.
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

/// A range as arguments of a function.
fn arguments(range: &Range<i64>) -> String {
    format!("'{}', '{}'", text(range.start), text(range.end))
}

/// What a number stands for, or what has no group.
fn application(about: usize) -> &'static str {
    APPLICATIONS.get(about).map_or("Unknown", |(_, name)| name)
}

/// Lines in one order.
fn sorted(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort();
    lines
}

fn piece(piece: Piece) -> String {
    let Piece { device, activity, about, stretch, .. } = piece;
    let (start, end) = (stretch.start, stretch.end);
    let times = [start.local, start.utc, end.local, end.utc].map(text).join("|");
    format!("{}|{activity}|{}|{times}|{}", device_name(device), application(about), stretch.seconds())
}

fn pieces_agree(invented: &History, program: &histories::History, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges {
        let expected = sorted(pieces_in(invented, range).into_iter().map(piece));
        let columns = "device, activity_id, application, start_local, start_utc, end_local, end_utc, seconds";
        let told = sorted(program.sql(&format!("SELECT {columns} FROM pieces({})", arguments(range))));
        prop_assert_eq!(told, expected, "pieces of {}..{}", text(range.start), text(range.end));
    }
    Ok(())
}

macro_rules! agreement {
    ($($name:ident: $odd:ident, $agree:ident;)*) => {
        proptest! {
            #![proptest_config(config())]
            $(
                #[test]
                fn $name(invented in history(Oddities::$odd), ranges in ranges()) {
                    $agree(&invented, &written(&invented, |_| ()), &ranges)?;
                }
            )*
        }
    };
}

agreement! {
    pieces_of_a_quiet_desk: NONE, pieces_agree;
    pieces_where_clocks_change: CLOCKS, pieces_agree;
    pieces_of_odd_rows: ROWS, pieces_agree;
    pieces_of_devices: DEVICES, pieces_agree;
    pieces_of_it_all: ALL, pieces_agree;
}
