//! Compares pieces row by row.

use std::ops::Range;

use proptest::prelude::*;

use super::super::clock::text;
use super::super::history::History;
use super::super::pieces::{Piece, pieces_in};
use super::super::writing::device_name;
use super::{agreement, application, arguments, sorted};
use crate::histories::OpenHistory;

fn line(piece: Piece) -> String {
    let Piece { device, activity, about, stretch, .. } = piece;
    let (start, end) = (stretch.start, stretch.end);
    let times = [start.local, start.utc, end.local, end.utc].map(text).join("|");
    format!("{}|{activity}|{}|{times}|{}", device_name(device), application(about), stretch.seconds())
}

pub(super) fn pieces_agree(
    invented: &History,
    program: &OpenHistory,
    ranges: &[Range<i64>],
) -> Result<(), TestCaseError> {
    for range in ranges {
        let expected = sorted(pieces_in(invented, range).into_iter().map(line));
        let columns = "device, activity_id, application, start_local, start_utc, end_local, end_utc, seconds";
        let actual = sorted(program.sql(&format!("SELECT {columns} FROM pieces({})", arguments(range))));
        prop_assert_eq!(actual, expected, "pieces of {}", arguments(range));
    }
    Ok(())
}

agreement! {
    pieces_of_a_quiet_desk: NONE, pieces_agree;
    pieces_where_clocks_change: CLOCKS, pieces_agree;
    pieces_of_odd_rows: ROWS, pieces_agree;
    pieces_of_devices: DEVICES, pieces_agree;
    pieces_of_it_all: ALL, pieces_agree;
}
