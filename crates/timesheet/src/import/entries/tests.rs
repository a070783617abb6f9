//! Tests with files in the formats of the trackers, and with files that must be rejected.

use chrono::FixedOffset;

use super::*;
use crate::draft::Alias;
use crate::project::{Project, ProjectTask};

fn zone() -> FixedOffset {
    FixedOffset::east_opt(3600).unwrap()
}

fn read(text: &str) -> Vec<TrackedEntry> {
    entries(text.as_bytes(), None, &zone()).unwrap().entries
}

fn refusal_message(text: &str) -> String {
    entries(text.as_bytes(), None, &zone()).unwrap_err().message
}

/// Formats an entry as one line: UTC times or the day, then seconds, path and description.
fn line(entry: &TrackedEntry) -> String {
    let time = match entry.time {
        TrackedTime::Day { day, seconds } => format!("{day} {seconds}"),
        TrackedTime::Period { start, end, seconds } => {
            format!("{} {} {seconds}", start.format("%m-%d %H:%M:%S"), end.format("%m-%d %H:%M:%S"))
        }
    };
    format!("{time} | {} | {}", entry.path.join(" / "), entry.description.as_deref().unwrap_or("-"))
}

fn lines(text: &str) -> Vec<String> {
    read(text).iter().map(line).collect()
}

fn project(code: &str, tasks: &[&str]) -> Project {
    let task = |name: &&str| ProjectTask { name: (*name).to_owned(), is_active: true };
    Project {
        code: code.to_owned(),
        name: format!("{code} Ltd"),
        is_active: true,
        tasks: tasks.iter().map(task).collect(),
        tags: Vec::new(),
    }
}

/// Formats the project, the task and the description of each entry.
fn targets(text: &str, projects: &[Project], aliases: &[Alias]) -> Vec<String> {
    let resolved = resolve(read(text), projects, aliases).unwrap();
    let entries = resolved.entries.iter().map(|resolved| {
        let description = resolved.entry.description.as_deref().unwrap_or("-");
        format!("{} / {} | {description}", resolved.project_code, resolved.task)
    });
    entries.collect()
}

#[test]
fn toggl_track() {
    let text = "\u{feff}User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,\
                Duration,Tags,Amount ()\r\n\
                Alex,alex@example.com,Northwind Ltd,NW,Billing,\"Rounding, phase 2\",Yes,2026-11-11,09:09:00,2026-11-11,\
                11:39:00,02:30:00,\"one, two\",\r\n\
                Alex,ALEX@example.com,,Office,,,No,2026-11-11,23:30:00,2026-11-12,00:15:00,00:45:00,,\r\n";
    assert_eq!(
        lines(text),
        [
            "11-11 08:09:00 11-11 10:39:00 9000 | Northwind Ltd / NW / Billing | Rounding, phase 2",
            "11-11 22:30:00 11-11 23:15:00 2700 | Office | -",
        ]
    );
    assert_eq!(read(text)[0].tags, ["one", "two"]);
    let template = "Email,Start date,Start time,Duration,Project\na@example.com,2026-11-11,09:09:00,00:30:00,NW\n";
    assert_eq!(lines(template), ["11-11 08:09:00 11-11 08:39:00 1800 | NW | -"]);
}

#[test]
fn clockify() {
    let text = "Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,End Date,End Time,\
                Duration (h),Duration (decimal)\n\
                NW,Northwind Ltd,Rounding,,Alex,,a@example.com,,Yes,11/11/2026,09:09:00 AM,11/11/2026,02:39:00 PM,05:30:00,5.50\n\
                NW,Northwind Ltd,,Billing,Alex,,a@example.com,,Yes,11/23/2026,11:00:00 PM,11/24/2026,12:30:00 AM,01:30:00,1.50\n\
                Total,,,,,,,,,,,,,07:00:00,7.00\n";
    assert_eq!(
        lines(text),
        [
            "11-11 08:09:00 11-11 13:39:00 19800 | Northwind Ltd / NW | Rounding",
            "11-23 22:00:00 11-23 23:30:00 5400 | Northwind Ltd / NW / Billing | -",
        ]
    );
}

