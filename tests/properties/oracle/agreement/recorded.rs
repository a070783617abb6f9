//! Compares tagged time and the states of the computer row by row.

use std::collections::BTreeSet;
use std::ops::Range;

use dayledger::activity::{ComputerState, ComputerUsageRequest, TagsRequest};
use proptest::prelude::*;

use super::super::clock::{DAY, text};
use super::super::history::History;
use super::super::recorded::{NamedTime, states, tags};
use super::super::writing::device_name;
use super::{agreement, arguments, date_range, minutes, sorted};
use crate::histories::OpenHistory;

/// Returns the intervals and the totals as lines.
fn lines(expected: &NamedTime) -> [Vec<String>; 2] {
    let devices: BTreeSet<_> = expected.stretches.iter().map(|(_, device, _)| device).collect();
    let intervals = expected.stretches.iter().map(|(name, device, stretch)| {
        let device = device.filter(|_| devices.len() > 1).map(device_name).unwrap_or_default();
        let length = minutes(usize::try_from(stretch.seconds()).unwrap());
        format!("{name}|{}|{}|{length}|{device}", text(stretch.start.local), text(stretch.end.local))
    });
    let totals = expected.totals.iter().map(|(name, seconds)| format!("{name} {}", minutes(seconds.len())));
    [sorted(intervals), sorted(totals)]
}

fn states_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges {
        let usage = program.answer(ComputerUsageRequest {
            range: date_range(range),
            device: None,
            include_intervals: true,
            cursor: None,
        });
        let name = |state: ComputerState| serde_json::to_value(state).unwrap().as_str().unwrap().to_owned();
        let intervals = usage.intervals.into_iter().flatten().map(|row| {
            let device = row.device.unwrap_or_default();
            format!("{}|{}|{}|{:.1}|{device}", name(row.state), row.start, row.end, row.duration_minutes)
        });
        let totals = &usage.totals;
        let totals = [
            ("active", totals.active),
            ("away", totals.away),
            ("locked", totals.locked),
            ("off", totals.off),
            ("unknown", totals.unknown),
        ];
        let totals = totals.into_iter().filter_map(|(name, minutes)| Some(format!("{name} {:.1}", minutes?)));
        let expected = lines(&states(invented, range));
        prop_assert_eq!([sorted(intervals), sorted(totals)], expected, "states of {}", arguments(range));
    }
    Ok(())
}

fn tags_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges {
        let answer = program.answer(TagsRequest::new(date_range(range)));
        let intervals = answer
            .tags
            .into_iter()
            .map(|row| format!("{}|{}|{}|{:.1}|", row.name, row.start, row.end, row.duration_minutes));
        let totals = answer.totals.into_iter().map(|total| format!("{} {:.1}", total.name, total.total_minutes));
        let expected = lines(&tags(invented, range));
        prop_assert_eq!([sorted(intervals), sorted(totals)], expected, "tags of {}", arguments(range));
    }
    Ok(())
}

/// Checks the explanation of time. For every device, the explained active time must equal the active time, and the
/// active time must not exceed the time of use. The time of use of all days must add up to the time of use of the whole
/// range.
fn use_holds_active_time(_: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    let whole = &ranges[0];
    let used = |range: &Range<i64>| {
        let sql = "SELECT device, union_seconds(start_utc, end_utc) FROM computer_usage_in(RANGE) WHERE state = 'active' \
                   GROUP BY device ORDER BY device";
        program.sql(&sql.replace("RANGE", &arguments(range)))
    };
    for range in ranges {
        let sql = |sql: &str| program.sql(&sql.replace("RANGE", &arguments(range)));
        let explained = sql("SELECT device, sum(counted_seconds + shared_seconds) FROM why(RANGE) GROUP BY device \
             HAVING sum(counted_seconds + shared_seconds) > 0 ORDER BY device");
        let pieces = sql("SELECT device, sum(seconds) FROM pieces(RANGE) GROUP BY device ORDER BY device");
        prop_assert_eq!(explained, pieces, "{}", arguments(range));
        let excess =
            sql("SELECT device FROM (SELECT device, sum(seconds) AS active FROM pieces(RANGE) GROUP BY device) AS p \
             JOIN (SELECT device, union_seconds(start_utc, end_utc) AS used FROM computer_usage_in(RANGE) \
                   WHERE state = 'active' GROUP BY device) AS u USING (device) WHERE active > used");
        prop_assert!(excess.is_empty(), "more active time than use: {:?} {}", excess, arguments(range));
    }
    let seconds = |lines: &[String]| {
        lines.iter().map(|line| line.rsplit_once('|').unwrap().1.parse::<i64>().unwrap()).sum::<i64>()
    };
    let days = (whole.start..whole.end).step_by(usize::try_from(DAY).unwrap());
    let days: i64 = days.map(|midnight| seconds(&used(&(midnight..midnight + DAY)))).sum();
    prop_assert_eq!(days, seconds(&used(whole)));
    Ok(())
}

agreement! {
    use_holds_active_time_where_clocks_change: CLOCKS, use_holds_active_time;
    use_holds_active_time_of_devices: DEVICES, use_holds_active_time;
    states_of_a_quiet_desk: NONE, states_agree;
    states_where_clocks_change: CLOCKS, states_agree;
    states_of_it_all: ALL, states_agree;
    states_of_odd_rows: ROWS, states_agree;
    states_of_devices: DEVICES, states_agree;
    tags_where_clocks_change: CLOCKS, tags_agree;
    tags_of_odd_rows: ROWS, tags_agree;
}
