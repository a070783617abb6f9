//! Redacts free texts: titles, notes, tags, and names of applications and meetings.
//!
//! A free text can contain anything, so it isn't clear where a URL or a path in it ends. The whole text is therefore
//! redacted if it contains a character sequence that occurs in URLs or paths. `docs/privacy.md` lists these sequences,
//! and [`is_marked`] finds them. The settings `urls` and `paths` redact the same free texts, so that adding one of them
//! never shows more text.

use std::borrow::Cow;

use super::lenient_hosts::{is_letter, normalize};
use super::{REDACTED, Redactions};

impl Redactions {
    /// Returns `(redacted)` if URLs or paths are redacted, and the text can contain a URL or a
    /// path. Otherwise, returns the text unchanged.
    pub fn free_text(self, text: &str) -> Cow<'_, str> {
        let is_redacted = (self.urls || self.paths) && can_contain_location(text);
        if is_redacted { Cow::Borrowed(REDACTED) } else { Cow::Borrowed(text) }
    }
}

/// Whether a text can contain a URL or a path.
///
/// A host alone doesn't count, because even the setting `urls` doesn't redact the sites of URLs. File names such as
/// `main.rs` or `plan.md` also look like hosts.
fn can_contain_location(text: &str) -> bool {
    // The text is normalised first. Programs that parse URLs also accept compatibility characters such as `／`, and
    // ignore zero-width characters.
    is_marked(&normalize(text))
}

/// Whether a text contains a character sequence that occurs in URLs or paths. Most sequences are
/// recognised by one character, the character before it, and the two characters after it.
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
            // A fraction isn't a path: normalisation changes `½` to `1⁄2`.
            '⁄' => !(before.is_numeric() && next.is_numeric()),
            // Older Japanese and Korean systems display a backslash as one of these characters.
            '¥' | '₩' => is_word(before) || before == ':',
            // Matches `C:plan.txt`, `localhost:3000` and `tel:+49`, but not `std::vec` or a clock
            // time.
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
