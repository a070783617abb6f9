//! Completes the word at the cursor of the SQL prompt.

use dayledger_engine::{KEYWORDS, Lexeme, LexemeKind, ModelDescription, lexemes};
use dayledger_render::is_unsafe_char;

use super::commands;

/// The words with which a statement can begin.
const BEGINNINGS: &str = "DESCRIBE EXPLAIN SELECT SHOW WITH";

/// A table, view or table function that a statement uses, with its alias and columns.
struct TableReference<'t> {
    alias: &'t str,
    columns: Vec<&'t str>,
}

/// Returns the start of the word at the cursor `at`, and its completions. The likeliest completion comes first.
pub(super) fn candidates(model: &ModelDescription, text: &str, at: usize) -> (usize, Vec<String>) {
    let before = &text[..at];
    if commands::is_command(before) {
        return command_candidates(model, before);
    }
    let parts = lexemes(before);
    if parts
        .last()
        .is_some_and(|last| matches!(last.part, LexemeKind::Unfinished | LexemeKind::Text | LexemeKind::Comment))
    {
        return (at, Vec::new());
    }
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let start = before
        .rfind(|letter| !is_of_name(letter))
        .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8));
    let word = &before[start..];
    if word.starts_with(|letter: char| letter.is_ascii_digit()) {
        return (at, Vec::new());
    }
    let parts: Vec<_> = parts.into_iter().filter(|part| part.range.end <= start).collect();
    let words: Vec<_> =
        parts.iter().filter(|part| !matches!(part.part, LexemeKind::Space | LexemeKind::Comment)).collect();
    let statement = statement_around(text, at);

    if let Some((qualifier, stem)) = word.rsplit_once('.') {
        return (at - stem.len(), matching(stem, qualifier_candidates(model, statement, qualifier)));
    }
    if wants_table(before, &words) {
        return (start, matching(word, tables(model)));
    }
    if words.last().is_none_or(|last| last.part == LexemeKind::Semicolon) {
        return (start, matching(word, keywords(word, BEGINNINGS)));
    }
    let references = table_references(model, statement);
    let mut found =
        matching(word, references.iter().flat_map(|reference| &reference.columns).map(|name| (*name).to_owned()));
    if references.is_empty() {
        // The statement doesn't use a table yet, so the columns of all tables are candidates.
        let columns = model.tables.iter().flat_map(|table| &table.columns);
        found = matching(word, columns.map(|column| column.name.clone()));
    }
    if word.is_empty() {
        return (start, found);
    }
    let aliases = references.iter().map(|reference| reference.alias.to_owned());
    let functions =
        model.functions.iter().chain(&model.standard_functions).map(|function| function_call(&function.name));
    for more in [matching(word, aliases), matching(word, keywords(word, KEYWORDS)), matching(word, functions)] {
        found.extend(more);
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|candidate| seen.insert(candidate.clone()));
    (start, found)
}

/// Returns the completions for the name or the argument of a command.
fn command_candidates(model: &ModelDescription, before: &str) -> (usize, Vec<String>) {
    let start = before.rfind(char::is_whitespace).map_or(0, |end| end + 1);
    let word = &before[start..];
    let Some((name, _)) = before.trim_start().split_once(char::is_whitespace) else {
        let names = commands::ENTRIES.iter().map(|entry| entry.name.to_owned());
        return (start, matching(word, names));
    };
    let found = match name {
        "\\d" => {
            let tables = model.tables.iter().chain(&model.raw_tables).map(|table| table.name.clone());
            tables.chain(own_functions(model)).collect()
        }
        "\\df" => own_functions(model).collect::<Vec<_>>(),
        "\\format" | ".mode" => commands::format_names(),
        "\\pager" | "\\timing" | "\\x" | ".timer" => vec!["on".to_owned(), "off".to_owned()],
        _ => Vec::new(),
    };
    (start, matching(word, found))
}

fn own_functions(model: &ModelDescription) -> impl Iterator<Item = String> {
    model.table_functions.iter().chain(&model.functions).map(|function| function.name.clone())
}

/// Whether a table's name is expected after `words`.
fn wants_table(text: &str, words: &[&Lexeme]) -> bool {
    let Some(last) = words.last() else { return false };
    let upper = |lexeme: &Lexeme| text[lexeme.range.clone()].to_ascii_uppercase();
    match last.part {
        LexemeKind::Keyword => matches!(upper(last).as_str(), "FROM" | "JOIN" | "DESCRIBE"),
        LexemeKind::Symbol if upper(last) == "," => {
            // After `FROM`, a table's name is expected only in the list of tables. The list of tables contains only
            // names, aliases and function calls.
            let mut depth = 0_i32;
            for word in words.iter().rev() {
                match upper(word).as_str() {
                    ")" => depth += 1,
                    "(" if depth == 0 => return false,
                    "(" => depth -= 1,
                    keyword if word.part == LexemeKind::Keyword && depth == 0 && keyword != "AS" => {
                        return keyword == "FROM";
                    }
                    _ => {}
                }
            }
            false
        }
        _ => false,
    }
}

