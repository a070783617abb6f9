//! Redacts free texts: titles, notes, tags, and names of applications and meetings.
//!
//! A free text can contain anything, so it is impossible to know where a URL or a path in it ends.
//! A text that contains any of the character sequences that occur in URLs and paths is therefore
//! redacted completely. `docs/privacy.md` lists these sequences, and [`is_marked`] finds them. The
//! settings for URLs and for paths redact the same free texts, so that adding a setting never shows
//! more.

use std::borrow::Cow;

use super::lenient_hosts::{is_letter, normalize};
use super::{REDACTED, Redactions};

impl Redactions {
    /// Returns the text, or `(redacted)` if URLs or paths are redacted and the text can contain
    /// one.
    pub fn free_text(self, text: &str) -> Cow<'_, str> {
        let is_redacted = (self.urls || self.paths) && can_contain_location(text);
        if is_redacted { Cow::Borrowed(REDACTED) } else { Cow::Borrowed(text) }
    }
}

/// Whether a text can contain a URL or a path.
///
/// A host alone doesn't count: `urls` shows the sites of URLs as well, and `main.rs` or `plan.md`
/// look like hosts.
fn can_contain_location(text: &str) -> bool {
    // Programs that parse URLs accept compatibility characters such as `／`, and ignore zero-width
    // characters.
    is_marked(&normalize(text))
}

/// Whether a text contains one of the character sequences. Each of them is decided by one character
/// before and two after it.
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
            // Normalisation changes `½` to `1⁄2`.
            '⁄' => !(before.is_numeric() && next.is_numeric()),
            // Older Japanese and Korean systems display a backslash as one of these.
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
