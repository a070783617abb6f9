//! Takes what looks like an address or a path out of free texts: of an address its site stays, of a path the last part.
//!
//! A title, a note or a word of the user's is free text, so where an address or a path is in it, and where one ends, is a
//! guess, and nothing is promised of it. A guess errs towards taking out too much: a path with spaces goes on to the last
//! separator of its text, whatever stands in between. Texts that are an address or a path by their place are not guessed
//! at ([`place`](super::place)).

use std::borrow::Cow;

use super::strict::{Address, BareHost, leads_to_file};
use super::{REDACTED, Redactions};

/// Schemes of addresses without a site that carry something all the same.
const OPAQUE_SCHEMES: [&str; 9] =
    ["data:", "javascript:", "blob:", "mailto:", "view-source:", "magnet:", "tel:", "urn:", "filesystem:"];
/// Ends every path and address in a text.
const STOPS: [char; 7] = ['"', '<', '>', '|', '\n', '\r', '\t'];
/// What an address or a path can stand behind without a space.
const OPENERS: [char; 16] = ['(', '[', '{', '\'', '‘', '’', '“', '”', '«', '»', '„', '=', ',', ';', ':', '`'];
/// What a word can begin with in Markdown, in notes and in messages. Inside of a word they open nothing: `C#/F#`.
const MARKS: [char; 14] = ['*', '_', '~', '!', '?', '@', '#', '+', '-', '–', '—', '•', '·', '→'];
/// What can follow an address or a path without a space.
const CLOSERS: [char; 20] =
    [')', ']', '}', '\'', '‘', '’', '“', '”', '«', '»', '`', ',', ';', ':', '.', '!', '?', '*', '_', '~'];

impl Redactions {
    /// A title, a note or a name without the addresses and paths in it.
    pub(crate) fn text(self, text: &str) -> Cow<'_, str> {
        self.prose(text, true)
    }

    /// A person's own word, such as a tag: the same, but a relative path in it is a manner of writing and stays.
    pub(crate) fn word(self, text: &str) -> Cow<'_, str> {
        self.prose(text, false)
    }

    /// What an address becomes; `None` where it stays.
    fn url(self, url: &str) -> Option<Cow<'_, str>> {
        let (scheme, _) = url.split_once("://")?;
        if leads_to_file(scheme) && self.paths {
            return Some(last_part(url.split(['?', '#']).next().unwrap_or(url)));
        }
        if !self.urls || scheme.eq_ignore_ascii_case("file") {
            return None;
        }
        let site = Address::read(url, BareHost::Evident).and_then(Address::site);
        Some(site.map_or(Cow::Borrowed(REDACTED), Cow::Owned))
    }

    fn prose(self, text: &str, relative: bool) -> Cow<'_, str> {
        let nothing = !self.urls && !self.paths;
        if nothing || !text.contains(['/', '\\', ':', '?', '#', '%']) {
            return Cow::Borrowed(text);
        }
        let mut prose = Prose { redactions: self, relative, told: String::with_capacity(text.len()), stretch: 0 };
        prose.read(text);
        Cow::Owned(prose.told)
    }
}

/// A text while it is rewritten from left to right.
struct Prose {
    redactions: Redactions,
    relative: bool,
    told: String,
    /// Where in `told` the words begin that a path with spaces could begin with.
    stretch: usize,
}

impl Prose {
    fn read(&mut self, mut text: &str) {
        while !text.is_empty() {
            let ends = |letter: char| letter.is_whitespace() || STOPS.contains(&letter);
            let length = text.find(ends).unwrap_or(text.len());
            if length == 0 {
                let letter = text.chars().next().unwrap_or_default();
                self.told.push(letter);
                if STOPS.contains(&letter) {
                    self.stretch = self.told.len();
                }
                text = &text[letter.len_utf8()..];
                continue;
            }
            text = self.word(text, length);
        }
    }

