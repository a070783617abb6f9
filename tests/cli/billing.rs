//! Tests rates and rounding: amounts in a CSV file and on a client's page, and the rounding of drafts.

use std::fs;

use dayledger_timesheet::Hours;
use serde_json::Value;

use super::program::Home;
use super::timesheet::{PROJECTS, WEEK, at_work, json, sum, timesheet};
use super::{assert_fails, run, stderr_of, stdout_of};

/// Configures projects with these rates.
fn set_rates(home: &Home, rates: &str) {
    home.configure(&format!("{PROJECTS}{rates}"));
}

fn hundredths(text: &str) -> i64 {
    text.parse::<Hours>().unwrap().hundredths()
}

/// Returns the columns of a CSV file with these names, row by row.
fn columns<'c>(csv: &'c str, names: &[&str]) -> Vec<Vec<&'c str>> {
    let heads: Vec<_> = csv.lines().next().unwrap().split(',').collect();
    let from_end = |name: &&str| heads.len() - heads.iter().position(|head| head == name).unwrap();
    let places: Vec<_> = names.iter().map(from_end).collect();
    // Columns are counted from the end, because the texts in earlier columns can contain commas. The column `times` can
    // also contain commas, but is in quotes in that case.
    let row = |line: &'c str| {
        let cells: Vec<_> = line.split(',').collect();
        places.iter().map(|place| cells[cells.len() - place]).collect()
    };
    csv.lines().skip(1).map(row).collect()
}

#[test]
fn amounts_of_a_file_are_rounded_hours_times_rates() {
    let (home, data) = at_work();
    set_rates(
        &home,
        "[[timesheet.rates]]\nproject = 'NORTHWIND'\nrate = 95.55\ncurrency = 'EUR'\n\
         rounding = { to = 0.5, mode = 'up' }\n\
         [[timesheet.rates]]\nproject = 'HARBOUR'\nrate = 80\ncurrency = 'CHF'\n\
         [[timesheet.rates]]\nproject = 'HARBOUR'\ntask = 'Forecast'\nbillable = false\n",
    );
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    run(&mut of(&["log", WEEK, "--yes"]));
    let csv = stdout_of(&mut of(&["export", "--format", "csv", "--amounts"]));
    let (mut euros, mut francs, mut unbilled) = (0, 0, 0);
    for row in columns(&csv, &["billed_hours", "billable", "rate", "currency", "amount"]) {
        let [hours, billable, rate, currency, amount] = row.try_into().unwrap();
        let hours = hundredths(hours);
        match (billable, rate, currency) {
            ("true", "95.55", "EUR") => {
                assert_eq!(hours % 50, 0, "{csv}");
                assert_eq!(hundredths(amount), (hours * 9555 + 50) / 100);
                euros += hundredths(amount);
            }
            ("true", "80.00", "CHF") => francs += hundredths(amount),
            ("false", "", "") => {
                assert_eq!(amount, "");
                unbilled += 1;
            }
            other => panic!("{other:?}: {csv}"),
        }
    }
    assert!(euros > 0 && francs > 0, "{unbilled} are not billed: {csv}");
    let written = run(&mut of(&["export", "--format", "csv", "--amounts", "--out", "hours.csv"]));
    let totals = [francs, euros].map(Hours::from_hundredths);
    let message = String::from_utf8(written.stderr).unwrap();
    assert!(message.contains(&format!("hours, {:.2} CHF, {:.2} EUR) to", totals[0], totals[1])), "{message}");
    assert_eq!(fs::read_to_string(home.folder("hours.csv")).unwrap(), csv);
    let plain = stdout_of(&mut of(&["export", "--format", "csv"]));
    assert!(!plain.contains("amount") && !plain.contains("95.55"), "{plain}");
    stderr_of(&mut of(&["export", "--format", "ics", "--amounts"]), 2);
}

#[test]
fn client_page_shows_amounts_only_on_request() {
    let (home, data) = at_work();
    run(&mut timesheet(&home, data.path(), &["log", WEEK, "--yes"]));
    let page = ["report", "--from", WEEK, "--for-client", "--tag", "Northwind Ltd", "--out", "page.html"];
    let with_amounts = [&page[..], &["--amounts"]].concat();
    // The page must not be written, because hours without a rate would be missing from the invoice.
    let complaint = "of `Northwind Ltd` has no rate";
    assert_fails(&mut home.program_for(data.path(), with_amounts.clone()), complaint, "`billable = false`");
    assert!(!home.folder("page.html").exists());
    set_rates(&home, "[[timesheet.rates]]\nproject = 'NORTHWIND'\nrate = 100\ncurrency = 'EUR'\n");
    let written = run(&mut home.program_for(data.path(), with_amounts));
    assert!(written.status.success() && written.stderr.is_empty());
    let text = fs::read_to_string(home.folder("page.html")).unwrap();
    assert!(text.contains("<dt>Amount</dt>") && text.contains("00 EUR"), "{text}");
    run(&mut home.program_for(data.path(), page));
    let text = fs::read_to_string(home.folder("page.html")).unwrap();
    assert!(!text.contains("EUR") && !text.contains("Amount"), "{text}");
}

