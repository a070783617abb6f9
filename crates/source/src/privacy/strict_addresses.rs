//! The strict parser: returns the site of a URL, or the file name of a path. Only these parts may be shown.
//!
//! If a text is ambiguous, the strict parser returns nothing, so no part of the text is shown. In contrast, the lenient
//! parser ([`lenient_hosts`](super::lenient_hosts)) returns every possible host.
//!
//! A *site* is the text after `scheme://`, for known schemes, or the start of a text without a scheme. A site is a host
//! with an optional port. A host is an IPv4 address, an IPv6 address in brackets, or labels that are separated by dots.
//! A label consists of letters, digits, `-` and `_`. The site is shown in lower case, without user, port and final dot.
//! After the site, there must be `/`, `?`, `#` or the end of the text. If another character follows, such as a
//! backslash or an encoded character, programs disagree on the host. The text then isn't parsed.
//!
//! The SQL function `site` returns other hosts for some texts. It is used to count visits, so it parses a URL as a
//! browser does, and repairs errors. The strict parser returns a host only if all programs agree on this host.
//!
//! A *file name* is the text after the last separator of a path. This separator can be encoded.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::lenient_hosts::{is_dot, normalize};

/// The schemes of URLs that lead to a site.
const WEB_SCHEMES: [&str; 4] = ["http", "https", "ws", "wss"];
/// The schemes of URLs that lead to a file on a server.
const REMOTE_FILE_SCHEMES: [&str; 12] =
    ["ftp", "ftps", "sftp", "ssh", "scp", "smb", "cifs", "nfs", "afp", "dav", "davs", "webdav"];
/// Those schemes in `REMOTE_FILE_SCHEMES` that have the name of a share at the start of the path.
const SHARE_SCHEMES: [&str; 4] = ["smb", "cifs", "nfs", "afp"];
/// The maximum lengths in characters: of a host, of a label of a host, and of a file name.
const HOST_LETTERS: usize = 253;
const LABEL_LETTERS: usize = 63;
const NAME_LETTERS: usize = 255;

/// A URL that was parsed without ambiguity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'t> {
    pub(super) form: Form,
    /// The unchanged host, without a port. Empty for `file:`.
    host: &'t str,
}

/// The form of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A URL with a scheme from `WEB_SCHEMES`.
    Web,
    /// A URL with a scheme from `REMOTE_FILE_SCHEMES`.
    RemoteFile,
    /// A URL with `file:`, which doesn't lead to a site.
    LocalFile,
    /// A URL without a scheme. If text follows the site, it begins with `/`, `?` or `#`.
    Bare {
        /// Whether text follows the site.
        goes_on: bool,
    },
}

/// The hosts that a text without a scheme may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BareHost {
    /// Hosts that can't be words: ASCII text with a dot, `localhost`, and IP addresses.
    Evident,
    /// The hosts of `Evident`, and also single ASCII words. It is used for fields that contain only sites.
    Any,
}

impl<'t> Address<'t> {
    /// Parses a text that consists only of a URL. Returns `None` if the text isn't a URL, or if it
    /// is ambiguous.
    pub(super) fn parse(text: &'t str, bare: BareHost) -> Option<Self> {
        let text = text.trim();
        let Some(scheme) = scheme(text) else { return Self::parse_bare(text, bare) };
        let Some(rest) = text[scheme.len()..].strip_prefix("://") else {
            // Without `//`, the text before the colon can be a host and not a scheme, because a port can follow.
            return Self::parse_bare(text, bare);
        };
        let form = match () {
            () if scheme.eq_ignore_ascii_case("file") => return Some(Self { form: Form::LocalFile, host: "" }),
            () if is_one_of(&WEB_SCHEMES, scheme) => Form::Web,
            () if is_one_of(&REMOTE_FILE_SCHEMES, scheme) => Form::RemoteFile,
            () => return None,
        };
        let authority = &rest[..end_of_authority(rest)];
        // Some programs end the host at a backslash. In such a program, a user name before a backslash would be the
        // host.
        if authority.contains(|letter: char| letter == '\\' || letter.is_whitespace() || letter.is_control()) {
            return None;
        }
        let host = authority.rsplit('@').next().unwrap_or(authority);
        let (host, _) = split_port(host)?;
        is_host(host).then_some(Self { form, host })
    }

