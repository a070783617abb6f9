//! Tests `rules`: the matches of configured rules, the unmatched time, and adding a suggested rule.

use std::fs;

use dayledger_fixtures::demo::{Plan, write};
use dayledger_fixtures::{Activity, Group};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{Home, date};
use super::{assert_fails, run, stderr_of, stdout_of};
use crate::histories::{History, small, span};

/// Fifteen rules for the demo's user.
const FIFTEEN: &str = include_str!("rules.toml");

/// Returns a home folder and the small history of the SQL tests.
fn small() -> (Home, TempDir) {
    (Home::new(), small::folder_without_screenshots())
}

/// Returns the output of `rules` for the day of the worked example.
fn run_rules(home: &Home, data: &TempDir, more: &[&str]) -> String {
    let mut arguments = vec!["rules", "--from", "2025-01-15"];
    arguments.extend(more);
    stdout_of(&mut home.program_for(data.path(), arguments))
}

fn run_rules_json(home: &Home, data: &TempDir) -> Value {
    serde_json::from_str(&run_rules(home, data, &["--json"])).unwrap()
}

/// The id of the suggested rule for the site `docs.example.org`.
const SITE: &str = "6eeb3a1b";

const FOUR: &str = "[[rules]]\napp = 'Code'\nproject = 'Ledger'\n\
    [[rules]]\napp = 'Chrome'\nsite = 'github.com'\nname = 'Reviews'\ncategory = 'Review'\n\
    [[rules]]\npath = '*ledger.rs'\nproject = 'Ledger'\ntask = 'Too late'\n\
    [[rules]]\napp = 'nobody'\ncategory = 'Nothing'\n";

#[test]
fn each_rule_is_listed_with_its_matches_or_the_reason_for_zero_matches() {
    let (home, data) = small();
    home.configure(FOUR);
    insta::assert_snapshot!(run_rules(&home, &data, &[]), @r#"
    Wednesday, 15 January 2025
    46 min active · 66 % tagged · 13 % by rules · 21 % covered by neither

    Rules
      1  Ledger            26 min  56 %
            Code: ledger.rs, main.rs - Code, ledger.rs - Code
      2  Reviews           10 min  22 %
            Chrome: github.com
      3  Ledger, Too late   0 min   0 %
            never applies, because rule 1, Ledger, matches first
      4  Nothing            0 min   0 %
            no match

    Not covered by rules or tags
      Chrome  10 min  Guide - Chrome

    Suggested rules
      # 6eeb3a1b: 9 min · Chrome
      [[rules]]
      site = "docs.example.org"
      category = "docs.example.org"

    To add the first rule, repeat the command with `--add 6eeb3a1b`.
    "#);
    let json = run_rules_json(&home, &data);
    // Minutes have one decimal place, so tenths are compared.
    let tenths = |value: &Value| value.to_string().replace('.', "").parse::<i64>().unwrap();
    let of = |key: &str| tenths(&json[key]);
    assert_eq!(of("totalActiveMinutes"), of("taggedMinutes") + of("ruledMinutes") + of("unmatchedMinutes"));
    let rules: Vec<_> = json["rules"].as_array().unwrap().iter().map(|rule| tenths(&rule["totalMinutes"])).collect();
    assert_eq!(rules, [257, 100, 0, 0], "rules match tagged time too");
    assert_eq!((&json["rules"][2]["shadowedBy"], &json["rules"][3]["shadowedBy"]), (&Value::from(1), &Value::Null));
}

#[test]
fn without_rules_the_last_days_of_the_history_suggest_a_first_one() {
    let (home, data) = small();
    let text = run_rules(&home, &data, &[]);
    assert!(text.contains("no rules yet") && text.contains("  site = \"docs.example.org\"\n"), "{text}");
    let json: Value =
        serde_json::from_str(&stdout_of(&mut home.program_for(data.path(), ["rules", "--json"]))).unwrap();
    let span = ["startDate", "endDate"].map(|edge| date(json[edge].as_str().unwrap()));
    let days = stdout_of(&mut home.program_for(data.path(), ["doctor", "--json"]));
    let newest = serde_json::from_str::<Value>(&days).unwrap()["newest"].as_str().unwrap()[..10].to_owned();
    assert_eq!(((span[1] - span[0]).num_days(), span[1].pred_opt().unwrap()), (30, date(&newest)));
    let nothing = stdout_of(&mut home.program_for(data.path(), ["rules", "--from", "2020-01-01"]));
    assert!(nothing.starts_with("No data for Wednesday, 1 January 2020."), "{nothing}");
    let mut add = home.program_for(data.path(), ["rules", "--from", "2020-01-01", "--add", "1"]);
    assert_fails(&mut add, "no suggestion or application `1`", "pass other days with `--from`");
}

#[test]
fn added_rule_is_appended_and_takes_effect() {
    let (home, data) = small();
    let rules = "[[rules]]\napp = \"Code\"\nproject = \"Ledger\"\ntask = \"Accounts\"\n";
    let site = "[[rules]]\nsite = \"docs.example.org\"\ncategory = \"docs.example.org\"\n";
    for (before, between) in [
        ("", ""),
        ("# mine\n\n[[rules]] # first\napp  =  'x'\ncategory = 'X'\n\n[serve]\nread_only = true", "\n\n"),
        ("# mine\r\n[serve]\r\nread_only = true\r\n", "\r\n"),
    ] {
        let file = home.configure(before);
        if before.is_empty() {
            fs::remove_file(&file).unwrap();
        }
        let output = run(&mut home.program_for(
            data.path(),
            ["rules", "--from", "2025-01-15", "--add", "code", "--project", "Ledger", "--task", "Accounts"],
        ));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), rules);
        assert!(String::from_utf8(output.stderr).unwrap().contains(file.to_str().unwrap()));
        let line_ends = |text: &str| if before.contains('\r') { text.replace('\n', "\r\n") } else { text.to_owned() };
        let expected = format!("{before}{between}{}", line_ends(rules));
        assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    }
    // The last of these files has Windows line endings.
    let json = run_rules_json(&home, &data);
    assert_eq!(json["rules"][0]["rule"], "Ledger, Accounts");
    let left: Vec<_> = json["unmatched"].as_array().unwrap().iter().map(|work| work["application"].as_str()).collect();
    assert_eq!(left, [Some("Chrome")]);
    let suggested = &json["proposals"][0];
    assert_eq!((&suggested["id"], &suggested["rule"]), (&SITE.into(), &site.into()), "a site without a project");
    run(&mut home.program_for(data.path(), ["rules", "--from", "2025-01-15", "--add", SITE]));
    let json = run_rules_json(&home, &data);
    assert_eq!(json["rules"][1]["rule"], "docs.example.org");
    assert_eq!(json["unmatchedMinutes"], 1.0, "time of the browser without a site");
}