fn tables(model: &ModelDescription) -> Vec<String> {
    let mut names: Vec<_> = model.tables.iter().map(|table| table.name.clone()).collect();
    names.extend(model.table_functions.iter().map(|function| function_call(&function.name)));
    names.sort_unstable();
    if let Some((schema, _)) = model.raw_tables.first().and_then(|table| table.name.split_once('.')) {
        names.push(format!("{schema}."));
    }
    names
}

/// Returns the completions after `qualifier` and a dot.
fn qualifier_candidates(model: &ModelDescription, statement: &str, qualifier: &str) -> Vec<String> {
    let tables = model.raw_tables.iter().filter_map(|table| {
        let (schema, table) = table.name.split_once('.')?;
        schema.eq_ignore_ascii_case(qualifier).then(|| table.to_owned())
    });
    let references = table_references(model, statement);
    let columns = references.iter().filter(|reference| reference.alias.eq_ignore_ascii_case(qualifier));
    tables.chain(columns.flat_map(|reference| &reference.columns).map(|name| (*name).to_owned())).collect()
}

/// Returns the statement of `text` that contains the cursor.
fn statement_around(text: &str, at: usize) -> &str {
    let ends: Vec<_> = lexemes(text).into_iter().filter(|part| part.part == LexemeKind::Semicolon).collect();
    let start = ends.iter().rfind(|end| end.range.end <= at).map_or(0, |end| end.range.end);
    let end = ends.iter().find(|end| end.range.start >= at).map_or(text.len(), |end| end.range.start);
    &text[start..end]
}

/// Returns the tables after `FROM` and `JOIN` anywhere in the statement. Leaves out tables that the model doesn't
/// contain.
fn table_references<'t>(model: &'t ModelDescription, statement: &'t str) -> Vec<TableReference<'t>> {
    let parts = lexemes(statement);
    let words: Vec<(LexemeKind, &str)> = parts
        .iter()
        .filter(|part| !matches!(part.part, LexemeKind::Space | LexemeKind::Comment))
        .map(|part| (part.part, &statement[part.range.clone()]))
        .collect();
    let mut found = Vec::new();
    for index in 1..words.len() {
        let before = words[index - 1].1;
        let begins = before.eq_ignore_ascii_case("FROM") || before.eq_ignore_ascii_case("JOIN") || before == ",";
        if begins && words[index].0 == LexemeKind::Name {
            found.extend(table_at(model, &words, index));
        }
    }
    found
}

/// Returns the table whose name is the word at `index`, with the alias after the name.
fn table_at<'t>(
    model: &'t ModelDescription,
    words: &[(LexemeKind, &'t str)],
    index: usize,
) -> Option<TableReference<'t>> {
    let text = |index: usize| words.get(index).map_or("", |(_, text)| *text);
    let qualified = text(index + 1) == ".";
    let (name, mut next) = if qualified {
        (format!("{}.{}", text(index), text(index + 2)), index + 3)
    } else {
        (text(index).to_owned(), index + 1)
    };
    let is_call = text(next) == "(";
    if is_call {
        let mut depth = 0_i32;
        while next < words.len() {
            depth += i32::from(text(next) == "(") - i32::from(text(next) == ")");
            next += 1;
            if depth == 0 {
                break;
            }
        }
    }
    let columns = if is_call {
        let mut functions = model.table_functions.iter();
        &functions.find(|function| function.name.eq_ignore_ascii_case(&name))?.columns
    } else {
        let mut tables = model.tables.iter().chain(&model.raw_tables);
        &tables.find(|table| table.name.eq_ignore_ascii_case(&name))?.columns
    };
    if text(next).eq_ignore_ascii_case("AS") {
        next += 1;
    }
    let alias = match words.get(next) {
        Some((LexemeKind::Name, alias)) => alias,
        _ => text(if qualified { index + 2 } else { index }),
    };
    Some(TableReference { alias, columns: columns.iter().map(|column| column.name.as_str()).collect() })
}

/// Returns the keywords that start with `word`, in the same letter case as `word`.
fn keywords(word: &str, keywords: &str) -> Vec<String> {
    let is_lower = word.contains(|letter: char| letter.is_ascii_lowercase());
    let keywords = if is_lower { keywords.to_ascii_lowercase() } else { keywords.to_owned() };
    keywords.split(' ').map(str::to_owned).collect()
}

fn function_call(name: &str) -> String {
    format!("{name}(")
}

