//! The output of `why`.

use insta::assert_snapshot;

use super::{PLAIN, assert_fits, render, styles};
use crate::{Style, write_why};
use dayledger_activity::{NotCounted, StateTotals, WeekdayAverage, Why, WhyBlock, WhyBreak, WhyDay, WhyRow};
use dayledger_request::minutes;

fn at(time: &str) -> String {
    format!("2025-01-15T{time}")
}

fn break_of(start: &str, end: &str, seconds: i64, states: StateTotals) -> WhyBreak {
    WhyBreak { start: at(start), end: at(end), duration_minutes: minutes(seconds), states }
}

fn away(seconds: i64) -> StateTotals {
    StateTotals { away: Some(minutes(seconds)), ..StateTotals::default() }
}

/// Returns a day from 09:00 to 17:00 with two long breaks and a short one.
fn day() -> Why {
    let lunch = StateTotals { locked: Some(minutes(2400)), ..away(600) };
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
            from: at("09:00:00"),
            to: at("17:00:00"),
            elapsed_minutes: minutes(28_800),
            active_minutes: minutes(24_000),
            break_minutes: minutes(4800),
            break_states: StateTotals { locked: Some(minutes(2400)), ..away(2400) },
            night_minutes: None,
            breaks: vec![
                break_of("10:00:00", "10:29:00", 1740, away(1740)),
                break_of("12:00:00", "12:50:00", 3000, lunch),
                break_of("15:00:00", "15:01:00", 60, away(60)),
            ],
            weekday_average: Some(WeekdayAverage { active_minutes: minutes(27_000), days: 8 }),
        }],
        block: None,
        gap: None,
        rows: None,
    }
}

/// Returns a row of an application that counts in full.
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

/// Returns a day with rows that count, and others that don't.
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
    let breaks = (0..40).map(|minute| break_of(&format!("11:{minute:02}:00"), "12:00:00", 600, away(600)));
    why.days[0].breaks = breaks.collect();
    why.days[0].night_minutes = Some(minutes(20_000));
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
    assert!(text.contains("Block Client A: 1 h 01 min 01 s active, 59 s of it on the subject."), "{text}");
    assert!(text.contains("  09:00:00–10:30:00  1 h 01 min 01 s  Code"), "{text}");
}

#[test]
fn a_time_in_a_break_shows_the_break() {
    let gap = break_of("12:00:00", "12:50:00", 3000, away(3000));
    let why = Why { days: Vec::new(), gap: Some(gap), ..day() };
    let text = render(|out| write_why(out, &why, &PLAIN));
    assert!(text.contains("No active time for 50 min 00 s: away.\n"), "{text}");
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
