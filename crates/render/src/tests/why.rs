//! Tests of the output of `why`.

use insta::assert_snapshot;

use super::{PLAIN, assert_fits, render, styles};
use crate::{Style, write_why};
use dayledger_activity::{AwayInterval, NotCounted, WeekdayAverage, Why, WhyBlock, WhyDay, WhyRow};
use dayledger_request::minutes;
use dayledger_source::ComputerState;

fn at(time: &str) -> String {
    format!("2025-01-15T{time}")
}

fn break_of(start: &str, end: &str, seconds: i64) -> AwayInterval {
    AwayInterval {
        start: at(start),
        end: at(end),
        duration_minutes: minutes(seconds),
        state: ComputerState::Away,
        tags: None,
        meetings: None,
        notes_taken: None,
    }
}

/// Returns a day from 09:00 to 17:00 with two breaks and a short gap.
fn day() -> Why {
    let meeting = AwayInterval {
        tags: Some(vec!["Northwind, Estimate".to_owned()]),
        meetings: Some(vec!["Estimate \u{1b}[2J".to_owned()]),
        ..break_of("10:00:00", "10:29:00", 1740)
    };
    let lunch = AwayInterval { state: ComputerState::Locked, ..break_of("12:00:00", "12:50:00", 3000) };
    Why {
        start_date: "2025-01-15".to_owned(),
        end_date: "2025-01-16".to_owned(),
        total_active_minutes: minutes(24_000),
        call_minutes: Some(minutes(1800)),
        not_counted: NotCounted {
            not_in_use_minutes: Some(minutes(4320)),
            hidden_minutes: Some(minutes(90)),
            shared_minutes: Some(minutes(600)),
            ignored_rows: Some(1),
        },
        days: vec![WhyDay {
            date: "2025-01-15".to_owned(),
            first_use: at("09:00:00"),
            last_use: at("17:00:00"),
            elapsed_minutes: minutes(28_800),
            active_minutes: minutes(24_000),
            break_minutes: Some(minutes(4740)),
            gap_minutes: minutes(60),
            breaks: vec![meeting, lunch],
            weekday_average: Some(WeekdayAverage { active_minutes: minutes(27_000), days: 8 }),
        }],
        block: None,
        away: None,
        rows: None,
    }
}

/// Returns a row of an application. All seconds of the row count.
fn row(start: &str, end: &str, seconds: i64, application: &str) -> WhyRow {
    WhyRow {
        start: Some(at(start)),
        end: Some(at(end)),
        duration_minutes: minutes(seconds),
        counted_minutes: minutes(seconds),
        not_counted: NotCounted::default(),
        call_minutes: None,
        device: Some("DESK".to_owned()),
        application: Some(application.to_owned()),
        rule: None,
        is_clipped: false,
        timeline_id: 2,
        activity_id: 7,
        reason: None,
    }
}

/// Returns a day with rows that count and rows that don't count.
fn day_with_rows() -> Why {
    let hidden = NotCounted { hidden_minutes: Some(minutes(30)), ..NotCounted::default() };
    let unused = NotCounted { not_in_use_minutes: Some(minutes(600)), ..NotCounted::default() };
    let rows = vec![
        WhyRow { rule: Some("Writing".to_owned()), ..row("09:00:00", "09:20:15", 1215, "Code \u{1b}[2J") },
        WhyRow { device: Some("LAP".to_owned()), not_counted: hidden, ..row("09:12:00", "09:13:00", 30, "Slack") },
        WhyRow {
            counted_minutes: minutes(0),
            not_counted: unused,
            is_clipped: true,
            ..row("10:05:00", "10:15:00", 600, "Code")
        },
        WhyRow {
            application: None,
            counted_minutes: minutes(0),
            reason: Some("it ends no later than it starts".to_owned()),
            ..row("11:00:00", "11:00:00", 0, "")
        },
    ];
    Why { rows: Some(rows), ..day() }
}

#[test]
fn a_day_is_its_time_minus_breaks() {
    let text = render(|out| write_why(out, &day(), &Style { width: 80, ..PLAIN }));
    assert!(text.lines().count() <= 25, "{text}");
    assert_snapshot!(text);
}

