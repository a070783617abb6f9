//! Tests `report` and `day --open`, which write pages for the browser.

use std::fs;
use std::path::Path;

use dayledger_fixtures::demo::{Plan, write};
use serde_json::Value;

use super::html::{assert_self_contained_and_accessible, elements};
use super::program::{Home, date, demo, folder_hash};
use super::{assert_fails, stderr_of, stdout_of};

/// Writes a page, and returns its text.
fn page(home: &Home, data: &Path, arguments: &[&str]) -> String {
    let mut all = vec!["report", "--out", "page.html"];
    all.extend(arguments);
    assert_eq!(stdout_of(&mut home.program_for(data, &all)), "page.html\n");
    fs::read_to_string(home.folder("page.html")).unwrap()
}

/// Returns the rows of a statement that has one column.
fn texts(home: &Home, data: &Path, sql: &str) -> Vec<String> {
    let rows = stdout_of(&mut home.program_for(data, ["sql", "--format", "json", "-c", sql]));
    let rows: Vec<serde_json::Map<String, Value>> = serde_json::from_str(&rows).unwrap();
    let value = |row: serde_json::Map<String, Value>| match row.into_iter().next().unwrap().1 {
        Value::String(text) => text,
        value => value.to_string(),
    };
    rows.into_iter().map(value).collect()
}

/// Formats a number of seconds in the style of the page.
fn duration(seconds: &str) -> String {
    let minutes = (seconds.parse::<f64>().unwrap() / 60.0).round();
    let hours = (minutes / 60.0).floor();
    if hours > 0.0 { format!("{hours} h {:02} min", minutes % 60.0) } else { format!("{minutes} min") }
}

#[test]
fn pages_load_no_resources_and_run_no_scripts() {
    let (home, data) = (Home::new(), demo());
    for (arguments, title, sections) in [
        (vec!["--from", "2026-11-18"], "Wednesday, 18 November 2026", "days tops hours segments"),
        (vec!["--from", "2026-W46"], "Mon 9 Nov – Sun 15 Nov 2026", "days tops hours numbers"),
        (vec!["--from", "2026-11-06", "--to", "2026-11-19"], "Fri 6 Nov – Thu 19 Nov 2026", "days tops hours numbers"),
        (vec!["--from", "2031-01-01"], "Wednesday, 1 January 2031", ""),
    ] {
        let page = page(&home, data.path(), &arguments);
        assert_self_contained_and_accessible(&page);
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{arguments:?}");
        let found = elements(&page);
        let found: Vec<_> = found.iter().filter_map(|element| element.attribute("aria-labelledby")).collect();
        assert_eq!(found.join(" "), sections, "{arguments:?}");
    }
}

#[test]
fn page_numbers_equal_sql() {
    let (home, data) = (Home::new(), demo());
    let page = page(&home, data.path(), &["--from", "2026-11-09", "--to", "2026-11-15"]);
    let range = "('2026-11-09', '2026-11-16')";
    let total = texts(&home, data.path(), &format!("SELECT sum(active_seconds) FROM day_summary{range}"));
    assert!(page.contains(&format!("<dd><b>{}</b></dd>", duration(&total[0]))), "{total:?}");
    let days = texts(&home, data.path(), &format!("SELECT active_seconds FROM day_summary{range} ORDER BY date"));
    assert!(days.len() > 3);
    let numbers = page.split_once("id=\"numbers\"").unwrap().1;
    let cells = numbers.split("<td class=\"number\">").skip(1);
    let of_days: Vec<_> = cells.map(|cell| cell.split('<').next().unwrap()).collect();
    assert_eq!(of_days, days.iter().map(|seconds| duration(seconds)).collect::<Vec<_>>());
    // This test deliberately counts the time with another statement than the page does, and compares the results.
    let summary = stdout_of(&mut home.program_for(data.path(), ["period", "2026-11-09", "2026-11-15", "--json"]));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let tagged = format!(
        "SELECT union_seconds(greatest(p.start_utc, t.start_utc), least(p.end_utc, t.end_utc)) FROM pieces{range} AS p
        INNER JOIN tags AS t ON p.start_utc < t.end_utc AND t.start_utc < p.end_utc"
    );
    let tagged: i64 = texts(&home, data.path(), &tagged)[0].parse().unwrap();
    let line = |name: &str, seconds: i64| {
        let name = name.replace('&', "&amp;");
        let after =
            page.split_once(&format!("<bdi title=\"{name}\">{name}</bdi>")).unwrap_or_else(|| panic!("{name}")).1;
        let time = after.split_once("<span class=\"time\">").unwrap().1;
        assert_eq!(time.split('<').next(), Some(duration(&seconds.to_string()).as_str()), "{name}");
    };
    for client in summary["aggregate"]["topTags"].as_array().unwrap().iter().take(3) {
        let client = client["name"].as_str().unwrap();
        // This statement counts tagged time at the computer and tagged time away from the computer.
        let of_client = "SELECT union_seconds(start_utc, end_utc) FROM tags_in";
        let of_client = format!("{of_client}{range} WHERE COALESCE(path[1], tag) = '{client}'");
        line(client, texts(&home, data.path(), &of_client)[0].parse().unwrap());
    }
    line("Untagged", total[0].parse::<i64>().unwrap() - tagged);
}

