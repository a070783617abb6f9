//! Tests `ask`: saved questions in the terminal, their flags, and errors in the configuration.

use std::fs;

use super::program::{Home, demo};
use super::{assert_fails, stderr_of, stdout_of};

/// The example questions of the documentation.
const EXAMPLES: &str = include_str!("questions.toml");

/// A configuration with the question `q` and a parameter of each type. The question returns the values.
const EACH_TYPE: &str = r#"
[[questions]]
name = "q"
description = "Returns the values."
sql = """
SELECT $t AS t, $o IS NULL AS is_omitted, $i + 1 AS i, $n AS n, $c AS c, $d AS d, $r_start AS r_start, '$t' AS quoted -- $t
FROM (SELECT count(*) FROM blocks($r))
"""
parameters = [
  { name = "t", type = "text", description = "A text" },
  { name = "o", type = "text", description = "An optional text", required = false },
  { name = "i", type = "integer", description = "An integer", default = 4 },
  { name = "n", type = "number", description = "A number", default = 2 },
  { name = "c", type = "choice", description = "A choice", values = ["one", "two"], default = "one" },
  { name = "d", type = "day", description = "A day", default = "2026-11-19" },
  { name = "r", type = "range", description = "A range", default = "2026-W47" },
]
"#;

fn home_with(text: &str) -> Home {
    let home = Home::new();
    home.configure(text);
    home
}

