//! SQL is in files in `sql/`. Each file begins with a comment and is used. Rust strings contain no statements for
//! DataFusion.

use super::sources::files;

#[test]
fn every_sql_file_begins_with_a_comment() {
    for file in files("sql", "sql") {
        assert!(file.text.starts_with("-- "), "{} does not begin with a description of its rows", file.path);
    }
}

#[test]
fn every_sql_file_is_used() {
    let code: String = files("src", "rs").into_iter().chain(files("crates", "rs")).map(|file| file.text).collect();
    // A view or function counts as used if its name is in a list in the code. Line breaks between the words of a list
    // are ignored.
    let code: String = code.split_whitespace().collect();
    for file in files("sql", "sql") {
        let (folder, name) = file.path.trim_end_matches(".sql").rsplit_once('/').unwrap();
        let listed = match folder {
            "sql/views" => code.split("view!(").skip(1).any(|call| quotes(call, name)),
            "sql/functions" => code.split("function!(").skip(1).any(|call| quotes(call, name)),
            _ => {
                let folder = folder.trim_start_matches("sql/");
                code.contains(&format!("statement!({folder}/\"{name}\""))
                    || code.contains(&format!("function!(\"{name}\"in\"{folder}\""))
            }
        };
        assert!(listed || code.contains(&file.path), "{} is used nowhere", file.path);
    }
}

/// Whether the arguments of a call contain the text `name`.
fn quotes(call: &str, name: &str) -> bool {
    call.split(')').next().is_some_and(|arguments| arguments.contains(&format!("\"{name}\"")))
}

#[test]
fn rust_strings_contain_no_sql_except_for_sqlite() {
    let of_sqlite = ["crates/manictime/", "crates/activitywatch/", "crates/sqlite/"];
    let read_by_datafusion = |path: &str| !of_sqlite.iter().any(|folder| path.starts_with(folder));
    let sources: Vec<_> = files("src", "rs").into_iter().chain(files("crates", "rs")).collect();
    for file in sources.iter().filter(|file| !file.is_test() && read_by_datafusion(&file.path)) {
        for (number, line) in file.code() {
            let statement = line.find("SELECT ").is_some_and(|at| line[at..].contains(" FROM "));
            let quoted = line.split("SELECT ").next().is_some_and(|before| before.contains('"'));
            // The lines of a command's help are allowed, because they show a statement as an example.
            let is_help = line.trim_start().starts_with(r"\x20 ");
            assert!(!statement || !quoted || is_help, "{}:{number} contains a statement: {line}", file.path);
        }
    }
}
