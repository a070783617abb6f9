//! Tests of the output of a period.

use insta::assert_snapshot;

use super::{PLAIN, assert_fits, render, styles, to_minutes};
use crate::{ColorDepth, Style, write_period};
use dayledger_activity::{
    ApplicationTotal, Comparison, Diagnostics, NamedTotal, PeriodAggregate, PeriodDay, PeriodPatterns, PeriodSummary,
    ReasonCode, TimeBasis, WeekdayTotal,
};
use dayledger_request::Truncation;

fn day(date: &str, total_active_minutes: f64, top_app: &str, hours: Option<(&str, &str)>) -> PeriodDay {
    let at = |time: &str| format!("{date}T{time}:00");
    PeriodDay {
        date: date.to_owned(),
        total_active_minutes: to_minutes(total_active_minutes),
        matching_minutes: None,
        top_app: top_app.to_owned(),
        first_activity: hours.map(|(first, _)| at(first)),
        last_activity: hours.map(|(_, last)| at(last)),
    }
}

/// Returns ten days, with a weekend and a Wednesday without activity.
fn ten_days() -> PeriodSummary {
    let weekday = |day_of_week, total_minutes| WeekdayTotal { day_of_week, total_minutes: to_minutes(total_minutes) };
    PeriodSummary {
        start_date: "2025-01-08".to_owned(),
        end_date: "2025-01-18".to_owned(),
        day_start: None,
        history_start: None,
        time_basis: TimeBasis::Active,
        total_active_minutes: to_minutes(2216.5),
        matching_minutes: None,
        comparison: None,
        days: vec![
            day("2025-01-09", 402.0, "Visual Studio Code", Some(("08:31", "17:02"))),
            day("2025-01-10", 377.5, "Google Chrome", Some(("09:02", "16:45"))),
            day("2025-01-13", 541.0, "Visual Studio Code", Some(("08:01", "19:30"))),
            day("2025-01-14", 452.0, "Microsoft Word \u{1b}[2J", Some(("08:15", "17:40"))),
            day("2025-01-16", 433.6, "Visual Studio Code", Some(("08:20", "18:00"))),
            day("2025-01-17", 10.4, "Google Chrome", None),
        ],
        aggregate: PeriodAggregate {
            tagged: None,
            clients: None,
            top_apps: vec![
                ApplicationTotal {
                    name: "Visual Studio Code".to_owned(),
                    color: Some("2f7fd1".to_owned()),
                    total_minutes: to_minutes(1204.0),
                },
                ApplicationTotal { name: "Google Chrome".to_owned(), color: None, total_minutes: to_minutes(640.3) },
            ],
            top_websites: vec![NamedTotal { name: "github.com".to_owned(), total_minutes: to_minutes(210.0) }],
            top_documents: None,
            top_apps_available: None,
            top_websites_available: None,
            avg_daily_minutes: to_minutes(369.4),
            busiest_day: Some("2025-01-13".to_owned()),
            quietest_day: Some("2025-01-17".to_owned()),
        },
        patterns: PeriodPatterns {
            day_of_week_distribution: vec![
                weekday(0, 0.0),
                weekday(1, 541.0),
                weekday(2, 452.0),
                weekday(3, 0.0),
                weekday(4, 835.6),
                weekday(5, 387.9),
                weekday(6, 0.0),
            ],
        },
        truncation: Truncation::new(6, 6),
        diagnostics: Diagnostics::healthy(),
    }
}