/// Returns the row of the question `q` with these flags, as CSV.
fn ask(home: &Home, flags: &[&str]) -> String {
    let data = demo();
    let mut command = home.program_for(data.path(), ["ask", "q", "--format", "csv"]);
    let output = stdout_of(command.args(flags));
    output.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn values_have_the_type_of_their_parameter() {
    let home = home_with(EACH_TYPE);
    assert_eq!(ask(&home, &["--t", "x"]), "x,true,5,2.0,one,2026-11-19,2026-11-16T00:00:00,$t\n");
    let flags =
        ["--t=y", "--o", "z", "--i", "-2.0", "--n", "0.5", "--c", "two", "--d", "19.11.2026", "--r", "2026-11-18"];
    assert_eq!(ask(&home, &flags), "y,false,-1,0.5,two,2026-11-19,2026-11-18T00:00:00,$t\n");
    assert_eq!(ask(&home, &["--t", "x", "--o", ""]), ask(&home, &["--t", "x"]), "an empty optional text is absent");
}

/// Values used to be in danger of ending the quoted text around them.
#[test]
fn values_never_change_the_statement() {
    let home = home_with(EACH_TYPE);
    for text in
        ["it's", "''", "\\' OR 1 = 1 --", "$i $c $r_start", "'; DROP TABLE tags; --", "--", "/*", "$$", "\u{1f600}"]
    {
        let row = ask(&home, &[&format!("--t={text}")]);
        let quoted = if text.contains([',', '"']) { format!("\"{text}\"") } else { text.to_owned() };
        assert_eq!(row, format!("{quoted},true,5,2.0,one,2026-11-19,2026-11-16T00:00:00,$t\n"), "{text}");
    }
}

#[test]
fn example_questions_find_something_in_the_demo() {
    let (home, data) = (home_with(EXAMPLES), demo());
    for question in [
        &["client_hours", "--period", "2026-W46"][..],
        &["client_hours", "--period", "2026-11", "--client", "northwind"],
        &["focus", "--day", "2026-11-18"],
        &["extra_hours", "--period", "2026-11"],
        &["extra-hours", "--period", "2026-11", "--when", "weekend"],
    ] {
        let mut command = home.program_for(data.path(), ["ask"]);
        let rows = stdout_of(command.args(question).args(["--format", "csv"]));
        assert!(rows.lines().count() > 1, "{question:?}: {rows}");
    }
    let list = stdout_of(&mut home.program(["ask"]));
    for text in
        ["client_hours", "--from-hour <NUMBER>", "[default: last week]", "[optional]", "Use it to check a bill."]
    {
        assert!(list.contains(text), "{text}: {list}");
    }
}

#[test]
fn invalid_calls_are_explained() {
    let (home, data) = (home_with(EACH_TYPE), demo());
    let command = |arguments: &[&str]| {
        let mut command = home.program_for(data.path(), ["ask"]);
        command.args(arguments);
        command
    };
    assert_fails(&mut command(&["p"]), "unknown question `p`", "ask` to list the questions");
    assert_fails(
        &mut command(&["q", "--t", "x", "--i", "2.5"]),
        "invalid value for `i`: `2.5` is not a whole number",
        "An integer",
    );
    assert_fails(&mut command(&["q", "--t", "x", "--d", "2026-11"]), "invalid date: `2026-11` is not one day", "");
    assert_fails(&mut command(&["q", "--t", "x", "--r", "last weak"]), "did you mean `last week`?", "docs/commands.md");
    for (arguments, message) in [
        (&["q"][..], "--t <TEXT>"),
        (&["q", "--t", "x", "--c", "three"], "[possible values: one, two]"),
        (&["q", "--t", "x", "--chioce", "one"], "unexpected argument '--chioce'"),
    ] {
        let stderr = stderr_of(&mut command(arguments), 2);
        assert!(stderr.contains(message), "{stderr}");
    }
    let nothing = Home::new();
    assert_fails(&mut nothing.program(["ask"]), "the configuration does not contain any", "docs/questions.md");
}

/// Returns a configuration with one question.
fn question(sql: &str, parameters: &str) -> String {
    format!(
        "[[questions]]\nname = \"q\"\ndescription = \"A question\"\nsql = \"\"\"\n{sql}\n\"\"\"\nparameters = [{parameters}]\n"
    )
}

#[test]
fn invalid_questions_are_rejected_with_their_line() {
    let text = "{ name = \"alpha\", type = \"text\", description = \"A\" }";
    let number = text.replace("\"text\"", "\"number\"");
    let choice = |values: &str| text.replace("\"text\"", &format!("\"choice\", values = [{values}]"));
    for (configuration, message, line) in [
        (
            question("SELECT $alpha\n+ $alpa", text),
            "`$alpa` is missing in `[[questions.parameters]]`; did you mean `$alpha`?",
            6,
        ),
        (question("SELECT 1", text), "the SQL does not use the parameter `alpha`", 7),
        (question("SELECT 1;\nSELECT 2", ""), "expected one statement, found 2", 4),
        (question("SELECT 1\nFROM", ""), "invalid SQL", 4),
        (question("DROP TABLE tags", ""), "statements can only read", 4),
        (question("SELECT $alpha", &text.replace("\"text\"", "\"choice\"")), "a choice needs `values`", 7),
        (question("SELECT $alpha", &choice("\"a\", \" \"")), "`values` contains an empty text", 7),
        (question("SELECT $alpha", &choice("\"a\", \"b\", \"a\"")), "`values` contains `a` twice", 7),
        (question("SELECT $alpha", &number.replace("\"A\"", "\"A\", default = \"x\"")), "`x` is not a number", 7),
        (question("SELECT $demo", &text.replace("alpha", "demo")), "the name of a flag", 7),
        (question("SELECT $alpha", &[text, text].join(", ")), "another parameter has the same name", 7),
        (question("SELECT 1", "").replace("\"q\"", "\"Q\""), "a name starts with a lower-case letter", 2),
        (question("SELECT 1", "").replace("sql", "file = \"q.sql\"\nsql"), "set either `sql` or `file`", 2),
        (format!("{0}{0}", question("SELECT 1", "")), "two questions have this name", 9),
        ("[[questions]]\nname = \"q\"\ndescription = \"Q\"\nfile = \"q.sql\"".to_owned(), "q.sql` does not exist", 4),
    ] {
        let home = home_with(&configuration);
        let stderr = stderr_of(&mut home.program(["ask", "q"]), 1);
        assert!(stderr.contains("question `q`") || stderr.contains("question `Q`"), "{stderr}");
        assert!(stderr.contains(message) && stderr.contains(&format!("\n  line {line}: ")), "{line}: {stderr}");
        let stderr = stderr_of(&mut home.program(["serve"]), 1);
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn mistakes_in_a_file_of_sql_show_the_file_and_its_line() {
    let (home, data) = (Home::new(), demo());
    let configuration = home.configure("[[questions]]\nname = \"q\"\ndescription = \"Q\"\nfile = \"saved/q.sql\"\n");
    let file = configuration.with_file_name("saved").join("q.sql");
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, "-- A question\nSELECT $a").unwrap();
    let stderr = stderr_of(&mut home.program(["ask"]), 1);
    assert!(stderr.contains("q.sql`, line 2, column 8)") && stderr.contains("\n  line 4: file = "), "{stderr}");
    fs::write(&file, "-- A question\nSELECT aplication\nFROM applications").unwrap();
    let mut command = home.program_for(data.path(), ["ask", "q"]);
    assert_fails(&mut command, "cannot answer `q`: unknown column `aplication`", "correct line 2 of `");
    let doctor = stdout_of(&mut home.program_for(data.path(), ["doctor", "--json"]));
    assert!(doctor.contains("unknown column `aplication`"), "{doctor}");
    fs::write(&file, "\u{feff}SELECT 42 AS answer").unwrap();
    let mut command = home.program_for(data.path(), ["ask", "q", "--format", "csv"]);
    assert_eq!(stdout_of(&mut command), "answer\n42\n");
    let doctor = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(doctor.contains("1 question, all valid"), "{doctor}");
}

#[test]
fn a_time_without_quotes_is_explained() {
    let parameter = "{ name = \"from\", type = \"text\", description = \"A time\", default = 18:00 }";
    let home = home_with(&question("SELECT $from", parameter));
    let stderr = stderr_of(&mut home.program(["ask"]), 1);
    assert!(
        stderr.contains("a date or time needs quotes: write `\"18:00\"`") && stderr.contains("\n  line 7: "),
        "{stderr}"
    );
}

#[test]
fn an_invalid_question_does_not_affect_other_commands() {
    let (home, data) = (home_with(&question("SELECT $b", "")), demo());
    stdout_of(&mut home.program_for(data.path(), ["day", "2026-11-18"]));
    stdout_of(&mut home.program_for(data.path(), ["sql", "SELECT 1"]));
}

#[test]
fn manual_pages_do_not_contain_questions() {
    let home = home_with(EXAMPLES);
    let manual = home.folder("manual");
    stdout_of(home.program(["manual"]).arg(&manual));
    let pages = fs::read_dir(manual).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap());
    assert!(!pages.collect::<String>().contains("client"), "packages don't contain the questions of their builder");
}

/// A text that the statement can't convert used to be reported as a mistake in a line of the configuration.
#[test]
fn invalid_text_is_reported_as_the_value_of_its_parameter() {
    let data = demo();
    let text = "{ name = \"since\", type = \"text\", description = \"First day of the list\" }";
    let home = home_with(&question("SELECT CAST($since AS date) AS day", text));
    let ask = |value: &str| home.program_for(data.path(), ["ask", "q", "--since", value]);
    assert_fails(&mut ask("last weak"), "invalid value for `since` of `q`: `last weak`: ", "First day of the list");
    stdout_of(&mut ask("2026-11-18"));
    let doctor = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(doctor.contains("1 question, all valid"), "an example is not a mistake of the question: {doctor}");
    let home = home_with(&question("SELECT * FROM blocks($since)", text));
    let mut command = home.program_for(data.path(), ["ask", "q", "--since", "last weak"]);
    assert_fails(&mut command, "invalid value for `since` of `q`: `last weak`: ", "First day of the list");
}

/// Errors without a position in the statement used to leave out the question.
#[test]
fn every_error_of_a_statement_names_the_question() {
    let data = demo();
    let home = home_with(&question("SELECT 1 / 0 AS one", ""));
    let mut command = home.program_for(data.path(), ["ask", "q"]);
    assert_fails(&mut command, "cannot answer `q`: divide by zero", "correct the statement in `");
}

/// The list of columns in the error contained the value of the parameter.
#[test]
fn unknown_column_is_not_reported_as_the_value_of_a_parameter() {
    let data = demo();
    let text = "{ name = \"like\", type = \"text\", description = \"Part of a name\" }";
    let home = home_with(&question("SELECT 1 FROM applications WHERE name = $like", text));
    let mut command = home.program_for(data.path(), ["ask", "q", "--like", "application"]);
    assert_fails(&mut command, "cannot answer `q`: unknown column `name`; the columns are ", "correct line ");
}
