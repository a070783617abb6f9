//! Redacts free texts: titles, notes, tags, names of applications and of meetings.
//!
//! Anything can be written in a free text, so the place where an address or a path ends in it can't be known. A text that
//! contains one of the character sequences that addresses and paths are written with is therefore redacted as a whole.
//! `docs/privacy.md` lists them, and [`is_marked`] looks for them. The switches for addresses and for paths redact the
//! same free texts, so that a further switch never shows more.

use std::borrow::Cow;

use super::lenient_hosts::{is_letter, normalize};
use super::{REDACTED, Redactions};

impl Redactions {
    /// Returns the text, or `(redacted)` if addresses or paths are redacted and the text can contain one.
    pub fn free_text(self, text: &str) -> Cow<'_, str> {
        let is_redacted = (self.urls || self.paths) && can_contain_location(text);
        if is_redacted { Cow::Borrowed(REDACTED) } else { Cow::Borrowed(text) }
    }
}

/// Returns whether a text can contain an address or a path.
///
/// A host alone isn't a reason: `urls` shows the sites of addresses too, and `main.rs` or `plan.md` look like hosts.
fn can_contain_location(text: &str) -> bool {
    // Readers of addresses see through compatibility forms such as `／`, and drop characters without width.
    is_marked(&normalize(text))
}

/// Looks for the marks of addresses and paths with one character before and two after each.
fn is_marked(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let is_word = |letter: char| is_letter(letter) && !letter.is_numeric();
    (0..letters.len()).any(|index| {
        let before = index.checked_sub(1).map_or(' ', at);
        let (next, second) = (at(index + 1), at(index + 2));
        match letters[index] {
            '\\' | '@' | '∖' | '⧵' | '⧹' => true,
            '/' | '∕' | '⧸' => !(before.is_whitespace() && next.is_whitespace()),
            // `½` becomes `1⁄2` by normalisation.
            '⁄' => !(before.is_numeric() && next.is_numeric()),
            // Older Japanese and Korean systems show these for a backslash.
            '¥' | '₩' => is_word(before) || before == ':',
            // `C:plan.txt`, `localhost:3000`, `tel:+49`. `std::vec` stays, and so does a clock time.
            ':' | '∶' | '꞉' if is_word(before) => !next.is_whitespace() && next != ':',
            ':' | '∶' | '꞉' => before.is_numeric() && is_path_character(next) && !next.is_numeric(),
            '?' | '#' => is_letter(before) && (next.is_alphanumeric() || "_&=%$-!".contains(next)),
            '%' => next.is_ascii_hexdigit() && second.is_ascii_hexdigit(),
            'w' | 'W' => !is_letter(before) && starts_with_www(&letters[index..]),
            _ => false,
        }
    })
}

fn is_path_character(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '~' | '_' | '-' | '$')
}

fn starts_with_www(letters: &[char]) -> bool {
    letters.len() > 4 && letters[..3].iter().all(|letter| letter.eq_ignore_ascii_case(&'w')) && letters[3] == '.'
}

#[cfg(test)]
mod tests;