    fn parse_bare(text: &'t str, bare: BareHost) -> Option<Self> {
        let end = end_of_authority(text);
        let (host, port) = split_port(&text[..end])?;
        // An empty port is not accepted, because `word:` can be a scheme.
        let is_evident = || {
            host.is_ascii() && host.trim_end_matches('.').contains(['.', ':']) || host.eq_ignore_ascii_case("localhost")
        };
        let is_read = port != Some("")
            && is_host(host)
            && (is_evident() || bare == BareHost::Any && (host.is_ascii() || host.contains('.')));
        is_read.then_some(Self { form: Form::Bare { goes_on: end < text.len() }, host })
    }

    /// Returns the site as it may be shown. Returns `None` for a file on this machine.
    pub(super) fn site(self) -> Option<String> {
        if let Some(address) = strip_brackets(self.host) {
            return Some(format!("[{}]", address.parse::<Ipv6Addr>().ok()?));
        }
        let host = without_last_dot(self.host);
        (!host.is_empty()).then(|| host.to_lowercase())
    }
}

/// Returns the file name of a path or a URL. Returns `None` if the text doesn't end with a clear file name. For
/// example, the path of a folder ends with a separator.
pub(super) fn file_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let scheme = scheme(text);
    let is_address = scheme.is_some()
        || matches!(Address::parse(text, BareHost::Evident), Some(Address { form: Form::Bare { goes_on: true }, .. }));
    let mut path = scheme.map_or(text, |scheme| &text[scheme.len() + 1..]);
    if is_address && let Some(end) = path.find(['?', '#', ';']) {
        let (before, behind) = path.split_at(end);
        // A separator after `?`, `#` or `;` makes the end of the path ambiguous.
        if last_separator(behind).is_some() {
            return None;
        }
        path = before;
    }
    let local = strip_server(scheme, path)?;
    let starts_at_server = local.len() < path.len();
    path = local;
    let (name, is_below) = match last_separator(path) {
        Some((at, end)) => (&path[end..], path[at..].starts_with(is_slash)),
        None if scheme.is_some() => return None,
        None => (path, false),
    };
    // Windows doesn't allow `?` in names, so the name ends there.
    let name = name.split('?').next().unwrap_or(name).trim();
    let can_be_user = name.contains('@') && (scheme.is_some() || starts_at_server || !is_below);
    let is_shown = !matches!(name, "" | "." | "..")
        && !can_be_user
        && name.chars().count() <= NAME_LETTERS
        && !name.contains(char::is_control);
    is_shown.then_some(name)
}

fn is_one_of(known: &[&str], scheme: &str) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Whether a text can be a URL: it contains `://`, or it starts with a scheme. Punctuation before the scheme is
/// ignored.
pub(super) fn can_be_address(text: &str) -> bool {
    let text = &normalize(text);
    scheme(text.trim_start_matches(is_never_path_start)).is_some() || text.contains("://")
}

/// Whether a text without a scheme can still be a URL. Such a text begins with a user or a possible host in any script.
/// A path, a query or a fragment must follow.
pub(super) fn can_be_bare_address(text: &str) -> bool {
    let plain = normalize(text);
    let text = plain.trim();
    let begun = text.trim_start_matches(is_never_path_start);
    let Some(end) = begun.find(['/', '\\', '?', '#']) else { return false };
    let authority = &begun[..end];
    let is_encoded = |code: &str| code.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    let can_be_host = authority.trim_matches(is_dot).contains(is_dot)
        || authority.contains('@')
        || authority.split('%').skip(1).any(is_encoded)
        || text.starts_with('[')
        || matches!(Address::parse(text, BareHost::Evident), Some(Address { form: Form::Bare { .. }, .. }));
    can_be_host && !authority.contains(char::is_whitespace)
}

/// Whether a local path can't begin with this character.
fn is_never_path_start(letter: char) -> bool {
    !letter.is_alphanumeric() && !matches!(letter, '/' | '\\' | '.' | '~')
}