#[test]
fn harvest() {
    let text = "Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,First Name,Last Name\n\
                2026-11-11,Northwind Ltd,NW,,Billing,\"Rounding\nphase 2\",2.5,2.5,Yes,Alex,Builds\n\
                2026-11-12,Northwind Ltd,NW,,Billing,,0.33,0.5,Yes,Alex,Builds\n";
    assert_eq!(
        lines(text),
        [
            "2026-11-11 9000 | Northwind Ltd / NW / Billing | Rounding\nphase 2",
            "2026-11-12 1188 | Northwind Ltd / NW / Billing | -",
        ]
    );
    let german = "Date;Client;Project;Task;Notes;Hours\n11.11.2026;Nord;Web;Büro;;2,5\n";
    assert_eq!(lines(german), ["2026-11-11 9000 | Nord / Web / Büro | -"]);
}

#[test]
fn plain_csv() {
    let text = "date,start,end,project,task,description\n\
                2026-11-11,9:09,11:39,NW,Billing,Rounding\n\
                2026-11-11,22:00,01:30,NW,Billing,at night\n";
    assert_eq!(
        lines(text),
        [
            "11-11 08:09:00 11-11 10:39:00 9000 | NW / Billing | Rounding",
            "11-11 21:00:00 11-12 00:30:00 12600 | NW / Billing | at night",
        ]
    );
    let instants = "description,client,project,start,end,task\nx,C,P,2026-11-11T08:09:00Z,2026-11-11T10:39:00Z,T\n";
    assert_eq!(lines(instants), ["11-11 08:09:00 11-11 10:39:00 9000 | C / P / T | x"]);
    let hours = "date\tproject\thours\n2026-11-11\tNW\t1h 30m\n";
    assert_eq!(lines(hours), ["2026-11-11 5400 | NW | -"]);
    let rounded = "date,start,end,hours,project\n2026-11-11,9:00,9:50,1,NW\n";
    assert_eq!(lines(rounded), ["11-11 08:00:00 11-11 08:50:00 3600 | NW | -"], "the stated hours count");
}

#[test]
fn timewarrior_and_watson() {
    let timewarrior = r#"[
{"id":2,"start":"20261111T080900Z","end":"20261111T103900Z","tags":["billing","NW"],"annotation":"Rounding"},
{"id":1,"start":"20261111T110000Z","tags":["NW"]}
]"#;
    let read = entries(timewarrior.as_bytes(), None, &zone()).unwrap();
    assert_eq!(read.entries.iter().map(line).collect::<Vec<_>>(), ["11-11 08:09:00 11-11 10:39:00 9000 |  | Rounding"]);
    assert_eq!(read.notes, ["entry 2 has no end yet and was left out"]);
    let log = r#"[{"id":"a1","project":"NW","start":"2026-11-11T09:09:00+01:00","stop":"2026-11-11T11:39:00+01:00","tags":["x"]}]"#;
    let frames = r#"[[1794384540, 1794393540, "NW", "a1", ["x"], 1794393541]]"#;
    assert_eq!(lines(log), ["11-11 08:09:00 11-11 10:39:00 9000 | NW | -"]);
    assert_eq!(lines(frames), lines(log));
    assert_eq!(self::read(frames)[0].key(0), self::read(log)[0].key(0), "both have the ID of the frame");
}

#[test]
fn klog() {
    let text = "2026-11-11 (8h!)\nA day at the office #office\n\
                \x20   9:09 - 11:39 Rounding #nw\n        phase 2\n\
                \x20   8:00pm-1:00am> Late\n\
                \x20   1h30m #project=\"NW\" #task=Billing #hours=\"1.51\" Letters\n\
                \x20   -30m Lunch\n\n\
                2026/11/12\n\t<23:30 - 0:15\n\t45m\n";
    assert_eq!(
        lines(text),
        [
            "11-11 08:09:00 11-11 10:39:00 9000 |  | Rounding phase 2",
            "11-11 19:00:00 11-12 00:00:00 18000 |  | Late",
            "2026-11-11 3636 | NW / Billing | Letters",
            "11-11 22:30:00 11-11 23:15:00 2700 |  | -",
            "2026-11-12 2700 |  | -",
        ]
    );
    let tags: Vec<_> = read(text).into_iter().map(|entry| entry.tags.join(" ")).collect();
    assert_eq!(tags, ["nw", "office", "", "", ""], "a record's tags are for entries without tags");
}

#[test]
fn exported_klog_is_read_back() {
    let text = "2026-11-11\n    2h30m #project=NW #task=\"Code review\" #issue=NW-7 Rounding, phase 2\n";
    let read = read(text);
    assert_eq!(lines(text), ["2026-11-11 9000 | NW / Code review | Rounding, phase 2"]);
    assert_eq!(read[0].issue_id.as_deref(), Some("NW-7"));
}

