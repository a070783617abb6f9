//! Reads the words of a command line as a shell passes them, and writes candidates as the shell inserts them.

use dayledger_terminal::user_folders;

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
    /// The quotation mark that the user has typed before the text that the shell replaces. Only bash needs it.
    quotation_mark: Option<char>,
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
        // The script for fish passes only the last word in the user's notation.
        let read = |word: &String| if shell == Shell::Fish { word.clone() } else { unquote(shell, word) };
        let before =
            joined.iter().map(|word| if word.starts_with("~/") { expand_home(read(word)) } else { read(word) });
        Self {
            before: before.collect(),
            kept: unquote(shell, start).len(),
            quotation_mark: last_part.chars().next().filter(|first| matches!(first, '"' | '\'')),
            typed: unquote(shell, &typed),
        }
    }
}

/// Replaces the `~` of a path such as `~/history` with the user's home folder, as shells do before they run a command.
fn expand_home(path: String) -> String {
    let home = user_folders().and_then(|folders| folders.home.into_os_string().into_string().ok());
    match (home, path.strip_prefix('~')) {
        (Some(home), Some(rest)) => home + rest,
        _ => path,
    }
}

fn is_bash_separator(letter: char) -> bool {
    BASH_SEPARATORS.contains(&letter)
}

/// Removes the quotation marks and backslashes of a word. Elvish passes words without them.
fn unquote(shell: Shell, word: &str) -> String {
    if shell == Shell::Elvish {
        return word.to_owned();
    }
    let (mut text, mut open, mut letters) = (String::new(), None, word.chars());
    while let Some(letter) = letters.next() {
        match (letter, open) {
            ('"' | '\'', None) => open = Some(letter),
            (letter, Some(mark)) if letter == mark => open = None,
            // In PowerShell, a backslash is a part of a path.
            ('\\', None | Some('"')) if shell != Shell::Powershell => text.extend(letters.next()),
            // In fish, a backslash has a meaning inside single quotation marks, too.
            ('\\', Some(_)) if shell == Shell::Fish => text.extend(letters.next()),
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
            match line.quotation_mark {
                Some('\'') => value.replace('\'', r"'\''"),
                Some(_) => escape(value, |letter| !"\"$`\\".contains(letter)),
                None => escape(value, |letter| letter.is_alphanumeric() || "-_./,:=@%+".contains(letter)),
            }
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

/// Writes a backslash before each character that isn't plain.
fn escape(text: &str, is_plain: impl Fn(char) -> bool) -> String {
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
            (Shell::Fish, r"last\ we", "last we"),
            (Shell::Fish, "'last we", "last we"),
            (Shell::Fish, r"'it\'s", "it's"),
            (Shell::Elvish, r"a\b", r"a\b"),
        ] {
            assert_eq!(read(shell, &["dayledger", word]).1, expected, "{word}");
        }
    }

    /// The script for fish gets the words before the last one without quotation marks and backslashes.
    #[test]
    fn earlier_words_of_fish_are_not_unquoted_again() {
        assert_eq!(read(Shell::Fish, &["dayledger", "find", "it's", "x"]).0, ["find", "it's"]);
    }

    /// A completion reads the configuration and the history that the earlier words select.
    #[test]
    fn home_folder_is_expanded_in_earlier_words() {
        let expanded = format!("{}/a.toml", user_folders().unwrap().home.display());
        for shell in [Shell::Bash, Shell::Fish, Shell::Powershell, Shell::Zsh] {
            let words = read(shell, &["dayledger", "--config", "~/a.toml", "find", "~me", "~/x"]);
            assert_eq!(words.0, ["--config", &*expanded, "find", "~me"], "{shell:?}");
            assert_eq!(words.1, "~/x", "{shell:?}");
        }
        assert_eq!(read(Shell::Bash, &["dayledger", "--config", "'~/a.toml'", ""]).0, ["--config", "~/a.toml"]);
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
        assert_eq!(candidate_line(Shell::Bash, &["dayledger", "day", "\"5"], "5\" for $9"), r#"5\" for \$9"#);
        assert_eq!(candidate_line(Shell::Bash, &["dayledger", "day", "'i"], "it's"), r"it'\''s");
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
