//! A year of work with evenings past the start of the day: all outputs of the timesheet agree with a calculation in this
//! file, to the second and to the cent.
//!
//! The days start at 04:00. The work is recorded in a history, and imported as entries of another tracker. This file
//! cuts the work at 04:00, rounds the hours and computes the amounts with integers. It doesn't use any code of the
//! timesheet.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta};
use dayledger_fixtures::{Activity, Group, Moment, Span};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

use super::program::Home;
use super::timesheet_pages::section;
use super::{run, stdout_of};
use crate::histories::{ClosedHistory, History};

const ZONE: &str = "Europe/Berlin";
/// The times at which the clock goes forward an hour, and back an hour, in UTC.
const CHANGES: [i64; 2] = [1_743_296_400, 1_761_440_400];
/// Midnight of 1 January 2025 in UTC.
const NEW_YEAR: i64 = 1_735_689_600;
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The start of the day, in seconds after midnight.
const DAY_START: i64 = 4 * HOUR;
/// All work starts and ends at multiples of three minutes, so that hours with two decimals are exact.
const STEP: i64 = 180;

/// The tasks, each with its project. The application in which a task is done has the same name as the task.
const TASKS: [(&str, &str); 4] =
    [("NORTHWIND", "Billing"), ("NORTHWIND", "Portal"), ("HARBOUR", "Stock"), ("HARBOUR", "Meals")];
const CLIENTS: [(&str, &str); 2] = [("NORTHWIND", "Northwind Ltd"), ("HARBOUR", "Harbour Foods")];

/// The days off. 4 October is a Saturday. The last two are one event.
const DAYS_OFF: [&str; 5] = ["2025-04-18", "2025-05-01", "2025-10-04", "2025-12-25", "2025-12-26"];

const SETTINGS: &str = "[time]\nday_start = '04:00'\n\
    [timesheet]\ndays_off = ['holidays.ics']\n\
    [[timesheet.projects]]\ncode = 'NORTHWIND'\nname = 'Northwind Ltd'\ntasks = ['Billing', 'Portal']\n\
    [[timesheet.projects]]\ncode = 'HARBOUR'\nname = 'Harbour Foods'\ntasks = ['Stock', 'Meals']\n\
    [[timesheet.rates]]\nproject = 'NORTHWIND'\nrate = 95.55\ncurrency = 'EUR'\n\
    rounding = { to = 0.25, mode = 'up', per = 'task' }\n\
    [[timesheet.rates]]\nproject = 'NORTHWIND'\nfrom = '2025-07-01'\nrate = 98.37\n\
    [[timesheet.rates]]\nproject = 'HARBOUR'\nrate = 80.33\ncurrency = 'CHF'\nrounding = { to = 0.1 }\n\
    [[timesheet.rates]]\nproject = 'HARBOUR'\ntask = 'Meals'\nbillable = false\n\
    [[timesheet.targets]]\nfrom = '2025-01-01'\ncarried_over = -2.5\n\
    hours = { mon = 7.5, tue = 7.5, wed = 7.5, thu = 7.5, fri = 6.25, sat = 1 }\n\
    [[timesheet.targets]]\nfrom = '2025-09-15'\nhours = { mon = 6, tue = 6, wed = 6 }\n\
    [timesheet.export]\nemail = 'alex@example.org'\nuser = 'alex'\nfirst_name = 'Alex'\nlast_name = 'Builds'\n\
    [timesheet.export.clockify]\ndate = 'YYYY-MM-DD'\ntime = '24-hour'\nduration = 'hh:mm:ss'\n\
    [[timesheet.export.projects]]\ncode = 'NORTHWIND'\nclient = 'Northwind Ltd'\nproject = 'NORTHWIND'\n\
    [[timesheet.export.projects]]\ncode = 'HARBOUR'\nclient = 'Harbour Foods'\nproject = 'HARBOUR'\n\
    [[rules]]\napp = 'Billing'\nproject = 'NORTHWIND'\ntask = 'Billing'\n\
    [[rules]]\napp = 'Portal'\nproject = 'NORTHWIND'\ntask = 'Portal'\n\
    [[rules]]\napp = 'Stock'\nproject = 'HARBOUR'\ntask = 'Stock'\n\
    [[rules]]\napp = 'Meals'\nproject = 'HARBOUR'\ntask = 'Meals'\n";

