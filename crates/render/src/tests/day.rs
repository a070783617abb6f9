//! Tests of the output of `day`.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::{PLAIN, assert_fits, render, styles, to_minutes};
use crate::sections::client_text;
use crate::{ColorDepth, Style, write_day};
use dayledger_activity::{
    ApplicationTotal, AwayInterval, Block, ClientTotal, ClientTotals, Detail, Diagnostics, NamedTotal, Narrative,
    Presence, ReasonCode, Segment, Shares, TaggedTime, TimeBasis,
};
use dayledger_request::Truncation;
use dayledger_source::ComputerState;

fn segment(start: &str, end: &str, minutes: f64, application: &str) -> Segment {
    Segment {
        start: format!("2025-01-{start}:00"),
        end: format!("2025-01-{end}:00"),
        duration_minutes: to_minutes(minutes),
        device: None,
        application: application.to_owned(),
        document: None,
        website: None,
        title: None,
        tags: None,
        screenshot_ref: None,
        block: None,
    }
}

fn about(subject: Option<&str>) -> Block {
    Block {
        subject: subject.map(str::to_owned),
        subject_kind: None,
        on_subject_minutes: None,
        applications: Shares::default(),
        documents: Shares::default(),
        websites: Shares::default(),
        meetings: None,
        notes_taken: None,
    }
}

fn application(name: &str, color: Option<&str>, total_minutes: f64) -> ApplicationTotal {
    ApplicationTotal {
        name: name.to_owned(),
        color: color.map(str::to_owned),
        total_minutes: to_minutes(total_minutes),
    }
}

fn client(name: &str, minutes: f64, away: Option<f64>) -> ClientTotal {
    ClientTotal { name: name.to_owned(), client_minutes: to_minutes(minutes), away_minutes: away.map(to_minutes) }
}

fn away(start: &str, end: &str, minutes: f64, tag: Option<&str>, meeting: Option<&str>) -> AwayInterval {
    AwayInterval {
        start: format!("2025-01-15T{start}:00"),
        end: format!("2025-01-15T{end}:00"),
        duration_minutes: to_minutes(minutes),
        state: ComputerState::Away,
        tags: tag.map(|tag| vec![tag.to_owned()]),
        meetings: meeting.map(|meeting| vec![meeting.to_owned()]),
        notes_taken: None,
    }
}

fn website(name: &str, total_minutes: f64) -> NamedTotal {
    NamedTotal { name: name.to_owned(), total_minutes: to_minutes(total_minutes) }
}

fn empty() -> Narrative {
    Narrative {
        start_date: "2025-01-15".to_owned(),
        end_date: "2025-01-16".to_owned(),
        day_start: None,
        time_basis: TimeBasis::Active,
        detail: Detail::Full,
        total_active_minutes: to_minutes(0.0),
        matching_minutes: None,
        top_documents: None,
        segments: Some(Vec::new()),
        presence: None,
        notes_taken: None,
        notes_taken_available: None,
        tagged: None,
        clients: None,
        top_applications: Some(Vec::new()),
        top_websites: Some(Vec::new()),
        top_applications_available: None,
        top_websites_available: None,
        suggested_screenshots: None,
        truncation: Truncation::new(0, 0),
        diagnostics: Diagnostics::remark(ReasonCode::NoDataInRange),
    }
}