#[test]
fn page_omits_titles_urls_and_folders_by_default() {
    let (home, data) = (Home::new(), demo());
    let of_day = "start_local >= '2026-11-18' AND end_local < '2026-11-19'";
    let list = |column: &str, table: &str| {
        texts(&home, data.path(), &format!("SELECT DISTINCT {column} FROM {table} WHERE {of_day}"))
    };
    let day = ["--from", "2026-11-18"];
    let plain = page(&home, data.path(), &day);
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let (titles, urls, paths) = (list("title", "applications"), list("url", "websites"), list("path", "documents"));
    assert!(titles.len() > 10 && urls.len() > 5 && paths.len() > 3);
    let is_telling = |title: &&String| title.len() > 20;
    for private in urls.iter().filter(|url| url.trim_end_matches('/').matches('/').count() > 2).chain(&paths) {
        assert!(!plain.contains(&escaped(private)), "{private}");
    }
    for title in titles.iter().filter(is_telling) {
        assert!(!plain.contains(&escaped(title)), "{title}");
    }
    let output = page(&home, data.path(), &[&day[..], &["--include-titles"]].concat());
    assert!(titles.iter().filter(is_telling).any(|title| output.contains(&escaped(title))));
    assert_self_contained_and_accessible(&output);
}

#[test]
fn page_contains_screenshots_only_on_request() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    let plan = Plan { days: 1, activities_per_day: 150, screenshots: true, ..Plan::new(date("2026-11-19")) };
    write(data.path(), &plan).unwrap();
    let day = ["--from", "2026-11-19"];
    assert!(!page(&home, data.path(), &day).contains("<img"));
    let page = page(&home, data.path(), &[&day[..], &["--screenshots"]].concat());
    assert_self_contained_and_accessible(&page);
    let pictures = page.matches("<img src=\"data:image/jpeg;base64,").count();
    assert!((5..=24).contains(&pictures), "{pictures}");
    assert!(page.len() < 5 << 20, "{}", page.len());
}

#[test]
fn page_is_named_after_its_days_by_default() {
    let (home, data) = (Home::new(), demo());
    for _ in 0..2 {
        let named =
            stdout_of(&mut home.program_for(data.path(), ["report", "--from", "2026-11-17", "--to", "2026-11-18"]));
        assert_eq!(named, "dayledger-2026-11-17-to-2026-11-18.html\n", "a page can be overwritten");
    }
    assert!(home.folder("dayledger-2026-11-17-to-2026-11-18.html").is_file());
}