/// The seconds by which local time is ahead of UTC.
fn offset(utc: i64) -> i64 {
    if (CHANGES[0]..CHANGES[1]).contains(&utc) { 2 * HOUR } else { HOUR }
}

fn local(utc: i64) -> NaiveDateTime {
    DateTime::from_timestamp(utc + offset(utc), 0).unwrap().naive_utc()
}

/// Returns the day that contains a time.
fn day(utc: i64) -> NaiveDate {
    DateTime::from_timestamp(utc + offset(utc) - DAY_START, 0).unwrap().date_naive()
}

/// Uninterrupted work on one task, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Work {
    start: i64,
    end: i64,
    task: usize,
}

/// Returns work in order of time, from the evening before the year to the morning after it. Some evenings continue
/// after 04:00. Work never overlaps.
fn year_of_work(seed: u64) -> Vec<Work> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut all: Vec<Work> = Vec::new();
    for number in -1..=365 {
        let midnight = NEW_YEAR + number * DAY;
        let mut at = midnight + 7 * HOUR;
        for _ in 0..random.random_range(0..=3) {
            at += STEP * random.random_range(0..50_i64);
            let task = random.random_range(0..TASKS.len());
            let end = at + STEP * random.random_range(1..50_i64);
            all.push(Work { start: at, end, task });
            at = end;
        }
        let is_change = CHANGES.iter().any(|change| (midnight..midnight + 2 * DAY).contains(change));
        if is_change || random.random_range(0..4) == 0 || number <= 0 || number >= 364 {
            let start = midnight + 20 * HOUR + STEP * random.random_range(0..40_i64);
            // Work over a clock change continues after the start of the next day.
            let least = if is_change { 159 } else { 20 };
            let end = start + STEP * random.random_range(least..160_i64);
            let task = random.random_range(0..TASKS.len());
            all.push(Work { start: start.max(at), end: end.max(at + STEP), task });
        }
    }
    all.sort();
    for place in 1..all.len() {
        // The work of an evening can continue into the work of the next morning.
        all[place].start = all[place].start.max(all[place - 1].end);
    }
    all.retain(|work| work.start < work.end);
    all
}

/// Returns the parts of work on each day: the work, cut at 04:00 local time.
fn cut_at_days(all: &[Work]) -> Vec<Work> {
    let mut parts = Vec::new();
    for work in all {
        let mut at = work.start;
        while at < work.end {
            let end = (at + STEP..work.end).step_by(180).find(|utc| day(*utc) != day(at)).unwrap_or(work.end);
            parts.push(Work { start: at, end, ..*work });
            at = end;
        }
    }
    parts
}

/// The expected row of an entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    day: NaiveDate,
    task: usize,
    start: i64,
    hundredths: i64,
}

impl Row {
    fn project(&self) -> &'static str {
        TASKS[self.task].0
    }

    fn task(&self) -> &'static str {
        TASKS[self.task].1
    }

    /// Returns the local start and end by the clock at the start.
    fn local_times(&self) -> (NaiveDateTime, NaiveDateTime) {
        (local(self.start), local(self.start) + TimeDelta::seconds(self.hundredths * 36))
    }
}