/// Whether a text begins with two slashes. A server name can follow such slashes.
pub(super) fn begins_with_server(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(is_slash) && text[1..].starts_with(is_slash)
}

/// Returns the URL of a local file without query and fragment, or `None` if the URL contains a
/// server.
pub(super) fn local_file_address(text: &str) -> Option<&str> {
    let text = text.trim();
    let (_, rest) = text.split_once("://").filter(|(scheme, _)| scheme.eq_ignore_ascii_case("file"))?;
    let (authority, path) = rest.split_at(end_of_authority(rest));
    let is_here = authority.is_empty() || authority.eq_ignore_ascii_case("localhost");
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let is_local = is_here && leading_slashes(path).0 == 1 && !path.contains("://");
    let end = text.len() - rest.len() + authority.len() + path.len();
    is_local.then_some(&text[..end])
}

/// Whether a text contains a path separator.
pub(super) fn has_separator(text: &str) -> bool {
    separators(text).next().is_some()
}

/// Returns the scheme of a text without the colon. A single letter before a colon is a drive and not a scheme.
pub(super) fn scheme(text: &str) -> Option<&str> {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
    let length = text.bytes().take_while(|byte| is_of_scheme(*byte)).count();
    let is_scheme = length > 1 && text.as_bytes()[0].is_ascii_alphabetic() && text[length..].starts_with(':');
    is_scheme.then_some(&text[..length])
}

fn is_slash(letter: char) -> bool {
    matches!(letter, '/' | '\\')
}

fn end_of_authority(text: &str) -> usize {
    text.find(['/', '?', '#']).unwrap_or(text.len())
}

/// Splits a text into a host and its port. The port is empty if only a colon follows the host.
/// Returns `None` if other text follows the host.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let end_of_brackets = if authority.starts_with('[') { authority.find(']')? } else { 0 };
    let Some(colon) = authority[end_of_brackets..].find(':').map(|at| end_of_brackets + at) else {
        return Some((authority, None));
    };
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && (port.is_empty() || port.parse::<u16>().is_ok());
    is_port.then_some((host, Some(port)))
}

fn strip_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// Removes the final dot of a host, because the dot doesn't change the meaning.
fn without_last_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

fn is_host(host: &str) -> bool {
    if let Some(address) = strip_brackets(host) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let host = without_last_dot(host);
    // If the last label of a host consists of digits, every program parses the host as an IPv4 address.
    let is_number = host.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    let is_label = |label: &str| {
        let letters = label.chars().count();
        (1..=LABEL_LETTERS).contains(&letters)
            && label.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if is_number {
        host.parse::<Ipv4Addr>().is_ok()
    } else {
        host.chars().count() <= HOST_LETTERS && host.split('.').all(is_label)
    }
}

/// Returns a path without its server and share. The result starts with the separator after the server or share. A path
/// without a server is returned unchanged. Returns `None` if the path ends with the server or share.
///
/// Leading slashes can be encoded. But a server or a share ends only at a slash that isn't encoded. So an encoded slash
/// never causes more text to be shown.
fn strip_server<'t>(scheme: Option<&str>, path: &'t str) -> Option<&'t str> {
    let (slashes, length) = leading_slashes(path);
    let rest = &path[length..];
    let (first, behind) = rest.split_at(rest.find(is_slash).unwrap_or(rest.len()));
    let Some(scheme) = scheme else {
        return match first {
            "?" | "." if slashes > 1 => strip_device(behind),
            "??" => strip_device(behind),
            _ if slashes > 1 => strip_components(rest, 2),
            _ => Some(path),
        };
    };
    match slashes {
        _ if is_one_of(&SHARE_SCHEMES, scheme) => strip_components(rest, 2),
        _ if is_one_of(&REMOTE_FILE_SCHEMES, scheme) => strip_components(rest, 1),
        0 | 1 => Some(path),
        _ if !scheme.eq_ignore_ascii_case("file") => strip_components(rest, 1),
        2 if first.eq_ignore_ascii_case("localhost") => strip_server(None, behind),
        3 => Some(path),
        _ => strip_components(rest, 2),
    }
}

