//! Commands at the prompt and in scripts. A command starts with a backslash, as in psql, or with a dot, as in sqlite3.

use std::path::PathBuf;

use clap::ValueEnum;
use dayledger_engine::suggestion;
use dayledger_render::Format;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// Lists tables and views, or describes one of them.
    Describe(Option<String>),
    /// Lists functions, or describes one of them.
    Functions(Option<String>),
    /// Lists example questions, or runs one of them.
    Examples(Option<usize>),
    /// Shows the plan of a statement.
    Explain(String),
    /// Shows or sets the output format.
    Format(Option<Format>),
    /// Turns expanded output on or off. Expanded output shows each value on its own line instead of in a table.
    Expanded(Option<bool>),
    /// Writes rows to a file from now on. Without a file, writes them to the screen again.
    Output(Option<PathBuf>),
    /// Runs the statements and commands of a file.
    Include(PathBuf),
    /// Turns the pager for long output on or off.
    Pager(Option<bool>),
    /// Turns the line after each statement on or off. The line shows the number of rows and the time.
    Timing(Option<bool>),
    /// Shows the list of commands.
    Help,
    /// Ends the session.
    Quit,
}

/// The error message for an invalid command.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub(super) struct Error(String);

/// A command's entry in the help.
pub(super) struct Entry {
    /// The command's name.
    pub(super) name: &'static str,
    /// The arguments, as the help shows them.
    pub(super) arguments: &'static str,
    /// The description of the command.
    pub(super) description: &'static str,
    /// The command's names in psql and sqlite3.
    aliases: &'static [&'static str],
    read: fn(&str) -> Result<Command, String>,
}

/// The commands, in the order of the help.
pub(super) const ENTRIES: [Entry; 12] = [
    Entry {
        name: "\\d",
        arguments: "[TABLE]",
        description: "list tables and views, or the columns of one (* is a wildcard)",
        aliases: &["\\dt", "\\dv", "\\d+", ".tables", ".schema"],
        read: |text| Ok(Command::Describe(non_empty(text))),
    },
    Entry {
        name: "\\df",
        arguments: "[FUNCTION]",
        description: "list the functions of dayledger, or describe one (\\df * adds those of DataFusion)",
        aliases: &["\\df+"],
        read: |text| Ok(Command::Functions(non_empty(text))),
    },
    Entry {
        name: "\\examples",
        arguments: "[NUMBER]",
        description: "list example queries, or run one",
        aliases: &["\\example"],
        read: |text| match non_empty(text).map(|text| text.parse()) {
            None => Ok(Command::Examples(None)),
            Some(Ok(number)) => Ok(Command::Examples(Some(number))),
            Some(Err(_)) => Err("the number of an example, such as `1`".to_owned()),
        },
    },
    Entry {
        name: "\\explain",
        arguments: "STATEMENT",
        description: "show how a statement runs",
        aliases: &[],
        read: |text| {
            let statement = text.trim_end_matches(';').trim();
            non_empty(statement).map(Command::Explain).ok_or_else(|| "a statement".to_owned())
        },
    },
    Entry {
        name: "\\format",
        arguments: "[FORMAT]",
        description: "set the format: table, box, csv, csv-excel, tsv, json, ndjson, markdown or vertical",
        aliases: &[".mode"],
        read: |text| match non_empty(text).map(|text| Format::from_str(&text, true)) {
            None => Ok(Command::Format(None)),
            Some(Ok(format)) => Ok(Command::Format(Some(format))),
            Some(Err(_)) => Err(formats()),
        },
    },
    Entry {
        name: "\\x",
        arguments: "[on|off]",
        description: "turn on one line per value, for wide rows; repeat to turn it off",
        aliases: &[],
        read: |text| parse_switch(text).map(Command::Expanded),
    },
    Entry {
        name: "\\o",
        arguments: "[FILE]",
        description: "write rows to a file, in the format of its extension; without a file, print them again",
        aliases: &[".output"],
        read: |text| Ok(Command::Output(parse_path(text))),
    },
    Entry {
        name: "\\i",
        arguments: "FILE",
        description: "run the statements and commands of a file",
        aliases: &[".read"],
        read: |text| parse_path(text).map(Command::Include).ok_or_else(|| "a file".to_owned()),
    },
    Entry {
        name: "\\pager",
        arguments: "[on|off]",
        description: "show long output page by page",
        aliases: &[],
        read: |text| parse_switch(text).map(Command::Pager),
    },
    Entry {
        name: "\\timing",
        arguments: "[on|off]",
        description: "print the number of rows and the time after each statement",
        aliases: &[".timer"],
        read: |text| parse_switch(text).map(Command::Timing),
    },
    Entry {
        name: "\\?",
        arguments: "",
        description: "list these commands",
        aliases: &["\\h", "\\help", ".help"],
        read: |_| Ok(Command::Help),
    },
    Entry {
        name: "\\q",
        arguments: "",
        description: "quit (or press Ctrl-D)",
        aliases: &["\\quit", "\\exit", ".quit", ".exit"],
        read: |_| Ok(Command::Quit),
    },
];