#[test]
fn failed_addition_of_a_rule_leaves_the_file_unchanged() {
    let (home, data) = small();
    let add = |more: &[&str]| {
        let mut arguments = vec!["rules", "--from", "2025-01-15", "--add"];
        arguments.extend(more);
        home.program_for(data.path(), arguments)
    };
    let inline = "rules = [{app = 'x', category = 'X'}]\n";
    let file = home.configure(inline);
    let stderr = stderr_of(&mut add(&[SITE]), 1);
    assert!(
        stderr.contains("cannot add the rule") && stderr.contains("duplicate key") && stderr.contains("hint: "),
        "{stderr}"
    );
    assert_fails(&mut add(&["1"]), "no suggestion or application `1`", "such as `6eeb3a1b`");
    assert_fails(&mut add(&["chrome"]), "`Chrome` needs a project or a category", "`--category`");
    for more in [&[SITE, "--task", "x"][..], &[SITE, "--project", " "], &[SITE, "--json"]] {
        stderr_of(&mut add(more), 2);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), inline);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "no temporary file is left");
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn added_rule_keeps_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt;

    let (home, data) = small();
    let file = home.configure("# mine\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(run(&mut home.program_for(data.path(), ["rules", "--from", "2025-01-15", "--add", SITE])).status.success());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn hidden_applications_are_not_examples_but_their_time_counts() {
    let (home, data) = small();
    let all = "[[rules]]\ndevice = '*'\napp = 'C*'\npath = '*ledger.rs'\ncategory = 'All'\n";
    home.configure(all);
    let before = run_rules_json(&home, &data);
    assert!(before["rules"][0]["examples"][0]["application"] == "Code", "{before}");
    home.configure(&format!("{all}[serve]\nhide_apps = ['code*']\nhide_sites = ['docs.example.org']\n"));
    let after = run_rules_json(&home, &data);
    assert_eq!(after["rules"][0]["examples"], serde_json::json!([]));
    for word in ["Code", "docs.example.org", "ledger"] {
        assert!(!after.to_string().contains(word), "{word} in {after}");
    }
    let totals = |answer: &Value| [&answer["unmatchedMinutes"], &answer["rules"][0]["totalMinutes"]].map(Value::clone);
    assert_eq!(totals(&after), totals(&before));
}

