//! Tests the prompt of `sql` as a user sees it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use tempfile::TempDir;

use super::program::{Home, demo, folder_hash};
use super::pseudo_terminal::{END, Terminal, UP};
use super::sql::small_home;
use super::stdout_of;
use crate::statements::hostile::{ANSWERED, statements};

fn session(home: &Home, data: &TempDir, arguments: &[&str]) -> Command {
    let mut all = vec!["sql"];
    all.extend(arguments);
    let mut command = home.program_for(data.path(), all);
    command.env("PAGER", "cat");
    command
}

#[test]
fn statement_over_several_lines_is_run() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    let greeting = terminal.text();
    assert!(greeting.contains("ManicTimeReports.db") && greeting.contains("\\? lists commands"), "{greeting}");
    let answer = terminal.enter("SELECT site, -- not the end;\n  seconds, ';' AS mark\nFROM websites ORDER BY site;");
    let (rows, end) = answer.rsplit_once('\n').unwrap();
    insta::assert_snapshot!(rows, @r"
     site             │ seconds │ mark
    ──────────────────┼─────────┼──────
     docs.example.org │     510 │ ;
     github.com       │     600 │ ;
    ");
    assert!(end.starts_with("2 rows · ") && end.ends_with('s'), "the number of rows and the time: {end}");
    assert_eq!(terminal.enter("\\timing off"), "timing is off");
    let both = terminal.enter("SELECT 1 AS one; SELECT 2 AS two;");
    assert!(both.contains("\n   1\n1 row\n two\n") && both.ends_with("\n   2\n1 row"), "{both}");
    assert!(terminal.leave(), "Ctrl-D exits without an error");
}

#[test]
fn tab_completes_tables_columns_functions_and_commands() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history"]));
    // The names for completion are loaded in the background. This command waits for them.
    terminal.enter("\\d");
    for (typed, completed) in [
        ("SELECT * FROM appl\t", "SELECT * FROM applications"),
        ("select * from narr\t", "select * from narrative("),
        ("SELECT * FROM manictime.ar_act\t", "SELECT * FROM manictime.ar_activity"),
        ("SELECT title FROM applications WHERE tit\t", "WHERE title"),
        ("SELECT t.not\t FROM tags t", "SELECT t.notes FROM tags t"),
        ("sel\t", "select"),
        ("\\exa\t", "\\examples"),
        ("\\format vert\t", "\\format vertical"),
    ] {
        terminal.clear();
        // The columns of a table are completed only if the statement already contains the table's name.
        match typed.split_once('\t') {
            Some((before, "")) => terminal.press(&format!("{before}\t")),
            Some((before, after)) => {
                let back = "\x1b[D".repeat(after.len());
                terminal.press(&format!("{before}{after}{back}\t"));
            }
            None => unreachable!(),
        }
        terminal.wait_for(completed);
        terminal.interrupt();
    }
    terminal.clear();
    terminal.press("SELECT s\t");
    let several = ["site(", "split_days(", "substr("];
    terminal.wait("list of several", |screen| several.iter().all(|name| screen.contents().contains(name)));
}

#[test]
fn input_history_is_saved_and_private() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    terminal.enter("SELECT 41\n  + 1 AS answer;");
    terminal.enter("\\timing off");
    terminal.press("\\q\r");
    assert!(terminal.end());

    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history"]));
    terminal.press(UP);
    let answer = terminal.enter("SELECT 'unseen';");
    assert!(answer.contains(" unseen\n"), "the statement is not mixed with an earlier one: {answer}");
    assert!(terminal.leave());

    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    terminal.press(UP);
    terminal.wait_for("dayledger> \\q");
    terminal.press(UP);
    terminal.wait_for("dayledger> \\timing off");
    terminal.press(UP);
    let recalled = terminal.wait_for("AS answer;");
    assert!(recalled.contains("SELECT 41\n  + 1 AS answer;"), "the history recalls the whole statement: {recalled}");
    terminal.press("\r");
    terminal.wait_for("     42");
    assert!(terminal.leave());

    let kept = home.folder(".local/state/dayledger/sql_history");
    let kept = if kept.exists() { kept } else { home.folder("data/dayledger/sql_history") };
    assert!(!fs::read_to_string(&kept).unwrap().contains("unseen"));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn ctrl_c_clears_a_line_or_stops_a_statement_and_keeps_the_session() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    terminal.clear();
    terminal.press("SELECT 'half a");
    terminal.wait_for("half a");
    terminal.interrupt();
    assert!(terminal.enter("SELECT 5 AS five;").contains("\n    5\n"), "the interrupted statement is discarded");

    terminal.clear();
    let endless =
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 1e15) SELECT count(*) FROM t;";
    terminal.press(endless);
    terminal.press("\r");
    // When the cursor is below the input, the editor has released the terminal.
    terminal.wait("running statement", |screen| screen.cursor_position() == (2, 0));
    terminal.interrupt();
    assert!(terminal.text().ends_with("\nstopped\ndayledger>"), "{}", terminal.text());
    assert!(terminal.enter("SELECT 6 AS six;").contains("\n   6\n"));
    assert!(terminal.leave());
}