/// Commands of psql, sqlite3 and duckdb that dayledger doesn't have, with the alternative for each.
const OTHER_SHELL_COMMANDS: [(&[&str], &str); 9] = [
    (
        &["\\l", "\\list", "\\c", "\\connect", "\\conninfo", ".databases", ".open", ".attach"],
        "a session reads one history, which you set with `--data-dir`; `\\d` lists its tables",
    ),
    (
        &["\\dn", "\\di", "\\du", "\\dp", "\\ds", "\\z", ".indexes", ".dbinfo"],
        "use `\\d` to list tables and views, or `\\df` to list functions",
    ),
    (&["\\g", "\\gx", "\\go"], "end the statement with a semicolon, or with `\\g` after it"),
    (&["\\e", "\\edit", "\\ef", ".edit"], "write the statement to a file and run it with `\\i FILE`"),
    (&["\\!", ".shell", ".system"], "a session cannot start other programs; use `\\q` to quit"),
    (
        &["\\copy", ".dump", ".save", ".backup", ".once", ".excel"],
        "use `\\o FILE.csv` to write rows to a file, or `dayledger export` to export the history",
    ),
    (&[".import", ".load", ".restore"], "a session can only read the history"),
    (
        &["\\a", "\\t", "\\H", "\\f", "\\pset", ".headers", ".header", ".width", ".separator", ".nullvalue"],
        "use `\\format` to set the format of rows, or `\\x` for one line per value",
    ),
    (
        &["\\r", "\\p", "\\s", "\\reset", ".history"],
        "press Ctrl-C to clear the input, or Ctrl-R to search earlier input",
    ),
];

/// Words that count as commands if they are alone on a line.
const WORDS: [(&str, Command); 3] = [("exit", Command::Quit), ("quit", Command::Quit), ("help", Command::Help)];

/// Whether the input is a command. A command ends at the end of its line. No SQL statement starts like a command.
pub(super) fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    let dotted = text.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    text.starts_with('\\') || dotted || parse_word(text).is_some()
}

/// Whether a line inside an unfinished statement is a command. A line that starts with a dot, or the word `help`, isn't
/// a command there, because it could belong to the statement. `\g` isn't a command either, because it ends the
/// statement.
pub(super) fn ends_statement(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('\\') && line != "\\g" || parse_word(line) == Some(Command::Quit)
}

/// Parses a command.
///
/// # Errors
/// Fails if the command is unknown or doesn't accept the argument.
pub(super) fn parse(text: &str) -> Result<Command, Error> {
    if let Some(command) = parse_word(text) {
        return Ok(command);
    }
    let text = text.trim();
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // Users also end commands with a semicolon, out of habit from SQL.
    let name = name.trim_end_matches(';');
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name || entry.aliases.contains(&name)) else {
        if let Some((_, instead)) = OTHER_SHELL_COMMANDS.iter().find(|(names, _)| names.contains(&name)) {
            return Err(Error(format!("unknown command `{name}`: {instead}")));
        }
        let shown: String = name.chars().take(40).collect();
        return Err(Error(format!("unknown command `{shown}`{}", command_suggestion(name))));
    };
    let rest = rest.trim().trim_end_matches(';').trim_end();
    (entry.read)(rest).map_err(|takes| Error(format!("`{name}` takes {takes}")))
}

