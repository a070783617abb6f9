//! Plans are prepared once and run with different arguments. A query must not affect the result of another query.

use std::thread;

use dayledger::App;
use dayledger::activity::{Detail, NarrativeRequest, PeriodSummaryRequest, TagsRequest, UsageKind};
use dayledger::engine::MAX_PARALLEL_REQUESTS;
use dayledger::request::DateRange;

use super::random_writer::twelve_days;
use crate::histories::{answer_json, app_at, computer_usage_request, narrative_request, range, usage_request};

/// Returns ranges of different lengths. The first range is short, because a longer first range could hide rows that are
/// left from an earlier query.
fn ranges() -> Vec<DateRange> {
    let ends = [
        ("2025-01-08", "2025-01-09"),
        ("2025-01-03", "2025-01-17"),
        ("2025-01-05T10:15", "2025-01-05T11:00"),
        ("2024-12-01", "2024-12-02"),
        ("2025-01-12", "2025-01-13"),
        ("2025-01-04", "2025-01-11T03:30"),
    ];
    ends.map(|(start, end)| range(start, end)).into()
}

/// Returns the responses to all requests with a range. Each response is JSON or the message of its error.
fn answers(app: &App, range: DateRange) -> Vec<String> {
    let narrative = || narrative_request(range);
    let answers = [
        answer_json(app, narrative()),
        answer_json(app, NarrativeRequest { detail: Detail::Blocks, device: Some("DESK".to_owned()), ..narrative() }),
        answer_json(app, NarrativeRequest { device: Some("NOTHING".to_owned()), ..narrative() }),
        answer_json(app, PeriodSummaryRequest::new(range)),
        answer_json(app, computer_usage_request(range)),
        answer_json(app, TagsRequest::new(range)),
        answer_json(app, usage_request(UsageKind::Applications, range)),
    ];
    answers.map(|answer| answer.unwrap_or_else(|error| error.to_string())).into()
}

#[test]
fn reused_plan_returns_the_same_rows_as_a_new_one_even_for_simultaneous_queries() {
    let history = twelve_days("wal");
    let app = app_at(history.folder());
    let ranges = ranges();
    let expected: Vec<_> = ranges.iter().map(|range| answers(&app_at(history.folder()), *range)).collect();
    for place in (0..ranges.len()).chain((0..ranges.len()).rev()) {
        assert_eq!(answers(&app, ranges[place]), expected[place], "{:?}", ranges[place]);
    }
    thread::scope(|scope| {
        for start in 0..MAX_PARALLEL_REQUESTS * 2 {
            let (app, ranges, expected) = (app.clone(), &ranges, &expected);
            scope.spawn(move || {
                for place in (0..expected.len()).cycle().skip(start).take(2) {
                    assert_eq!(answers(&app, ranges[place]), expected[place]);
                }
            });
        }
    });
}
