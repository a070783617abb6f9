//! Plans are made once and run with other arguments: what one question leaves behind shows in no other answer.

use std::thread;

use dayledger::activity::{
    Breakdown, ComputerUsageRequest, DateRange, Detail, Limit, NarrativeRequest, PeriodSummaryRequest, Question,
    TagsRequest, UsageKind, UsageRequest,
};
use dayledger::engine::{Engine, QUESTIONS_AT_ONCE};

use super::random_writer::twelve_days;
use crate::histories::{ask, engine_at, narrative_request, range};

/// Ranges of every length. The first is short: rows of a longer one would hide that they are old.
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

fn told<Q: Question>(engine: &Engine, question: Q) -> String
where
    Q::Answer: serde::Serialize,
{
    match ask(engine, question) {
        Ok(answer) => serde_json::to_string(&answer).unwrap(),
        Err(error) => error.to_string(),
    }
}

/// What the questions that take a range answer about this one.
fn answers(engine: &Engine, asked: DateRange) -> Vec<String> {
    let narrative = || narrative_request(asked);
    let (kind, limit, breakdown) = (UsageKind::Applications, Limit::MAXIMUM, Breakdown::Day);
    vec![
        told(engine, narrative()),
        told(engine, NarrativeRequest { detail: Detail::Coarse, device: Some("DESK".to_owned()), ..narrative() }),
        told(engine, NarrativeRequest { device: Some("NOTHING".to_owned()), ..narrative() }),
        told(engine, PeriodSummaryRequest { range: asked, device: None }),
        told(engine, ComputerUsageRequest { range: asked, device: None, cursor: None }),
        told(engine, TagsRequest { range: asked, cursor: None }),
        told(engine, UsageRequest { kind, range: asked, limit, breakdown, cursor: None }),
    ]
}

#[test]
fn a_plan_answers_about_other_ranges_as_a_new_one_does() {
    let history = twelve_days("wal");
    let engine = engine_at(history.folder());
    for asked in ranges().into_iter().chain(ranges().into_iter().rev()) {
        assert_eq!(answers(&engine, asked), answers(&engine_at(history.folder()), asked), "{asked:?}");
    }
}

#[test]
fn questions_at_once_are_about_their_own_ranges() {
    let history = twelve_days("delete");
    let engine = engine_at(history.folder());
    let expected: Vec<_> = ranges().into_iter().map(|asked| answers(&engine_at(history.folder()), asked)).collect();
    thread::scope(|scope| {
        for start in 0..QUESTIONS_AT_ONCE * 2 {
            let (engine, expected) = (engine.clone(), &expected);
            scope.spawn(move || {
                for place in (0..expected.len()).cycle().skip(start).take(expected.len()) {
                    assert_eq!(answers(&engine, ranges()[place]), expected[place]);
                }
            });
        }
    });
}
