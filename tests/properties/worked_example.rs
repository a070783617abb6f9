//! Tests the worked example of docs/spec/time.md#segment-example with the details of its segments, from the file to the
//! response of the tool.

use dayledger::activity::NarrativeRequest;
use dayledger::request::{Minutes, minutes};
use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};

use crate::histories::random::days;
use crate::histories::{OpenHistory, segments_request};

const DEVICE: &str = "desk";

fn at(start: &str, end: &str) -> Span {
    Span::local(&format!("2026-06-10 {start}"), &format!("2026-06-10 {end}"), 120).unwrap()
}

fn timelines(writer: &mut HistoryWriter) {
    writer.add_environment(DEVICE, "Desk", None).unwrap();
    writer.add_timeline(&Timeline::computer_usage(1, DEVICE)).unwrap();
    writer.add_timeline(&Timeline::applications(2, DEVICE)).unwrap();
    writer.add_timeline(&Timeline::documents(3, DEVICE)).unwrap();
    let active = writer.add_group(1, &Group::state("ManicTime/Active", "Active")).unwrap();
    let usage = Activity::new("Active", at("08:00:00", "18:00:00")).group(active).active(true);
    writer.add_activity(1, &usage).unwrap();
}

#[test]
fn worked_example_gives_the_documented_segments() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        timelines(writer);
        let [code, slack, chrome] =
            [("code.exe;code", "Code"), ("slack.exe;slack", "Slack"), ("chrome.exe;chrome", "Chrome")]
                .map(|(key, name)| writer.add_group(2, &Group::application(key, name)).unwrap());
        for (group, start, end) in [
            (code, "09:00:00", "09:10:00"),
            (slack, "09:10:00", "09:10:20"),
            (code, "09:10:20", "09:20:00"),
            (chrome, "09:20:00", "09:30:00"),
            (chrome, "09:31:30", "09:40:00"),
            (code, "09:40:00", "09:41:00"),
            (chrome, "09:41:00", "09:42:00"),
            (code, "09:45:00", "09:50:00"),
        ] {
            writer.add_activity(2, &Activity::new("window", at(start, end)).group(group)).unwrap();
        }
    });
    let narrative = history.narrative(days("2026-06-10", "2026-06-11"));
    let segments: Vec<_> = narrative
        .segments
        .unwrap()
        .into_iter()
        .map(|segment| {
            let (start, end) = (&segment.start[11..16], &segment.end[11..16]);
            format!("{} {start}-{end} {:.1}", segment.application, segment.duration_minutes)
        })
        .collect();
    assert_eq!(
        segments,
        [
            "Code 09:00-09:20 20.0",
            "Chrome 09:20-09:40 18.5",
            "Code 09:40-09:41 1.0",
            "Chrome 09:41-09:42 1.0",
            "Code 09:45-09:50 5.0"
        ]
    );
    assert_eq!(narrative.total_active_minutes, minutes(2730));
}

/// A browser's activity from 9:00 to 11:00 has a site in its first minutes only. If a range starts at 10:00, the link
/// alone must not set a site. The site ended long before (docs/spec/time.md#browser-segments).
#[test]
fn linked_site_that_ended_long_before_the_segment_is_ignored() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        timelines(writer);
        let chrome = writer.add_group(2, &Group::application("chrome.exe;chrome", "Chrome")).unwrap();
        let browsing = Activity::new("window", at("09:00:00", "11:00:00")).group(chrome);
        let activity = writer.add_activity(2, &browsing).unwrap();
        let site = writer.add_group(3, &Group::web_site("news.example")).unwrap();
        let visit =
            Activity::new("https://news.example/", at("09:00:00", "09:05:00")).group(site).related_activity(activity);
        writer.add_activity(3, &visit).unwrap();
    });
    let website = |start| history.narrative(days(start, "2026-06-11")).segments.unwrap()[0].website.clone();
    assert_eq!(website("2026-06-10T10:00"), None);
    assert_eq!(website("2026-06-10T09:05:05"), Some("news.example".to_owned()));
    assert_eq!(website("2026-06-10T09:05:06"), None);
    assert_eq!(website("2026-06-10"), Some("news.example".to_owned()));
}