/// Regression: the editor read more than one line of pasted input, and lost the lines after the first one.
#[test]
fn all_pasted_statements_are_run() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--format", "csv"]));
    terminal.enter("\\timing off");
    // A terminal without bracketed paste sends pasted lines in this form.
    terminal.press("SELECT 1 AS one;\rSELECT 2 AS two;\r\\format ndjson\rSELECT 3\r  AS three;\r");
    let text = terminal.wait_for("{\"three\":3}");
    assert!(text.contains("one\n1\n1 row") && text.contains("two\n2\n1 row"), "{text}");
    assert!(terminal.leave());
}

#[test]
fn input_during_a_statement_runs_next() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--format", "csv"]));
    terminal.clear();
    terminal.press("SELECT count(*) AS many FROM generate_series(1, 20000000);\r");
    // When the cursor is below the input, the editor has released the terminal.
    terminal.wait("running statement", |screen| screen.cursor_position() == (1, 0));
    terminal.press("SELECT 7 AS seven;\rSELECT 8 ");
    terminal.wait_for("seven\n7\n");
    terminal.press("AS eight;\r");
    terminal.wait_for("eight\n8\n");
    assert!(terminal.leave());
}

#[test]
fn incomplete_statement_shows_how_to_finish_or_cancel() {
    let (home, data) = small_home();
    for leaving in ["\\q\r", "exit\r", END] {
        let mut terminal = Terminal::start(&session(&home, &data, &["--no-history"]));
        terminal.press("SELECT 1\r");
        terminal.wait_for("-- waiting for `;` (Ctrl-C cancels");
        terminal.press(leaving);
        assert!(terminal.end(), "{leaving:?}");
    }
    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history", "--format", "csv"]));
    terminal.clear();
    terminal.press("SELECT 'it\r");
    terminal.wait_for("-- waiting for the end of the quotes or the comment");
    terminal.press("\\q\rexit' AS said;\r");
    let text = terminal.wait_for("said\n");
    assert!(text.contains("\"it\n\\q\nexit\""), "a text in quotes is not a command: {text}");
    // A command between two lines of a statement must not remove the incomplete statement.
    terminal.clear();
    terminal.press("SELECT 40 + 2\r\\format csv\r");
    terminal.wait_for("format: csv");
    terminal.press("AS answer;\r");
    terminal.wait_for("answer\n42\n");
    assert!(terminal.leave());
}

