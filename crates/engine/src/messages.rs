//! Rewrites DataFusion's error messages for the author of a statement: without internal names, and with suggestions for
//! an unknown name.

use std::collections::HashSet;

use datafusion::common::{Column, DataFusionError, SchemaError};
use datafusion::sql::sqlparser::parser::ParserError;
use strsim::normalized_levenshtein;

use super::model::Function;
use super::{Lexeme, LexemeKind, Position, lexemes};

/// How alike two names are at least for one to be meant by the other; 1 is the same.
const MIN_SIMILARITY: f64 = 0.5;

/// How alike a word of a name is at least; of many names, some are half alike by chance.
const MIN_WORD_SIMILARITY: f64 = 0.6;

/// The catalog's part of a qualified name, which nobody writes.
const CATALOG: &str = "dayledger.";
const MODEL: &str = "model.";

/// What DataFusion puts before a message of its own that it passes on.
const PREFIXES: [&str; 8] = [
    "Error during planning: ",
    "Schema error: ",
    "Execution error: ",
    "External error: ",
    "Arrow error: ",
    "SQL error: ",
    "This feature is not implemented: ",
    "Invalid argument error: ",
];

/// What is said of the file's own tables where anything of the history is withheld.
pub(super) const RAW_TABLES_HIDDEN: &str = "the raw tables are not available while data is redacted or hidden, because \
    their columns are not classified; use `activities` and the views instead";

/// The message for the innermost error of a statement.
pub(super) fn error_message(root: &DataFusionError) -> String {
    match root {
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::ParserError(message) | ParserError::TokenizerError(message) => {
                format!("invalid SQL: {}", lowercase_start(Position::strip_position(message)))
            }
            ParserError::RecursionLimitExceeded => "the statement is nested too deeply".to_owned(),
        },
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::FieldNotFound { field, valid_fields } => unknown_column(field, valid_fields),
            SchemaError::AmbiguousReference { field } => {
                format!("the column `{}` is ambiguous: write the name of its table before it", field.name)
            }
            other => lowercase_start(&other.to_string()),
        },
        // Its text would ask the user to write to DataFusion.
        DataFusionError::Internal(message) => {
            format!("cannot run the statement: {}", simplify_message(message))
        }
        other => simplify_planning_message(&simplify_message(&other.strip_backtrace())),
    }
}

/// A message about a table that does not exist, with the name of `tables` that is most like it.
pub(super) fn unknown_table(wanted: &str, tables: &[String]) -> String {
    format!("unknown table or view `{}`{}", shorten_name(wanted), suggestion(wanted, tables.iter().map(String::as_str)))
}

/// A message about a table function that was named like a table.
pub(super) fn function_used_as_table(function: &Function) -> String {
    let names: Vec<_> = function.parameters.iter().map(|parameter| parameter.name).collect();
    format!("`{0}` is a table function: call it as `{0}({1})`", function.name, names.join(", "))
}

/// The table that DataFusion did not find, from what it says.
///
/// DataFusion reports a missing table or function only as text. If an upgrade changes the text, the user sees DataFusion's
/// own message without a suggestion, and `errors_suggest_similar_names` in `tests/cli/sql.rs` fails.
pub(super) fn missing_table(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    let name = message.strip_prefix("table '")?.strip_suffix("' not found")?;
    let name = name.strip_prefix(CATALOG).unwrap_or(name);
    Some(name.strip_prefix(MODEL).unwrap_or(name).to_owned())
}

/// The column that no table of the statement has.
pub(super) fn missing_column(root: &DataFusionError) -> Option<&str> {
    match root {
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::FieldNotFound { field, .. } => Some(&field.name),
            _ => None,
        },
        _ => None,
    }
}

/// A message about a function of some kind that does not exist.
pub(super) fn unknown_function(wanted: &str, kind: &str, functions: &[String]) -> String {
    format!("unknown {kind} `{}`{}", shorten_name(wanted), suggestion(wanted, functions.iter().map(String::as_str)))
}

/// The table function that DataFusion did not find, from what it says.
pub(super) fn missing_function(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    Some(message.strip_prefix("table function '")?.strip_suffix("' not found")?.to_owned())
}

/// The function of values that DataFusion did not find, from what it says.
pub(super) fn missing_value_function(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    Some(message.strip_prefix("Invalid function '")?.split_once('\'')?.0.to_owned())
}

/// The function whose call is wrong, from what its own check or DataFusion says.
pub(super) fn function_at_fault(root: &DataFusionError) -> Option<String> {
    if let Some(name) = missing_function(root).or_else(|| missing_value_function(root)) {
        return Some(name);
    }
    let DataFusionError::Plan(message) = root else { return None };
    function_called(message).map(str::to_owned)
}

