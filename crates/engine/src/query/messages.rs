//! Rewrites DataFusion's error messages for the author of a statement: without internal names, and with a suggestion
//! for an unknown name. Start with [`error_message`].

use std::collections::HashSet;

use datafusion::common::{Column, DataFusionError, SchemaError};
use datafusion::sql::sqlparser::parser::ParserError;
use strsim::normalized_levenshtein;

use super::lexer::{Lexeme, LexemeKind, lexemes};
use super::position;
use crate::model::Function;

/// The minimum similarity of two names for a suggestion. 1 means equal.
const MIN_SIMILARITY: f64 = 0.5;

/// The minimum similarity of the names that [`most_similar_names`] returns. It is higher than [`MIN_SIMILARITY`]. In a
/// long list, a few names reach a similarity of 0.5 by chance.
const MIN_WORD_SIMILARITY: f64 = 0.6;

/// The catalog and schema in a qualified name. Users don't write them.
const CATALOG: &str = "dayledger.";
const MODEL: &str = "model.";

/// The prefixes that DataFusion adds to error messages.
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

/// The error for a statement that uses the history's own tables while data is redacted or hidden.
pub(crate) const RAW_TABLES_HIDDEN: &str = "the raw tables are not available while data is redacted or hidden, because \
    their columns are not classified; use `activities` and the views instead";

/// Returns the message for the innermost error of a statement.
pub(crate) fn error_message(root: &DataFusionError) -> String {
    match root {
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::ParserError(message) | ParserError::TokenizerError(message) => {
                format!("invalid SQL: {}", lowercase_start(position::split_message(message).0))
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
        // DataFusion's own message asks users to report a bug in DataFusion, so it is replaced.
        DataFusionError::Internal(message) => {
            format!("cannot run the statement: {}", simplify_message(message))
        }
        other => simplify_planning_message(&simplify_message(&other.strip_backtrace())),
    }
}

/// Returns the error for an unknown table or function, with the most similar of `names`. `kind` is the expected kind,
/// such as `table function`.
pub(crate) fn unknown_name(wanted: &str, kind: &str, names: &[String]) -> String {
    format!("unknown {kind} `{}`{}", shorten_name(wanted), suggestion(wanted, names.iter().map(String::as_str)))
}

/// Returns the error for a table function that is used without arguments, like a table.
pub(crate) fn function_used_as_table(function: &Function) -> String {
    let names: Vec<_> = function.parameters.iter().map(|parameter| parameter.name).collect();
    format!("`{0}` is a table function: call it as `{0}({1})`", function.name, names.join(", "))
}

/// Returns the name of the table that DataFusion didn't find, from the error message.
///
/// DataFusion reports a missing table or function only as text. If an upgrade changes the text, the user sees
/// DataFusion's own message without a suggestion, and `errors_suggest_similar_names` in `tests/cli/sql.rs` fails.
pub(crate) fn missing_table(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    let name = message.strip_prefix("table '")?.strip_suffix("' not found")?;
    let name = name.strip_prefix(CATALOG).unwrap_or(name);
    Some(name.strip_prefix(MODEL).unwrap_or(name).to_owned())
}

/// Returns the unknown column of an error. None of the statement's tables has this column.
pub(crate) fn missing_column(root: &DataFusionError) -> Option<&str> {
    match root {
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::FieldNotFound { field, .. } => Some(&field.name),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the name of the table function that DataFusion didn't find, from the error message.
pub(crate) fn missing_function(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    Some(message.strip_prefix("table function '")?.strip_suffix("' not found")?.to_owned())
}

/// Returns the name of the scalar function that DataFusion didn't find, from the error message.
pub(crate) fn missing_value_function(root: &DataFusionError) -> Option<String> {
    let DataFusionError::Plan(message) = root else { return None };
    Some(message.strip_prefix("Invalid function '")?.split_once('\'')?.0.to_owned())
}

/// Returns the name of the function whose call is wrong. The name comes from the error message of this engine or of
/// DataFusion.
pub(crate) fn function_at_fault(root: &DataFusionError) -> Option<String> {
    if let Some(name) = missing_function(root).or_else(|| missing_value_function(root)) {
        return Some(name);
    }
    let DataFusionError::Plan(message) = root else { return None };
    function_called(message).map(str::to_owned)
}

/// Returns the function at the start of a message about its arguments.
pub(crate) fn function_called(message: &str) -> Option<&str> {
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
    if names.is_empty() || !meant.is_empty() {
        return format!("unknown column `{}`{meant}", shorten_name(&written));
    }
    let list: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown column `{}`; the columns are {}", shorten_name(&written), list.join(", "))
}

/// Returns the error for a name in double quotes that isn't a column. The user probably meant a text in single quotes.
pub(crate) fn unknown_quoted_column(root: &DataFusionError, sql: &str) -> Option<String> {
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

/// Returns a suggestion to append to a message. Returns an empty text if none of `names` is similar to `wanted`.
pub fn suggestion<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    most_similar(wanted, names, MIN_SIMILARITY).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Returns the name most similar to `wanted`, if its similarity is at least `least`. 1 means equal.
pub(crate) fn most_similar<'n>(wanted: &str, names: impl Iterator<Item = &'n str>, least: f64) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let alike = names.map(|name| (normalized_levenshtein(&wanted, &name.to_lowercase()), name));
    alike.filter(|(alike, _)| *alike >= least).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// Returns at most `most` names that are similar to `wanted` or contain a similar word, most similar first. Names with
/// the same similarity keep their order.
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

/// Simplifies messages that use DataFusion's own terms.
fn simplify_planning_message(message: &str) -> String {
    if message.starts_with("Unsupported function argument type: ") && message.contains("=>") {
        return "table functions take their arguments in order, without names".to_owned();
    }
    if let Some((value, _)) =
        message.strip_prefix("Cast error: Overflow converting ").and_then(|rest| rest.split_once(" to Nanosecond"))
    {
        return format!("cannot compare the time `{value}`: times must be between 1677-09-22 and 2262-04-11");
    }
    // The remaining text lists signatures in DataFusion's terms, so it is cut off.
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

/// Converts the first letter of a message to lower case, unless the message starts with an abbreviation.
fn lowercase_start(message: &str) -> String {
    let mut letters = message.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => message.to_owned(),
    }
}

/// Shortens a long name for a message.
pub(crate) fn shorten_name(name: &str) -> String {
    first_characters(name, 60)
}

/// Shortens a message, because it can quote a long statement.
pub(crate) fn shorten(message: &str) -> String {
    first_characters(message, 1_000)
}

/// Returns the first `characters` characters of a text, followed by `…` if the text is longer.
pub(crate) fn first_characters(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
