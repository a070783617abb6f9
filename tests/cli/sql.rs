//! Tests `sql`: input, output formats and errors.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::program::{Home, folder_hash};
use super::{assert_fails, run, stderr_of, stdout_of};
use crate::histories::small;
#[cfg(unix)] // for the test that sets the time zone
use crate::sql::clock::{UNTIL_NOW, UNTIL_NOW_IS, ZONES, write_until_now};

/// Returns a home folder and the small history of the SQL tests.
pub(super) fn small_home() -> (Home, TempDir) {
    (Home::new(), small::folder())
}

fn piped(command: &mut Command, input: &str) -> Output {
    let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut process = process.unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

const SITES: &str = "SELECT site, seconds FROM websites ORDER BY site";

#[test]
fn statements_are_read_from_an_argument_a_file_or_a_pipe() {
    let (home, data) = small_home();
    let expected = "site,seconds\ndocs.example.org,510\ngithub.com,600\n";
    assert_eq!(stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", SITES])), expected);
    fs::write(home.folder("sites.sql"), format!("-- every site; all of them\n{SITES};\n")).unwrap();
    assert_eq!(stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-f", "sites.sql"])), expected);
    let output = piped(&mut home.program_for(data.path(), ["sql", "--format", "csv"]), SITES);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(stdout_of(&mut home.program_for(data.path(), ["sql", SITES, "--format", "csv"])), expected);
    for twice in [["-c", SITES, "-f", "sites.sql"], ["--timeout", "9", SITES, "-fsites.sql"]] {
        stderr_of(home.program_for(data.path(), ["sql"]).args(twice), 2);
    }
    let missing = stderr_of(&mut home.program_for(data.path(), ["sql", "-f", "missing.sql"]), 1);
    assert!(missing.contains("cannot read `missing.sql`: "), "{missing}");
}

/// A shell's process substitution passes a pipe, which must be accepted. An endless device used to fill the memory.
#[cfg(unix)] // Windows doesn't have `/dev`
#[test]
fn endless_input_of_statements_is_rejected() {
    let (home, data) = small_home();
    let expected = "site,seconds\ndocs.example.org,510\ngithub.com,600\n";
    let pipe = home.folder("statements");
    super::make_pipe(&pipe);
    for arguments in [["-f", "statements"], ["-c", "\\i statements"]] {
        let (pipe, writing) = (pipe.clone(), format!("{SITES};\n"));
        let writer = std::thread::spawn(move || fs::write(pipe, writing).unwrap());
        assert_eq!(stdout_of(home.program_for(data.path(), ["sql", "--format", "csv"]).args(arguments)), expected);
        writer.join().unwrap();
    }
    let output = piped(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-f", "/dev/stdin"]), SITES);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    let endless = stderr_of(&mut home.program_for(data.path(), ["sql", "-f", "/dev/zero"]), 1);
    assert!(endless.contains("cannot read `/dev/zero`: it is larger than 64 MiB"), "{endless}");
}

/// In New York, `start_local >= now() - INTERVAL '3 hours'` used to find none of the last three hours.
#[cfg(unix)] // Windows can't set the zone of one process
#[test]
fn clock_is_local_for_every_kind_of_input() {
    for zone in ZONES {
        let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
        write_until_now(data.path(), zone);
        fs::write(home.folder("clock.sql"), UNTIL_NOW).unwrap();
        let days = ["--from", "yesterday", "--to", "today"];
        stdout_of(
            home.program_for(data.path(), ["export", "--tables", "activities", "--out", "archive"])
                .args(days)
                .env("TZ", zone),
        );
        for arguments in [&["-c", UNTIL_NOW][..], &["-f", "clock.sql"], &["--exports", "archive", UNTIL_NOW]] {
            let mut command = match arguments {
                ["--exports", ..] => home.program(["sql", "--format", "csv"]),
                _ => home.program_for(data.path(), ["sql", "--format", "csv"]),
            };
            let printed = stdout_of(command.args(arguments).env("TZ", zone));
            assert_eq!(printed.lines().nth(1), Some(UNTIL_NOW_IS), "{arguments:?} in {zone}");
        }
        let output = piped(home.program_for(data.path(), ["sql", "--format", "csv"]).env("TZ", zone), UNTIL_NOW);
        assert!(String::from_utf8(output.stdout).unwrap().ends_with(&format!("{UNTIL_NOW_IS}\n")), "{zone}");
    }
}

#[test]
fn every_format_prints_the_same_rows() {
    let (home, data) = small_home();
    let statement = "SELECT tag, path, notes, seconds FROM tags ORDER BY start_utc";
    let printed =
        |format: &str| stdout_of(&mut home.program_for(data.path(), ["sql", "--format", format, "-c", statement]));
    assert_eq!(
        printed("json"),
        "[{\"tag\":\"Client A, Development\",\"path\":[\"Client A\",\"Development\"],\"notes\":null,\"seconds\":1800},\
         {\"tag\":\"Meeting\",\"path\":[\"Meeting\"],\"notes\":\"Offer for May\",\"seconds\":1800}]\n"
    );
    assert_eq!(
        printed("ndjson"),
        "{\"tag\":\"Client A, Development\",\"path\":[\"Client A\",\"Development\"],\"notes\":null,\"seconds\":1800}\n\
         {\"tag\":\"Meeting\",\"path\":[\"Meeting\"],\"notes\":\"Offer for May\",\"seconds\":1800}\n"
    );
    insta::assert_snapshot!(printed("csv"), @r#"
    tag,path,notes,seconds
    "Client A, Development","[""Client A"",""Development""]",,1800
    Meeting,"[""Meeting""]",Offer for May,1800
    "#);
    let tabs = "tag\tpath\tnotes\tseconds\n\
         Client A, Development\t\"[\"\"Client A\"\",\"\"Development\"\"]\"\t\t1800\n\
         Meeting\t\"[\"\"Meeting\"\"]\"\tOffer for May\t1800\n";
    assert_eq!(printed("tsv"), tabs);
    insta::assert_snapshot!(printed("box"), @r#"
    ┌───────────────────────┬────────────────────────────┬───────────────┬─────────┐
    │ tag                   │ path                       │ notes         │ seconds │
    ├───────────────────────┼────────────────────────────┼───────────────┼─────────┤
    │ Client A, Development │ ["Client A","Development"] │ NULL          │    1800 │
    │ Meeting               │ ["Meeting"]                │ Offer for May │    1800 │
    └───────────────────────┴────────────────────────────┴───────────────┴─────────┘
    (2 rows)
    "#);
    insta::assert_snapshot!(printed("markdown"), @r#"
    | tag | path | notes | seconds |
    | --- | --- | --- | ---: |
    | Client A, Development | ["Client A","Development"] |  | 1800 |
    | Meeting | ["Meeting"] | Offer for May | 1800 |
    "#);
    insta::assert_snapshot!(printed("table"), @r#"
     tag                   │ path                       │ notes         │ seconds
    ───────────────────────┼────────────────────────────┼───────────────┼─────────
     Client A, Development │ ["Client A","Development"] │ NULL          │    1800
     Meeting               │ ["Meeting"]                │ Offer for May │    1800
    (2 rows)
    "#);
    let unknown = stderr_of(&mut home.program_for(data.path(), ["sql", "--format", "xml", "-c", "SELECT 1"]), 2);
    assert!(unknown.contains("markdown"), "the error lists the formats: {unknown}");
}

/// `exit;`, `\q`, `.mode csv`, `\o FILE` and a first line with `#!` used to work only at the prompt.
#[test]
fn scripts_accept_the_commands_of_the_prompt() {
    let (home, data) = small_home();
    let script = "#!/usr/bin/env -S dayledger sql -f\n.mode csv\nSELECT 1 AS a;\nSELECT 2\n AS b;\n\\o out.csv\n\
                  SELECT '=x' AS c;\n\\o\n\\d websites\nexit;\nthis is not read";
    fs::write(home.folder("script.sql"), script).unwrap();
    fs::write(home.folder("outer.sql"), "\\i script.sql\nSELECT 3 AS d;\n\\q\nnor is this").unwrap();
    let ways: [(&[&str], &str, &str); 4] = [
        (&[], script, ""),
        (&["-f", "script.sql"], "", ""),
        (&["-c", script], "", ""),
        (&["-f", "outer.sql"], "", "d\n3\n"),
    ];
    for (arguments, input, more) in ways {
        let output = piped(home.program_for(data.path(), ["sql"]).args(arguments), input);
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{arguments:?}");
        assert!(stdout.starts_with("a\n1\nb\n2\n") && stdout.contains("site") && stdout.ends_with(more), "{stdout}");
        assert_eq!(fs::read_to_string(home.folder("out.csv")).unwrap(), "c\n=x\n");
        fs::remove_file(home.folder("out.csv")).unwrap();
    }
}

#[test]
fn errors_in_a_script_show_the_line() {
    let (home, data) = small_home();
    let failing = |script: &str| {
        let output = piped(&mut home.program_for(data.path(), ["sql", "--format", "csv"]), script);
        assert_eq!(output.status.code(), Some(1), "{script}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    fs::write(home.folder("inner.sql"), "\nSELECT titel FROM applications;\n").unwrap();
    fs::write(home.folder("again.sql"), "\\i again.sql\n").unwrap();
    for (script, error) in [
        (
            "SELECT 1 AS a;\n\n\\exampels\nSELECT 2;",
            "error: unknown command `\\exampels`; did you mean `\\examples`? (line 3)\n",
        ),
        ("SELECT 1 AS a;\n.mode xml\n", "error: `.mode` takes `table`,"),
        (
            "SELECT 1 AS a;\n\nSELECT 1;\n\n  SELECT titel\nFROM applications;",
            "did you mean `title`? (line 5, column 10)\n",
        ),
        ("SELECT 1 AS a;\n\\i inner.sql\n", "error: in `inner.sql`: unknown column `titel`"),
        ("SELECT 1 AS a;\n\\i none.sql\n", "error: cannot read `none.sql`: "),
        ("SELECT 1 AS a;\n\\i again.sql\n", "cannot run `again.sql`: `\\i` is nested more than 16 files deep"),
        ("SELECT 1 AS a;\nSELECT 2\nexit\n", "error: the statement before `exit` does not end with `;` (line 3)\n"),
        (
            "SELECT 1 AS a;\nSELECT 2\nexit\n+ 3;\n",
            "error: the statement before `exit` does not end with `;` (line 3)\n",
        ),
    ] {
        let (stdout, stderr) = failing(script);
        assert!(stdout.starts_with("a\n1\n") && !stdout.contains('2'), "{stdout}");
        assert!(stderr.contains(error), "{stderr}");
    }
    let of_file = stderr_of(&mut home.program_for(data.path(), ["sql", "-f", "inner.sql"]), 1);
    assert!(of_file.contains("unknown column `titel`; did you mean `title`? (line 2, column 8)"), "{of_file}");
}

/// Excel used to show each umlaut as two letters, and to read the title of a page as a formula.
#[test]
fn every_command_writes_rows_that_excel_reads_correctly() {
    let (home, data) = small_home();
    let title = "UPDATE Ar_Activity SET Name = '=HYPERLINK(\"https://evil.example\",\"Größe\")' WHERE Name = 'Issue 7 - Chrome'";
    rusqlite::Connection::open(data.path().join("ManicTimeReports.db")).unwrap().execute(title, []).unwrap();
    let statement = "SELECT title, -1.5 AS number FROM applications WHERE title LIKE '=%' LIMIT 1";
    let rows = |format: &[&str]| stdout_of(home.program_for(data.path(), ["sql", "-c", statement]).args(format));
    let cell = "\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"Größe\"\")\"";
    assert_eq!(rows(&["--format", "csv-excel"]), format!("\u{feff}title,number\n{cell},-1.5\n"));
    assert_eq!(rows(&["--format", "csv-excel", "--separator", ";"]), format!("\u{feff}title;number\n{cell};-1,5\n"));
    assert_eq!(
        rows(&["--format", "csv", "--separator", "tab"]),
        format!("title\tnumber\n{}\t-1.5\n", cell.replace("'=", "="))
    );

    let two = "SELECT 1 AS a; SELECT 2 AS b; \n\\o two.csv\nSELECT 3 AS c;\nSELECT 4 AS d;";
    let printed = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv-excel", "-c", two]));
    assert_eq!(printed, "\u{feff}a\n1\nb\n2\n", "a byte order mark only at the start");
    assert_eq!(fs::read_to_string(home.folder("two.csv")).unwrap(), "\u{feff}c\n3\nd\n4\n");

    let range = ["--from", "2025-01-15", "--tables", "segments", "--include-titles", "--out", "files"];
    stdout_of(home.program_for(data.path(), ["export", "--format", "csv-excel", "--separator", ";"]).args(range));
    let file = fs::read_to_string(home.folder("files/segments/month=2025-01/segments.csv")).unwrap();
    assert!(file.starts_with("\u{feff}device;") && file.contains(cell), "{file}");
    let mixed = stderr_of(home.program_for(data.path(), ["export", "--format", "csv-excel"]).args(range), 1);
    assert!(mixed.contains("as csv-excel separated by `;` with titles"), "{mixed}");
    for wrong in [["--separator", ";;"], ["--format", "ndjson"]] {
        stderr_of(home.program_for(data.path(), ["export", "--separator", ";"]).args(range).args(wrong), 2);
    }
}

#[test]
fn several_statements_run_in_order_until_the_first_error() {
    let (home, data) = small_home();
    let two = "SELECT 1 AS a; ; SELECT ';' AS b; -- the end;";
    assert_eq!(stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", two])), "a\n1\nb\n;\n");
    assert_eq!(stdout_of(&mut home.program_for(data.path(), ["sql", "-c", " ; -- nothing\n"])), "");
    let output =
        run(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", "SELECT 1 AS a; SELECT x; SELECT 2"]));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a\n1\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("unknown column `x`"));
}

#[test]
fn limits_are_set_by_flags_and_truncation_is_reported() {
    let (home, data) = small_home();
    let many = ["sql", "--format", "csv", "--max-rows", "2", "-c", "SELECT value FROM generate_series(1, 5)"];
    let output = run(&mut home.program_for(data.path(), many));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"value\n1\n2\n"[..]));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .starts_with("note: there are more rows; raise the limit with `--max-rows`")
    );
    let endless =
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 1e15) SELECT count(*) FROM t";
    let mut timed = home.program_for(data.path(), ["sql", "--timeout", "1", "-c", endless]);
    assert_fails(&mut timed, "took longer than 1 seconds", "raise the time limit");
    for wrong in ["--max-rows=0", "--timeout=0", "--memory=0", "--memory=x"] {
        stderr_of(&mut home.program_for(data.path(), ["sql", wrong, "-c", "SELECT 1"]), 2);
    }
}

#[test]
fn errors_suggest_similar_names() {
    let (home, data) = small_home();
    let ask = |statement: &str| home.program_for(data.path(), ["sql", "-c", statement]);
    assert_fails(
        &mut ask("SELECT * FROM aplications"),
        "unknown table or view `aplications`; did you mean `applications`?",
        "SHOW TABLES",
    );
    assert_fails(
        &mut ask("SELECT titel FROM applications"),
        "unknown column `titel`; did you mean `title`?",
        "DESCRIBE",
    );
    for (name, expected) in
        [("Meeting", "write a text as 'Meeting'"), ("Tag", "write a text as 'Tag'; did you mean `tag`?")]
    {
        let quoted = format!("SELECT * FROM tags WHERE tag = \"{name}\"");
        assert_fails(
            &mut ask(&quoted),
            &format!("unknown column `{name}`: double quotes are for columns; {expected}"),
            "DESCRIBE",
        );
    }
    assert_fails(&mut ask("SELEC 1"), "found: SELEC (line 1, column 1)", "SHOW TABLES");
    assert_fails(&mut ask("\\explain SELECT titel FROM applications"), "did you mean `title`?", "DESCRIBE");
    assert_fails(&mut ask("SELECT * FROM pieces('2025-01-16', '2025-01-15')"), "the range is empty", "docs/sql.md");
}

#[test]
fn described_columns_have_the_types_of_sql() {
    let (home, data) = small_home();
    let statement = ["sql", "--format", "csv", "-c", "DESCRIBE applications"];
    let applications = stdout_of(&mut home.program_for(data.path(), statement));
    assert!(applications.starts_with("column_name,data_type,is_nullable\n"), "{applications}");
    for column in ["\nactivity_id,bigint,", "\ntitle,text,", "\nstart_local,timestamp,"] {
        assert!(applications.contains(column), "{applications}");
    }
}

#[test]
fn writing_statements_are_rejected() {
    let (home, data) = small_home();
    let (before, outside) = (folder_hash(data.path()), home.folder("out.csv"));
    for (statement, named) in [
        ("INSERT INTO tags SELECT * FROM tags".to_owned(), "cannot run `INSERT`"),
        ("UPDATE activities SET name = 'x'".to_owned(), "cannot run `UPDATE`"),
        ("DELETE FROM manictime.ar_activity".to_owned(), "cannot run `DELETE`"),
        ("CREATE TABLE copy AS SELECT * FROM tags".to_owned(), "cannot run `CREATE TABLE`"),
        (
            format!("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{}'", outside.display()),
            "cannot run `CREATE EXTERNAL`",
        ),
        (format!("COPY (SELECT 1) TO '{}'", outside.display()), "cannot run `COPY`"),
        ("SET datafusion.execution.batch_size = 1".to_owned(), "cannot run `SET`"),
        ("DROP TABLE activities".to_owned(), "cannot run `DROP TABLE`"),
    ] {
        assert_fails(&mut home.program_for(data.path(), ["sql", "-c", &statement]), named, "`SELECT`");
        assert_eq!(folder_hash(data.path()), before, "{statement}");
        assert!(!outside.exists(), "{statement}");
    }
}

#[test]
fn closed_output_pipe_is_not_an_error() {
    let (home, data) = small_home();
    let many = "SELECT a.title, b.title FROM activities a, activities b, activities c, activities d";
    let mut command = home.program_for(data.path(), ["sql", "--format", "ndjson", "-c", many]);
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = process.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 10]).unwrap();
    drop(stdout);
    let output = process.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

/// Statements run in a separate process, which needs the settings of the timesheet.
#[test]
fn timesheet_and_history_can_be_queried_together() {
    let home = Home::with_demo();
    // One process queries entries, a project, unlogged time, and the draft of the unlogged time.
    let statements = "SELECT count(*) AS n, sum(standard_hours + overtime_hours) AS hours FROM time_entries;
        SELECT code FROM projects WHERE task = 'Monitoring';
        SELECT count(*) > 10 AS many, sum(seconds) FILTER (WHERE NOT is_away) =
            (SELECT union_seconds(start_utc, end_utc) FROM pieces('2026-11-06', '2026-11-20')) AS all
        FROM unlogged('2026-11-06', '2026-11-20');
        SELECT count(*) > 10 AS drafted FROM draft('2026-11-06', '2026-11-20')
        WHERE project_code IS NOT NULL AND hours > 0";
    let answers = stdout_of(&mut home.program(["--demo", "sql", "--format", "csv", "-c", statements]));
    assert_eq!(answers, "n,hours\n5,24.00\ncode\nMAINT\nmany,all\ntrue,true\ndrafted\ntrue\n");
}

#[test]
fn rows_in_a_pipe_keep_every_byte() {
    let (home, data) = small_home();
    let sql = "SELECT chr(27) || ']52;c;eA==' || chr(7) || chr(155) || chr(8238) AS title";
    let title = "\u{1b}]52;c;eA==\u{7}\u{9b}\u{202e}";
    for format in ["csv", "tsv"] {
        assert_eq!(
            stdout_of(&mut home.program_for(data.path(), ["sql", "--format", format, sql])),
            format!("title\n{title}\n")
        );
    }
    let json = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "ndjson", sql]));
    assert_eq!(json, "{\"title\":\"\\u001b]52;c;eA==\\u0007\u{9b}\u{202e}\"}\n");
}