/// Another file in the same folder is tagged with the project.
#[test]
fn a_folder_is_suggested_with_the_project_that_its_other_files_have() {
    let mut history = History::on_workstation();
    history.active(1, "09:00", "12:00");
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    for (name, start, end) in [("plan", "09:00", "09:40"), ("budget", "09:40", "10:00"), ("offer", "10:00", "10:20")] {
        let window = Activity::new(name, span(start, end)).group(editor);
        let window = history.activity(2, &window);
        let path = format!(r"C:\Work\Harbour\{name}.md");
        let file = history.group(3, &Group::file(&path, &format!("{name}.md")));
        history.activity(3, &Activity::new(&path, span(start, end)).group(file).related_activity(window));
    }
    history.tag(4, &["Harbour Foods", "Plan"], "09:00", "09:40");
    history.commit();
    let home = Home::new();
    let rules = |more: &[&str]| {
        let words = [&["rules", "--from", "2025-01-15"], more].concat();
        stdout_of(&mut home.program_for(history.folder(), words))
    };
    let json: Value = serde_json::from_str(&rules(&["--json"])).unwrap();
    let rule = "[[rules]]\npath = \"*/Work/Harbour/*\"\nproject = \"Harbour Foods\"\n";
    let [proposal] = &json["proposals"].as_array().unwrap()[..] else { panic!("{json}") };
    let expected = serde_json::json!({"id": proposal["id"], "totalMinutes": 40.0, "applications": ["Editor"],
                                      "projectShare": 100, "rule": rule});
    assert_eq!(proposal, &expected);
    let text = rules(&[]);
    let id = proposal["id"].as_str().unwrap();
    assert!(text.contains(&format!("# {id}: 40 min · 100 % of its other time is Harbour Foods · Editor")), "{text}");
}

#[test]
fn fifteen_rules_match_nine_tenths_of_the_demo() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    write(data.path(), &Plan::new(date("2026-11-20"))).unwrap();
    home.configure(FIFTEEN);
    assert!(FIFTEEN.matches("[[rules]]").count() <= 15);
    // The percentage refers to all active time of the six weeks, including tagged time.
    let statement = "SELECT 100 * union_seconds(start_utc, end_utc) FILTER (WHERE rule IS NOT NULL) \
                     / union_seconds(start_utc, end_utc) AS caught FROM pieces_by_rule('2026-10-01', '2026-12-01')";
    let caught = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", statement]));
    let caught: i64 = caught.lines().nth(1).unwrap().parse().unwrap();
    assert!((90..100).contains(&caught), "{caught} %");
}

/// A rule that only sets `call` doesn't assign a project. The rule matches calls during which the keyboard isn't used.
#[test]
fn call_rules_are_listed() {
    let (home, data) = small();
    let rules = "[[rules]]\napp = 'Slack'\ncall = false\n[[rules]]\napp = 'Chrome'\ncall = true\n\
                 [[rules]]\napp = 'Code'\ncall = true\nproject = 'Ledger'\n";
    home.configure(rules);
    let text = run_rules(&home, &data, &[]);
    assert!(text.contains("46 min active \u{b7} ") && text.contains("      no call\n"), "{text}");
    assert!(text.contains("a call, but calls count away from the keyboard only with"), "{text}");
    home.configure(&format!("{rules}[time]\ncalls = true\n"));
    let text = run_rules(&home, &data, &[]);
    assert!(text.contains("56 min active and in calls \u{b7} "), "{text}");
    assert!(
        text.contains("  2  call     10 min  18 %\n") && text.contains("a call, also away from the keyboard\n"),
        "{text}"
    );
    assert!(text.contains("a call, also away from the keyboard; Code: "), "{text}");
    let json = run_rules_json(&home, &data);
    assert_eq!(
        (&json["timeBasis"], &json["rules"][1]["callMinutes"]),
        (&Value::from("active+calls"), &Value::from(10.0))
    );
}