#[test]
fn tables_and_functions_are_described() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    let tables = terminal.enter("\\d");
    assert!(tables.contains("  websites  ") && tables.contains("a website activity with its"), "{tables}");
    assert!(tables.lines().all(|line| line.chars().count() <= 100), "{tables}");
    insta::assert_snapshot!(terminal.enter("\\d tags"), @r"
    tags
    A row is a tagged interval. `tag` is the full list as the tracker shows it. `path` contains its
    parts in order, because a part can contain a comma. Tags belong to a person and apply to every
    device.

    Columns
      timeline_id  bigint     id of the timeline
      activity_id  bigint     unique within its timeline
      device       text       name of the device
      tag          text       full list of tags
      key          text       identifies an application, site, file or tag across languages
      color        text       the user's colour, six hex digits
      path         text[]     path of the file or note; of a tag, its parts in order
      is_billable  boolean    whether the tag is billable
      notes        text       the user's notes
      start_local  timestamp  local start
      start_utc    timestamp  start in UTC
      end_local    timestamp  local end, exclusive
      end_utc      timestamp  end in UTC
      seconds      bigint     length in seconds, measured in UTC
      rule_text    text       text that rules read besides names; in an export, the numbers of fulfilled
                              conditions
    ");
    insta::assert_snapshot!(terminal.enter("\\df overlap_seconds"), @r"
    overlap_seconds(a_start, a_end, b_start, b_end)
    Returns the seconds of overlap of two intervals. The result is 0 if they are disjoint, and NULL if
    any argument is NULL.

    Parameters
      a_start  Start of the first interval.
      a_end    End of the first interval.
      b_start  Start of the second interval.
      b_end    End of the second interval.

    Example
      SELECT overlap_seconds(a.start_utc, a.end_utc, b.start_utc, b.end_utc)
      FROM applications a, tags b
    ");
    let narrative = terminal.enter("\\df narrative");
    assert!(narrative.contains("narrative(start, end [, max_gap_minutes] [, interruption_minutes])"), "{narrative}");
    assert!(narrative.contains("interruption_minutes  number from 0; 0.5 if left out"), "{narrative}");
    let wrong = terminal.enter("\\d websits");
    assert_eq!(wrong, "error: unknown table or view `websits`; did you mean `websites`?");
    assert_eq!(terminal.enter("\\tming"), "error: unknown command `\\tming`; did you mean `\\timing`?");
}

#[test]
fn error_marks_its_position() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    insta::assert_snapshot!(terminal.enter("SELECT site,\n  secondss\nFROM websites;"), @r"
    error: unknown column `secondss`; did you mean `seconds`?
      2 │   secondss
        │   ^^^^^^^^
    ");
    insta::assert_snapshot!(terminal.enter("SELECT * FORM tags;"), @r"
    error: invalid SQL: expected: end of statement, found: FORM
      1 │ SELECT * FORM tags;
        │          ^^^^
    ");
    terminal.enter("\\timing off");
    insta::assert_snapshot!(terminal.enter("SELECT 1 AS a; SELECT overlap_second(1);"), @r"
     a
    ───
     1
    1 row
    error: unknown function `overlap_second`; did you mean `overlap_seconds`?
      1 │ SELECT 1 AS a; SELECT overlap_second(1);
        │                       ^^^^^^^^^^^^^^
    ");
    insta::assert_snapshot!(terminal.enter("SELECT 1 FROM pieces('2025-01-16', '2025-01-15');"), @r"
    error: `pieces`: the range is empty: the end is exclusive and must be after the start
      1 │ SELECT 1 FROM pieces('2025-01-16', '2025-01-15');
        │               ^^^^^^
    ");
    let refused = terminal.enter("DROP TABLE tags;");
    assert!(refused.contains("cannot run `DROP TABLE`") && refused.contains("hint: use `SELECT`"), "{refused}");
}

#[test]
fn format_and_output_file_can_be_set_at_the_prompt() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--format", "vertical"]));
    terminal.enter("\\timing off");
    insta::assert_snapshot!(terminal.enter("SELECT site, seconds FROM websites ORDER BY site LIMIT 1;"), @r"
    ─ row 1 ────────────────
     site    │ docs.example.org
     seconds │ 510
    1 row
    ");
    assert_eq!(terminal.enter("\\format csv"), "format: csv");
    assert_eq!(terminal.enter("SELECT 1 AS a, 'x,y' AS b;"), "a,b\n1,\"x,y\"\n1 row");
    let unknown = terminal.enter("\\format xml");
    assert!(unknown.starts_with("error: `\\format` takes `table`, `box`, `csv`"), "{unknown}");

    let message = terminal.enter("\\o rows.csv");
    assert!(message.contains("rows.csv as csv; \\o prints them here again"), "{message}");
    let screen = terminal.enter("SELECT 7 AS seven;");
    assert!(screen.starts_with("1 row · to ") && !screen.contains("seven"), "{screen}");
    terminal.enter("\\o");
    assert!(terminal.enter("SELECT 8 AS eight;").starts_with("eight\n8"));
    assert_eq!(fs::read_to_string(home.folder("rows.csv")).unwrap(), "seven\n7\n");

    let message = terminal.enter("\\o rows.json");
    assert!(message.contains("rows.json as json"), "the file's extension sets the format: {message}");
    assert!(terminal.enter("\\format box").ends_with("rows.json: json)"));
    terminal.enter("SELECT 9 AS nine;");
    terminal.enter("\\o");
    assert_eq!(fs::read_to_string(home.folder("rows.json")).unwrap(), "[{\"nine\":9}]\n");
    insta::assert_snapshot!(terminal.enter("SELECT 9 AS nine\n\\g"), @r"
    ┌──────┐
    │ nine │
    ├──────┤
    │    9 │
    └──────┘
    1 row
    ");
    assert_eq!(terminal.enter("\\x"), "format: vertical");
    assert_eq!(terminal.enter("\\x"), "format: box");
    terminal.enter("\\format csv");

    let before = folder_hash(data.path());
    let refused = terminal.enter(&format!("\\o {}", data.path().join("ManicTimeReports.db").display()));
    assert!(refused.replace('\n', "").contains("inside a folder"), "{refused}");
    assert_eq!(folder_hash(data.path()), before);

    fs::write(home.folder("two.sql"), "SELECT 1 AS a;\n\nSELECT b;").unwrap();
    let run = terminal.enter("\\i two.sql");
    assert!(run.starts_with("a\n1\n1 row\nerror: unknown column `b`"), "{run}");
    assert!(run.contains("  3 │ SELECT b;"), "the error shows the line of the file: {run}");
}

#[test]
fn wide_rows_are_truncated_with_a_marker() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history"]));
    terminal.enter("\\timing off");
    let screen = terminal.enter("SELECT * FROM websites ORDER BY start_utc;");
    insta::assert_snapshot!(screen, @r"
     timeline_id │ activity_id │ device │ site           │ url            │ key            │ color  │ …
    ─────────────┼─────────────┼────────┼────────────────┼────────────────┼────────────────┼────────┼───
               3 │           2 │ STUDIO │ github.com     │ https://githu… │ github.com     │ 6FB5E4 │ …
               3 │           3 │ STUDIO │ docs.example.… │ https://docs.… │ docs.example.… │ 6FB5E4 │ …
    2 rows · 6 columns hidden, \x shows all
    ");
    assert!(terminal.enter("\\l").starts_with("error: unknown command `\\l`: a session reads one history"));
}

#[test]
fn session_runs_its_startup_file_first() {
    let (home, data) = small_home();
    let file = home.configuration().with_file_name("start.sql");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, "\\timing off\n\\format csv\nSELECT nowhere;\nSELECT 1").unwrap();
    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history"]));
    let begun = terminal.text();
    assert!(begun.contains("unknown column `nowhere`") && begun.contains("does not end with a semicolon"), "{begun}");
    assert_eq!(terminal.enter("SELECT 5 AS five;"), "five\n5\n1 row");
    assert!(terminal.leave());
    let mut terminal = Terminal::start(&session(&home, &data, &["--no-history", "-X"]));
    assert!(terminal.enter("SELECT 5 AS five;").contains("    5\n1 row · "), "left out");
    assert!(terminal.leave());
}

#[test]
fn examples_are_listed_and_run() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &[]));
    let list = terminal.enter("\\examples");
    assert!(list.contains("  1 What did I do today") && list.contains(" 12 "), "{list}");
    let run = terminal.enter("\\examples 12");
    assert!(run.contains("union_seconds") && run.contains("minutes_on_two_devices"), "{run}");
    assert_eq!(terminal.enter("\\examples 13"), "error: unknown example 13: use a number from 1 to 12");
    let plan = terminal.enter("\\explain SELECT site FROM websites");
    assert!(plan.contains("physical plan\n") && plan.contains("table=Ar_Activity"), "{plan}");
}

#[test]
fn long_output_goes_to_the_pager() {
    let (home, data) = small_home();
    let pager = home.folder("pager");
    fs::write(&pager, "#!/bin/sh\necho \"$1 $(wc -l)\"\n").unwrap();
    fs::set_permissions(&pager, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = session(&home, &data, &["--format", "csv"]);
    command.env("PAGER", format!("{} lines:", pager.display())).env("PATH", "/usr/bin:/bin");
    let mut terminal = Terminal::start(&command);
    terminal.enter("\\timing off");
    let many = "SELECT value FROM generate_series(1, 100);";
    assert_eq!(terminal.enter(many), "lines: 101\n100 rows");
    assert_eq!(terminal.enter("SELECT 1 AS a;"), "a\n1\n1 row", "a short result needs no pager");
    terminal.enter("\\pager off");
    assert!(terminal.enter(many).contains("\n99\n100\n100 rows"));
}

#[test]
fn next_statement_sees_new_activities() {
    let (home, data) = small_home();
    let mut terminal = Terminal::start(&session(&home, &data, &["--format", "csv"]));
    terminal.enter("\\timing off");
    let ask = "SELECT count(*) AS n FROM websites WHERE site = 'new.example';";
    assert_eq!(terminal.enter(ask), "n\n0\n1 row");
    let database = rusqlite::Connection::open(data.path().join("ManicTimeReports.db")).unwrap();
    let renamed = "UPDATE Ar_CommonGroup SET Name = 'new.example' WHERE Name = 'github.com';
        UPDATE Ar_Group SET Name = 'new.example' WHERE Name = 'github.com'";
    database.execute_batch(renamed).unwrap();
    drop(database);
    assert_eq!(terminal.enter(ask), "n\n1\n1 row");
}

#[test]
fn hostile_statement_fails_and_the_session_continues() {
    let (home, data) = (Home::new(), demo());
    let arguments = ["--no-history", "--timeout", "1", "--memory", "64", "--max-rows", "1000"];
    let mut terminal = Terminal::start(&session(&home, &data, &arguments));
    // `statements::limits` runs all hostile statements with the same engine, so every tenth statement is enough here.
    for hostile in statements().into_iter().step_by(10) {
        fs::write(home.folder("hostile.sql"), &hostile.sql).unwrap();
        let answer = terminal.enter("\\i hostile.sql");
        let is_answered = hostile.codes.contains(&ANSWERED) && answer.contains(" row");
        assert!(answer.contains("error: ") || is_answered, "{}: {answer}", hostile.name);
        let next = terminal.enter("SELECT count(*) AS timelines FROM timelines;");
        assert!(next.contains("1 row"), "after {}: {next}", hostile.name);
    }
    assert!(terminal.leave());
}

#[test]
fn export_is_queried_like_a_history() {
    let (home, data) = small_home();
    stdout_of(home.program_for(data.path(), ["export"]).args("--from 2025-01 --out archive".split(' ')));
    let mut command = home.program(["sql", "--no-history", "--exports", "archive"]);
    let mut terminal = Terminal::start(command.env("PAGER", "cat"));
    let greeting = terminal.text();
    assert!(greeting.contains("archive: 2025-01, without titles"), "{greeting}");
    let tables = terminal.enter("\\d");
    assert!(tables.contains("a segment: a period spent on one thing"), "{tables}");
    assert!(!tables.contains("activities ") && !tables.contains("raw tables"), "{tables}");
    let function = terminal.enter("\\df day_summary");
    assert!(function.contains("day_summary('2025-01-31', '2025-02-01')"), "an example that can be run: {function}");
    terminal.clear();
    terminal.press("SELECT * FROM app_u\t");
    terminal.wait_for("SELECT * FROM app_usage");
    terminal.interrupt();
    let answer =
        terminal.enter("SELECT sum(active_seconds) AS seconds FROM weekday_pattern('2025-01-01', '2025-02-01');");
    assert!(answer.contains("6330"), "{answer}");
    assert!(terminal.leave());
}

#[test]
fn keywords_are_coloured_unless_colours_are_disabled() {
    let (home, data) = small_home();
    let colour_of_select = |command: &Command| {
        let mut terminal = Terminal::start(command);
        terminal.clear();
        terminal.press("SELECT 'x'");
        terminal.wait_for("SELECT 'x'");
        let column = u16::try_from("dayledger> ".len()).unwrap();
        terminal.screen().cell(0, column).unwrap().fgcolor()
    };
    let mut command = session(&home, &data, &["--no-history"]);
    assert_ne!(colour_of_select(&command), vt100::Color::Default);
    command.env("NO_COLOR", "1");
    assert_eq!(colour_of_select(&command), vt100::Color::Default);
    command.arg("--color=always");
    assert_ne!(colour_of_select(&command), vt100::Color::Default);
    let never = session(&home, &data, &["--no-history", "--color", "never"]);
    assert_eq!(colour_of_select(&never), vt100::Color::Default);
}

#[test]
fn errors_are_highlighted_at_a_terminal() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home.program(["day", "2026-02-30", "--demo"]));
    // This is the last text of the output. When it appears, the output is complete.
    let text = terminal.wait_for("`last friday`");
    let row = |start: &str| u16::try_from(text.lines().position(|line| line.starts_with(start)).unwrap()).unwrap();
    let cell = |start: &str, column| terminal.screen().cell(row(start), column).unwrap();
    let (label, message) = (cell("error: ", 0), cell("error: ", 7));
    assert_ne!(label.fgcolor(), message.fgcolor());
    assert!(cell("hint: ", 0).bold() && !cell("hint: ", 6).bold());
    assert!(!terminal.end(), "it failed");
}