/// Checks that two lists have the same lines, in any order. Reports only the lines that differ.
#[track_caller]
fn assert_same_lines(name: &str, mut found: Vec<String>, mut expected: Vec<String>) {
    found.sort_unstable();
    expected.sort_unstable();
    if found != expected {
        let only = |one: &[String], other: &[String]| {
            one.iter().filter(|line| !other.contains(line)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(only(&found, &expected), only(&expected, &found), "{name}");
    }
    assert_eq!(found, expected, "{name}: a line is there twice");
}

/// Returns the expected rows of the year.
fn expected_rows(parts: &[Work]) -> Vec<Row> {
    let rows = parts.iter().map(|part| Row {
        day: day(part.start),
        task: part.task,
        start: part.start,
        hundredths: (part.end - part.start) / 36,
    });
    rows.filter(|row| row.day.year() == 2025).collect()
}

/// The price of an hour in hundredths, and its currency. `None` if the task isn't billed.
fn rate(day: NaiveDate, task: usize) -> Option<(i64, &'static str)> {
    match TASKS[task] {
        ("NORTHWIND", _) if day < date("2025-07-01") => Some((95_55, "EUR")),
        ("NORTHWIND", _) => Some((98_37, "EUR")),
        (_, "Stock") => Some((80_33, "CHF")),
        _ => None,
    }
}

fn amount(rate: i64, hundredths: i64) -> i64 {
    (rate * hundredths + 50) / 100
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Returns the target of a day in hundredths of an hour.
fn target(day: NaiveDate) -> i64 {
    if DAYS_OFF.contains(&day.to_string().as_str()) {
        return 0;
    }
    let weekday = usize::try_from(day.weekday().num_days_from_monday()).unwrap();
    let hours = if day < date("2025-09-15") { [750, 750, 750, 750, 625, 100, 0] } else { [600, 600, 600, 0, 0, 0, 0] };
    hours[weekday]
}

/// Writes a number of hundredths with two decimals.
fn decimal(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

/// Writes a number of hundredths with as few decimals as possible.
fn shortest(hundredths: i64) -> String {
    decimal(hundredths).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Reads a number with at most two decimals as hundredths.
fn hundredths(number: &str) -> i64 {
    let (sign, number) = number.strip_prefix('-').map_or((1, number), |number| (-1, number));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    sign * format!("{whole}{part:0<2}").parse::<i64>().unwrap()
}

fn sum<K: Ord>(rows: &[Row], key: impl Fn(&Row) -> K) -> BTreeMap<K, i64> {
    let mut sums = BTreeMap::new();
    for row in rows {
        *sums.entry(key(row)).or_default() += row.hundredths;
    }
    sums
}

/// The program with the settings of this file, over the history of the year.
struct Year {
    home: Home,
    history: ClosedHistory,
    rows: Vec<Row>,
}

impl Year {
    /// Writes the history and the settings, and imports the work.
    fn import(seed: u64) -> Self {
        let work = year_of_work(seed);
        let home = Home::new();
        home.configure(SETTINGS);
        let event = |start: &str, end: &str| {
            let [start, end] = [start, end].map(|day| day.replace('-', ""));
            format!(
                "BEGIN:VEVENT\r\nUID:{start}@example.org\r\nDTSTART;VALUE=DATE:{start}\r\nDTEND;VALUE=DATE:{end}\r\n\
                 END:VEVENT\r\n"
            )
        };
        let single = DAYS_OFF[..3].iter().map(|day| event(day, &date(day).succ_opt().unwrap().to_string()));
        let events = single.chain([event("2025-12-25", "2025-12-27")]).collect::<String>();
        let calendar = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n");
        fs::write(home.configuration().with_file_name("holidays.ics"), calendar).unwrap();
        // The file `frames` of Watson.
        let frame = |(number, work): (usize, &Work)| {
            let (project, task) = TASKS[work.task];
            serde_json::json!([work.start, work.end, project, format!("frame-{number}"), [task], work.end])
        };
        let frames: Value = work.iter().enumerate().map(frame).collect();
        fs::write(home.folder("frames"), frames.to_string()).unwrap();
        let year = Self { home, history: record(&work), rows: expected_rows(&cut_at_days(&work)) };
        year.check_unlogged_time();
        let imported = year.print(&["timesheet", "import", "frames", "--yes"]);
        assert!(imported.contains("Imported "), "{imported}");
        year
    }

    /// Returns the output of the program.
    fn print(&self, arguments: &[&str]) -> String {
        stdout_of(self.home.program_for(self.history.folder(), arguments).env("TZ", ZONE))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.print(&[arguments, &["--json"]].concat())).unwrap()
    }

    fn sql(&self, statement: &str) -> Vec<Value> {
        let rows: Value = serde_json::from_str(&self.print(&["sql", "--format", "json", "-c", statement])).unwrap();
        rows.as_array().unwrap().clone()
    }

    fn export(&self, format: &str) -> String {
        self.print(&["timesheet", "export", "--from", "2025", "--format", format])
    }

    /// Before the import, the time without an entry is all work, by day and task.
    fn check_unlogged_time(&self) {
        let statement =
            "SELECT day, project_code, task, sum(seconds) AS seconds FROM unlogged('2025') GROUP BY 1, 2, 3";
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let found: BTreeMap<_, _> = self
            .sql(statement)
            .iter()
            .map(|row| {
                let key = (date(&text(row, "day")), text(row, "project_code"), text(row, "task"));
                (key, row["seconds"].as_i64().unwrap())
            })
            .collect();
        let expected = sum(&self.rows, |row| (row.day, row.project().to_owned(), row.task().to_owned()));
        assert_eq!(found, expected.into_iter().map(|(key, hundredths)| (key, hundredths * 36)).collect());
    }

    /// Returns the billed hours and the amount of each row, in the order of the rows.
    fn check_csv(&self) -> Vec<(i64, Option<i64>)> {
        let csv = self.print(&["timesheet", "export", "--from", "2025", "--format", "csv", "--amounts"]);
        let mut lines = csv.lines();
        let heads: Vec<_> = lines.next().unwrap().split(',').collect();
        let mut billed = BTreeMap::new();
        for line in lines {
            let cells: Vec<_> = line.split(',').collect();
            assert_eq!(cells.len(), heads.len(), "{line}");
            let cell = |name: &str| cells[heads.iter().position(|head| *head == name).unwrap()];
            let start: NaiveDateTime = cell("start_local").parse().unwrap();
            let row = self.rows.iter().find(|row| local(row.start) == start && cell("task") == row.task());
            assert!(row.is_some(), "unexpected: {line}");
            let row = row.unwrap();
            let (day, hours) = (row.day.to_string(), decimal(row.hundredths));
            let (start, end) = row.local_times();
            let times = format!("{}-{}", start.format("%H:%M"), end.format("%H:%M"));
            let end = end.format("%Y-%m-%dT%H:%M:%S").to_string();
            let names = [
                "start_date",
                "completion_date",
                "project_code",
                "standard_hours",
                "total_hours",
                "end_local",
                "times",
            ];
            let expected = [&*day, &*day, row.project(), &*hours, &*hours, &*end, &*times];
            assert_eq!(names.map(cell), expected, "{line}");
            let hours = hundredths(cell("billed_hours"));
            let price = rate(row.day, row.task).map(|(rate, currency)| (rate, currency, amount(rate, hours)));
            let expected = price.map_or_else(
                || ["false", "", "", ""].map(str::to_owned),
                |(rate, currency, amount)| ["true".to_owned(), decimal(rate), currency.to_owned(), decimal(amount)],
            );
            assert_eq!(["billable", "rate", "currency", "amount"].map(cell), expected, "{line}");
            if row.project() == "HARBOUR" {
                assert_eq!(hours, (row.hundredths + 5) / 10 * 10, "to the nearest tenth: {line}");
            }
            assert_eq!(billed.insert(row.clone(), (hours, price.map(|(.., amount)| amount))), None, "{line}");
        }
        assert_eq!(billed.len(), self.rows.len(), "each row once");
        let by_task = |row: &Row| (row.day, row.task);
        let logged = sum(&self.rows, by_task);
        let mut rounded: BTreeMap<_, i64> = BTreeMap::new();
        for (row, (hours, _)) in billed.iter().filter(|(row, _)| row.project() == "NORTHWIND") {
            *rounded.entry(by_task(row)).or_default() += hours;
        }
        for (key, hours) in rounded {
            assert_eq!(hours, (logged[&key] + 24) / 25 * 25, "up to a quarter of an hour: {key:?}");
        }
        self.rows.iter().map(|row| billed[row]).collect()
    }

    /// Checks the files with the times of all work.
    fn check_files_with_times(&self) {
        let clock = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").unwrap();
        let of_rows = |of: &dyn Fn(&Row) -> String| self.rows.iter().map(of).collect::<Vec<_>>();
        let events = self.export("ics");
        let values = |name: &str| -> Vec<_> { events.lines().filter_map(|line| line.strip_prefix(name)).collect() };
        let found = values("DTSTART:").into_iter().zip(values("DURATION:")).zip(values("SUMMARY:"));
        let found = found.map(|((start, length), title)| format!("{start} {length} {title}")).collect();
        let expected = of_rows(&|row| {
            let utc = DateTime::from_timestamp(row.start, 0).unwrap().format("%Y%m%dT%H%M%SZ");
            let (hours, minutes) = (row.hundredths / 100, row.hundredths % 100 * 3 / 5);
            let part = |number, unit| if number > 0 { format!("{number}{unit}") } else { String::new() };
            format!("{utc} PT{}{} {}\\, {}", part(hours, "H"), part(minutes, "M"), row.project(), row.task())
        });
        assert_same_lines("ics", found, expected);

        let lines = self.export("timeclock");
        let lines: Vec<_> = lines.lines().filter(|line| line.starts_with(['i', 'o'])).collect();
        let found = lines
            .chunks(2)
            .map(|pair| {
                let (start, account) = pair[0][2..].split_at(19);
                format!("{} {}{account}", clock(start), clock(&pair[1][2..]))
            })
            .collect();
        let expected = of_rows(&|row| {
            let (start, end) = row.local_times();
            format!("{start} {end} {}:{}", row.project(), row.task())
        });
        assert_same_lines("timeclock", found, expected);
    }

    /// Checks the files for other trackers, and klog.
    fn check_files_with_hours(&self) {
        let length = |row: &Row| {
            let minutes = row.hundredths * 3 / 5;
            format!("{:02}:{:02}:00", minutes / 60, minutes % 60)
        };
        let found = |format: &str, names: &[&str]| {
            let text = self.export(format);
            let heads: Vec<_> = text.lines().next().unwrap().split(',').collect();
            let places: Vec<_> = names.iter().map(|name| heads.iter().position(|head| head == name).unwrap()).collect();
            let row = |line: &str| {
                let cells: Vec<_> = line.split(',').collect();
                places.iter().map(|place| cells[*place]).collect::<Vec<_>>().join(" ")
            };
            text.lines().skip(1).map(row).collect::<Vec<_>>()
        };
        let toggl = ["Project", "Task", "Start date", "Start time", "Duration"];
        let expected = |row: &Row| format!("{} {} {} {}", row.project(), row.task(), local(row.start), length(row));
        assert_same_lines("toggl", found("toggl", &toggl), self.rows.iter().map(expected).collect());
        let clockify = ["Project", "Task", "Start Date", "Start Time", "Duration (h)"];
        let expected = |row: &Row| {
            let start = local(row.start).format("%Y-%m-%d %H:%M");
            format!("{} {} {start} {}", row.project(), row.task(), length(row))
        };
        assert_same_lines("clockify", found("clockify", &clockify), self.rows.iter().map(expected).collect());
        let harvest = ["Date", "Project", "Task", "Hours"];
        let expected = |row: &Row| format!("{} {} {} {}", row.day, row.project(), row.task(), shortest(row.hundredths));
        assert_same_lines("harvest", found("harvest", &harvest), self.rows.iter().map(expected).collect());
        let klog = self.export("klog");
        let mut found: BTreeMap<NaiveDate, i64> = BTreeMap::new();
        for record in klog.split("\n\n") {
            let mut lines = record.lines();
            let day = date(lines.next().unwrap());
            for line in lines {
                let length = line.trim().split(' ').next().unwrap();
                let (hours, minutes) = length.split_once('h').unwrap_or(("0", length));
                let minutes = minutes.trim_end_matches('m');
                let minutes: i64 = if minutes.is_empty() { 0 } else { minutes.parse().unwrap() };
                *found.entry(day).or_default() += hours.parse::<i64>().unwrap() * 60 + minutes;
            }
        }
        let minutes = sum(&self.rows, |row| row.day).into_iter().map(|(day, hundredths)| (day, hundredths * 3 / 5));
        assert_eq!(found, minutes.collect());
    }

    /// Checks the table of weeks, and the weeks of the pages of months and of the year.
    fn check_weeks_and_months(&self) {
        let by_day = sum(&self.rows, |row| row.day);
        // The weeks with clock changes, days off and the ends of the year.
        for week in ["2025-W02", "2025-W13", "2025-W16", "2025-W43", "2025-W52"] {
            let view = self.json(&["timesheet", week]);
            for shown in view["days"].as_array().unwrap() {
                let day = date(shown["day"].as_str().unwrap());
                let found = ["logged", "drafted", "target"].map(|name| hundredths(&shown[name].to_string()));
                assert_eq!(found, [by_day.get(&day).copied().unwrap_or_default(), 0, target(day)], "{day}");
            }
        }
        for period in ["2025", "2025-03", "2025-10"] {
            let path = format!("{period}.html");
            self.print(&["report", "--from", period, "--out", &path]);
            let page = section(&fs::read_to_string(self.home.folder(&path)).unwrap(), "timesheet");
            let rows: Vec<_> =
                self.rows.iter().filter(|row| row.day.to_string().starts_with(period)).cloned().collect();
            let total: i64 = rows.iter().map(|row| row.hundredths).sum();
            assert!(page.contains(&format!("|Logged|{} h|", decimal(total))), "{page}");
            let weeks = sum(&rows, |row| row.day.iso_week());
            let each: Vec<_> = weeks.values().map(|hundredths| decimal(*hundredths)).collect();
            assert!(page.contains(&format!("|Logged|{}|{}", each.join("|"), decimal(total))), "{each:?}: {page}");
        }
    }

    fn check_balance(&self) {
        let balance = self.json(&["timesheet", "balance", "2025"]);
        let logged = sum(&self.rows, |row| row.day.month());
        let mut sum = -2_50;
        let months = balance["months"].as_array().unwrap();
        assert_eq!((months.len(), hundredths(&balance["carriedOver"].to_string())), (12, sum));
        for month in months {
            let number = u32::try_from(month["month"].as_u64().unwrap()).unwrap();
            let days = date("2025-01-01").iter_days().take_while(|day| day.year() == 2025);
            let target: i64 = days.filter(|day| day.month() == number).map(target).sum();
            sum += logged[&number] - target;
            let found = ["target", "logged", "difference", "balance"].map(|name| hundredths(&month[name].to_string()));
            assert_eq!(found, [target, logged[&number], logged[&number] - target, sum], "{month}");
        }
        assert_eq!(hundredths(&balance["balance"].to_string()), sum);
    }

    /// Checks the page of each client. `billed` contains the billed hours and the amount of each row.
    fn check_client_pages(&self, billed: &[(i64, Option<i64>)]) {
        for (code, name) in CLIENTS {
            let path = format!("{code}.html");
            let arguments =
                ["report", "--from", "2025", "--for-client", "--project", code, "--amounts", "--out", &path];
            let written = run(self.home.program_for(self.history.folder(), arguments).env("TZ", ZONE));
            assert!(written.status.success(), "{written:?}");
            let page = fs::read_to_string(self.home.folder(&path)).unwrap();
            let own = self.rows.iter().zip(billed).filter(|(row, _)| row.project() == code);
            let mut own: Vec<_> = own.collect();
            own.sort_by_key(|(row, _)| (row.day, row.task()));
            let currency = if code == "NORTHWIND" { "EUR" } else { "CHF" };
            let price = |cents: Option<i64>| {
                cents.map_or("not billed".to_owned(), |cents| format!("{} {currency}", decimal(cents)))
            };
            let rows = own.iter().scan(None, |before, (row, (hours, amount))| {
                let head = (*before != Some(row.day)).then(|| row.day.format("%a %-d %b %Y|").to_string());
                *before = Some(row.day);
                Some(format!("{}{}|{}|{}", head.unwrap_or_default(), row.task(), decimal(*hours), price(*amount)))
            });
            let rows = rows.collect::<Vec<_>>();
            let hours: i64 = own.iter().map(|(_, (hours, _))| hours).sum();
            let total: i64 = own.iter().filter_map(|(_, (_, amount))| *amount).sum();
            let total = format!("Total|{}|{}", decimal(hours), price(Some(total)));
            let table = section(&page, "logged-days");
            let mut found: Vec<_> = table.split_once("|Amount|").unwrap().1.split('|').collect();
            let expected = format!("{}|{total}", rows.join("|"));
            // Two rows of a task on a day can be in any order.
            let mut expected: Vec<_> = expected.split('|').collect();
            assert_eq!(found.last(), expected.last(), "{name}: {table}");
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{name}: {table}");
            assert!(section(&page, "logged-tasks").ends_with(&total), "{name}");
        }
    }
}

/// Returns a history with the work. An application is in front for at most an hour, so that each row has the UTC offset
/// of all its time.
fn record(all: &[Work]) -> ClosedHistory {
    let mut history = History::on_workstation();
    let moment = |utc: i64, clock: i64| Moment { utc, offset: offset(clock) };
    for work in all {
        let mut at = work.start;
        while at < work.end {
            let end = work.end.min((at / HOUR + 1) * HOUR);
            let span = Span { start: moment(at, at), end: moment(end, at) };
            let state = history.group(1, &Group::state("ManicTime/Active", "Active"));
            history.activity(1, &Activity::new("Active", span).group(state));
            let name = TASKS[work.task].1;
            let group = history.group(2, &Group::application(&format!("{name}.exe;{name}").to_lowercase(), name));
            history.activity(2, &Activity::new(name, span).group(group));
            at = end;
        }
    }
    history.close()
}

#[test]
fn outputs_of_a_year_agree_to_the_second_and_to_the_cent() {
    let year = Year::import(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            year.check_weeks_and_months();
            year.check_balance();
        });
        scope.spawn(|| {
            year.check_files_with_times();
            year.check_files_with_hours();
        });
        let billed = year.check_csv();
        year.check_client_pages(&billed);
    });
}
