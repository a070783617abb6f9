//! The loose reader: every host that can be read anywhere in an address, so that what is to be hidden is found.
//!
//! It takes an address for what any program could make of it: however many slashes stand before a host and whichever way
//! they lean, encoded once or several times, inside another address. So it reads more hosts than there are, such as the
//! name of a page; a rule then hides too much. Nothing that it reads is shown: that is what the strict reader is for
//! ([`strict_addresses`](super::strict_addresses)).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use url::Host;

/// How often an address is decoded at most: what wraps one address into another encodes it once.
const MAX_DECODINGS: usize = 4;
/// No host is longer, in whatever script.
const HOST_BYTES: usize = 4 * 253;

/// Whether `fits` says so of any host that can be read in `text`, which is given in lower case, without a port and dots
/// around it.
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

/// Reads a text as written, and as programs that normalise hosts see it.
fn any_host_as_written(text: &str, fits: &impl Fn(&str) -> bool) -> bool {
    any_plain_host(&text.to_lowercase(), fits)
        || matches!(normalize(text), Cow::Owned(plain) if any_plain_host(&plain.to_lowercase(), fits))
}

/// The text in Unicode's form NFKC and without invisible characters, so that texts that look the same are equal.
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
        // Markdown sets words off by `_`, and not every script by blanks.
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
    // An address of version 6 is written with colons, in brackets.
    text.match_indices('[').any(|(at, _)| {
        let inside = &text[at..];
        let end = inside.bytes().take(64).position(|byte| byte == b']');
        end.is_some_and(|end| {
            let is_address = |host: Host| matches!(host, Host::Ipv6(address) if fits(&address.to_string()));
            fits(&inside[1..end]) || fits(&inside[..=end]) || Host::parse(&inside[..=end]).is_ok_and(is_address)
        })
    })
}

/// A name of another script has two writings, and in some of them other dots.
fn fits_in_any_spelling(word: &str, fits: &impl Fn(&str) -> bool) -> bool {
    if fits(word) {
        return true;
    }
    if word.is_ascii() {
        // An address of version 4 can be one number, or have parts in other bases.
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

/// Whether a word can contain it: words of Thai, Hindi and other scripts contain marks that aren't alphabetic.
pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || is_combining_mark(letter)
}

pub(super) fn is_dot(letter: char) -> bool {
    matches!(letter, '.' | '。' | '．' | '｡')
}

/// Control characters, soft hyphens, marks without width and direction, tags, and variants of a letter.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
        )
}

/// Whether a host without a dot can stand behind that: at the beginning, behind two slashes or a scheme, behind a user.
fn can_begin_address(before: &str) -> bool {
    let is_slash = |letter| matches!(letter, Some('/' | '\\'));
    let mut letters = before.chars().rev();
    match (letters.next(), letters.next()) {
        (None | Some('@' | ':'), _) => true,
        (last, other) => is_slash(last) && (is_slash(other) || other == Some(':')),
    }
}

/// Whether what stands before a host without a dot can be how a text sets it off, as brackets, quotes and Markdown do.
fn is_delimiter_before(before: &str) -> bool {
    let is_of_address = |letter| matches!(letter, '/' | '\\' | '?' | '#' | '&' | '%' | '+' | '$' | '~');
    before
        .chars()
        .next_back()
        .is_some_and(|letter| !is_host_character(letter) && !is_of_address(letter) && !letter.is_whitespace())
}

/// Whether an address goes on behind its host: with a path, a query or a port.
fn continues_after_host(rest: &str) -> bool {
    match rest.strip_prefix(':') {
        Some(port) => port.starts_with(|digit: char| digit.is_ascii_digit()),
        None => rest.starts_with(['/', '\\', '?', '#']),
    }
}

/// Whether what stands before that is a scheme, no host before its port.
fn is_scheme_before(rest: &str) -> bool {
    rest.strip_prefix(':').is_some_and(|port| !port.starts_with(|digit: char| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
