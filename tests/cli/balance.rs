//! Tests `timesheet balance`: target hours, days off, and the difference between logged and target hours.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::program::Home;
use super::timesheet::json;
use super::{assert_fails, stderr_of, stdout_of};

/// The target hours for the week of the demo's sample entries: 24 hours from Tuesday to Thursday.
const TARGETS: &str = include_str!("targets.toml");

/// Returns the command `timesheet` over the sample entries of the demo.
fn timesheet(home: &Home, arguments: &[&str]) -> Command {
    home.program([&["--demo", "timesheet"], arguments].concat())
}

fn set_targets(home: &Home, settings: &str) {
    home.configure(settings);
}

/// Returns the target, logged hours, difference and balance of a month.
fn month(balance: &Value, number: usize) -> Value {
    let months = balance["months"].as_array().unwrap();
    let month = months.iter().find(|month| month["month"] == number).unwrap();
    json!([month["target"], month["logged"], month["difference"], month["balance"]])
}

#[test]
fn balance_is_carried_from_month_to_month_and_year_to_year() {
    let home = Home::with_demo();
    set_targets(&home, TARGETS);
    let balance = json(&mut timesheet(&home, &["balance", "2025", "--json"]));
    assert_eq!(month(&balance, 10), json!([76.0, 24.0, -52.0, -39.5]));
    assert_eq!(month(&balance, 11), json!([152.0, 0.0, -152.0, -191.5]));
    assert_eq!(balance["months"].as_array().unwrap().len(), 3, "{balance}");
    assert_eq!((&balance["carriedOver"], &balance["balance"]), (&json!(12.5), &json!(-367.5)));
    let next = json(&mut timesheet(&home, &["balance", "2026", "--json"]));
    assert_eq!(next["carriedOver"], balance["balance"]);
    let this_year = chrono::Local::now().date_naive().format("%Y").to_string().parse::<i32>().unwrap();
    let [this, future] =
        [this_year, this_year + 1].map(|year| json(&mut timesheet(&home, &["balance", &year.to_string(), "--json"])));
    assert_eq!((&future["carriedOver"], &future["balance"]), (&this["balance"], &this["balance"]), "{future}");
    assert_eq!((&future["months"], &future["until"]), (&json!([]), &Value::Null), "no day of that year counts yet");
    let before = json(&mut timesheet(&home, &["balance", "2024", "--json"]));
    assert_eq!((&before["months"], &before["balance"]), (&json!([]), &json!(0.0)));
    let text = stdout_of(&mut timesheet(&home, &["balance", "2025"]));
    assert!(text.contains("Carried over") && text.contains("+12.50") && text.contains("-367.50"), "{text}");
}

#[test]
fn days_off_and_later_targets_change_the_target() {
    let home = Home::with_demo();
    let event = |uid: &str, start: &str, end: &str, more: &str| {
        format!(
            "BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART;VALUE=DATE:{start}\r\nDTEND;VALUE=DATE:{end}\r\n{more}END:VEVENT\r\n"
        )
    };
    let holiday = event("a", "20201023", "20201024", "TRANSP:TRANSPARENT\r\nRRULE:FREQ=YEARLY\r\n");
    let leave = event("b", "20251027", "20251101", "");
    let folder = home.configuration().parent().unwrap().to_owned();
    fs::create_dir_all(&folder).unwrap();
    for (name, event) in [("holidays.ics", holiday), ("leave.ics", leave)] {
        let calendar = format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{event}END:VCALENDAR\r\n");
        fs::write(folder.join(name), calendar).unwrap();
    }
    let later = "[[timesheet.targets]]\nfrom = '2025-12-01'\nhours = { mon = 4 }\n";
    set_targets(&home, &format!("[timesheet]\ndays_off = ['holidays.ics', 'leave.ics']\n{TARGETS}{later}"));
    let balance = json(&mut timesheet(&home, &["balance", "2025", "--json"]));
    // The target of the first week is 38 hours, minus the holiday on Thursday. All days of the second week were leave.
    assert_eq!(month(&balance, 10), json!([30.0, 24.0, -6.0, 6.5]));
    assert_eq!(month(&balance, 12), json!([20.0, 0.0, -20.0, -165.5]), "five Mondays");
    let week = json(&mut timesheet(&home, &["2025-W43", "--json"]));
    let targets: Vec<_> = week["days"].as_array().unwrap().iter().map(|day| day["target"].clone()).collect();
    assert_eq!(json!(targets), json!([8.0, 8.0, 8.0, 0.0, 6.0, 0.0, 0.0]));
    assert_eq!(week["balance"], json!({"until": "2025-10-26", "hours": 6.5}));
    assert!(stdout_of(&mut timesheet(&home, &["2025-W43"])).contains("\nBalance until Sun 26 Oct: +6.50 h\n"));

    // Without the file of holidays, the target would be wrong, so the command must fail.
    fs::remove_file(folder.join("holidays.ics")).unwrap();
    let complaint = "there is no such file";
    assert_fails(&mut timesheet(&home, &["balance", "2025"]), complaint, "`days_off`");
    assert_fails(&mut timesheet(&home, &["2025-W43"]), complaint, "`days_off`");
}

#[test]
fn hours_per_day_is_a_target_without_a_first_day() {
    let home = Home::with_demo();
    set_targets(&home, "[timesheet]\nhours_per_day = 7.5\n");
    let balance = json(&mut timesheet(&home, &["balance", "2025", "--json"]));
    assert_eq!(month(&balance, 1), json!([172.5, 0.0, -172.5, -172.5]), "23 working days");
    assert_eq!(balance["carriedOver"], json!(0.0));
    assert_eq!(json(&mut timesheet(&home, &["2025-W43", "--json"]))["balance"], Value::Null);
    set_targets(&home, "");
    assert_fails(&mut timesheet(&home, &["balance", "2025"]), "no target hours are set", "`hours_per_day`");
}

#[test]
fn invalid_targets_are_refused() {
    let home = Home::with_demo();
    let target = |text: &str| format!("[[timesheet.targets]]\nhours = {{ mon = 8 }}\n{text}");
    for (settings, why) in [
        (target("carried_over = 3\n"), "needs `from`"),
        (format!("{}{}", target("from = '2026-01-01'\n"), target("from = '2026-01-01'\n")), "begin on the same day"),
        ("[[timesheet.targets]]\nhours = { mon = 25 }\n".to_owned(), "from 0 to 24 hours"),
        ("[[timesheet.targets]]\nhours = { monday = 8 }\n".to_owned(), "unknown field `monday`"),
    ] {
        set_targets(&home, &settings);
        let refused = stderr_of(&mut timesheet(&home, &["balance"]), 1);
        assert!(refused.contains(why), "{refused}");
    }
}
