//! The lenient parser: finds every host to which any program could go if it opens a URL. So no hidden site is missed.
//!
//! The parser accepts any number of slashes or backslashes before a host, text that is encoded several times, and URLs
//! inside other URLs. So it can also mistake other text for a host, for example the name of a page. A rule can then
//! hide too much. The hosts that this parser finds are never shown. Shown text comes from the strict parser
//! ([`strict_addresses`](super::strict_addresses)).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use url::Host;

/// The maximum number of times that a text is decoded. Usually, one decoding is enough: if a URL contains another URL,
/// the inner URL is encoded once.
const MAX_DECODINGS: usize = 4;
/// The maximum length of a host in any script, in bytes.
const HOST_BYTES: usize = 4 * 253;

/// Whether `fits` returns true for any host in `text`. This function passes hosts in lower case, without port and
/// without dots at the start or end.
pub(super) fn any_host(text: &str, fits: impl Fn(&str) -> bool) -> bool {
    let mut text = Cow::Borrowed(text);
    for _ in 0..MAX_DECODINGS {
        if any_host_as_written(&text, &fits) {
            return true;
        }
        if !text.contains('%') {
            return false;
        }
        let decoded = percent_decode_str(&text).decode_utf8_lossy().into_owned();
        if decoded == text {
            return false;
        }
        text = Cow::Owned(decoded);
    }
    any_host_as_written(&text, &fits)
}

/// Searches for hosts in the text itself, and also in the normalised text, because some programs normalise hosts.
fn any_host_as_written(text: &str, fits: &impl Fn(&str) -> bool) -> bool {
    any_plain_host(&text.to_lowercase(), fits)
        || matches!(normalize(text), Cow::Owned(plain) if any_plain_host(&plain.to_lowercase(), fits))
}

/// Returns the text in Unicode's form NFKC without invisible characters, so that texts that look
/// the same are equal.
pub(super) fn normalize(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfkc().filter(|letter| !is_invisible(*letter)).collect())
}

fn any_plain_host(text: &str, fits: &impl Fn(&str) -> bool) -> bool {
    let mut rest = text;
    while let Some(start) = rest.find(is_host_character) {
        let at = text.len() - rest.len() + start;
        let length = text[at..].find(|letter| !is_host_character(letter)).unwrap_or(text.len() - at);
        let word = text[at..at + length].trim_matches(is_dot);
        rest = &text[at + length..];
        let is_host = word.contains(is_dot)
            || can_begin_address(&text[..at]) && !is_scheme_before(rest)
            || is_delimiter_before(&text[..at]) && continues_after_host(rest);
        // Markdown encloses words in `_`, so the word is also checked without these characters. Some scripts have no
        // spaces between words, so the ASCII parts of a word are also checked.
        let plain = word.trim_matches(|letter| letter == '_' || is_dot(letter));
        let fits_at_all = |word: &str| {
            fits_in_any_spelling(word, fits)
                || !word.is_ascii()
                    && word.split(|letter: char| !letter.is_ascii()).any(|part| fits(part.trim_matches('.')))
        };
        if is_host && word.len() <= HOST_BYTES && (fits_at_all(word) || plain.len() < word.len() && fits_at_all(plain))
        {
            return true;
        }
    }
    // An IPv6 address is written in brackets with colons.
    text.match_indices('[').any(|(at, _)| {
        let inside = &text[at..];
        let end = inside.bytes().take(64).position(|byte| byte == b']');
        end.is_some_and(|end| {
            let is_address = |host: Host| matches!(host, Host::Ipv6(address) if fits(&address.to_string()));
            fits(&inside[1..end]) || fits(&inside[..=end]) || Host::parse(&inside[..=end]).is_ok_and(is_address)
        })
    })
}

/// Whether `fits` returns true for any spelling of a host. For example, a name with non-ASCII letters also has an ASCII
/// spelling. Its dots can be other dot characters.
fn fits_in_any_spelling(word: &str, fits: &impl Fn(&str) -> bool) -> bool {
    if fits(word) {
        return true;
    }
    if word.is_ascii() {
        // An IPv4 address can be a single number, or contain numbers in other bases.
        let is_number =
            word.rsplit('.').next().is_some_and(|last| last.starts_with(|digit: char| digit.is_ascii_digit()));
        return word.contains("xn--") && fits(&idna::domain_to_unicode(word).0)
            || is_number && Host::parse(word).is_ok_and(|host| fits(&host.to_string()));
    }
    let dotted = word.replace(is_dot, ".");
    fits(&dotted) || idna::domain_to_ascii(&dotted).is_ok_and(|ascii| fits(&ascii))
}

fn is_host_character(letter: char) -> bool {
    is_letter(letter) || matches!(letter, '-' | '_') || is_dot(letter)
}

/// Whether a word can contain the character. Words in Thai, Hindi and other scripts contain marks
/// that aren't alphabetic.
pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || is_combining_mark(letter)
}

pub(super) fn is_dot(letter: char) -> bool {
    matches!(letter, '.' | '。' | '．' | '｡')
}

/// Whether the character is invisible: a control character, a soft hyphen, a zero-width mark, a direction mark, a tag
/// character, or a variation selector.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
        )
}

/// Whether a host without a dot can follow the text `before`. This is possible if `before` is empty, or if it ends with
/// two slashes, a scheme or a user.
fn can_begin_address(before: &str) -> bool {
    let is_slash = |letter| matches!(letter, Some('/' | '\\'));
    let mut letters = before.chars().rev();
    match (letters.next(), letters.next()) {
        (None | Some('@' | ':'), _) => true,
        (last, other) => is_slash(last) && (is_slash(other) || other == Some(':')),
    }
}

/// Whether the text `before` ends with a delimiter, such as a bracket, a quote or a Markdown character. A host without
/// a dot can follow such a delimiter.
fn is_delimiter_before(before: &str) -> bool {
    let is_of_address = |letter| matches!(letter, '/' | '\\' | '?' | '#' | '&' | '%' | '+' | '$' | '~');
    before
        .chars()
        .next_back()
        .is_some_and(|letter| !is_host_character(letter) && !is_of_address(letter) && !letter.is_whitespace())
}

/// Whether the text after a host continues like a URL, with a path, a query or a port.
fn continues_after_host(rest: &str) -> bool {
    match rest.strip_prefix(':') {
        Some(port) => port.starts_with(|digit: char| digit.is_ascii_digit()),
        None => rest.starts_with(['/', '\\', '?', '#']),
    }
}

/// Whether the word before `rest` can be a scheme. If a digit follows the colon, the word is a host with a port
/// instead.
fn is_scheme_before(rest: &str) -> bool {
    rest.strip_prefix(':').is_some_and(|port| !port.starts_with(|digit: char| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