#[test]
fn many_breaks_fit_on_the_screen() {
    let mut why = day();
    let breaks = (0..40).map(|minute| break_of(&format!("11:{minute:02}:00"), "12:00:00", 600));
    why.days[0].breaks = breaks.collect();
    let text = render(|out| write_why(out, &why, &Style { width: 80, ..PLAIN }));
    assert!(text.lines().count() <= 25 && text.contains("32 shorter breaks"), "{text}");
}

#[test]
fn rows_show_why_their_seconds_do_not_count() {
    assert_snapshot!(render(|out| write_why(out, &day_with_rows(), &PLAIN)));
}

#[test]
fn a_time_of_day_shows_its_block_to_the_second() {
    let block =
        WhyBlock { subject: "Client A".to_owned(), active_minutes: minutes(3661), on_subject_minutes: minutes(59) };
    let why = Why {
        start_date: at("09:00:00"),
        end_date: at("10:30:00"),
        block: Some(block),
        rows: Some(vec![row("09:00:00", "10:30:00", 3661, "Code")]),
        ..day()
    };
    let text = render(|out| write_why(out, &why, &PLAIN));
    assert!(text.contains("Block Client A: 1 h 01 min 01 s active, including 59 s on the subject."), "{text}");
    assert!(text.contains("  09:00:00–10:30:00  1 h 01 min 01 s  Code"), "{text}");
}

#[test]
fn a_time_in_a_break_shows_the_break() {
    let away = break_of("12:00:00", "12:50:00", 3000);
    let why = Why { days: Vec::new(), away: Some(away), ..day() };
    let text = render(|out| write_why(out, &why, &PLAIN));
    assert!(text.contains("No active time for 50 min 00 s: away.\n"), "{text}");
}

#[test]
fn displayed_minutes_of_a_day_add_up() {
    let mut why = day();
    // If each amount were rounded separately, the amounts would be 8 h 00 min, 6 h 41 min and 1 h 20 min.
    why.days[0].elapsed_minutes = minutes(28_829);
    why.days[0].active_minutes = minutes(24_031);
    why.days[0].break_minutes = Some(minutes(4_796));
    why.days[0].gap_minutes = minutes(2);
    let text = render(|out| write_why(out, &why, &PLAIN));
    assert!(text.contains("  8 h 01 min  from the first"), "{text}");
    assert!(text.contains("  6 h 41 min  8 h 01 min − 1 h 20 min breaks\n"), "{text}");
}

#[test]
fn one_device_has_gaps_and_no_breaks() {
    let mut why = day();
    let of_device =
        WhyDay { break_minutes: None, gap_minutes: minutes(4800), breaks: Vec::new(), ..why.days.remove(0) };
    why.days.push(of_device);
    let text = render(|out| write_why(out, &why, &PLAIN));
    assert!(text.contains("1 h 20 min gaps") && !text.to_lowercase().contains("breaks"), "{text}");
}

#[test]
fn a_period_has_one_line_for_each_day() {
    let mut why = Why { end_date: "2025-01-17".to_owned(), ..day() };
    why.days.push(WhyDay { date: "2025-01-16".to_owned(), ..why.days[0].clone() });
    let text = render(|out| write_why(out, &why, &PLAIN));
    let lines = text.lines().filter(|line| line.contains("09:00–17:00")).collect::<Vec<_>>();
    assert!(lines.len() == 2 && lines[1].contains("Thu 16 Jan"), "{text}");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for style in [40, 80].into_iter().flat_map(styles) {
        assert_fits(&render(|out| write_why(out, &day(), &style)), &style);
        assert_fits(&render(|out| write_why(out, &day_with_rows(), &style)), &style);
    }
}

#[test]
fn a_range_without_records_is_reported() {
    let nothing = Why { days: Vec::new(), not_counted: NotCounted::default(), ..day() };
    let text = render(|out| write_why(out, &nothing, &Style { width: 80, ..PLAIN }));
    assert_eq!(text, "No application was recorded on Wednesday, 15 January 2025.\n");
}
