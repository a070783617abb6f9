//! Tests the time that belongs to clients, and intervals away from the computer. Compares random histories with a naive
//! second implementation. Also tests the worked example of docs/spec/time.md#client-time-example, and the numbers in
//! every output.

use std::collections::BTreeSet;
use std::fs;

use chrono::{Local, NaiveTime, TimeDelta};
use dayledger::App;
use dayledger::activity::{
    AwayInterval, ClientHoursRequest, DailySummaryRequest, Detail, Filter, NarrativeRequest, PeriodSummaryRequest,
    RangeReportRequest, TagsRequest, WhyRequest, WhyTime,
};
use dayledger::calendar::{Calendar, Calendars};
use dayledger::engine::QueryLimits;
use dayledger::request::Minutes;
use dayledger::rules::{RuleConfig, Rules};
use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;
use serde_json::json;

use super::rules::{RANGE, Row, RuleSpec, parse_rules, rows, rules, write_links_and_tags};
use crate::histories::random::{Device, device, write_device};
use crate::histories::{History, OpenHistory, block_on, builder_at, cells, narrative_request, range, run_query};

/// Returns the rows that contain a time.
fn covering(utc: i64, rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.start <= utc && utc < row.end)
}

fn word(row: &Row, kind: &str) -> String {
    row.words.iter().find(|(word, _)| *word == kind).map(|(_, text)| text.clone()).unwrap_or_default()
}

/// Returns the clients at a time, each with a flag for time away from the computer. The tags determine the clients.
/// Without a tag, the projects of rules determine the clients. Other active time has no client.
fn expected_at(utc: i64, pieces: &[Row], tags: &[Row]) -> BTreeSet<(String, bool)> {
    let is_active = covering(utc, pieces).next().is_some();
    let mut clients: BTreeSet<_> = covering(utc, tags).map(|tag| (word(tag, "tag"), !is_active)).collect();
    if clients.is_empty() {
        let projects = covering(utc, pieces).map(|piece| word(piece, "project"));
        clients.extend(projects.filter(|project| !project.is_empty()).map(|project| (project, false)));
    }
    if clients.is_empty() && is_active {
        clients.insert((String::new(), false));
    }
    clients
}

fn check(devices: &[Device], written: &[RuleSpec]) -> Result<(), TestCaseError> {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        for (number, device) in devices.iter().enumerate() {
            write_device(writer, number, device);
        }
        write_links_and_tags(writer, devices);
    });
    let app = builder_at(history.folder()).with_rules(parse_rules(written)).build().unwrap();
    let edges = "to_unixtime(start_utc), to_unixtime(end_utc)";
    let pieces = format!("SELECT device, activity_id, project, {edges} FROM pieces_by_rule({RANGE})");
    let pieces = rows(&app, &["project"], &pieces);
    let tags = rows(&app, &["tag"], &format!("SELECT '', NULL, COALESCE(path[1], tag), {edges} FROM tags_in({RANGE})"));
    let found = format!("SELECT '', NULL, client, is_away, {edges} FROM client_time({RANGE})");
    let found = rows(&app, &["client", "away"], &found);
    let times: BTreeSet<_> =
        [&pieces, &tags, &found].into_iter().flatten().flat_map(|row| [row.start, row.end]).collect();
    for utc in times {
        let actual: BTreeSet<_> =
            covering(utc, &found).map(|row| (word(row, "client"), word(row, "away") == "true")).collect();
        prop_assert_eq!(actual, expected_at(utc, &pieces, &tags), "at {}", utc);
    }
    // Every second of active time, and every second of tagged time away, must count once.
    let total = format!(
        "SELECT (SELECT union_seconds(start_utc, end_utc) FROM client_time({RANGE})),
            (SELECT union_seconds(start_utc, end_utc) FROM (
                SELECT start_utc, end_utc FROM pieces({RANGE}) UNION ALL SELECT start_utc, end_utc FROM tags_in({RANGE})
            ))"
    );
    let total = cells(&block_on(app.engine().query(&total, &QueryLimits::default())).unwrap());
    prop_assert_eq!(&total[0][0], &total[0][1]);
    Ok(())
}

proptest! {
    #![proptest_config(super::config(12))]

    #[test]
    fn client_time_is_active_time_and_tagged_time_away(
        devices in proptest::collection::vec(device(), 1..3),
        written in rules(),
    ) {
        check(&devices, &written)?;
    }
}

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Calendar//EN\r\n\
    BEGIN:VEVENT\r\nUID:estimate@example.org\r\nSUMMARY:Estimate\r\n\
    DTSTART;TZID=Europe/Berlin:20250115T100500\r\nDTEND;TZID=Europe/Berlin:20250115T104000\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:talk@example.org\r\nSUMMARY:Lunch talk\r\n\
    DTSTART;TZID=Europe/Berlin:20250115T120000\r\nDTEND;TZID=Europe/Berlin:20250115T123000\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