#[test]
fn order_of_day_and_month_comes_from_the_file_or_the_user() {
    let file = |dates: [&str; 2]| format!("date,project,hours\n{},NW,1\n{},NW,1\n", dates[0], dates[1]);
    let days = |text: &str, order| {
        let read = entries(text.as_bytes(), order, &zone()).map_err(|refusal| refusal.message)?;
        Ok::<_, String>(read.entries.iter().map(line).collect::<Vec<_>>().join(" ")[..10].to_owned())
    };
    assert_eq!(days(&file(["11/02/2026", "11/13/2026"]), None).unwrap(), "2026-11-02");
    assert_eq!(days(&file(["11/02/2026", "13/02/2026"]), None).unwrap(), "2026-02-11");
    assert_eq!(days(&file(["11/11/2026", "12/12/2026"]), None).unwrap(), "2026-11-11");
    let unclear = file(["11/02/2026", "11/03/2026"]);
    let refusal = days(&unclear, None).unwrap_err();
    assert!(refusal.contains("line 2: the date `11/02/2026`") && refusal.contains("`--dates day-first`"), "{refusal}");
    assert_eq!(days(&unclear, Some(DateOrder::MonthFirst)).unwrap(), "2026-11-02");
    assert_eq!(days(&unclear, Some(DateOrder::DayFirst)).unwrap(), "2026-02-11");
    let both = days(&file(["13/02/2026", "02/13/2026"]), None).unwrap_err();
    assert!(both.contains("line 3: `02/13/2026` is not a date"), "{both}");
}

#[test]
fn errors_name_the_line() {
    let csv = |row: &str| format!("date,start,end,hours,project\n2026-11-11,9:00,10:00,,NW\n{row}\n");
    for (text, expected) in [
        (String::new(), "neither JSON of timewarrior or Watson, nor klog, nor CSV"),
        ("\n\n".to_owned(), "its header lacks a column"),
        ("hello world\n".to_owned(), "its header lacks a column `date` or `start`"),
        ("date,project\n2026-11-11,NW\n".to_owned(), "lacks a column `hours`, `duration` or `end`"),
        ("date,hours\n2026-11-11,1\n".to_owned(), "lacks a column `project`"),
        ("date,hours,project\n".to_owned(), "it contains no entries"),
        (csv("2026-02-30,,,1,NW"), "line 3: `2026-02-30` is not a date"),
        (csv("2026-11-11,25:00,26:00,,NW"), "line 3: `25:00` is not a time"),
        (csv("2026-11-11,13:00 pm,14:00,,NW"), "line 3: `13:00 pm` is not a time"),
        (csv("2026-11-11,,,lots,NW"), "line 3: `lots` is not a duration"),
        (csv("2026-11-11,,,-1,NW"), "line 3: its duration is negative"),
        (csv("2026-11-11,,,1e9,NW"), "line 3: `1e9` is not a duration"),
        (csv("2026-11-11,,,99999999999999999999999999999999,NW"), "line 3: `9999"),
        (csv("2026-11-11,9:00,,,NW"), "line 3: it has neither an end nor a duration"),
        (csv(",9:00,10:00,,NW"), "line 3: `9:00` has no date"),
        (csv(",,,1,NW"), "line 3: it has no date"),
        (csv("2026-11-11,,,1,NW,more"), "line 3: it has 6 fields, but the header has 5"),
        (csv("2026-11-11,9:00,,900,NW"), "line 3: it is longer than 31 days"),
        (
            "email,date,hours,project\na@x.org,2026-11-11,1,P\nb@x.org,2026-11-11,1,P\n".to_owned(),
            "entries of 2 people",
        ),
        ("[1]".to_owned(), "entry 1: "),
        ("[{\"start\":\"20261111T080900Z\"".to_owned(), "line 1 column"),
        ("[{\"start\":\"now\",\"end\":\"20261111T080900Z\"}]".to_owned(), "entry 1: `now` is not a time"),
        ("[[1794384540, 1794384539, \"NW\", \"a\", [], 1]]".to_owned(), "entry 1: its duration is negative"),
        ("[[9223372036854775807, 1, \"NW\", \"a\", [], 1]]".to_owned(), "entry 1: 9223372036854775807 is not a time"),
        (format!("{}{}", "[".repeat(5000), "]".repeat(5000)), "recursion limit"),
        ("2026-11-11\n    9:00 - ?\n".to_owned(), "line 2: it has no end yet"),
        ("2026-11-11\n    soon\n".to_owned(), "line 2: it begins neither with a duration nor with a time range"),
        ("2026-11-11\n    1h\nx\n".to_owned(), "line 3: an entry must be indented"),
        ("2026-11-11\n    1h\n    -2h\n".to_owned(), "line 3: the break is longer than the entries before it"),
        ("2026-11-11\n    1h\n\nnotes\n".to_owned(), "line 4: it is not the date of a record"),
        ("2026-11-11\n    9:00 - 8:00\n".to_owned(), "line 2: its duration is negative"),
    ] {
        let message = refusal_message(&text);
        assert!(message.contains(expected), "{text:?}: {message}");
    }
    assert!(entries(b"PK\x03\x04\0\0", None, &zone()).unwrap_err().message.contains("not a text file"));
}