/// Whether a message is about the arguments of a table function.
pub(super) fn is_about_call(message: &str) -> bool {
    function_called(message).is_some()
}

/// The function that a message of its own check begins with.
fn function_called(message: &str) -> Option<&str> {
    let (name, rest) = message.strip_prefix('`')?.split_once('`')?;
    (rest.starts_with(':') || rest.starts_with(" takes ")).then_some(name)
}

fn unknown_column(field: &Column, valid: &[Column]) -> String {
    let mut names: Vec<&str> = valid.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let meant = suggestion(&field.name, names.iter().copied());
    let written = match &field.relation {
        Some(relation) => format!("{}.{}", relation.table(), field.name),
        None => field.name.clone(),
    };
    if names.is_empty() {
        return format!("unknown column `{}`", shorten_name(&written));
    }
    if !meant.is_empty() {
        return format!("unknown column `{}`{meant}", shorten_name(&written));
    }
    let list: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown column `{}`; the columns are {}", shorten_name(&written), list.join(", "))
}

/// A message about a name in double quotes of `sql` that no column has: probably a text was meant.
pub(super) fn unknown_quoted_column(root: &DataFusionError, sql: &str) -> Option<String> {
    let DataFusionError::SchemaError(error, _) = root else { return None };
    let SchemaError::FieldNotFound { field, valid_fields } = error.as_ref() else { return None };
    let is_it = |lexeme: &Lexeme| {
        lexeme.part == LexemeKind::QuotedName && sql[lexeme.range.clone()].trim_matches('"') == field.name
    };
    if field.relation.is_some() || !lexemes(sql).iter().any(is_it) {
        return None;
    }
    let (name, meant) =
        (shorten_name(&field.name), suggestion(&field.name, valid_fields.iter().map(|column| column.name.as_str())));
    Some(format!("unknown column `{name}`: double quotes are for columns; write a text as '{name}'{meant}"))
}

/// Says which of `names` was probably meant, as the end of a message; nothing where none is like `wanted`.
pub fn suggestion<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    most_similar(wanted, names, MIN_SIMILARITY).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// The one of `names` that is most like `wanted`, at least as much as `least`; 1 is the same.
pub(super) fn most_similar<'n>(wanted: &str, names: impl Iterator<Item = &'n str>, least: f64) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let alike = names.map(|name| (normalized_levenshtein(&wanted, &name.to_lowercase()), name));
    alike.filter(|(alike, _)| *alike >= least).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// Returns the names of which the whole or a word is most like `wanted`, most alike first, at most `most`. Names that are
/// equally alike keep their order.
pub fn most_similar_names<'n>(wanted: &str, names: impl Iterator<Item = &'n str>, most: usize) -> Vec<&'n str> {
    let wanted = wanted.to_lowercase();
    let alike = |name: &str| {
        let name = name.to_lowercase();
        let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.chain([name.as_str()]).map(|text| normalized_levenshtein(&wanted, text)).fold(0.0, f64::max)
    };
    let mut names: Vec<_> =
        names.map(|name| (alike(name), name)).filter(|(alike, _)| *alike >= MIN_WORD_SIMILARITY).collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut known = HashSet::new();
    names.into_iter().map(|(_, name)| name).filter(|name| known.insert(*name)).take(most).collect()
}

/// Messages that hide what they mean behind DataFusion's own terms.
fn simplify_planning_message(message: &str) -> String {
    if message.starts_with("Unsupported function argument type: ") && message.contains("=>") {
        return "table functions take their arguments in order, without names".to_owned();
    }
    if let Some((value, _)) =
        message.strip_prefix("Cast error: Overflow converting ").and_then(|rest| rest.split_once(" to Nanosecond"))
    {
        return format!("cannot compare the time `{value}`: times must be between 1677-09-22 and 2262-04-11");
    }
    // Everything after the first sentence lists signatures in terms of this engine.
    let message = message.split("No function matches the given name").next().unwrap_or(message);
    let message = message.rsplit("user-defined coercion failed with: ").next().unwrap_or(message);
    let message = simplify_message(message.trim_end());
    lowercase_start(message.trim_end_matches('.'))
}

fn simplify_message(message: &str) -> String {
    let mut message = message;
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| message.strip_prefix(prefix)) {
        message = rest;
    }
    message.to_owned()
}

/// Messages begin in lower case, unless with a name.
fn lowercase_start(message: &str) -> String {
    let mut letters = message.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => message.to_owned(),
    }
}

/// The start of a name.
pub(super) fn shorten_name(name: &str) -> String {
    first_characters(name, 60)
}

/// The start of a message that may repeat what it is about.
pub(super) fn shorten(message: &str) -> String {
    first_characters(message, 1_000)
}

/// The first characters of a text.
pub(super) fn first_characters(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