/// The server used to print nothing, so users could think that it didn't respond.
#[test]
fn server_started_at_a_terminal_explains_how_to_connect_a_client() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home.program(["serve"]));
    terminal.wait_for("dayledger install");
    terminal.press(END);
    assert!(terminal.end());
}

/// A statement with control characters in its result. They include sequences that clear the screen and set the
/// clipboard, a C1 character, and a mark that reverses text. The result also contains a joiner in a Persian word, which
/// is harmless.
const HOSTILE: &str = "SELECT chr(27) || '[2J' || chr(27) || ']52;c;eA==' || chr(7) || chr(155) || '31m' || chr(127) || \
                       chr(8238) || chr(13) || 'می' || chr(8204) || 'خواهم' AS title";

/// Returns the characters that a terminal must not receive. Line endings are converted first, because the terminal
/// itself changes them.
fn controls(text: &str) -> Vec<char> {
    let text = text.replace("\r\n", "\n");
    text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t') || *c == '\u{202e}').collect()
}

#[test]
fn terminal_gets_no_control_character_of_data_in_any_format() {
    let (home, data) = small_home();
    for format in ["table", "box", "csv", "csv-excel", "tsv", "json", "ndjson", "markdown", "vertical"] {
        let mut command = home.program_for(data.path(), ["sql", "--format", format, "-c", HOSTILE]);
        let written = Terminal::open(command.env("NO_COLOR", "1")).output_until_end();
        assert_eq!(controls(&written), [] as [char; 0], "{format}: {written:?}");
        assert!(written.contains("می\u{200c}خواهم"), "{format}: {written:?}");
        if format.contains("json") {
            assert!(written.contains(r"\u001b[2J") && written.contains(r"\u009b31m\u007f\u202e"), "{written:?}");
        }
    }
}