    /// Rewrites the word of `length` bytes at the start of `text`; returns what follows.
    fn word<'t>(&mut self, text: &'t str, length: usize) -> &'t str {
        let (word, rest) = text.split_at(length);
        let paths = self.redactions.paths;
        if let Some((start, scheme)) = scheme(word) {
            self.plain(&word[..start]);
            if leads_to_file(scheme) && paths {
                return self.skip_path(&text[start..]);
            }
            let (url, closers) = split_closers(&word[start..]);
            let told = self.redactions.url(url).unwrap_or(Cow::Borrowed(url));
            self.told.push_str(&told);
            self.told.push_str(closers);
            return rest;
        }
        if paths && let Some(start) = absolute_path(word) {
            self.told.push_str(&word[..start]);
            return self.skip_path(&text[start..]);
        }
        if paths && self.relative && word.contains('\\') && word != "\\" {
            // Where it begins cannot be known: any of the words before may belong to it.
            self.told.truncate(self.stretch);
            return self.skip_path(text);
        }
        if matches!(word, "-" | "–" | "—" | "·" | "•") {
            self.told.push_str(word);
            self.stretch = self.told.len();
            return rest;
        }
        self.plain(word);
        rest
    }

    /// Leaves out a path with spaces in it, up to its last part; returns what follows.
    fn skip_path<'t>(&mut self, text: &'t str) -> &'t str {
        let from = leading_scheme(text).map_or(0, |scheme| scheme.len() + "://".len());
        let end = path_end(text, from);
        let inside = &text[..end];
        let bytes = inside.as_bytes();
        let is_space = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace);
        let separates = |at: usize| !(is_space(at.checked_sub(1)) && is_space(Some(at + 1)));
        let last = inside.rmatch_indices(['/', '\\']).map(|(at, _)| at).find(|at| separates(*at));
        let name = last.map_or(0, |at| at + 1);
        if inside[name..].chars().next().is_none_or(char::is_whitespace) {
            self.told.push_str(REDACTED);
        }
        let name_end = name + inside[name..].find(char::is_whitespace).unwrap_or(end - name);
        let part = &inside[name..name_end];
        // Behind a file's name an address can carry more; a plain path cannot.
        let part = if from == 0 { part } else { part.split(['?', '#']).next().unwrap_or(part) };
        self.plain(part);
        &text[name_end..]
    }

    /// Rewrites a word without a scheme that is no absolute path.
    fn plain(&mut self, word: &str) {
        let (openers, body) = word.split_at(opening(word));
        let (body, closers) = split_closers(body);
        self.told.push_str(openers);
        let is_link_of_notes = self.redactions.paths && self.relative && openers.ends_with("[[");
        let told = if is_link_of_notes && body.contains('/') { last_part(body) } else { self.plain_body(body) };
        self.told.push_str(&told);
        self.told.push_str(closers);
    }

    fn plain_body<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let Redactions { urls, paths, .. } = self.redactions;
        if urls && is_opaque(word) {
            return Cow::Borrowed(REDACTED);
        }
        if urls && let Some(told) = with_sites_only(word) {
            return Cow::Owned(told);
        }
        if paths && self.relative && is_relative_path(word) {
            return last_part(word);
        }
        // What a link of Markdown leads to is a path, however short.
        if paths
            && self.relative
            && let Some((label, path)) = word.split_once("](")
            && path.contains('/')
        {
            return Cow::Owned(format!("{label}]({}", last_part(path)));
        }
        if encoded_separator(word).is_some() {
            return Cow::Borrowed(REDACTED);
        }
        Cow::Borrowed(word)
    }
}

/// Where the first address with a scheme begins in a text, and its scheme.
fn scheme(text: &str) -> Option<(usize, &str)> {
    text.match_indices("://")
        .find_map(|(end, _)| Some((scheme_before(&text[..end])?, end)))
        .map(|(start, end)| (start, &text[start..end]))
}

/// Where the scheme begins that a text ends with.
fn scheme_before(text: &str) -> Option<usize> {
    let length = text.bytes().rev().take_while(|byte| is_of_scheme(*byte)).count();
    let scheme = text[text.len() - length..].trim_start_matches(|letter: char| !letter.is_ascii_alphabetic());
    (!scheme.is_empty()).then(|| text.len() - scheme.len())
}

/// The scheme that a text begins with.
fn leading_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at(text.bytes().take_while(|byte| is_of_scheme(*byte)).count());
    (scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) && rest.starts_with("://")).then_some(scheme)
}

fn is_of_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Where a path ends at the latest: at what ends every path, or where the next address begins. Looks no further than
/// that: a long text can hold many paths.
fn path_end(text: &str, from: usize) -> usize {
    for (at, letter) in text[from..].char_indices().map(|(at, letter)| (from + at, letter)) {
        if STOPS.contains(&letter) {
            return at;
        }
        if letter == ':'
            && text[at..].starts_with("://")
            && let Some(start) = scheme_before(&text[from..at])
        {
            return from + start;
        }
    }
    text.len()
}

/// The word up to the site of the first address without a scheme in it, where there is one.
fn with_sites_only(word: &str) -> Option<String> {
    let opening = opening(word);
    starts(word, sets_off).find_map(|at| {
        let slashes = if word[at..].starts_with("//") { 2 } else { 0 };
        let (site, rest) = site_prefix(&word[at + slashes..])?;
        // A user and a password stand before an `@`.
        let before = if word[..at].ends_with('@') { opening } else { at };
        (!rest.is_empty()).then(|| format!("{}{}", &word[..before], site.to_lowercase()))
    })
}

