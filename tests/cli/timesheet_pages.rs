//! Tests `report` with logged hours. A normal page shows the timesheet of its days, and a client's page shows the
//! billed hours.

use std::fs;
use std::path::Path;

use dayledger_timesheet::Hours;
use serde_json::Value;

use super::html::{assert_self_contained_and_accessible, elements};
use super::program::Home;
use super::timesheet::{PROJECTS, WEEK, at_work, json, sum, timesheet};
use super::{assert_fails, run, stdout_of};

/// Writes a page and reads it. Returns the page and stderr.
fn write_page(home: &Home, data: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(&mut home.program_for(data, [&["report", "--out", "page.html"], arguments].concat()));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{talk}");
    let page = fs::read_to_string(home.folder("page.html")).unwrap();
    assert_self_contained_and_accessible(&page);
    (page, talk)
}

fn page(home: &Home, data: &Path, arguments: &[&str]) -> String {
    let (page, talk) = write_page(home, data, arguments);
    assert_eq!(talk, "");
    page
}

/// Returns the text of a page before its creation time.
fn unchanging(page: &str) -> &str {
    page.split_once("Made by").unwrap().0
}

fn sections(page: &str) -> String {
    let found = elements(page);
    found.iter().filter_map(|element| element.attribute("aria-labelledby")).collect::<Vec<_>>().join(" ")
}

fn texts(html: &str) -> String {
    let parts = html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
    parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|")
}

/// Returns the text of the section with the heading `id`.
pub(super) fn section(page: &str, id: &str) -> String {
    let section = page.split_once(&format!("aria-labelledby=\"{id}\"")).unwrap().1;
    texts(section.split_once("</section>").unwrap().0)
}

/// Formats minutes in the style of the page.
fn duration(minutes: f64) -> String {
    let minutes = minutes.round();
    if minutes < 60.0 {
        format!("{minutes} min")
    } else {
        format!("{} h {:02} min", (minutes / 60.0).floor(), minutes % 60.0)
    }
}

#[test]
fn page_shows_the_timesheet_of_its_days() {
    let (home, data) = at_work();
    let page = |arguments: &[&str]| page(&home, data.path(), arguments);
    let plain = page(&["--from", WEEK]);
    assert_eq!(sections(&plain), "days tops hours numbers");
    assert!(!home.folder("data").exists(), "writing a page creates no ledger");
    let other = page(&["--from", "2026-11-12"]);

    assert!(!run(&mut timesheet(&home, data.path(), &["log", WEEK, "--yes"])).stdout.is_empty());
    let sheet = json(&mut timesheet(&home, data.path(), &[WEEK, "--json"]));
    let logged = format!("{:.2}", Hours::from_hundredths(sum(&sheet, "logged")));
    let week = page(&["--from", WEEK]);
    assert_eq!(sections(&week), "days tops timesheet hours numbers");
    let section_text = section(&week, "timesheet");
    let active = sheet["activeMinutes"].as_f64().unwrap();
    let free = "SELECT sum(seconds) / 60.0 FROM unlogged('2026-11-16', '2026-11-23') WHERE NOT is_away";
    let free = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", free]));
    let logged_minutes = active - free.lines().nth(1).unwrap().parse::<f64>().unwrap();
    // The JSON has tenths of minutes, so the page may round half a minute up or down.
    let about = |minutes: f64| [minutes - 0.1, minutes + 0.1].map(duration);
    let parts: Vec<_> = section_text.split('|').collect();
    let [name, "Logged", hours, "Active time logged", at_work, of_active, "Not logged", open, ..] = parts[..] else {
        panic!("{section_text}")
    };
    assert_eq!((name, hours), ("Timesheet", &*format!("{logged} h")));
    assert!(about(logged_minutes).iter().any(|time| time == at_work), "{section_text} {sheet}");
    assert!(about(active).iter().any(|time| of_active == format!("of {time}")), "{section_text} {sheet}");
    assert!(about(active - logged_minutes).iter().any(|time| time == open), "{section_text} {sheet}");
    assert!(
        section_text.contains("|Project and task|Mon 16|Tue 17|Wed 18|Thu 19|Fri 20|Hours|Not submitted|"),
        "{section_text}"
    );
    assert!(section_text.contains("|Northwind Ltd|Billing|") && !section_text.contains("NORTHWIND"), "{section_text}");

    // For longer periods, the page shows weeks. Hours in other weeks are not included.
    let section_text = section(&page(&["--from", "2026-11-06", "--to", "2026-11-19"]), "timesheet");
    assert!(
        section_text.contains("|Week 45|Week 46|Week 47|Hours|Not submitted|")
            && section_text.contains(&format!("|{logged}|")),
        "{section_text}"
    );
    assert_eq!(
        unchanging(&page(&["--from", "2026-11-12"])),
        unchanging(&other),
        "the page of another day is unchanged"
    );
}