/// Returns a day with two devices, tags, a title with an escape sequence, and work until midnight.
fn long_day() -> Narrative {
    let laptop = Some("LAPTOP-7".to_owned());
    let studio = Some("STUDIO".to_owned());
    let segments = vec![
        Segment {
            device: laptop.clone(),
            document: Some("file:///C:/work/ledger/src/main.rs".to_owned()),
            tags: Some(vec!["Client A, Development".to_owned()]),
            ..segment("15T08:52", "15T10:20", 81.4, "Visual Studio Code")
        },
        Segment {
            device: laptop.clone(),
            website: Some("github.com".to_owned()),
            tags: Some(vec!["Client A, Review".to_owned(), "Billable".to_owned()]),
            ..segment("15T10:20", "15T11:05", 41.0, "Google Chrome")
        },
        Segment {
            device: laptop.clone(),
            document: Some("Quarterly \u{1b}[31mreport\u{1b}]0;owned\u{7}.docx".to_owned()),
            ..segment("15T11:05", "15T12:31", 70.2, "Microsoft Word")
        },
        Segment { device: studio.clone(), ..segment("15T13:10", "15T16:40", 180.0, "Ableton Live") },
        Segment {
            device: laptop.clone(),
            document: Some("file:///C:/Users/me/Angebot%20M%C3%BCller.pdf".to_owned()),
            ..segment("15T14:02", "15T14:09", 6.3, "Acrobat Reader")
        },
        Segment { device: laptop, ..segment("15T17:00", "15T17:30", 30.0, "Microsoft Teams") },
        Segment { device: studio, ..segment("15T23:15", "16T00:00", 44.6, "Ableton Live") },
    ];
    Narrative {
        total_active_minutes: to_minutes(447.2),
        truncation: Truncation::new(7, 7),
        segments: Some(segments),
        tagged: None,
        top_applications: Some(vec![
            application("Ableton Live", Some("d9a441"), 224.6),
            application("Visual Studio Code", Some("2f7fd1"), 81.4),
            application("Microsoft Word", Some("1b5ebe"), 70.2),
            application("Google Chrome", Some("ffff00"), 41.0),
            application("Microsoft Teams", None, 30.0),
        ]),
        top_websites: Some(vec![website("github.com", 33.5), website("docs.rs", 1.2)]),
        diagnostics: Diagnostics::degradation(ReasonCode::NoComputerUsage),
        ..empty()
    }
}