fn is_opaque(word: &str) -> bool {
    OPAQUE_SCHEMES.iter().any(|scheme| {
        word.len() > scheme.len() && word.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Splits an address without a scheme, `example.org:80/a?b`, behind its site; `None` for what does not look like one.
fn site_prefix(word: &str) -> Option<(&str, &str)> {
    let mut colons = 0;
    // A word can hold many things that look like a beginning, so none of them is followed further than it has to be.
    let ends = |letter: char| {
        colons += usize::from(letter == ':');
        colons > 1 || !letter.is_alphanumeric() && !matches!(letter, '-' | '.' | ':')
    };
    let (authority, rest) = word.split_at(word.find(ends).unwrap_or(word.len()));
    if !rest.is_empty() && !rest.starts_with(['/', '?', '#']) {
        return None;
    }
    let (site, port) = authority.split_once(':').map_or((authority, None), |(site, port)| (site, Some(port)));
    let has_port = port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    if port.is_some() && !has_port {
        return None;
    }
    let labels: Vec<&str> = site.split('.').collect();
    let is_label =
        |label: &&str| !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    let last = labels.last()?;
    let is_named = labels.len() > 1 && last.chars().count() > 1 && last.chars().all(char::is_alphabetic);
    let is_numbered = labels.len() == 4 && labels.iter().all(|label| label.parse::<u8>().is_ok());
    let is_local = site.eq_ignore_ascii_case("localhost") || has_port && site.contains(char::is_alphabetic);
    (labels.iter().all(is_label) && (is_named || is_numbered || is_local)).then_some((site, rest))
}

/// Where in a word an absolute path begins: `C:\`, `\\server`, `//server`, `/home`, `~/`, `%APPDATA%\`, `$HOME/`.
fn absolute_path(word: &str) -> Option<usize> {
    let last_separator = word.rfind(['/', '\\']);
    let begins = |at: usize| {
        let mut letters = word[at..].chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(drive), Some(':'), Some('\\' | '/')) => drive.is_ascii_alphabetic(),
            // A variable that holds a folder.
            (Some('%' | '$'), Some(letter), _) => {
                (letter.is_alphabetic() || letter == '{') && last_separator.is_some_and(|last| last > at)
            }
            (Some('/'), Some('/'), third) => third.is_some_and(char::is_alphanumeric),
            (Some('/'), Some(_), _) | (Some('\\'), Some('\\'), Some(_)) | (Some('~'), Some('/' | '\\'), Some(_)) => {
                true
            }
            _ => false,
        }
    };
    starts(word, |letter| OPENERS.contains(&letter)).find(|at| begins(*at))
}

/// Where in a word an address or a path can begin: in what is not of the word, and behind each letter that `opens` one.
fn starts(word: &str, opens: impl Fn(char) -> bool) -> impl Iterator<Item = usize> {
    let opening = opening(word);
    let is_start = move |at: &usize| *at <= opening || word[..*at].ends_with(&opens);
    word.char_indices().map(|(at, _)| at).filter(is_start)
}

/// What an address can stand behind that nothing in a path can, such as signs and brackets of other scripts.
fn sets_off(letter: char) -> bool {
    OPENERS.contains(&letter)
        || matches!(letter, ')' | ']' | '}' | '^' | '&' | '@')
        || !letter.is_ascii() && !letter.is_alphanumeric()
}

/// How long is what a word begins with that is not of the word.
fn opening(word: &str) -> usize {
    word.len() - word.trim_start_matches(|letter| OPENERS.contains(&letter) || MARKS.contains(&letter)).len()
}

/// Whether a word looks like a path from somewhere: more than one separator, a file's ending, or dots before it.
fn is_relative_path(word: &str) -> bool {
    let Some((_, last)) = word.rsplit_once('/') else { return false };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if word.split('/').all(is_number) {
        return false;
    }
    let ending = last.rsplit_once('.').map(|(_, ending)| ending);
    word.matches('/').count() > 1
        || word.starts_with('.')
        || ending
            .is_some_and(|ending| (1..=8).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// What follows the last separator of a path, plain or encoded.
fn last_part(path: &str) -> Cow<'_, str> {
    let plain = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let start = plain.max(encoded_separator(path).unwrap_or(0));
    match path[start..].trim() {
        // A drive or a folder of its own.
        "" => Cow::Borrowed(REDACTED),
        part => Cow::Borrowed(part),
    }
}

/// Where the text goes on behind its last `%2F` or `%5C`.
fn encoded_separator(text: &str) -> Option<usize> {
    let is_separator = |code: &[u8]| matches!(code, [b'%', b'2', b'f' | b'F'] | [b'%', b'5', b'c' | b'C']);
    text.as_bytes().windows(3).rposition(is_separator).map(|at| at + 3)
}

fn split_closers(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(CLOSERS).len())
}

#[cfg(test)]
mod tests;