#[test]
fn day_lists_its_entries_unless_filtered() {
    let (home, data) = at_work();
    let page = |arguments: &[&str]| page(&home, data.path(), arguments);
    run(&mut timesheet(&home, data.path(), &["log", "2026-11-17", "--yes"]));
    stdout_of(&mut timesheet(&home, data.path(), &["submit", WEEK]));
    let section_text = section(&page(&["--from", "2026-11-17"]), "timesheet");
    assert!(section_text.contains("|Project and task|Description|Hours|Submitted|"), "{section_text}");
    let entries = json(&mut timesheet(&home, data.path(), &["export", "--from", "2026-11-17", "--format", "json"]));
    let entries = entries["entries"].as_array().unwrap();
    assert!(entries.len() > 1);
    for entry in entries {
        let description = entry["description"].as_str().unwrap();
        assert!(section_text.contains(&format!("|{description}|")), "{description}: {section_text}");
    }

    // The page shows no logged hours if it has a filter, is for one device, or covers a part of a day. Otherwise the
    // logged hours would reveal more than the rest of the page.
    for part in [&["--tag", "harbour"][..], &["--device", "LAPTOP"], &["--to", "2026-11-17T12:00"]] {
        let from = if part[0] == "--to" { "2026-11-17T09:00" } else { "2026-11-17" };
        let page = page(&[&["--from", from], part].concat());
        assert!(!page.contains("Timesheet"), "{part:?}");
    }
}

#[test]
fn unreadable_timesheet_is_reported_and_the_page_is_written() {
    let (home, data) = at_work();
    let plain = page(&home, data.path(), &["--from", WEEK]);
    home.configure(&PROJECTS.replace("[timesheet]\n", "[timesheet]\nfile = 'broken.db'\n"));
    let broken = home.configuration().with_file_name("broken.db");
    fs::write(&broken, "no ledger at all, and longer than the head of a database ".repeat(9)).unwrap();
    let (page, talk) = write_page(&home, data.path(), &["--from", WEEK]);
    assert_eq!(unchanging(&page), unchanging(&plain));
    // A long path is written on a separate line.
    let talk = talk.replace('\n', " ");
    assert!(talk.starts_with("the page has no logged hours: ") && talk.contains("[timesheet]"), "{talk}");
    // A client's page without the logged hours would show different hours, so the command must fail.
    let client = ["report", "--from", WEEK, "--for-client", "--tag", "Northwind Ltd"];
    assert_fails(&mut home.program_for(data.path(), client), "broken.db", "`[timesheet]`");
}

