//! Compares segments with all their details row by row, in SQL and from the tool.

use std::collections::BTreeSet;
use std::ops::Range;

use dayledger::activity::{NarrativeRequest, TimeBasis};
use dayledger::request::Minutes;
use proptest::prelude::*;

use super::super::clock::{MINUTE, text};
use super::super::history::History;
use super::super::pieces::pieces_in;
use super::super::segments::{Segment, segments};
use super::super::usage::{RecordedSeconds, remaining_totals};
use super::super::writing::device_name;
use super::{agreement, application, arguments, date_range, minutes, sorted};
use crate::histories::{OpenHistory, segments_request};

/// The maximum gaps across which pieces are merged. Each gap is given in minutes and in seconds.
const GAPS: [(f64, i64); 3] = [(0.0, 0), (2.0, 2 * MINUTE), (4.1, 246)];

fn line(segment: &Segment) -> String {
    let (start, end) = (segment.start(), segment.end());
    let times = [start.local, start.utc, end.local, end.utc].map(text).join("|");
    let attributes = &segment.attributes;
    let [document, website] = [attributes.document, attributes.website].map(Option::unwrap_or_default);
    let (device, application) = (device_name(segment.device), application(segment.about));
    format!("{device}|{times}|{}|{application}|{document}|{website}|{}", segment.seconds(), attributes.tags.join("+"))
}

fn segments_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for (range, (gap, seconds)) in
        ranges.iter().zip(GAPS.iter().cycle().skip(usize::try_from(ranges[2].start.rem_euclid(3)).unwrap()))
    {
        let expected = sorted(segments(invented, range, *seconds).iter().map(line));
        let columns = "device, start_local, start_utc, end_local, end_utc, seconds, application, document, website, \
                       array_to_string(tags, '+')";
        let actual = sorted(program.sql(&format!("SELECT {columns} FROM narrative({}, {gap:?})", arguments(range))));
        prop_assert_eq!(actual, expected, "segments of {}, gap {}", arguments(range), gap);
    }
    Ok(())
}

/// Compares the narrative of the tool: minutes, filters that are applied after merging, and totals that don't depend on
/// filters.
fn narratives_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    let range = &ranges[usize::try_from(ranges[2].start.rem_euclid(3)).unwrap()];
    let request = NarrativeRequest {
        min_duration: Minutes::parse(Some(4.1), 0.0, "minDurationMinutes").unwrap(),
        max_gap: Minutes::parse(Some(4.1), 2.0, "maxGapMinutes").unwrap(),
        ..segments_request(date_range(range))
    };
    let narrative = program.answer(request);
    if let Some(left) = remaining_totals(invented, range) {
        let total: usize = left.sum_by(|_, _| Some(())).values().map(RecordedSeconds::seconds).sum();
        let actual = (narrative.time_basis, format!("{:.1}", narrative.total_active_minutes));
        prop_assert_eq!(actual, (TimeBasis::Recorded, minutes(total)), "recorded in {}", arguments(range));
        return Ok(());
    }
    prop_assert_eq!(narrative.time_basis, TimeBasis::Active, "narrative of {}", arguments(range));
    let actual = narrative.segments.unwrap().into_iter().map(|segment| {
        let texts = [segment.device, segment.document, segment.website].map(Option::unwrap_or_default).join("|");
        let tags = segment.tags.unwrap_or_default().join("+");
        let minutes = segment.duration_minutes;
        format!("{}|{}|{minutes:.1}|{}|{texts}|{tags}", segment.start, segment.end, segment.application)
    });
    let pieces = pieces_in(invented, range);
    let several = pieces.iter().map(|piece| piece.device).collect::<BTreeSet<_>>().len() > 1;
    let long = segments(invented, range, 246).into_iter().filter(|segment| segment.seconds() >= 246);
    let expected = long.map(|segment| {
        let device = if several { device_name(segment.device) } else { String::new() };
        let attributes = &segment.attributes;
        let [document, website] = [attributes.document, attributes.website].map(Option::unwrap_or_default);
        format!(
            "{}|{}|{}|{}|{device}|{document}|{website}|{}",
            text(segment.start().local),
            text(segment.end().local),
            minutes(usize::try_from(segment.seconds()).unwrap()),
            application(segment.about),
            attributes.tags.join("+")
        )
    });
    prop_assert_eq!(sorted(actual), sorted(expected), "narrative of {}", arguments(range));
    let seconds: BTreeSet<_> = pieces.iter().flat_map(|piece| piece.stretch.utc()).collect();
    prop_assert_eq!(format!("{:.1}", narrative.total_active_minutes), minutes(seconds.len()));
    Ok(())
}

agreement! {
    segments_of_a_quiet_desk: NONE, segments_agree;
    segments_where_clocks_change: CLOCKS, segments_agree;
    segments_of_odd_rows: ROWS, segments_agree;
    segments_of_devices: DEVICES, segments_agree;
    segments_of_it_all: ALL, segments_agree;
    narratives_of_a_quiet_desk: NONE, narratives_agree;
    narratives_of_odd_rows: ROWS, narratives_agree;
    narratives_of_it_all: ALL, narratives_agree;
}