/// `dayledger sql *` passes file names as arguments, and other people may have chosen these names.
#[test]
fn terminal_gets_no_control_character_of_a_wrong_argument() {
    let home = Home::new();
    for arguments in [&["sql", "--x\u{1b}]0;title\u{7}"][..], &["--\u{1b}[2J"], &["da\u{1b}]y"], &["day", "-\u{7}"]] {
        let written = Terminal::open(home.program(arguments).env("NO_COLOR", "1")).output_until_end();
        assert_eq!(controls(&written), [] as [char; 0], "{written:?}");
        assert!(written.contains("error:"), "{written:?}");
    }
}

#[test]
fn prompt_and_pager_escape_control_characters() {
    let (home, data) = small_home();
    let mut command = session(&home, &data, &["--no-history", "--format", "csv"]);
    let mut terminal = Terminal::start(command.env("NO_COLOR", "1"));
    let clipboard = "SELECT chr(27) || ']52;c;eA==' || chr(7) AS title";
    let answer = terminal.enter(&format!("{clipboard};"));
    assert!(answer.contains(r"\u001b]52;c;eA==\u0007"), "{answer}");
    terminal.clear();
    terminal.press(&format!("SELECT title FROM ({clipboard}) CROSS JOIN generate_series(1, 100);\r"));
    terminal.wait("end of the pager's text", |screen| screen.contents().contains("100 rows"));
    let screen = terminal.text();
    assert!(screen.lines().filter(|line| *line == r"\u001b]52;c;eA==\u0007").count() > 20, "{screen}");
    assert!(terminal.leave());
}
