//! Tests `timesheet push`. The API of the other tracker is simulated on this machine.

use std::fs;
use std::process::Command;

use dayledger_timesheet::Hours;
use serde_json::json;

use super::program::Home;
#[cfg(unix)]
use super::pseudo_terminal::Terminal;
use super::timesheet::{PROJECTS, at_work, json, sum, timesheet};
use super::{assert_fails, run, stderr_of, stdout_of};
use server::{ACCOUNT, TOKEN, TrackerServer};

#[expect(dead_code, reason = "the tests of the timesheet's crate use the rest")]
#[path = "../../crates/timesheet/tests/push/server.rs"]
mod server;

/// The day whose hours are pushed.
const DAY: &str = "2026-11-17";

/// Runs a push that the tracker rejects, and expects this error and hint.
fn assert_nothing_pushed(push: &mut Command, why: &str, hint: &str) {
    let output = run(push);
    let [text, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(text.starts_with("Nothing was pushed to "), "{text}");
    assert!(error.contains(why) && error.contains("hint: ") && error.contains(hint), "{error}");
}

/// Returns a configuration with projects, their names in the simulated tracker, and the tracker's address.
fn configuration(server: &TrackerServer) -> String {
    let url = server.url();
    format!(
        "{PROJECTS}\
        [[timesheet.export.projects]]\ncode = 'NORTHWIND'\nclient = 'Northwind Ltd'\nproject = 'NW'\n\
        tasks = {{ Billing = 'Billing', 'Customer portal' = 'Billing' }}\n\
        [[timesheet.export.projects]]\ncode = 'HARBOUR'\nclient = 'Harbour Foods'\nproject = 'Stock'\n\
        tasks = {{ Stock = 'Stock', Forecast = 'Stock' }}\n\
        [timesheet.push.harvest]\naccount = '{ACCOUNT}'\nurl = '{url}'\n\
        [timesheet.push.kimai]\nurl = '{url}'\ntoken_file = 'kimai-token'\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_are_pushed_once_after_a_preview() {
    let (server, (home, data)) = (TrackerServer::start().await, at_work());
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    // The status is 1, because rows without a project aren't logged.
    run(&mut of(&["log", DAY, "--yes"]));
    let push = |arguments: &[&str]| of(&[&["push", "harvest", DAY], arguments].concat());
    assert_fails(&mut push(&[]), "`account` is not set", "the number of your account");
    home.configure(&configuration(&server));

    let preview = run(&mut push(&[]));
    let [shown, note] = [preview.stdout, preview.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(shown.contains("Northwind Ltd / NW / Billing") && shown.contains("To push to Harvest: "), "{shown}");
    assert_eq!(note, "nothing was pushed: pass `--yes` to push these rows\n");
    assert_fails(&mut push(&["--yes"]), "its token is not set", "`DAYLEDGER_HARVEST_TOKEN`");
    let mut wrong = push(&["--yes"]);
    assert_nothing_pushed(wrong.env("DAYLEDGER_HARVEST_TOKEN", "wrong"), "does not accept the token", "valid token");
    assert_eq!((server.count("POST"), server.entries().len()), (0, 0));

    let pushed = run(push(&["--yes"]).env("DAYLEDGER_HARVEST_TOKEN", TOKEN));
    assert!(pushed.status.success() && pushed.stderr.is_empty(), "{pushed:?}");
    let entries = server.entries();
    let hours = entries.iter().map(|entry| serde_json::from_value::<Hours>(entry["hours"].clone()).unwrap());
    assert_eq!(hours.sum::<Hours>().hundredths(), sum(&json(&mut of(&[DAY, "--json"])), "logged"));
    let text = stdout_of(push(&["--yes"]).env("DAYLEDGER_HARVEST_TOKEN", TOKEN));
    assert!(text.starts_with("Nothing was pushed to Harvest.\nPushed before: "), "{text}");
    assert_eq!(server.entries(), entries);
}

#[tokio::test(flavor = "multi_thread")]
async fn intervals_are_pushed_with_the_token_of_a_file() {
    let (server, (home, data)) = (TrackerServer::start().await, at_work());
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    run(&mut of(&["log", DAY, "--yes"]));
    let file = home.configure(&configuration(&server)).with_file_name("kimai-token");
    let mut push = of(&["push", "kimai", DAY, "--yes"]);
    let setting = "the file that `token_file` in `[timesheet.push.kimai]` sets";
    assert_fails(&mut push, &format!("cannot read {setting}: it does not exist"), "the path of a file");
    fs::write(&file, "\n").unwrap();
    assert_fails(&mut push, &format!("{setting} does not contain a token"), "copy a token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    server.change_settings(|settings| settings.locked = Some((DAY, "This period is locked.")));
    assert_nothing_pushed(&mut push, "on 2026-11-17: begin: This period is locked.", "correct the entry");
    server.change_settings(|settings| settings.locked = None);
    let text = stdout_of(&mut push);
    assert!(text.contains("to Kimai, ") && !text.contains(TOKEN), "{text}");
    let entries = server.entries();
    assert!(entries.iter().all(|entry| entry["tags"] == json!(["dayledger"])), "{entries:?}");
    assert_eq!(text.lines().filter(|line| line.contains(" Nov  ")).count(), entries.len());
}

/// A token that was written into the configuration by mistake used to be printed.
#[test]
fn token_in_the_configuration_is_not_printed() {
    let (home, data) = at_work();
    for mistake in ["token = 'TOKEN'", "token_file = ['TOKEN']", "token_file = 'TOKEN'", "token = TOKEN", "TOKEN"] {
        let table = "[timesheet.push.kimai]\nurl = 'http://127.0.0.1:9'";
        home.configure(&format!("{PROJECTS}{table}\n{}\n", mistake.replace("TOKEN", TOKEN)));
        let stderr = stderr_of(&mut timesheet(&home, data.path(), &["push", "kimai", DAY]), 1);
        assert!(!stderr.contains("not-a-real"), "{mistake}: {stderr}");
        assert!(stderr.contains("timesheet.push.kimai") || stderr.contains("  line 13: "), "{mistake}: {stderr}");
    }
}

/// The prompt used to show `1 rows`.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn prompt_counts_one_row() {
    let (server, (home, data)) = (TrackerServer::start().await, at_work());
    home.configure(&configuration(&server));
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let file = home.folder("toggl.csv");
    let header = "Email,Project,Task,Description,Start date,Start time,End date,End time,Duration";
    let row = "a@example.com,NORTHWIND,Billing,Letters,2026-11-17,09:00:00,2026-11-17,12:00:00,03:00:00";
    fs::write(&file, format!("{header}\n{row}\n")).unwrap();
    stdout_of(&mut of(&["import", file.to_str().unwrap(), "--yes"]));
    let mut push = of(&["push", "harvest", DAY]);
    let mut terminal = Terminal::open(push.env("DAYLEDGER_HARVEST_TOKEN", TOKEN));
    terminal.wait_for("Push 1 row to Harvest? [y/N]");
    terminal.press("y\r");
    terminal.wait_for("Pushed 1 row to Harvest, 3 h.");
    assert!(terminal.end());
    assert_eq!(server.entries().len(), 1);
}

#[test]
fn sample_data_is_not_pushed() {
    let home = Home::with_demo();
    home.configure(include_str!("trackers.toml"));
    let mut push = home.program(["--demo", "timesheet", "push", "harvest", "2026-11-11", "--yes"]);
    push.env("DAYLEDGER_HARVEST_TOKEN", "not-used");
    assert_fails(&mut push, "cannot push to Harvest: the entries are sample data", "leave out `--demo`");
}