#[test]
fn a_day_of_two_devices() {
    assert_snapshot!(render(|out| write_day(out, &long_day(), &PLAIN)), @r"
    Wednesday, 15 January 2025
    7 h 27 min active · 08:52–24:00 · 7 segments · 2 devices

      LAPTOP-7  ····▓█████████████████▒·······▓··············██▓································
      STUDIO    ·························░█████████████████▒································▓███
                08   09   10   11   12   13   14   15   16   17   18   19   20   21   22   23   24

    Segments
      time             length  device    application         document               tags
      08:52–10:20  1 h 21 min  LAPTOP-7  Visual Studio Code  main.rs                Client A, Developme…
      10:20–11:05      41 min  LAPTOP-7  Google Chrome       github.com             Client A, Review ·…
      11:05–12:31  1 h 10 min  LAPTOP-7  Microsoft Word      Quarterly ␛[31mrepor…
      13:10–16:40  3 h 00 min  STUDIO    Ableton Live
      14:02–14:09       6 min  LAPTOP-7  Acrobat Reader      Angebot Müller.pdf
      17:00–17:30      30 min  LAPTOP-7  Microsoft Teams
      23:15–24:00      45 min  STUDIO    Ableton Live

    Applications
      Ableton Live        3 h 45 min   50 %  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      Visual Studio Code  1 h 21 min   18 %  ━━━━━━━━━━━━━━╸
      Microsoft Word      1 h 10 min   16 %  ━━━━━━━━━━━━╸
      Google Chrome           41 min    9 %  ━━━━━━━╸
      Microsoft Teams         30 min    7 %  ━━━━━╸

    Websites
      github.com              34 min    7 %  ━━━━━━
      docs.rs                  1 min   <1 %  ╸

    Note: a device has no computer-usage timeline, so time away from it may be counted; let the tracker
    record computer usage on that device.
    ");
}

#[test]
fn a_day_in_a_narrow_ascii_terminal() {
    let style = Style { width: 60, unicode: false, ..PLAIN };
    assert_snapshot!(render(|out| write_day(out, &long_day(), &style)), @r"
    Wednesday, 15 January 2025
    7 h 27 min active, 08:52-24:00, 7 segments, 2 devices

      LAPTOP-7  .-#######-..-.....#.............
      STUDIO    ..........#######+............+#
                08  10  12  14  16  18  20  22  24

    Segments
      time             length  device    application  document
      08:52-10:20  1 h 21 min  LAPTOP-7  Visual Stu~  main.rs
      10:20-11:05      41 min  LAPTOP-7  Google Chr~  github.com
      11:05-12:31  1 h 10 min  LAPTOP-7  Microsoft~   Quarterly~
      13:10-16:40  3 h 00 min  STUDIO    Ableton Li~
      14:02-14:09       6 min  LAPTOP-7  Acrobat Re~  Angebot M~
      17:00-17:30      30 min  LAPTOP-7  Microsoft~
      23:15-24:00      45 min  STUDIO    Ableton Li~

    Applications
      Ableton Live        3 h 45 min   50 %  ###################
      Visual Studio Code  1 h 21 min   18 %  #######
      Microsoft Word      1 h 10 min   16 %  ######
      Google Chrome           41 min    9 %  ###
      Microsoft Teams         30 min    7 %  ###

    Websites
      github.com              34 min    7 %  ###
      docs.rs                  1 min   <1 %  #

    Note: a device has no computer-usage timeline, so time away
    from it may be counted; let the tracker record computer
    usage on that device.
    ");
}

#[test]
fn an_empty_day_suggests_a_command() {
    assert_snapshot!(render(|out| write_day(out, &empty(), &PLAIN)), @"No data for Wednesday, 15 January 2025. Run `dayledger doctor` to list the dates with data.");
}

#[test]
fn a_day_in_use_without_applications_is_reported() {
    let used = Narrative { diagnostics: Diagnostics::degradation(ReasonCode::NoApplications), ..empty() };
    let text = render(|out| write_day(out, &used, &PLAIN));
    assert!(text.starts_with("No application was recorded on Wednesday, 15 January 2025.\n"), "{text}");
    assert!(text.contains("Note: no application was recorded"), "{text}");
}

/// The activity bar has the colours of subjects, and tags come first. The subject of a block gets half of the line.
#[test]
fn a_day_in_blocks() {
    let block = |start, end, minutes, application, block: Block| Segment {
        block: Some(block),
        ..segment(start, end, minutes, application)
    };
    let code = Segment {
        document: Some("ledger.rs".to_owned()),
        ..block("15T09:00", "15T11:30", 140.0, "Visual Studio Code", about(Some("Northwind, Billing")))
    };
    let browsing = Segment {
        website: Some("news.example.org".to_owned()),
        ..block("15T12:10", "15T12:40", 30.0, "Firefox", about(None))
    };
    let long = "Lindqvist & Partners, Case search, Development of what is searched in old cases";
    let with_meetings = Block { meetings: Some(vec!["Stand-up".to_owned()]), ..about(Some(long)) };
    let narrative = Narrative {
        detail: Detail::Blocks,
        total_active_minutes: to_minutes(260.0),
        truncation: Truncation::new(3, 3),
        segments: Some(vec![code, browsing, block("15T13:00", "15T14:30", 90.0, "Visual Studio Code", with_meetings)]),
        tagged: Some(TaggedTime {
            top_tags: vec![website("Northwind", 121.5), website("Lindqvist & Partners", 90.0)],
            top_tags_available: None,
            untagged_minutes: to_minutes(48.5),
        }),
        clients: Some(ClientTotals {
            client_minutes: to_minutes(251.5),
            away_minutes: to_minutes(40.0),
            shared_minutes: None,
            top_clients: vec![client("Northwind", 161.5, Some(40.0)), client("Lindqvist & Partners", 90.0, None)],
        }),
        presence: Some(Presence {
            first_use: Some("2025-01-15T09:00:00".to_owned()),
            last_use: Some("2025-01-15T14:30:00".to_owned()),
            break_minutes: to_minutes(60.0),
            away: Some(vec![
                away("11:30", "12:10", 40.0, Some("Northwind, Meetings"), Some("Estimate")),
                away("12:40", "13:00", 20.0, None, None),
            ]),
        }),
        top_applications_available: Some(30),
        ..long_day()
    };
    let drawn_in = |style: &Style| render(|out| write_day(out, &narrative, style));
    assert_snapshot!("a_day_in_blocks", drawn_in(&PLAIN));
    assert_snapshot!("a_day_in_blocks_in_colours", drawn_in(&Style { color: ColorDepth::Ansi256, ..PLAIN }));
}

#[test]
fn a_truncated_night_does_not_show_its_end() {
    let night = Narrative {
        start_date: "2025-01-15T22:00:00".to_owned(),
        end_date: "2025-01-16T03:00:00".to_owned(),
        day_start: None,
        total_active_minutes: to_minutes(100.0),
        segments: Some(vec![
            segment("15T22:10", "16T00:40", 80.0, "Ableton Live"),
            segment("16T00:40", "16T01:00", 20.0, "Notes"),
        ]),
        tagged: None,
        top_applications: None,
        top_websites: None,
        truncation: Truncation::new(2, 9),
        ..empty()
    };
    assert_snapshot!(render(|out| write_day(out, &night, &PLAIN)), @r"
    Wed 15 Jan 2025 22:00 – Thu 16 Jan 2025 03:00
    1 h 40 min active · from 22:10 · 9 segments

      ··▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓████
      22          23          00          01

    Segments
      time             length  application
      22:10–00:40  1 h 20 min  Ableton Live

      Thursday, 16 January
      00:40–01:00      20 min  Notes

    Only the first 2 of 9 segments are shown; the totals count all of them.
    ");
}

#[test]
fn cut_top_lists_show_their_full_length() {
    let cut = Narrative { top_applications_available: Some(83), top_websites_available: Some(51), ..long_day() };
    let text = render(|out| write_day(out, &cut, &PLAIN));
    let end = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let both = "There are 83 applications; the list shows those with the most time. There are 51 websites; the list";
    assert!(end.contains(both), "{text}");
}

#[test]
fn a_summary_without_segments_has_totals_and_tops() {
    let summary = Narrative { segments: None, ..long_day() };
    let text = render(|out| write_day(out, &summary, &PLAIN));
    assert!(text.contains("7 h 27 min active\n") && text.contains("Applications"), "{text}");
    assert!(!text.contains("Segments") && !text.contains("LAPTOP"), "{text}");
}

#[test]
fn the_repeated_hour_stays_on_the_bar() {
    // The clock goes back by an hour after 02:40, so the segment until 02:10 lasts half an hour.
    let autumn = Narrative {
        total_active_minutes: to_minutes(30.0),
        segments: Some(vec![segment("15T02:40", "15T02:10", 30.0, "Notes")]),
        truncation: Truncation::new(1, 1),
        ..empty()
    };
    let text = render(|out| write_day(out, &autumn, &PLAIN));
    let bar = text.lines().find(|line| line.contains('█')).unwrap();
    assert_eq!(bar, "  ········██████··········", "five minutes a cell: from 02:40 on, half an hour long");
}

#[test]
fn a_week_is_labelled_by_days() {
    let week = Narrative {
        end_date: "2025-01-22".to_owned(),
        segments: Some(vec![
            segment("15T09:00", "15T17:00", 480.0, "Notes"),
            segment("21T10:00", "21T16:00", 300.0, "Notes"),
        ]),
        ..long_day()
    };
    let text = render(|out| write_day(out, &week, &PLAIN));
    assert!(text.starts_with("Wed 15 Jan – Tue 21 Jan 2025\n"), "{text}");
    let labels = text.lines().find(|line| line.trim_start().starts_with("16")).unwrap();
    assert_eq!(labels.split_whitespace().collect::<Vec<_>>(), ["16", "17", "18", "19", "20", "21"]);
}

#[test]
fn a_day_that_is_too_narrow_for_its_hours_is_labelled_at_noon() {
    let device = |device: &str, segment| Segment { device: Some(device.to_owned()), ..segment };
    let segments = vec![
        device("a notebook with a long name", segment("13T01:00", "13T02:00", 60.0, "Code")),
        device("desktop", segment("13T22:00", "13T23:00", 60.0, "Code")),
    ];
    let narrative = Narrative { segments: Some(segments), ..long_day() };
    let text = render(|out| write_day(out, &narrative, &Style { width: 40, ..PLAIN }));
    assert!(text.contains("\n                         12\n"), "{text}");
}

#[test]
fn colours_are_those_of_the_applications() {
    let style = Style { color: ColorDepth::TrueColor, ..PLAIN };
    let text = render(|out| write_day(out, &long_day(), &style));
    // The colour `2f7fd1` is legible on any background, so it isn't changed. Yellow is changed, because it isn't
    // legible on white.
    assert!(text.contains("\u{1b}[38;2;47;127;209m▆███████"), "{text}");
    assert!(!text.contains("\u{1b}[38;2;255;255;0m"), "{text}");
    let few = render(|out| write_day(out, &long_day(), &Style { color: ColorDepth::Ansi256, ..PLAIN }));
    assert!(few.contains("\u{1b}[38;5;") && !few.contains("\u{1b}[38;2;"), "{few}");
}

#[test]
fn every_style_fits_its_width() {
    for style in [40, 60, 100, 120, 160].into_iter().flat_map(styles) {
        assert_fits(&render(|out| write_day(out, &long_day(), &style)), &style);
        assert_fits(&render(|out| write_day(out, &empty(), &style)), &style);
    }
}

prop_compose! {
    fn any_segment()(
        start in 0_i64..4 * 1440,
        length in -70_i64..600,
        minutes in 0.0_f64..900.0,
        device in proptest::option::of("[a-zäö日 ]{0,30}"),
        application in ".{0,60}",
        document in proptest::option::of("(file:///)?.{0,80}"),
        website in proptest::option::of("\\PC{1,40}"),
        title in proptest::option::of(".{0,200}"),
        tags in proptest::option::of(proptest::collection::vec(".{0,30}", 0..3)),
        subject in proptest::option::of(".{0,90}"),
    ) -> Segment {
        let from = chrono::NaiveDate::from_ymd_opt(2025, 1, 13).unwrap().and_time(chrono::NaiveTime::MIN);
        let instant = |minute| (from + chrono::TimeDelta::minutes(minute)).format("%Y-%m-%dT%H:%M:%S").to_string();
        Segment {
            start: instant(start),
            end: instant(start + length),
            duration_minutes: to_minutes(minutes),
            device, application, document, website, title, tags,
            screenshot_ref: None,
            block: subject.map(|subject| about(Some(&subject))),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_wider_than_the_terminal(
        segments in proptest::collection::vec(any_segment(), 1..8),
        names in proptest::collection::vec((".{0,60}", 0.0_f64..5000.0), 0..4),
        detail in prop_oneof![Just(Detail::Full), Just(Detail::Blocks)],
        width in 40_usize..=160,
    ) {
        let narrative = Narrative {
            start_date: "2025-01-13".to_owned(),
            end_date: "2025-01-17".to_owned(),
            day_start: None,
            total_active_minutes: to_minutes(1234.5),
            segments: Some(segments),
            top_websites: Some(names.iter().map(|(name, minutes)| website(name, *minutes)).collect()),
            tagged: Some(TaggedTime {
                top_tags: names.iter().map(|(name, minutes)| website(name, *minutes)).collect(),
                top_tags_available: None,
                untagged_minutes: to_minutes(12.0),
            }),
            detail,
            clients: Some(ClientTotals {
                client_minutes: to_minutes(1500.0),
                away_minutes: to_minutes(266.0),
                shared_minutes: Some(to_minutes(12.0)),
                top_clients: names.iter().map(|(name, minutes)| client(name, *minutes, Some(3.0))).collect(),
            }),
            presence: Some(Presence {
                first_use: None,
                last_use: None,
                break_minutes: to_minutes(66.0),
                away: Some(names.iter().map(|(name, _)| away("10:00", "10:40", 40.0, Some(name), Some(name))).collect()),
            }),
            top_applications: Some(names.iter().map(|(name, minutes)| application(name, None, *minutes)).collect()),
            ..long_day()
        };
        for style in styles(width) {
            assert_fits(&render(|out| write_day(out, &narrative, &style)), &style);
        }
    }
}

#[test]
fn shared_time_is_the_difference_to_the_sum_over_the_clients() {
    // The same ten minutes count for three clients.
    let totals = ClientTotals {
        client_minutes: to_minutes(10.0),
        away_minutes: to_minutes(0.0),
        shared_minutes: Some(to_minutes(20.0)),
        top_clients: Vec::new(),
    };
    assert_eq!(client_text(&totals), "10 min for clients; the sum over the clients is 20 min more");
}

/// Formatting panics if a width in a format string is above 65,535.
#[test]
fn a_name_longer_than_the_line_is_cut_without_panic() {
    for letter in ["x", "日"] {
        let name = letter.repeat(70_000);
        let narrative = Narrative {
            total_active_minutes: to_minutes(60.0),
            segments: Some(vec![Segment {
                device: Some(name.clone()),
                document: Some(name.clone()),
                website: Some(name.clone()),
                title: Some(name.clone()),
                tags: Some(vec![name.clone()]),
                ..segment("15T09:00", "15T10:00", 60.0, &name)
            }]),
            top_applications: Some(vec![application(&name, None, 60.0), application("Editor", None, 1.0)]),
            top_websites: Some(vec![website(&name, 60.0)]),
            ..empty()
        };
        for style in styles(80) {
            assert_fits(&render(|out| write_day(out, &narrative, &style)), &style);
        }
    }
}
