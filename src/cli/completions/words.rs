//! Reads the words of a command line as a shell passes them, and writes candidates as the shell inserts them.

use super::{Candidate, Shell};

/// The characters at which bash also splits words.
const BASH_SEPARATORS: [char; 2] = ['=', ':'];

/// The words of a command line, without the name of the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// The words before the word that the user is typing.
    pub(super) before: Vec<String>,
    /// The beginning of the word that the user is typing.
    pub(super) typed: String,
    /// The length of the start of `typed` that the shell doesn't replace, in bytes.
    kept: usize,
    /// Whether the user has typed an opening quotation mark.
    is_quoted: bool,
}

impl CommandLine {
    /// Reads the words as `shell` passes them. The first word is the name of the program, and the user is typing the
    /// word at `index`.
    pub(super) fn read(shell: Shell, words: &[String], index: usize) -> Self {
        let mut joined: Vec<String> = Vec::new();
        let mut last_part = String::new();
        let mut is_attached = false;
        for word in words.iter().take(index + 1).skip(1) {
            let is_separator = shell == Shell::Bash && !word.is_empty() && word.chars().all(is_bash_separator);
            match joined.last_mut() {
                Some(last) if is_separator || is_attached => last.push_str(word),
                _ => joined.push(word.clone()),
            }
            last_part = if is_separator { String::new() } else { word.clone() };
            is_attached = is_separator;
        }
        // Some shells leave out an empty last word.
        let typed = if words.len() > index { joined.pop().unwrap_or_default() } else { String::new() };
        let last_part = if words.len() > index { last_part } else { String::new() };
        let start = typed.strip_suffix(&last_part).unwrap_or_default();
        Self {
            before: joined.iter().map(|word| unquote(shell, word)).collect(),
            kept: unquote(shell, start).len(),
            is_quoted: shell == Shell::Bash && last_part.starts_with(['"', '\'']),
            typed: unquote(shell, &typed),
        }
    }
}

fn is_bash_separator(letter: char) -> bool {
    BASH_SEPARATORS.contains(&letter)
}

/// Removes the quotation marks and backslashes of a word. Some shells pass words without them.
fn unquote(shell: Shell, word: &str) -> String {
    if matches!(shell, Shell::Fish | Shell::Elvish) {
        return word.to_owned();
    }
    let (mut text, mut open, mut letters) = (String::new(), None, word.chars());
    while let Some(letter) = letters.next() {
        match (letter, open) {
            ('"' | '\'', None) => open = Some(letter),
            (letter, Some(mark)) if letter == mark => open = None,
            // In PowerShell, a backslash is a part of a path.
            ('\\', None | Some('"')) if shell != Shell::Powershell => text.extend(letters.next()),
            _ => text.push(letter),
        }
    }
    text
}

/// Returns the line for a candidate, in the notation that the script of `shell` expects.
pub(super) fn format_candidate(shell: Shell, line: &CommandLine, candidate: &Candidate) -> String {
    let Candidate { value, description } = candidate;
    match shell {
        Shell::Bash => {
            let value = value.get(line.kept..).unwrap_or(value);
            if line.is_quoted { value.to_owned() } else { escape(value) }
        }
        Shell::Zsh => {
            let value = value.replace('\\', r"\\").replace(':', r"\:");
            if description.is_empty() { value } else { format!("{value}:{description}") }
        }
        Shell::Fish => format!("{value}\t{description}"),
        Shell::Powershell => format!("{}\t{description}", quote_for_powershell(value)),
        Shell::Elvish => value.clone(),
    }
}

/// Writes a backslash before each character that has a meaning in bash.
fn escape(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:=@%+".contains(letter);
    text.chars().fold(String::new(), |mut escaped, letter| {
        if !is_plain(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
        escaped
    })
}

fn quote_for_powershell(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=+\\".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(shell: Shell, words: &[&str]) -> (Vec<String>, String) {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let line = CommandLine::read(shell, &words, words.len() - 1);
        (line.before, line.typed)
    }

    fn candidate_line(shell: Shell, words: &[&str], value: &str) -> String {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let line = CommandLine::read(shell, &words, words.len() - 1);
        format_candidate(shell, &line, &Candidate::new(value, "A day"))
    }

    #[test]
    fn quoted_words_are_read_as_their_text() {
        for (shell, word, expected) in [
            (Shell::Bash, r"last\ we", "last we"),
            (Shell::Bash, "\"last we", "last we"),
            (Shell::Zsh, r"'it'\''s'", "it's"),
            (Shell::Powershell, r"'C:\my data'", r"C:\my data"),
            (Shell::Fish, r"a\b", r"a\b"),
        ] {
            assert_eq!(read(shell, &["dayledger", word]).1, expected, "{word}");
        }
    }

    #[test]
    fn bash_gets_only_the_part_after_the_equals_sign() {
        let words = ["dayledger", "day", "--tag", "=", "Nor"];
        assert_eq!(read(Shell::Bash, &words), (vec!["day".to_owned()], "--tag=Nor".to_owned()));
        assert_eq!(candidate_line(Shell::Bash, &words, "--tag=Northwind, Calls"), r"Northwind,\ Calls");
        assert_eq!(candidate_line(Shell::Bash, &["dayledger", "day", "--tag", "="], "--tag=Northwind"), "Northwind");
        let words = ["dayledger", "day", "--tag=Nor"];
        assert_eq!(candidate_line(Shell::Fish, &words, "--tag=Northwind"), "--tag=Northwind\tA day");
    }

    #[test]
    fn candidates_are_quoted_for_their_shell() {
        let words = ["dayledger", "day", "l"];
        assert_eq!(candidate_line(Shell::Bash, &words, "last week"), r"last\ week");
        assert_eq!(candidate_line(Shell::Bash, &["dayledger", "day", "\"l"], "last week"), "last week");
        assert_eq!(candidate_line(Shell::Zsh, &words, "a:b"), r"a\:b:A day");
        assert_eq!(candidate_line(Shell::Powershell, &words, "it's"), "'it''s'\tA day");
    }

    #[test]
    fn a_missing_last_word_is_empty() {
        let words = ["dayledger".to_owned(), "day".to_owned()];
        let line = CommandLine::read(Shell::Powershell, &words, 2);
        assert_eq!((line.before, line.typed), (vec!["day".to_owned()], String::new()));
    }
}