#[test]
fn client_page_has_rounded_hours_and_the_timesheet_keeps_the_logged_ones() {
    let (home, data) = at_work();
    set_rates(&home, "[[timesheet.rates]]\nproject = 'NORTHWIND'\nrounding = { to = 2, mode = 'up', per = 'task' }\n");
    run(&mut timesheet(&home, data.path(), &["log", WEEK, "--yes"]));
    let page = ["report", "--from", WEEK, "--for-client", "--tag", "Northwind Ltd", "--out", "page.html"];
    let written = run(&mut home.program_for(data.path(), page));
    let message = String::from_utf8(written.stderr).unwrap();
    let (logged, billed) = message.split_once(" logged hours are rounded to ").unwrap();
    let billed = billed.strip_suffix(" h for the client\n").unwrap();
    assert!(hundredths(billed) % 2_00 == 0 && hundredths(billed) > hundredths(logged), "{message}");
    let text = fs::read_to_string(home.folder("page.html")).unwrap();
    assert!(text.contains(&format!("<dt>Hours</dt><dd><b>{billed}.00</b></dd>")), "{text}");
    let entries = json(&mut timesheet(&home, data.path(), &["export", "--format", "json"]));
    let own = entries["entries"].as_array().unwrap().iter().filter(|entry| entry["projectCode"] == "NORTHWIND");
    let own: i64 = own.map(|entry| hundredths(&entry["standardHours"].to_string())).sum();
    assert_eq!(own, hundredths(logged));
}

#[test]
fn drafts_are_rounded_as_requested() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let rows = |draft: &Value| -> Vec<i64> {
        let days = draft["days"].as_array().unwrap().iter();
        let rows = days.flat_map(|day| day["rows"].as_array().unwrap().clone());
        rows.map(|row| hundredths(&row["hours"].to_string())).collect()
    };
    let tenths = rows(&json(&mut of(&["draft", WEEK, "--round-to", "0.1", "--json"])));
    assert!(tenths.iter().all(|hours| hours % 10 == 0) && tenths.iter().any(|hours| hours % 25 != 0), "{tenths:?}");
    let week = json(&mut of(&[WEEK, "--round-to", "1", "--json"]));
    assert!(sum(&week, "drafted") > 0 && sum(&week, "drafted") % 100 == 0, "{week}");
    run(&mut of(&["log", WEEK, "--round-to", "1", "--yes"]));
    let week = json(&mut of(&[WEEK, "--json"]));
    assert!(sum(&week, "logged") > 0 && sum(&week, "logged") % 100 == 0, "{week}");
    assert_fails(&mut of(&["draft", WEEK, "--round-to", "25"]), "`25`: it must be from 0.01 to 24 hours", "");
    stderr_of(&mut of(&["log", "--draft", "last", "--round-to", "1"]), 2);
}

#[test]
fn invalid_rate_is_refused_with_its_project() {
    let (home, data) = at_work();
    set_rates(&home, "[[timesheet.rates]]\nproject = 'NORTHWIND'\nrate = 100\n");
    let refused = stderr_of(&mut timesheet(&home, data.path(), &[WEEK]), 1);
    assert!(refused.contains("the rate of `NORTHWIND` has no currency"), "{refused}");
}

/// Of two rates for the same time, one used to be ignored without a message.
#[test]
fn two_rates_of_the_same_task_and_days_are_refused() {
    let (home, data) = at_work();
    let rate = "[[timesheet.rates]]\nproject = 'NORTHWIND'\nrate = 100\ncurrency = 'EUR'\n";
    set_rates(&home, &format!("{rate}{rate}"));
    let refused = stderr_of(&mut timesheet(&home, data.path(), &[WEEK]), 1);
    assert!(refused.contains("the rate of `NORTHWIND` has `rate` twice for the same task and days"), "{refused}");
    set_rates(&home, &format!("{rate}{}", rate.replace("currency", "from = '2025-01-01'\ncurrency")));
    stdout_of(&mut timesheet(&home, data.path(), &[WEEK]));
}

#[test]
fn a_date_without_quotes_is_explained() {
    let (home, data) = at_work();
    set_rates(&home, "[[timesheet.rates]]\nproject = 'NORTHWIND'\nfrom = 2025-01-01\n");
    let refused = stderr_of(&mut timesheet(&home, data.path(), &[WEEK]), 1);
    assert!(refused.contains("a date or time needs quotes: write `\"2025-01-01\"`"), "{refused}");
}

/// The hours of a project with a misspelled rate used to be exported without an amount. The hours of a task with a
/// misspelled rate used to be exported with the rate of the project.
#[test]
fn rate_of_an_unknown_project_or_task_is_refused_when_amounts_are_computed() {
    let (home, data) = at_work();
    for (target, name, known) in [
        ("project = 'NORTHWND'", "project `NORTHWND`", "`NORTHWIND`"),
        ("project = 'NORTHWIND'\ntask = 'Biling'", "task `Biling` of `NORTHWIND`", "`Billing`"),
    ] {
        set_rates(&home, &format!("[[timesheet.rates]]\n{target}\nrate = 100\ncurrency = 'EUR'\n"));
        let mut export = timesheet(&home, data.path(), &["export", "--format", "csv", "--amounts"]);
        assert_fails(&mut export, &format!("`[[timesheet.rates]]` has a rate of the unknown {name}"), known);
    }
}
