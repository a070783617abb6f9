//! `[time] day_start` and `week_start`: an evening past midnight belongs to one day in every output, and days add up.

use std::fs;

use dayledger_fixtures::{Activity, ActivityWatchWriter, Group, Server, Span};
use serde_json::{Value, json};

use super::program::Home;
use super::{assert_fails, run, stderr_of, stdout_of};
use crate::histories::{ClosedHistory, History};
use crate::mcp::session::{Session, VERSIONS};

const FOUR: &str = "[time]\nday_start = '04:00'\n";

/// An hour in the morning of 20 November 2026, work from 22:00 to 02:00, and an hour in the next morning.
fn late_evening() -> ClosedHistory {
    let mut history = History::on_workstation();
    for (from, to) in [
        ("2026-11-20 09:00:00", "2026-11-20 10:00:00"),
        ("2026-11-20 22:00:00", "2026-11-21 02:00:00"),
        ("2026-11-21 09:00:00", "2026-11-21 10:00:00"),
    ] {
        history.active(1, from, to);
        history.application(2, "Editor", from, to);
    }
    history.website(3, "docs.example.org", "2026-11-20 23:30:00", "2026-11-21 00:30:00");
    history.tag(4, &["Client", "Night"], "2026-11-20 23:00:00", "2026-11-21 01:00:00");
    history.close()
}

fn four() -> (Home, ClosedHistory) {
    let home = Home::new();
    home.configure(FOUR);
    (home, late_evening())
}

fn json(command: &mut std::process::Command) -> Value {
    serde_json::from_str(&stdout_of(command)).unwrap()
}

fn rows(home: &Home, history: &ClosedHistory, sql: &str) -> Value {
    json(&mut home.program_for(history.folder(), ["sql", "--format", "json", "-c", sql]))
}

#[test]
fn evening_past_midnight_is_one_day_in_commands() {
    let (home, history) = four();
    let of = |arguments: &str| home.program_for(history.folder(), arguments.split(' '));
    let day = json(&mut of("day 2026-11-20 --json"));
    assert_eq!((&day["startDate"], &day["endDate"]), (&json!("2026-11-20"), &json!("2026-11-21")));
    assert_eq!(day["totalActiveMinutes"], 300.0, "{day}");
    assert_eq!(json(&mut of("day 2026-11-21 --json"))["totalActiveMinutes"], 60.0);
    let period = json(&mut of("period 2026-11-20 2026-11-21 --json"));
    let days: Vec<_> =
        period["days"].as_array().unwrap().iter().map(|day| (&day["date"], &day["totalActiveMinutes"])).collect();
    assert_eq!(days, [(&json!("2026-11-20"), &json!(300.0)), (&json!("2026-11-21"), &json!(60.0))]);
    assert_eq!(
        period["patterns"]["dayOfWeekDistribution"],
        json!([
            {"dayOfWeek": 5, "totalMinutes": 300.0}, {"dayOfWeek": 6, "totalMinutes": 60.0}
        ])
    );
    // A complete time is exact, and a time alone is within the day.
    let exact = json(&mut of("period 2026-11-20T00:00 2026-11-21T00:00 --json"));
    assert_eq!(exact["totalActiveMinutes"], 180.0, "{exact}");
    let text = stdout_of(&mut of("day 2026-11-20"));
    assert!(text.contains("Friday, 20 November 2026") && !text.contains("Saturday"), "{text}");
    let found = stdout_of(&mut of("find Editor"));
    assert!(found.contains("22:00–02:00") || found.contains("22:00-02:00"), "{found}");
    let why = json(&mut of("why 2026-11-20 --json"));
    assert_eq!((&why["totalActiveMinutes"], &why["days"][0]["date"]), (&json!(300.0), &json!("2026-11-20")), "{why}");
    let block = json(&mut of("why 2026-11-21T01:00 --json"));
    assert_eq!(block["endDate"], "2026-11-21T02:00:00", "the block around a time after midnight: {block}");
}