#[test]
fn unwritable_page_is_an_error_and_changes_nothing() {
    let (home, data) = (Home::new(), demo());
    let over = |arguments: &[&str]| {
        home.program_for(data.path(), [&["report", "--from", "2026-11-18"][..], arguments].concat())
    };
    fs::write(home.folder("mine.html"), "precious").unwrap();
    assert_fails(&mut over(&["--out", "mine.html"]), "`mine.html`: it exists and is not a page", "--force");
    assert_eq!(fs::read_to_string(home.folder("mine.html")).unwrap(), "precious");
    stdout_of(&mut over(&["--out", "mine.html", "--force"]));
    assert_self_contained_and_accessible(&fs::read_to_string(home.folder("mine.html")).unwrap());

    let inside = data.path().join("page.html");
    let refused = stderr_of(&mut over(&["--force", "--out", inside.to_str().unwrap()]), 1);
    assert!(refused.contains("inside a folder") && !inside.exists(), "{refused}");
    stderr_of(&mut over(&["--out", "no/page.html"]), 1);
    stderr_of(&mut over(&["--out", "."]), 1);
    let report = |arguments: &[&str]| home.program_for(data.path(), [&["report"][..], arguments].concat());
    let earlier = ["--from", "2026-11-18", "--to", "2026-11-17"];
    assert_fails(&mut report(&earlier), "is not after the start", "includes that day");
    assert_fails(&mut report(&["--from", "next week"]), "`next week`", "`2025-01-15`");
    assert_fails(&mut over(&["--device", "X"]), "unknown device `X`", "`LAPTOP`");
    stderr_of(&mut report(&["--out", "page.html"]), 2);
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.html"]);
}

/// Regression: if the history was found through a link or by a file name without a folder, the folder of the history
/// wasn't protected.
#[test]
fn history_given_by_its_file_is_protected_from_reports() {
    let (home, data) = (Home::new(), demo());
    let before = folder_hash(data.path());
    for out in ["page.html", "ManicTimeReports.db", "new/../page.html", "./page.html"] {
        let mut report =
            home.program(["--data-dir", "ManicTimeReports.db", "report", "--from", "2026-11-18", "--force"]);
        stderr_of(report.args(["--out", out]).current_dir(data.path()), 1);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(data.path().join("ManicTimeReports.db"), home.folder("link.db")).unwrap();
        let report = || home.program(["--data-dir", "link.db", "report", "--from", "2026-11-18", "--force", "--out"]);
        let inside = stderr_of(report().arg(data.path().join("page.html")), 1);
        assert!(inside.contains("inside a folder"), "{inside}");
        assert!(stderr_of(report().arg("link.db"), 1).contains("inside a folder"));
        stdout_of(report().arg("beside the link.html"));
    }
    assert_eq!(folder_hash(data.path()), before);
}

/// The user's own history must be protected even if the command reads another history, for example with `--demo`.
#[test]
fn own_history_is_protected_while_another_history_is_read() {
    let (home, data, own) = (Home::new(), demo(), demo());
    home.configure(&format!("data_dir = '{}'\n", own.path().display()));
    let before = folder_hash(own.path());
    let database = own.path().join("ManicTimeReports.db");
    let out = database.to_str().unwrap();
    let statement = format!("\\o {out}\nSELECT 1;");
    for arguments in [
        &["report", "--from", "2026-11-18", "--force", "--out", out][..],
        &["timesheet", "export", "--format", "csv", "--force", "--out", out],
        &["sql", "-c", &statement],
    ] {
        let refused = stderr_of(&mut home.program_for(data.path(), arguments), 1);
        assert!(refused.contains("inside a folder"), "{refused}");
    }
    assert_eq!(folder_hash(own.path()), before);
}

