//! The output of `why`.

use insta::assert_snapshot;

use super::{PLAIN, assert_fits, render, styles};
use crate::{Style, write_why};
use dayledger_activity::{Adds, Counts, Step, Why, WhyBlock, WhyStretch, WhyTotal, WhyWork};
use dayledger_request::minutes;

fn interval(start: &str, end: &str, seconds: i64, counts: Counts, activity_id: i64) -> WhyStretch {
    let at = |time: &str| Some(format!("2025-01-15T{time}"));
    WhyStretch {
        start: at(start),
        end: at(end),
        duration_minutes: minutes(seconds),
        counts,
        adds_to: Adds::Neither,
        device: Some("DESK".to_owned()),
        application: None,
        timeline_id: 1,
        activity_id,
        cut_start: None,
        cut_end: None,
        work: None,
        rule: None,
        tags: Vec::new(),
        reason: None,
    }
}

fn active_interval(
    start: &str,
    end: &str,
    seconds: i64,
    activity_id: i64,
    (segment, step): (&str, Step),
) -> WhyStretch {
    let application = if step == Step::Absorbed { "Slack" } else { "Code \u{1b}[2J" };
    let work = WhyWork {
        segment_start: format!("2025-01-15T{segment}"),
        step,
        block_start: "2025-01-15T09:00:00".to_owned(),
        block: "Client A".to_owned(),
        is_on_subject: step != Step::Absorbed,
    };
    WhyStretch {
        adds_to: Adds::Both,
        application: Some(application.to_owned()),
        timeline_id: 2,
        tags: if work.is_on_subject { vec!["Client A".to_owned()] } else { Vec::new() },
        work: Some(work),
        ..interval(start, end, seconds, Counts::Active, activity_id)
    }
}

/// Returns a morning on two devices.
fn morning() -> Why {
    let segment = "09:00:00";
    let total = |counts, device: &str, seconds, stretches| WhyTotal {
        counts,
        device: Some(device.to_owned()),
        total_minutes: minutes(seconds),
        stretches,
    };
    Why {
        start_date: "2025-01-15".to_owned(),
        end_date: "2025-01-16".to_owned(),
        total_active_minutes: minutes(1215),
        shared_minutes: minutes(60),
        totals: vec![
            total(Counts::Active, "DESK", 1215, 4),
            total(Counts::Active, "LAP", 60, 1),
            total(Counts::Away, "DESK", 600, 1),
            total(Counts::Ignored, "DESK", 0, 1),
        ],
        blocks: vec![WhyBlock {
            start: "2025-01-15T09:00:00".to_owned(),
            subject: "Client A".to_owned(),
            active_minutes: minutes(1215),
        }],
        stretches: vec![
            active_interval("09:00:00", "09:05:00", 300, 7, (segment, Step::Own)),
            // Another window of the same application belongs to the same sentence.
            active_interval("09:05:00", "09:10:00", 300, 8, (segment, Step::Own)),
            active_interval("09:10:00", "09:10:15", 15, 9, (segment, Step::Absorbed)),
            WhyStretch {
                cut_end: Some("away".to_owned()),
                rule: Some("Writing".to_owned()),
                ..active_interval("09:10:15", "09:20:15", 600, 10, (segment, Step::Own))
            },
            WhyStretch {
                device: Some("LAP".to_owned()),
                timeline_id: 5,
                adds_to: Adds::Neither,
                ..active_interval("09:12:00", "09:13:00", 60, 3, ("09:12:00", Step::Own))
            },
            WhyStretch {
                application: Some("Code".to_owned()),
                ..interval("09:20:15", "09:30:15", 600, Counts::Away, 4)
            },
            WhyStretch {
                reason: Some("it ends no later than it starts".to_owned()),
                ..interval("10:00:00", "10:00:00", 0, Counts::Ignored, 6)
            },
        ],
    }
}

#[test]
fn a_morning_explains_itself() {
    assert_snapshot!(render(|out| write_why(out, &morning(), &PLAIN)));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for style in [40, 80].into_iter().flat_map(styles) {
        assert_fits(&render(|out| write_why(out, &morning(), &style)), &style);
    }
}

#[test]
fn a_range_without_records_is_reported() {
    let nothing = Why { totals: Vec::new(), blocks: Vec::new(), stretches: Vec::new(), ..morning() };
    let text = render(|out| write_why(out, &nothing, &Style { width: 80, ..PLAIN }));
    assert_eq!(text, "Nothing was recorded on Wednesday, 15 January 2025.\n");
}

#[test]
fn an_interval_of_several_days_shows_its_end() {
    let off = WhyStretch {
        start: Some("2025-01-15T18:00:00".to_owned()),
        end: Some("2025-01-17T09:00:00".to_owned()),
        ..interval("", "", 140_400, Counts::Off, 4)
    };
    let week = Why { end_date: "2025-01-18".to_owned(), stretches: vec![off], ..morning() };
    let text = render(|out| write_why(out, &week, &PLAIN));
    let expected = "\nWednesday, 15 January\n  18:00–09:00  Off on DESK, 39 h 00 min: row 4 of timeline 1, until Friday, 17 January.\n";
    assert!(text.contains(expected), "{text}");
}