/// Returns the worked example on 15 January and three more days. One day has tagged time but no computer use. On
/// another day, work continues past midnight, with a tag in the night. On the third day, two devices are used.
fn example() -> (History, App) {
    let mut history = History::on_workstation();
    history.device(5, "lap-id", "LAPTOP");
    let (away, locked, off) =
        (("ManicTime/Away", "Away"), ("ManicTime/SessionLocked", "Locked"), ("ManicTime/PowerOff", "Off"));
    history.state(1, off, "07:00", "09:00");
    history.state(1, away, "10:00", "10:45");
    history.state(1, locked, "12:00", "12:30");
    for (application, from, to) in [
        ("Editor", "09:00", "10:00"),
        ("Ledger", "10:45", "11:30"),
        ("Editor", "11:30", "12:00"),
        ("Editor", "12:30", "13:00"),
        ("Editor", "2025-01-17 22:00:00", "2025-01-17 23:00:00"),
        ("Editor", "2025-01-17 23:30:00", "2025-01-18 01:30:00"),
        ("Editor", "2025-01-18 09:00:00", "2025-01-18 10:00:00"),
        ("Editor", "2025-01-19 09:00:00", "2025-01-19 10:00:00"),
        ("Editor", "2025-01-19 11:00:00", "2025-01-19 12:00:00"),
    ] {
        history.active(1, from, to);
        history.application(2, application, from, to);
    }
    history.state(1, away, "2025-01-19 10:00:00", "2025-01-19 11:00:00");
    history.active(5, "2025-01-19 10:00:00", "2025-01-19 10:40:00");
    history.application(6, "Mail", "2025-01-19 10:00:00", "2025-01-19 10:40:00");
    for (parts, from, to) in [
        (["Harbour", "Briefing"], "08:00", "08:45"),
        (["Northwind", "Portal"], "09:00", "10:00"),
        (["Northwind", "Estimate"], "10:05", "10:40"),
        (["Northwind", "Portal"], "12:30", "13:00"),
        (["Harbour", "Review"], "12:40", "12:55"),
        (["Harbour", "On site"], "2025-01-16 10:00:00", "2025-01-16 11:00:00"),
        (["Harbour", "Deployment"], "2025-01-18 03:00:00", "2025-01-18 03:30:00"),
    ] {
        history.tag(4, &parts, from, to);
    }
    history.commit();
    let file = history.folder().join("work.ics");
    fs::write(&file, CALENDAR).unwrap();
    let calendars = Calendars::new(vec![Calendar::from_path(&file).unwrap()]).with_zone("Europe/Berlin");
    let rule: RuleConfig = serde_json::from_value(json!({"app": "Ledger", "project": "Northwind"})).unwrap();
    let rules = Rules::new(vec![rule.try_into().unwrap()]).unwrap();
    let app = builder_at(history.folder()).with_calendars(calendars).with_rules(rules).build().unwrap();
    (history, app)
}

fn lines(app: &App, sql: &str) -> Vec<String> {
    let table = block_on(app.engine().query(sql, &QueryLimits::default())).unwrap();
    cells(&table).iter().map(|row| row.join("|")).collect()
}

#[test]
fn worked_example_has_the_documented_intervals_and_totals() {
    let (_history, app) = example();
    let intervals = "SELECT to_char(start_local, '%d %H:%M'), to_char(end_local, '%H:%M'), state, is_break, \
        array_to_string(tags, ';'), array_to_string(meetings, ';') \
        FROM away_intervals('2025-01-15', '2025-01-20') ORDER BY start_utc";
    assert_eq!(
        lines(&app, intervals),
        [
            "15 08:00|08:45|off|false|Harbour, Briefing|",
            "15 10:00|10:45|away|true|Northwind, Estimate|Estimate",
            "15 12:00|12:30|locked|true||Lunch talk",
            "16 10:00|11:00|unknown|false|Harbour, On site|",
            "17 23:00|23:30|unknown|true||",
            "18 03:00|03:30|unknown|false|Harbour, Deployment|",
            "19 10:40|11:00|away|true||",
        ]
    );
    let clients = "SELECT COALESCE(client, '-'), union_seconds(start_utc, end_utc) / 60, \
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE is_away), 0) / 60 \
        FROM client_time('2025-01-15') GROUP BY client ORDER BY 1";
    assert_eq!(lines(&app, clients), ["-|30|0", "Harbour|60|45", "Northwind|170|35"]);
    let all = "SELECT union_seconds(start_utc, end_utc) FILTER (WHERE client IS NOT NULL) / 60, \
        union_seconds(start_utc, end_utc) / 60 FROM client_time('2025-01-15')";
    assert_eq!(lines(&app, all), ["215|245"]);
}