/// Returns the `names` that start with `stem`, ignoring case. Returns each name once. Leaves out names that could
/// control the terminal.
fn matching(stem: &str, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let begins = |name: &String| {
        name.get(..stem.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(stem)) && name.len() > stem.len()
    };
    let mut found = Vec::new();
    for name in names.into_iter().filter(begins) {
        if !name.contains(is_unsafe_char) && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use dayledger_engine::{ColumnDescription, FunctionDescription, TableDescription};

    use super::*;

    fn columns(names: &[&str]) -> Vec<ColumnDescription> {
        let column = |name: &&str| ColumnDescription { name: (*name).to_owned(), data_type: "text".to_owned() };
        names.iter().map(column).collect()
    }

    fn model() -> ModelDescription {
        let table = |name: &str, names: &[&str]| TableDescription {
            name: name.to_owned(),
            description: String::new(),
            columns: columns(names),
        };
        let function = |name: &str, names: &[&str]| FunctionDescription {
            name: name.to_owned(),
            call: format!("{name}()"),
            description: String::new(),
            parameters: Vec::new(),
            example: None,
            columns: columns(names),
        };
        ModelDescription {
            tables: vec![
                table("applications", &["application", "title", "start_local"]),
                table("tags", &["tag", "path"]),
            ],
            raw_tables: vec![table("manictime.ar_activity", &["reportid", "name"])],
            table_functions: vec![function("narrative", &["segment", "application"])],
            functions: vec![function("site", &[])],
            standard_functions: vec![function("substr", &[])],
        }
    }

    /// Returns the completions of the word before the mark `|`.
    fn completions(marked: &str) -> Vec<String> {
        let at = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let (start, found) = candidates(&model(), &text, at);
        assert!(start <= at, "{marked}");
        found
    }

    #[test]
    fn tables_and_table_functions_follow_from() {
        assert_eq!(completions("SELECT * FROM app|"), ["applications"]);
        assert_eq!(completions("select * from tags t, N|"), ["narrative("]);
        assert_eq!(completions("SELECT * FROM |"), ["applications", "narrative(", "tags", "manictime."]);
        assert_eq!(completions("SELECT * FROM manictime.|"), ["ar_activity"]);
        assert_eq!(completions("DESCRIBE t|"), ["tags"]);
        let arguments = completions("SELECT * FROM narrative('a', t|");
        assert!(!arguments.contains(&"tags".to_owned()), "tables are not completed as arguments: {arguments:?}");
    }

    #[test]
    fn columns_come_from_the_tables_of_the_statement() {
        assert_eq!(completions("SELECT ti| FROM applications"), ["title"]);
        assert_eq!(completions("SELECT | FROM tags"), ["tag", "path"]);
        assert_eq!(completions("SELECT seg| FROM narrative('2025-01-15', today())"), ["segment"]);
        assert_eq!(
            completions("SELECT a.| FROM applications AS a JOIN tags t ON true"),
            ["application", "title", "start_local"]
        );
        assert_eq!(completions("SELECT t.pa| FROM applications AS a JOIN tags t ON true"), ["path"]);
        assert_eq!(
            completions("SELECT 1 FROM tags; SELECT pat| FROM applications"),
            [""; 0],
            "only columns of this statement's tables"
        );
        assert_eq!(
            completions("SELECT tit|"),
            ["title"],
            "columns of all tables, because the statement has no table yet"
        );
    }

    #[test]
    fn keywords_follow_the_case_of_the_typed_letters() {
        assert_eq!(completions("SEL|"), ["SELECT"]);
        assert_eq!(completions("sel|"), ["select"]);
        assert_eq!(completions("SELECT 1 FROM tags WHE|"), ["WHEN", "WHERE"]);
        assert_eq!(completions("SELECT 1; sh|"), ["show"]);
    }

    #[test]
    fn functions_are_completed_with_their_bracket() {
        assert_eq!(completions("SELECT s| FROM tags"), ["select", "semi", "show", "similar", "site(", "substr("]);
    }

    #[test]
    fn no_completions_inside_strings_comments_and_numbers() {
        for place in ["SELECT 'tag|", "SELECT 1 -- tag|", "SELECT /* tag|", "SELECT \"ta|", "SELECT 1|"] {
            assert_eq!(completions(place), [""; 0], "{place}");
        }
    }

    #[test]
    fn commands_complete_their_names_and_arguments() {
        assert_eq!(completions("\\exp|"), ["\\explain"]);
        assert_eq!(completions("\\d ta|"), ["tags"]);
        assert_eq!(completions("\\d manictime.|"), ["manictime.ar_activity"]);
        assert_eq!(completions("\\df |"), ["narrative", "site"]);
        assert_eq!(completions("\\format v|"), ["vertical"]);
        assert_eq!(completions("\\timing o|"), ["on", "off"]);
    }
}