/// A row over the repeated hour has a local end before its local start. A range within that hour must still contain
/// this row, and must not use hourly totals instead (docs/spec/time.md#clock-changes).
#[test]
fn row_over_the_repeated_hour_belongs_to_that_hour() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        timelines(writer);
        let span = Span::across("2026-10-25 02:20:00", 120, "2026-10-25 02:10:00", 60).unwrap();
        let active = Activity::new("Active", span).group(1).active(true);
        writer.add_activity(1, &active).unwrap();
        let code = writer.add_group(2, &Group::application("code.exe;code", "Code")).unwrap();
        writer.add_activity(2, &Activity::new("window", span).group(code)).unwrap();
        writer.fill_hourly_tables().unwrap();
    });
    let narrative = history.narrative(days("2026-10-25T02:20", "2026-10-25T02:50"));
    assert_eq!(narrative.total_active_minutes, minutes(1800));
    assert_eq!(narrative.diagnostics.reason_code, None);
}

/// Returns a history with pieces of one application that are 246 seconds apart, and a piece of 498 seconds.
fn fractions_of_minutes() -> OpenHistory {
    OpenHistory::create(&SchemaOptions::default(), |writer| {
        timelines(writer);
        let [code, chrome] = [("code.exe;code", "Code"), ("chrome.exe;chrome", "Chrome")]
            .map(|(key, name)| writer.add_group(2, &Group::application(key, name)).unwrap());
        for (group, start, end) in [
            (code, "09:00:00", "09:10:00"),
            (code, "09:14:06", "09:24:06"),
            (chrome, "10:00:00", "10:08:18"),
            (chrome, "11:00:00", "11:08:17"),
        ] {
            writer.add_activity(2, &Activity::new("window", at(start, end)).group(group)).unwrap();
        }
    })
}

/// Regression: top lists ended after 50 items without a note.
#[test]
fn top_lists_report_their_full_length() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        timelines(writer);
        for number in 0..53 {
            let (key, name) = (format!("app{number}.exe;app{number}"), format!("App {number}"));
            let group = writer.add_group(2, &Group::application(&key, &name)).unwrap();
            let span = at(&format!("09:{number:02}:00"), &format!("09:{number:02}:30"));
            let activity = writer.add_activity(2, &Activity::new("window", span).group(group)).unwrap();
            if number < 50 {
                let site = writer.add_group(3, &Group::web_site(&format!("site{number}.example"))).unwrap();
                writer.add_activity(3, &Activity::new("page", span).group(site).related_activity(activity)).unwrap();
            }
        }
    });
    let range = days("2026-06-10", "2026-06-11");
    let narrative = history.answer(NarrativeRequest { include_summary: true, ..segments_request(range) });
    let aggregate = history.period(range).aggregate;
    assert_eq!((narrative.top_applications.unwrap().len(), aggregate.top_apps.len()), (50, 50));
    assert_eq!((narrative.top_applications_available, aggregate.top_apps_available), (Some(53), Some(53)));
    assert_eq!((narrative.top_websites_available, aggregate.top_websites_available), (None, None), "all 50 are listed");
}

#[test]
fn fractional_minutes_of_a_parameter_are_rounded_to_seconds() {
    let history = fractions_of_minutes();
    let starts = |max_gap: f64, min_duration: f64| -> Vec<String> {
        let minutes = |value| Minutes::parse(Some(value), 0.0, "").unwrap();
        let request = NarrativeRequest {
            max_gap: minutes(max_gap),
            min_duration: minutes(min_duration),
            ..segments_request(days("2026-06-10", "2026-06-11"))
        };
        let segments = history.answer(request).segments.unwrap();
        segments.into_iter().map(|segment| segment.start[11..16].to_owned()).collect()
    };
    assert_eq!(starts(4.09, 0.0), ["09:00", "09:14", "10:00", "11:00"], "245 seconds");
    assert_eq!(starts(4.1, 0.0), ["09:00", "10:00", "11:00"], "246 seconds, though 4.1 times 60 is less in binary");
    assert_eq!(starts(0.0, 8.3), ["09:00", "09:14", "10:00"], "498 seconds");
    assert_eq!(starts(0.0, 8.31), ["09:00", "09:14"], "499 seconds");
}

#[test]
fn fractional_minutes_in_sql_are_rounded_to_seconds() {
    let history = fractions_of_minutes();
    let of = |gap: &str| history.numbers(&format!("SELECT count(*) FROM narrative('2026-06-10', '2026-06-11', {gap})"));
    assert_eq!((of("4.09"), of("4.1")), (vec![4], vec![3]));
}
