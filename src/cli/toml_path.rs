//! Finds Windows paths in the configuration whose backslashes change their meaning in TOML.
//!
//! In double quotes, `\` starts an escape sequence. Therefore `"C:\Users"` causes an error about Unicode digits.
//! `"D:\notes\temp"` is even valid, but TOML reads a line break and a tab in it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Settings that are paths.
const PATHS: [&str; 7] = [
    "data_dir",
    "screenshots_dir",
    "calendars.file",
    "questions.file",
    "notes.workspace",
    "serve.allow_write",
    "timesheet.file",
];

/// A path whose backslashes TOML reads as escape sequences.
#[derive(Debug, thiserror::Error)]
#[error("`{key}` is in double quotes, in which `\\` starts an escape sequence; use `'{path}'` or `\"{slashes}\"`", slashes = path.replace('\\', "/"))]
pub(super) struct EscapedPath {
    key: String,
    /// The path as the user typed it.
    path: String,
    /// The path's position in the text, in bytes.
    pub(super) place: Range<usize>,
}

impl EscapedPath {
    /// Returns the first path with escape sequences in a configuration. The configuration may be invalid.
    pub(super) fn find(text: &str) -> Option<Self> {
        let (table, _) = DeTable::parse_recoverable(text);
        find_in_table(text, table.get_ref(), "")
    }
}

fn find_in_table(text: &str, table: &DeTable<'_>, name: &str) -> Option<EscapedPath> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(_, value)| value.span().start);
    entries.into_iter().find_map(|(key, value)| {
        let key = key.get_ref();
        let key = if name.is_empty() { key.to_string() } else { format!("{name}.{key}") };
        find_in_value(text, value, &key)
    })
}

fn find_in_value(text: &str, value: &Spanned<DeValue<'_>>, key: &str) -> Option<EscapedPath> {
    match value.get_ref() {
        DeValue::Table(table) => find_in_table(text, table, key),
        DeValue::Array(values) => values.iter().find_map(|value| find_in_value(text, value, key)),
        DeValue::String(_) => {
            let written = text.get(value.span())?;
            let path = written.strip_prefix('"')?.trim_matches('"');
            let is_path = has_drive(path) || PATHS.contains(&key);
            let (key, path, place) = (key.to_owned(), path.to_owned(), value.span());
            (is_path && has_lost_backslash(&path)).then_some(EscapedPath { key, path, place })
        }
        _ => None,
    }
}

/// Whether a text begins with a drive, such as `C:\`.
fn has_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic())
}

/// Whether a double-quoted text contains a backslash that is meant as a path separator. Ignores `\\`, `\"`, and escape
/// sequences with hexadecimal digits, because users write these sequences on purpose.
fn has_lost_backslash(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('\\') {
        let hex =
            |count: usize| after.get(1..=count).is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let is_meant = match after.as_bytes().first() {
            Some(b'\\' | b'"') => true,
            Some(b'x') => hex(2),
            Some(b'u') => hex(4),
            Some(b'U') => hex(8),
            _ => false,
        };
        if !is_meant {
            return true;
        }
        rest = &after[1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Option<(String, String)> {
        EscapedPath::find(text).map(|found| (found.key, text[found.place].to_owned()))
    }

    #[test]
    fn windows_paths_in_double_quotes_are_found_in_valid_and_invalid_toml() {
        for (text, key, value) in [
            (r#"data_dir = "C:\Users\me\ManicTime""#, "data_dir", r#""C:\Users\me\ManicTime""#),
            (r#"data_dir = "D:\ManicTime""#, "data_dir", r#""D:\ManicTime""#),
            (r#"data_dir = "D:\notes\temp""#, "data_dir", r#""D:\notes\temp""#),
            (r#"screenshots_dir = "\\server\temp""#, "screenshots_dir", r#""\\server\temp""#),
            ("[notes]\nworkspace = \"D:\\\\work\\new\"", "notes.workspace", r#""D:\\work\new""#),
            (
                "[[calendars]]\nfile = 'a.ics'\n[[calendars]]\nfile = \"in\\team.ics\"",
                "calendars.file",
                r#""in\team.ics""#,
            ),
            ("[serve]\nallow_write = ['C:\\a', \"C:\\backup\"]", "serve.allow_write", r#""C:\backup""#),
            ("[[rules]]\npath = \"C:\\new\\*\"", "rules.path", r#""C:\new\*""#),
        ] {
            assert_eq!(find(text), Some((key.to_owned(), value.to_owned())), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_reported() {
        for text in [
            r#"data_dir = "C:\\Users\\me""#,
            r"data_dir = 'C:\Users\me'",
            r#"data_dir = "C:/Users/me""#,
            r#"data_dir = "/home/J\u00f6rg""#,
            "[timesheet]\ntickets = [\"\\\\b[A-Z]+\\t\\\\d+\"]",
            "[[rules]]\ntitle = \"a\\tb\"",
            "data_dir = 5",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