#[test]
fn evening_past_midnight_is_one_day_in_sql() {
    let (home, history) = four();
    let range = "'2026-11-20', '2026-11-22'";
    let sql = format!("SELECT date, active_seconds FROM day_summary({range}) ORDER BY date");
    let days = json!([{"date": "2026-11-20", "active_seconds": 18000}, {"date": "2026-11-21", "active_seconds": 3600}]);
    assert_eq!(rows(&home, &history, &sql), days);
    // A single date is the whole day, also as a date, and a date column is that day.
    for argument in ["'2026-11-20'", "DATE '2026-11-20'"] {
        let sql = format!("SELECT date, active_seconds FROM day_summary({argument})");
        assert_eq!(rows(&home, &history, &sql), json!([days[0]]), "{argument}");
    }
    let sql = format!(
        "SELECT sum(seconds) AS seconds FROM pieces_by_day('applications', {range}) WHERE date = DATE '2026-11-20'"
    );
    assert_eq!(rows(&home, &history, &sql), json!([{"seconds": 18000}]));
    let sql =
        format!("SELECT day_of(start_local) AS day, count(*) AS blocks FROM blocks({range}) GROUP BY 1 ORDER BY 1");
    assert_eq!(
        rows(&home, &history, &sql),
        json!([{"day": "2026-11-20", "blocks": 4}, {"day": "2026-11-21", "blocks": 1}]),
        "the morning, and the evening before, with and after the tag"
    );
    let sql = format!("SELECT day, sum(seconds) AS seconds FROM unlogged({range}) GROUP BY 1 ORDER BY 1");
    assert_eq!(
        rows(&home, &history, &sql),
        json!([{"day": "2026-11-20", "seconds": 18000}, {"day": "2026-11-21", "seconds": 3600}])
    );
    let sql = "SELECT today() = CAST(current_date AS TIMESTAMP) + INTERVAL '4 hours' AS agree";
    assert_eq!(rows(&home, &history, sql), json!([{"agree": true}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn evening_past_midnight_is_one_day_in_tools() {
    let (home, history) = four();
    let session = Session::start_in_home(home, history.folder(), VERSIONS[0].clone(), &[]).await;
    let day = session.answer("get_daily_summary", json!({"date": "2026-11-20"})).await;
    assert_eq!((&day["startDate"], &day["totalActiveMinutes"]), (&json!("2026-11-20"), &json!(300.0)));
    for basis in ["active", "recorded"] {
        let arguments =
            json!({"startDate": "2026-11-20", "endDate": "2026-11-22", "breakdown": "day", "timeBasis": basis});
        let usage = session.answer("get_application_usage", arguments).await;
        assert_eq!(usage["dayStart"], "04:00", "{usage}");
        let days: Vec<_> =
            usage["days"].as_array().unwrap().iter().map(|day| (&day["date"], &day["totalMinutes"])).collect();
        assert_eq!(
            days,
            [(&json!("2026-11-20"), &json!(300.0)), (&json!("2026-11-21"), &json!(60.0))],
            "{basis}: {usage}"
        );
    }
    for tool in ["get_computer_usage", "get_website_usage", "get_document_usage"] {
        let usage = session.answer(tool, json!({"startDate": "2026-11-20"})).await;
        assert_eq!(
            (&usage["startDate"], &usage["dayStart"]),
            (&json!("2026-11-20"), &json!("04:00")),
            "{tool}: {usage}"
        );
    }
    let sql = "SELECT date, active_seconds FROM day_summary('2026-11-20')";
    let rows = session.answer("query", json!({"sql": sql})).await;
    assert!(rows.to_string().contains("18000"), "{rows}");
    session.end().await;
}

#[test]
fn evening_past_midnight_is_one_day_in_the_timesheet_and_on_pages() {
    let (home, history) = four();
    home.configure(&format!(
        "{FOUR}[timesheet]\n[[timesheet.projects]]\ncode = 'ENGINE'\nname = 'Engine'\ntasks = ['Work']\n\
         [[timesheet.export.projects]]\ncode = 'ENGINE'\nclient = 'Harbour Foods'\nproject = 'Engine'\n\
         tasks = {{ Work = 'Work' }}\n[timesheet.push.kimai]\nurl = 'http://127.0.0.1:9'\n\
         [[rules]]\napp = 'Editor'\nproject = 'ENGINE'\ntask = 'Work'\n"
    ));
    let of = |arguments: &str| home.program_for(history.folder(), arguments.split(' '));
    let week = json(&mut of("timesheet 2026-W47 --json"));
    let drafted: Vec<_> = week["days"].as_array().unwrap().iter().map(|day| day["drafted"].clone()).collect();
    assert_eq!(drafted.len(), 7);
    assert_eq!((&drafted[4], &drafted[5]), (&json!(5.0), &json!(1.0)), "{week}");
    let logged = stdout_of(&mut of("timesheet log 2026-W47 --yes"));
    assert!(!logged.contains("Not logged"), "{logged}");
    // The times of an entry are the true ones, after midnight on the next date.
    let csv = stdout_of(&mut of("timesheet export --format csv"));
    assert!(csv.contains("22:00-02:00") && csv.contains("2026-11-21T02:00:00"), "{csv}");
    let calendar = stdout_of(&mut of("timesheet export --format ics"));
    assert!(calendar.contains("DTSTART:20261120T210000Z") && !calendar.contains("not recorded"), "{calendar}");
    // A preview needs no server.
    let preview = String::from_utf8(run(&mut of("timesheet push kimai 2026-W47")).stdout).unwrap();
    assert!(preview.lines().any(|row| row.contains("Fri 20 Nov") && row.contains("22:00-02:00")), "{preview}");
    stdout_of(&mut of("report --from 2026-11-20 --out day.html"));
    let page = fs::read_to_string(home.folder("day.html")).unwrap();
    assert!(page.contains("Friday, 20 November 2026") && page.contains("5 h 00 min"), "the title and the total");
    for label in [">23<", ">01<"] {
        assert!(page.contains(label), "the axis ends after midnight, so it has the label {label}");
    }
}

#[test]
fn export_records_the_start_of_its_days_and_keeps_it() {
    let (home, history) = four();
    let export = |more: &[&str]| {
        let mut command = home.program_for(history.folder(), ["export", "--from", "2026-11", "--out", "all"]);
        command.args(["--tables", "activities,day_summary"]).args(more);
        command
    };
    stdout_of(&mut export(&[]));
    let manifest: Value = serde_json::from_str(&fs::read_to_string(home.folder("all/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["dayStart"], "04:00");
    assert_eq!(manifest["tables"]["activities"]["2026-11"]["startLocal"], "2026-11-01T04:00:00");
    let sql = "SELECT date, active_seconds FROM day_summary('2026-11-20', '2026-11-22') ORDER BY date";
    let days = json!([{"date": "2026-11-20", "active_seconds": 18000}, {"date": "2026-11-21", "active_seconds": 3600}]);
    // Another computer has no such setting.
    let other = Home::new();
    let folder = home.folder("all").display().to_string();
    for source in ["--exports", "--data-dir"] {
        let found = json(&mut other.program(["sql", source, &folder, "--format", "json", "-c", sql]));
        assert_eq!(found, days, "{source}");
    }
    let day = json(&mut other.program(["--data-dir", &folder, "day", "2026-11-20", "--json"]));
    assert_eq!(day["totalActiveMinutes"], 300.0);
    home.configure("");
    assert_fails(&mut export(&[]), "all", "pass another folder");
}

/// Work without pauses over both clock changes of a year, in pieces of many lengths.
fn clock_changes() -> (ClosedHistory, i64) {
    let mut history = History::on_workstation();
    let mut total = 0;
    for (day, summer_until_utc, before, after) in
        [("2025-03-29", "2025-03-30T01:00:00", 60, 120), ("2025-10-25", "2025-10-26T01:00:00", 120, 60)]
    {
        let start: chrono::NaiveDateTime = format!("{day}T12:00:00").parse().unwrap();
        let change: chrono::NaiveDateTime = summer_until_utc.parse().unwrap();
        let local = |utc: chrono::NaiveDateTime| {
            let ahead = if utc < change { before } else { after };
            (utc + chrono::TimeDelta::minutes(ahead)).format("%Y-%m-%d %H:%M:%S").to_string()
        };
        let ahead = |utc: chrono::NaiveDateTime| if utc < change { before } else { after };
        let mut at = start;
        for number in 0..60_i64 {
            let end = at + chrono::TimeDelta::seconds(420 + number * 7919 % 3000);
            let span = Span::across(&local(at), ahead(at), &local(end), ahead(end)).unwrap();
            let state = history.group(1, &Group::state("ManicTime/Active", "Active"));
            history.activity(1, &Activity::new("Active", span).group(state));
            let name = ["Editor", "Mail"][usize::try_from(number % 2).unwrap()];
            let group = history.group(2, &Group::application(&format!("{name}.exe;{name}"), name));
            history.activity(2, &Activity::new(name, span).group(group));
            total += (end - at).num_seconds();
            at = end;
        }
    }
    history.writer().fill_hourly_tables().unwrap();
    (history.close(), total)
}

/// The days around each clock change in [`clock_changes`]. The last date is the end of the range.
const CHANGED_DAYS: [[&str; 5]; 2] = [
    ["2025-03-28", "2025-03-29", "2025-03-30", "2025-03-31", "2025-04-01"],
    ["2025-10-24", "2025-10-25", "2025-10-26", "2025-10-27", "2025-10-28"],
];

/// The totals of tools have one decimal of a minute. So the totals of several days can differ from the total of their
/// period by some tenths.
#[tokio::test(flavor = "multi_thread")]
async fn days_of_tools_add_up_to_the_period_for_any_start() {
    let (history, total) = clock_changes();
    let minutes = |value: &Value| value.as_f64().unwrap();
    let total = f64::from(i32::try_from(total).unwrap()) / 60.0;
    for start in ["04:00", "-02:00", "02:30"] {
        let home = Home::new();
        home.configure(&format!("[time]\nday_start = '{start}'\n"));
        let session = Session::start_in_home(home, history.folder(), VERSIONS[0].clone(), &[]).await;
        let (mut days, mut summaries, mut active, mut recorded) = (0.0, 0.0, 0.0, 0.0);
        for dates in CHANGED_DAYS {
            for date in &dates[..4] {
                let day = session.answer("get_daily_summary", json!({"date": date})).await;
                assert_eq!(day["dayStart"], start);
                days += minutes(&day["totalActiveMinutes"]);
            }
            let mut range = json!({"startDate": dates[0], "endDate": dates[4]});
            let period = session.answer("get_period_summary", range.clone()).await;
            assert_eq!(period["dayStart"], start);
            summaries += minutes(&period["totalActiveMinutes"]);
            range["breakdown"] = json!("day");
            for (basis, sum) in [("active", &mut active), ("recorded", &mut recorded)] {
                range["timeBasis"] = json!(basis);
                let usage = session.answer("get_application_usage", range.clone()).await;
                *sum += usage["days"].as_array().unwrap().iter().map(|day| minutes(&day["totalMinutes"])).sum::<f64>();
            }
        }
        for (name, sum) in [("day", days), ("period", summaries), ("active", active), ("recorded", recorded)] {
            assert!((sum - total).abs() < 0.5, "{name} with days from {start}: {sum} instead of {total}");
        }
        session.end().await;
    }
}

#[test]
fn days_add_up_to_the_period_for_any_start_also_over_clock_changes() {
    let (history, total) = clock_changes();
    let range = "'2025-03-20', '2025-11-10'";
    let sql = format!(
        "SELECT (SELECT sum(active_seconds) FROM day_summary({range})) AS days,
            (SELECT sum(active_seconds) FROM weekday_pattern({range})) AS weekdays,
            (SELECT sum(seconds) FROM pieces_by_day('applications', {range})) AS pieces,
            (SELECT sum(seconds) FROM blocks({range})) AS blocks,
            (SELECT sum(seconds) FROM narrative({range})) AS segments,
            (SELECT sum(seconds) FROM recorded_time('applications', {range})) AS hours,
            (SELECT sum(seconds) FROM hourly_usage('applications', {range})) AS usage,
            (SELECT sum(seconds) FROM unlogged({range})) AS unlogged,
            (SELECT sum(seconds) FROM draft({range})) + (
                SELECT coalesce(sum(seconds), 0)
                FROM (SELECT sum(seconds) AS seconds FROM unlogged({range}) GROUP BY day) AS days
                WHERE seconds < 900
            ) AS drafted"
    );
    // A draft leaves out less than 15 minutes on a day.
    for start in ["00:00", "04:00", "-02:00", "02:00", "02:30", "03:00", "00:01", "11:59", "12:00", "-12:00"] {
        let home = Home::new();
        home.configure(&format!("[time]\nday_start = '{start}'\n"));
        let sums = rows(&home, &history, &sql);
        for (name, seconds) in sums[0].as_object().unwrap() {
            assert_eq!(seconds, total, "{name} with days from {start}");
        }
        let period = json(&mut home.program_for(history.folder(), ["period", "2025-03-20", "2025-11-09", "--json"]));
        let minutes = |value: &Value| value.as_f64().unwrap();
        let days: f64 = period["days"].as_array().unwrap().iter().map(|day| minutes(&day["totalActiveMinutes"])).sum();
        // Minutes of a response have one decimal.
        assert!((days - minutes(&period["totalActiveMinutes"])).abs() < 1.0, "days from {start}: {period}");
    }
}

#[test]
fn week_starts_on_the_set_day() {
    let (home, history) = (Home::new(), late_evening());
    home.configure("[time]\nweek_start = 'sunday'\n");
    let week = json(&mut home.program_for(history.folder(), ["period", "this", "week", "--json"]));
    let start: chrono::NaiveDate = week["startDate"].as_str().unwrap().parse().unwrap();
    assert_eq!(start.format("%A").to_string(), "Sunday");
    let numbered = json(&mut home.program_for(history.folder(), ["period", "2026-W47", "--json"]));
    assert_eq!(numbered["startDate"], "2026-11-16", "a week with a number starts on Monday");
    let text = stdout_of(&mut home.program_for(history.folder(), ["period", "2026-11-01", "2026-11-30"]));
    let (sunday, monday) = (text.rfind("Sun ").unwrap(), text.rfind("Mon ").unwrap());
    assert!(sunday < monday, "{text}");
}

/// The week of a timesheet starts on the set weekday too. Only a week from Monday has a number.
#[test]
fn weeks_of_the_timesheet_start_on_the_set_day() {
    let (home, history) = (Home::new(), late_evening());
    let settings = "[timesheet]\n[[timesheet.projects]]\ncode = 'ENGINE'\ntasks = ['Work']\n\
                    [[rules]]\napp = 'Editor'\nproject = 'ENGINE'\ntask = 'Work'\n";
    home.configure(&format!("[time]\nweek_start = 'saturday'\n{settings}"));
    let of = |arguments: &str| home.program_for(history.folder(), arguments.split(' '));
    let days = |week: &Value| {
        let days = week["days"].as_array().unwrap();
        (days.len(), days[0]["day"].clone(), week["week"].clone())
    };
    let present = json(&mut of("timesheet --json"));
    let first: chrono::NaiveDate = days(&present).1.as_str().unwrap().parse().unwrap();
    assert_eq!((days(&present).0, first.format("%A").to_string().as_str()), (7, "Saturday"));
    assert_eq!(days(&json(&mut of("timesheet 2026-W47 --json"))), (7, json!("2026-11-16"), json!("2026-W47")));
    // The evening of Friday is in the week from 14 November, and the rest is in the week from 21 November.
    let text = stdout_of(&mut of("timesheet 2026-11-14 2026-11-20"));
    assert!(text.contains("log 2026-11-14 2026-11-20`") && text.contains("Sat 14 Nov"), "{text}");
    stdout_of(&mut of("timesheet log 2026-11-14 2026-11-27 --yes"));
    let submitted = stdout_of(&mut of("timesheet submit 2026-11-14 2026-11-20"));
    assert_eq!(submitted, "Submitted 1 entry of 2026-11-14 to 2026-11-20, 3 h.\n");
    assert_eq!(stdout_of(&mut of("timesheet submit 2026-11-21 2026-11-27")).split(' ').nth(1), Some("1"));
    assert_fails(&mut of("timesheet submit 2026-11-15 2026-11-21"), "is not exactly one week", "pass a week");
    let reopened = stdout_of(&mut of("timesheet reopen 2026-11-14 2026-11-20"));
    assert_eq!(reopened, "Reopened 1 entry of 2026-11-14 to 2026-11-20, 3 h.\n");
    stdout_of(&mut of("report --from 2026-11-16 --to 2026-11-24 --out weeks.html"));
    let page = fs::read_to_string(home.folder("weeks.html")).unwrap();
    assert!(page.contains(">from 14 Nov<") && page.contains(">from 21 Nov<") && !page.contains("Week 47"), "{page}");
}

#[test]
fn days_of_activitywatch_are_reported_and_adopted() {
    let home = Home::new();
    let folder = home.folder("rust");
    fs::create_dir(&folder).unwrap();
    let mut writer = ActivityWatchWriter::in_folder(&folder, Server::Rust).unwrap();
    let bucket = writer.add_bucket("aw-watcher-window_desk", "currentwindow", "desk").unwrap();
    let noon = 1_763_640_000_000_000;
    writer.add_event(bucket, noon, 600_000_000, &json!({"app": "Editor", "title": "Notes"})).unwrap();
    writer.commit().unwrap();
    let of = |arguments: &[&str]| home.program_for(&folder, arguments);
    assert_fails(&mut of(&["doctor", "--adopt-days"]), "does not contain when its days start", "day_start");
    writer.add_setting("startOfDay", &json!("13:00")).unwrap();
    writer.commit().unwrap();
    assert_fails(&mut of(&["doctor", "--adopt-days"]), "`13:00` is not supported", "day_start");
    writer.add_setting("startOfDay", &json!("04:00")).unwrap();
    writer.add_setting("startOfWeek", &json!("Sunday")).unwrap();
    writer.commit().unwrap();
    let remark = "Days begin at midnight here, and at 04:00 in ActivityWatch";
    let health = stdout_of(&mut of(&["doctor"]));
    assert!(health.contains(remark), "{health}");
    home.configure("[time]\ncalls = true\n");
    let adopted = of(&["doctor", "--adopt-days"]).output().unwrap();
    assert!(adopted.status.success(), "{adopted:?}");
    let text = fs::read_to_string(home.configuration()).unwrap();
    assert_eq!(text, "[time]\nweek_start = \"sunday\"\nday_start = \"04:00\"\ncalls = true\n");
    let health = stdout_of(&mut of(&["doctor"]));
    assert!(!health.contains("Days begin at") && health.contains("04:00"), "{health}");
    let usage = stderr_of(&mut of(&["doctor", "--adopt-days", "--json"]), 2);
    assert!(usage.contains("--json"), "{usage}");
}