#[cfg(unix)] // only Unix has pipes and devices as files
#[test]
fn page_replaces_only_a_writable_regular_file() {
    use std::os::unix::fs::PermissionsExt;

    let (home, data) = (Home::new(), demo());
    let over = |out: &str, more: &[&str]| {
        let mut report = home.program_for(data.path(), ["report", "--from", "2026-11-18", "--out", out]);
        report.args(more);
        report
    };
    super::make_pipe(&home.folder("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(home.folder("socket")).unwrap();
    std::os::unix::fs::symlink("/dev/null", home.folder("null")).unwrap();
    let wrong = [
        ("pipe", "a pipe"),
        ("socket", "a socket"),
        ("null", "a device"),
        ("/dev/null", "a device"),
        ("/dev/stdout", "a pipe"),
        (".", "a folder"),
        ("new/", "a folder"),
    ];
    for (out, kind) in wrong {
        for force in [&[][..], &["--force"]] {
            let stderr = stderr_of(&mut over(out, force), 1);
            assert_eq!(stderr, format!("error: cannot write `{out}`: it is {kind}\nhint: pass the path of a file\n"));
        }
    }
    stdout_of(&mut over("page.html", &[]));
    fs::set_permissions(home.folder("page.html"), fs::Permissions::from_mode(0o444)).unwrap();
    let page = fs::read(home.folder("page.html")).unwrap();
    for force in [&[][..], &["--force"]] {
        let stderr = stderr_of(&mut over("page.html", force), 1);
        assert!(stderr.contains("`page.html`: it is read-only"), "{stderr}");
    }
    assert_eq!(fs::read(home.folder("page.html")).unwrap(), page);
    let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["null", "page.html", "pipe", "socket"]);
}

#[cfg(unix)] // a Unix limit ends the program when it writes
#[test]
fn killed_report_leaves_no_partial_page() {
    let (home, data) = (Home::new(), demo());
    let report = || home.program_for(data.path(), ["report", "--from", "2026-11-18", "--out", "page.html"]);
    let before = folder_hash(data.path());
    super::assert_killed_while_writing(&mut report());
    let left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.len() == 1 && left[0] != "page.html", "only a temporary file is left: {left:?}");
    stdout_of(&mut report());
    assert_self_contained_and_accessible(&fs::read_to_string(home.folder("page.html")).unwrap());
    assert_eq!(folder_hash(data.path()), before);
}

#[test]
fn path_of_the_page_is_printed_if_no_browser_can_be_opened() {
    let (home, data) = (Home::new(), demo());
    for arguments in [vec!["day", "2026-11-18", "--open"], vec!["period", "2026-W46", "--open"]] {
        let output = super::run(home.program_for(data.path(), &arguments).env("PATH", home.folder("nothing")));
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        // On Windows, the browser is found without a search path, so there is no error.
        if !cfg!(windows) {
            assert!(stderr.contains("open this file yourself"), "{stderr}");
        }
        let page = fs::read_to_string(stdout.trim_end()).unwrap();
        assert_self_contained_and_accessible(&page);
        assert!(output.status.success() && Path::new(stdout.trim_end()).starts_with(home.path()), "{stdout}");
    }
    stderr_of(&mut home.program_for(data.path(), ["day", "--open", "--json"]), 2);
}

#[cfg(all(unix, not(target_os = "macos")))] // a shell script replaces `xdg-open`
#[test]
fn browser_receives_the_page_as_one_argument() {
    use std::os::unix::fs::PermissionsExt;

    let (home, data) = (Home::new(), demo());
    let programs = home.folder("programs");
    fs::create_dir(&programs).unwrap();
    let opener = programs.join("xdg-open");
    let received = home.folder("received");
    fs::write(&opener, format!("#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" > '{}'\n", received.display())).unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o700)).unwrap();
    let page =
        stdout_of(home.program_for(data.path(), ["day", "2026-11-18", "--open", "--titles"]).env("PATH", &programs));
    assert_eq!(fs::read_to_string(received).unwrap(), format!("1\n{page}"));
    assert_eq!(fs::metadata(page.trim_end()).unwrap().permissions().mode() & 0o777, 0o600);

    fs::write(&opener, "#!/bin/sh\nexit 3\n").unwrap();
    let output = super::run(home.program_for(data.path(), ["day", "2026-11-18", "--open"]).env("PATH", &programs));
    assert!(output.status.success() && String::from_utf8(output.stderr).unwrap().contains("open this file yourself"));
}