fn command_suggestion(name: &str) -> String {
    let names = ENTRIES.iter().map(|entry| entry.name);
    match suggestion(name, names) {
        none if none.is_empty() => "; `\\?` lists the commands".to_owned(),
        some => some,
    }
}

fn parse_word(text: &str) -> Option<Command> {
    let text = text.trim().trim_end_matches(';');
    WORDS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word)).map(|(_, command)| command.clone())
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses the path of a file. The path may be in quotes.
fn parse_path(text: &str) -> Option<PathBuf> {
    let bare = ['\'', '"'].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    non_empty(bare.unwrap_or(text)).map(PathBuf::from)
}

fn parse_switch(text: &str) -> Result<Option<bool>, String> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "on" => Ok(Some(true)),
        "off" => Ok(Some(false)),
        _ => Err("`on` or `off`".to_owned()),
    }
}

/// Returns a list of the formats' names, for a message.
fn formats() -> String {
    format_names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the names of all formats.
pub(super) fn format_names() -> Vec<String> {
    Format::value_variants().iter().copied().map(format_name).collect()
}

/// Returns the name of a format.
pub(super) fn format_name(format: Format) -> String {
    format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_psql_and_sqlite_are_accepted() {
        for (text, command) in [
            ("\\d", Command::Describe(None)),
            (" \\d tags; ", Command::Describe(Some("tags".to_owned()))),
            (".schema tags", Command::Describe(Some("tags".to_owned()))),
            ("\\df site", Command::Functions(Some("site".to_owned()))),
            ("\\format CSV", Command::Format(Some(Format::Csv))),
            (".mode markdown", Command::Format(Some(Format::Markdown))),
            ("\\format", Command::Format(None)),
            ("\\o 'my file.csv'", Command::Output(Some("my file.csv".into()))),
            ("\\o", Command::Output(None)),
            ("\\i week.sql", Command::Include("week.sql".into())),
            ("\\explain SELECT ';';", Command::Explain("SELECT ';'".to_owned())),
            ("\\examples 3", Command::Examples(Some(3))),
            ("\\x", Command::Expanded(None)),
            ("\\format tsv", Command::Format(Some(Format::Tsv))),
            (".mode box", Command::Format(Some(Format::Box))),
            (".exit", Command::Quit),
            ("\\timing off", Command::Timing(Some(false))),
            ("\\pager", Command::Pager(None)),
            ("\\?", Command::Help),
            ("Exit;", Command::Quit),
            ("\\q", Command::Quit),
        ] {
            assert!(is_command(text), "{text}");
            assert_eq!(parse(text), Ok(command), "{text}");
        }
        for statement in ["SELECT 1;", ".5 + 1", "-- \\d", "exit the shop;", ""] {
            assert!(!is_command(statement), "{statement}");
        }
    }

    #[test]
    fn error_for_an_invalid_command_shows_a_similar_one_or_its_arguments() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error("\\exampels"), "unknown command `\\exampels`; did you mean `\\examples`?");
        assert_eq!(error("\\zzzzzz"), "unknown command `\\zzzzzz`; `\\?` lists the commands");
        assert_eq!(error("\\timing maybe"), "`\\timing` takes `on` or `off`");
        assert_eq!(error("\\i"), "`\\i` takes a file");
        assert_eq!(error("\\e"), "unknown command `\\e`: write the statement to a file and run it with `\\i FILE`");
        assert!(error(".headers on").contains("`\\format`") && error("\\l;").contains("`--data-dir`"));
        assert!(error("\\format xml").contains("`markdown`"));
        assert_eq!(error("\\explain ;"), "`\\explain` takes a statement");
    }

    #[test]
    fn command_names_are_unique() {
        let mut names: Vec<_> = ENTRIES
            .iter()
            .flat_map(|entry| entry.aliases.iter().chain([&entry.name]))
            .chain(OTHER_SHELL_COMMANDS.iter().flat_map(|(names, _)| names.iter()))
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