#[test]
fn client_page_shows_billed_hours() {
    let (home, data) = at_work();
    let of = |more: &[&str]| write_page(&home, data.path(), &[&["--from", WEEK, "--for-client"], more].concat());
    let (plain, _) = of(&["--tag", "Northwind Ltd"]);
    assert_eq!(sections(&plain), "tasks days");
    run(&mut timesheet(&home, data.path(), &["log", WEEK, "--yes"]));

    let entries = json(&mut timesheet(&home, data.path(), &["export", "--from", WEEK, "--format", "json"]));
    let (own, others): (Vec<&Value>, Vec<&Value>) =
        entries["entries"].as_array().unwrap().iter().partition(|entry| entry["projectCode"] == "NORTHWIND");
    let hours = |entry: &Value| serde_json::from_value::<Hours>(entry["standardHours"].clone()).unwrap();
    let total: Hours = own.iter().map(|entry| hours(entry)).sum();
    assert!(!others.is_empty() && total > Hours::ZERO);

    let (page, talk) = of(&["--tag", "Northwind Ltd"]);
    assert_eq!((sections(&page).as_str(), talk.as_str()), ("logged-tasks logged-days tasks days", ""));
    assert!(page.contains(&format!("<dt>Hours</dt><dd><b>{total:.2}</b></dd>")), "{page}");
    let by_task = section(&page, "logged-tasks");
    assert!(
        by_task.starts_with("By task|Task|Hours|Billing|") && by_task.ends_with(&format!("|Total|{total:.2}")),
        "{by_task}"
    );
    let by_day = section(&page, "logged-days");
    assert!(by_day.ends_with(&format!("|Total|{total:.2}")), "{by_day}");
    for entry in &own {
        let row = format!(
            "|{}|{}|{:.2}|",
            entry["task"].as_str().unwrap(),
            entry["description"].as_str().unwrap(),
            hours(entry)
        );
        assert!(by_day.contains(&row), "{row} {by_day}");
    }
    for entry in others {
        for of in ["task", "description"] {
            assert!(!page.contains(entry[of].as_str().unwrap()), "{entry}");
        }
    }
    // The measured time is still shown below the logged hours.
    let measured = |page: &str, id: &str| section(page, id).split_once('|').unwrap().1.to_owned();
    for id in ["tasks", "days"] {
        assert_eq!(measured(&page, id), measured(&plain, id));
    }

    // With a filter that selects a part of the client's time, the page has no logged hours.
    let (part, talk) = of(&["--tag", "Billing"]);
    assert_eq!(sections(&part), "tasks days");
    assert!(talk.contains("logged hours are not included, because `Billing` matches only part"), "{talk}");
    // The code of the project also identifies the client.
    assert_eq!(sections(&of(&["--project", "northwind"]).0), "logged-tasks logged-days tasks days");
}

/// Hours that are logged without a tag also belong to a client. An alias is another name of the client's project.
#[test]
fn client_known_only_to_the_timesheet_is_found_by_code_name_and_alias() {
    let (home, data) = at_work();
    let alias = "[[timesheet.aliases]]\nname = 'Quay Foods'\nproject = 'QUAY'\n";
    let project = "[[timesheet.projects]]\ncode = 'QUAY'\nname = 'Quay Ltd'\ntasks = ['Advice']\n";
    home.configure(&format!("{PROJECTS}{project}{alias}"));
    stdout_of(&mut timesheet(&home, data.path(), &["start", "QUAY", "Advice", "--description", "Call about <prices>"]));
    let ledger = rusqlite::Connection::open(super::timesheet::ledger(&home)).unwrap();
    let since = chrono::Utc::now() - chrono::TimeDelta::minutes(90);
    ledger.execute("UPDATE running SET since = ?", [since.timestamp_millis()]).unwrap();
    stdout_of(&mut timesheet(&home, data.path(), &["stop"]));
    let today = chrono::Utc::now().date_naive();
    let [from, to] = [-1, 0].map(|days| (today + chrono::TimeDelta::days(days)).to_string());
    for name in ["quay", "Quay Ltd", "quay foods"] {
        let days = ["--from", &from, "--to", &to, "--for-client", "--tag", name];
        let page = page(&home, data.path(), &days);
        assert!(page.contains("<h1>Quay Ltd</h1>") && page.contains("Call about &lt;prices&gt;"), "{page}");
        assert_eq!(sections(&page), "logged-tasks logged-days");
    }
    let nobody = ["report", "--from", "2026-W46", "--for-client", "--tag", "quay"];
    assert_fails(
        &mut home.program_for(data.path(), nobody),
        "no tag, project or logged entry in this range matches",
        " period 2026-11-09 2026-11-15`",
    );
}