#[test]
fn projects_come_from_client_project_and_task() {
    let text = "date,client,project,task,tags,hours\n\
                2026-11-11,Northwind Ltd,NW,Billing,,1\n\
                2026-11-11,,nw,,,1\n\
                2026-11-11,,nw,,portal,1\n\
                2026-11-11,,Harbour Foods,,,1\n\
                2026-11-11,,Harbour Foods,Stock,,1\n\
                2026-11-11,,Harbour Foods,Forecast,,1\n\
                2026-11-11,,Care,,,1\n\
                2026-11-11,,,,,1\n";
    let known = [project("NW", &["Billing", "Portal"]), project("MAINT", &["Support"])];
    let aliases = [Alias { name: "Care".to_owned(), project: "MAINT".to_owned(), task: None }];
    assert_eq!(
        targets(text, &known, &aliases),
        [
            "NW / Billing | -",
            "NW / General | -",
            "NW / Portal | -",
            "HARBOUR / General | -",
            "HARBOUR / Stock | -",
            "HARBOUR / Forecast | -",
            "MAINT / Support | -",
        ]
    );
    let resolved = resolve(read(text), &known, &aliases).unwrap();
    let mut codes: Vec<_> = resolved.projects.iter().map(|project| &*project.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["HARBOUR", "NW"], "projects that are new or get a new task");
    assert_eq!(resolved.notes, ["1 entry without a project was left out: line 9"]);
}

#[test]
fn projects_come_from_tags_if_nothing_names_others() {
    let text = r#"[
{"start":"20261111T080000Z","end":"20261111T090000Z","tags":["billing","nw","urgent"]},
{"start":"20261111T090000Z","end":"20261111T100000Z","tags":["Garden"]},
{"start":"20261111T100000Z","end":"20261111T110000Z","tags":["lunch","tea"]}
]"#;
    let known = [project("NW", &["Billing", "Portal"])];
    assert_eq!(targets(text, &known, &[]), ["NW / Billing | urgent", "GARDEN / General | -"]);
}

#[test]
fn inactive_projects_refuse_the_file() {
    let known = [Project { is_active: false, ..project("NW", &["Billing"]) }];
    let text = "date,project,task,hours\n2026-11-11,NW,Billing,1\n";
    let refusal = resolve(read(text), &known, &[]).unwrap_err();
    assert!(refusal.message.contains("line 2: project `NW` accepts no hours"), "{refusal}");
    let long = format!("date,project,hours\n2026-11-11,{},1\n", "x".repeat(300));
    assert!(resolve(read(&long), &known, &[]).unwrap_err().message.contains("line 2: "));
}

/// The key of an entry must stay the same if the file has more entries, other columns or another order. It must not
/// depend on the time zone of the computer.
#[test]
fn keys_are_stable() {
    let keys = |text: &str, hours: i32| {
        let zone = FixedOffset::east_opt(hours * 3600).unwrap();
        let read = entries(text.as_bytes(), None, &zone).unwrap().entries;
        read.iter().map(|entry| entry.key(0)).collect::<Vec<_>>()
    };
    let text = "date,start,end,project,description\n2026-11-11,9:00,10:00,NW,a\n2026-11-11,9:00,10:00,NW,b\n";
    let more = "date,start,end,project,task\n2026-11-10,9:00,10:00,NW,x\n2026-11-11,9:00,10:30,NW,y\n\
                2026-11-11,9:00,10:00,NW,\n";
    assert_eq!(keys(text, 1), keys(more, -5)[1..]);
    let days = "date,hours,project\n2026-11-11,1,NW\n2026-11-11,1,NW\n2026-11-11,2,NW\n";
    let keys = keys(days, 0);
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2], "equal entries are different ones");
}