#[test]
fn days_week_by_week_with_gaps() {
    assert_snapshot!(render(|out| write_period(out, &ten_days(), &PLAIN)), @r"
    Wed 8 Jan – Fri 17 Jan 2025
    36 h 57 min active · 6 days with activity · 6 h 09 min a day on average
    Busiest Mon 13 Jan (9 h 01 min) · quietest Fri 17 Jan (10 min)

    Days
      Wed  8 Jan  ·
      Thu  9 Jan  ━━━━━━━━━━━━━━━━━━╸        6 h 42 min  08:31–17:02  Visual Studio Code
      Fri 10 Jan  ━━━━━━━━━━━━━━━━━╸         6 h 18 min  09:02–16:45  Google Chrome
      Sat 11 Jan  ·
      Sun 12 Jan  ·

      Mon 13 Jan  ━━━━━━━━━━━━━━━━━━━━━━━━━  9 h 01 min  08:01–19:30  Visual Studio Code
      Tue 14 Jan  ━━━━━━━━━━━━━━━━━━━━━      7 h 32 min  08:15–17:40  Microsoft Word ␛[2J
      Wed 15 Jan  ·
      Thu 16 Jan  ━━━━━━━━━━━━━━━━━━━━       7 h 14 min  08:20–18:00  Visual Studio Code
      Fri 17 Jan  ╸                              10 min               Google Chrome

    Applications
      Visual Studio Code  20 h 04 min   54 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      Google Chrome       10 h 40 min   29 %  ━━━━━━━━━━━━━━━━━━━━━╸

    Websites
      github.com           3 h 30 min    9 %  ━━━━━━━
    ");
}

#[test]
fn weekdays_are_shown_if_one_occurs_twice() {
    let fortnight = PeriodSummary { end_date: "2025-01-22".to_owned(), ..ten_days() };
    let text = render(|out| write_period(out, &fortnight, &PLAIN));
    let weekdays = text.split_once("Weekdays\n").map(|(_, rest)| rest.split("\n\n").next().unwrap_or_default());
    assert_snapshot!(weekdays.unwrap_or_default(), @r"
      Mon         ━━━━━━━━━━━━━━━━            9 h 01 min
      Tue         ━━━━━━━━━━━━━╸              7 h 32 min
      Wed         ·
      Thu         ━━━━━━━━━━━━━━━━━━━━━━━━━  13 h 56 min
      Fri         ━━━━━━━━━━━╸                6 h 28 min
      Sat         ·
      Sun         ·
    ");
}

#[test]
fn matching_time_is_shown_with_the_total_and_the_comparison() {
    let mut part = ten_days();
    part.matching_minutes = Some(to_minutes(300.0));
    for day in &mut part.days {
        day.matching_minutes = Some(to_minutes(50.0));
    }
    part.comparison = Some(Comparison {
        start_date: "2024-12-29".to_owned(),
        end_date: "2025-01-08".to_owned(),
        time_basis: TimeBasis::Active,
        total_active_minutes: to_minutes(2000.0),
        matching_minutes: Some(to_minutes(330.0)),
        active_days: 5,
        differences: None,
        aggregate: part.aggregate.clone(),
        diagnostics: Diagnostics::healthy(),
    });
    let text = render(|out| write_period(out, &part, &PLAIN));
    assert!(text.contains("5 h 00 min of 36 h 57 min active"), "{text}");
    assert!(text.contains("30 min less than the 5 h 30 min of Sun 29 Dec 2024 – Tue 7 Jan 2025"), "{text}");
    assert!(text.contains("50 min  08:31"), "{text}");
}

#[test]
fn a_period_without_activity() {
    let nothing = PeriodSummary {
        days: Vec::new(),
        diagnostics: Diagnostics::remark(ReasonCode::NoDataInRange),
        truncation: Truncation::new(0, 0),
        ..ten_days()
    };
    assert_snapshot!(render(|out| write_period(out, &nothing, &PLAIN)), @"No data for Wed 8 Jan – Fri 17 Jan 2025. Run `dayledger doctor` to list the dates with data.");
}

#[test]
fn truncated_days_are_not_shown_as_idle() {
    let mut cut = ten_days();
    cut.days.truncate(2);
    cut.truncation = Truncation::new(2, 6);
    let text = render(|out| write_period(out, &cut, &PLAIN));
    assert!(text.contains("Wed  8 Jan") && !text.contains("Sat 11 Jan"), "{text}");
    assert!(text.contains("Only the first 2 of 6 days are shown"), "{text}");
}

#[test]
fn every_style_fits_its_width() {
    for style in [40, 60, 100, 120, 160].into_iter().flat_map(styles) {
        assert_fits(&render(|out| write_period(out, &ten_days(), &style)), &style);
    }
}

#[test]
fn the_top_application_has_its_colour() {
    let style = Style { color: ColorDepth::TrueColor, ..PLAIN };
    let text = render(|out| write_period(out, &ten_days(), &style));
    assert!(text.contains("\u{1b}[38;2;47;127;209m▌\u{1b}[39m Visual Studio Code"), "{text}");
}

/// If a year were listed by day, the list would have 365 lines.
#[test]
fn a_period_of_more_than_two_months_is_listed_by_month() {
    let mut period = ten_days();
    period.start_date = "2024-10-01".to_owned();
    period.days.insert(0, day("2024-11-04", 60.0, "Visual Studio Code", None));
    let text = render(|out| write_period(out, &period, &PLAIN));
    let months: Vec<_> =
        text.lines().skip_while(|line| *line != "Months").take_while(|line| !line.is_empty()).collect();
    assert_snapshot!(months.join("\n"), @r"
    Months
      Nov 2024    ╸                           1 h 00 min   1 day
      Dec 2024    ·
      Jan 2025    ━━━━━━━━━━━━━━━━━━━━━━━━━  36 h 57 min  6 days
    ");
    assert!(text.contains("Busiest Mon 13 Jan 2025"), "{text}");
    for style in styles(60) {
        assert_fits(&render(|out| write_period(out, &period, &style)), &style);
    }
}