#[test]
fn a_day_lists_the_intervals_between_its_blocks() {
    let (_history, app) = example();
    let narrative = NarrativeRequest { detail: Detail::Blocks, ..narrative_request(range("2025-01-15", "2025-01-16")) };
    let request = DailySummaryRequest { narrative: narrative.clone(), include_segments: true };
    let day = block_on(app.run(request)).unwrap();
    let presence = day.presence.unwrap();
    let used = (presence.first_use.as_deref(), presence.last_use.as_deref());
    assert_eq!(used, (Some("2025-01-15T09:00:00"), Some("2025-01-15T13:00:00")));
    assert_eq!((day.total_active_minutes.seconds(), presence.break_minutes.seconds()), (165 * 60, 75 * 60));
    let away = presence.away.unwrap();
    let starts: Vec<_> = away.iter().map(|AwayInterval { start, .. }| &start[11..16]).collect();
    assert_eq!(starts, ["08:00", "10:00", "12:00"]);
    // With a filter, unmatched time doesn't mean that the user was away. Therefore the response has no `presence`.
    let filtered =
        NarrativeRequest { filter: Filter { tag: Some("Portal".to_owned()), ..Filter::default() }, ..narrative };
    assert_eq!(block_on(app.run(filtered)).unwrap().presence, None);
}

#[test]
fn a_meeting_is_time_away_only_after_it_is_over() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "Editor", "09:00", "10:00");
    history.commit();
    let today = Local::now().date_naive();
    let dates = [today - TimeDelta::days(2), today + TimeDelta::days(2)];
    let events = dates.map(|date| {
        let day = date.format("%Y%m%d");
        format!(
            "BEGIN:VEVENT\r\nUID:{day}@example.org\r\nSUMMARY:Review\r\nDTSTART;TZID=Europe/Berlin:{day}T120000\r\n\
            DTEND;TZID=Europe/Berlin:{day}T123000\r\nEND:VEVENT\r\n"
        )
    });
    let file = history.folder().join("work.ics");
    let header = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Calendar//EN\r\n";
    fs::write(&file, format!("{header}{}END:VCALENDAR\r\n", events.concat())).unwrap();
    let calendars = Calendars::new(vec![Calendar::from_path(&file).unwrap()]).with_zone("Europe/Berlin");
    let app = builder_at(history.folder()).with_calendars(calendars).build().unwrap();
    let listed = dates.map(|date| {
        let when = WhyTime::Around(date.and_time(NaiveTime::MIN) + TimeDelta::minutes(12 * 60 + 15));
        let why = run_query(&app, WhyRequest { when, device: None, include_rows: false }).unwrap();
        why.away.and_then(|away| away.meetings)
    });
    assert_eq!(listed, [Some(vec!["Review".to_owned()]), None]);
}

/// The hours of a client must be the same in all outputs.
#[test]
fn every_surface_has_the_same_time_of_clients() {
    let (_history, app) = example();
    let week = range("2025-01-15", "2025-01-20");
    let of_sql = "SELECT client, union_seconds(start_utc, end_utc), \
        COALESCE(union_seconds(start_utc, end_utc) FILTER (WHERE is_away), 0) \
        FROM client_time('2025-01-15', '2025-01-20') WHERE client IS NOT NULL GROUP BY client ORDER BY 2 DESC";
    let expected = lines(&app, of_sql);
    assert_eq!(expected, ["Northwind|10200|2100", "Harbour|9000|8100"]);

    let period = run_query(&app, PeriodSummaryRequest::new(week)).unwrap().aggregate.clients.unwrap();
    let tags = run_query(&app, TagsRequest::new(week)).unwrap().clients.unwrap();
    let narrative = block_on(app.run(narrative_request(week))).unwrap().clients.unwrap();
    for totals in [&period, &tags, &narrative] {
        let clients = totals.top_clients.iter().map(|client| {
            let away = client.away_minutes.map_or(0, Minutes::seconds);
            format!("{}|{}|{away}", client.name, client.client_minutes.seconds())
        });
        assert_eq!(clients.collect::<Vec<_>>(), expected);
        assert_eq!((totals.client_minutes.seconds(), totals.away_minutes.seconds()), (18_300, 10_200));
        assert_eq!(totals.shared_minutes.map(Minutes::seconds), Some(900));
    }
    let request = RangeReportRequest { range: week, device: None, include_titles: false, filter: Filter::default() };
    let page = block_on(request.answer(app.engine())).unwrap().purposes;
    let of_page = page
        .clients
        .iter()
        .map(|client| format!("{}|{}|{}", client.name, client.spent.total().seconds(), client.spent.away.seconds()));
    assert_eq!(of_page.collect::<Vec<_>>(), expected);
    let request = ClientHoursRequest { range: week, filter: Filter::default() };
    let hours = block_on(request.answer(app.engine())).unwrap().clients;
    let mut of_hours: Vec<_> = hours
        .iter()
        .map(|client| format!("{}|{}|{}", client.name, client.total.seconds(), client.away.seconds()))
        .collect();
    of_hours.reverse();
    assert_eq!(of_hours, expected);
}