/// Returns the path after a Windows device. A device is a drive, or a server in UNC form.
fn strip_device(path: &str) -> Option<&str> {
    let device = path.trim_start_matches(is_slash);
    let name = &device[..device.find(is_slash)?];
    let is_drive = name.len() == 2 && name.ends_with(':') || name.starts_with("Volume{");
    match () {
        () if name.eq_ignore_ascii_case("UNC") => strip_components(device, 3),
        () if is_drive => strip_components(device, 1),
        () => None,
    }
}

/// Returns the path without its first `count` components. The result starts with the last slash
/// before the remaining path.
fn strip_components(path: &str, count: usize) -> Option<&str> {
    let mut rest = path.trim_start_matches(is_slash);
    for number in 0..count {
        let behind = &rest[rest.find(is_slash)?..];
        let component = behind.trim_start_matches(is_slash);
        rest = if number + 1 < count { component } else { &behind[behind.len() - component.len() - 1..] };
    }
    Some(rest)
}

/// Returns the number of slashes at the start of a path, and their length in bytes. The slashes can
/// be encoded.
fn leading_slashes(path: &str) -> (usize, usize) {
    let mut slashes = (0, 0);
    for (at, end, is_slash) in separators(path) {
        if at != slashes.1 || !is_slash {
            break;
        }
        slashes = (slashes.0 + 1, end);
    }
    slashes
}

/// Returns the start and end of the last separator of a path.
fn last_separator(path: &str) -> Option<(usize, usize)> {
    separators(path).last().map(|(at, end, _)| (at, end))
}

/// Returns the start and end of every path separator, and whether the separator is a slash. The function finds the
/// separators of all systems: slashes, backslashes and colons. It also finds characters that look like one of these,
/// and separators that are encoded once or several times.
fn separators(path: &str) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    path.char_indices().filter_map(|(at, letter)| {
        let (letter, length) = match letter {
            '%' => decode_letter(&path.as_bytes()[at..])?,
            letter => (letter, letter.len_utf8()),
        };
        let is_slash = match letter {
            // Older Japanese and Korean systems display a backslash as `¥` or `₩`.
            '/' | '∕' | '⁄' | '⧸' | '／' | '\\' | '∖' | '⧵' | '⧹' | '﹨' | '＼' | '¥' | '₩' => true,
            ':' | '∶' | '꞉' | '﹕' | '：' => false,
            _ => return None,
        };
        Some((at, at + length, is_slash))
    })
}

/// Decodes a percent-encoded sequence. Returns its character and the length of the sequence.
fn decode_letter(code: &[u8]) -> Option<(char, usize)> {
    let (mut letter, mut length) = (Vec::new(), 0);
    while letter.len() < 4 {
        let rest = &code[length..];
        let (byte, more) = if rest.starts_with(b"%") { decode_byte(rest, 2)? } else { return None };
        letter.push(byte);
        length += more;
        if let Ok(text) = std::str::from_utf8(&letter) {
            return Some((text.chars().next()?, length));
        }
    }
    None
}

/// Decodes a byte that can be encoded several times. Returns the byte and the length of its code. A digit in the code
/// of the byte can itself be encoded, but not a digit in the code of such a digit.
fn decode_byte(code: &[u8], depth: usize) -> Option<(u8, usize)> {
    let (mut byte, mut length) = (*code.first()?, 1);
    while byte == b'%' {
        let mut value = 0;
        for _ in 0..2 {
            let (digit, more) = decode_byte(&code[length..], depth.checked_sub(1)?)?;
            value = value * 16 + char::from(digit).to_digit(16)?;
            length += more;
        }
        byte = u8::try_from(value).ok()?;
    }
    Some((byte, length))
}

/// Returns `shown`, or `(redacted)` if it is `None`.
pub(super) fn or_redacted<'t>(shown: Option<impl Into<Cow<'t, str>>>) -> Cow<'t, str> {
    shown.map_or(Cow::Borrowed(super::REDACTED), Into::into)
}

#[cfg(test)]
mod tests;
