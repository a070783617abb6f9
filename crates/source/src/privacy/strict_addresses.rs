//! The strict reader: the site of an address and the name of a file, as far as they may be shown.
//!
//! What it does not know for certain it does not read, and what is not read is not told. Its counterpart, which errs the
//! other way, is [`lenient_hosts`](super::lenient_hosts).
//!
//! A *site* stands behind `scheme://` of a known scheme, or at the start of a text without one. It is a host: labels of
//! letters, digits, `-` and `_` with dots between them, an IPv4 address, or an IPv6 address in brackets; a port of digits
//! may follow. It is told in lower case, without a user, a port and a dot at its end. Behind it comes `/`, `?`, `#` or
//! nothing: a backslash, an encoded letter or anything else in its place is none that everybody reads alike.
//!
//! The function `site` of SQL reads another host out of some texts: it counts what was visited, so it reads an address as
//! a browser does, which repairs what is broken. What may be told of it under a switch has to be read by everybody alike.
//!
//! A *file's name* is what stands behind the last separator of a path, plain or encoded.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::lenient_hosts::{is_dot, normalize};

/// Schemes of addresses that lead to a site.
const WEB_SCHEMES: [&str; 4] = ["http", "https", "ws", "wss"];
/// Schemes of addresses that lead to a file at a site.
const REMOTE_FILE_SCHEMES: [&str; 12] =
    ["ftp", "ftps", "sftp", "ssh", "scp", "smb", "cifs", "nfs", "afp", "dav", "davs", "webdav"];
/// Those of them whose path begins with the name of a share.
const SHARE_SCHEMES: [&str; 4] = ["smb", "cifs", "nfs", "afp"];
/// The most letters of a host, of one of its labels, and of a file's name.
const HOST_LETTERS: usize = 253;
const LABEL_LETTERS: usize = 63;
const NAME_LETTERS: usize = 255;

/// An address that is read for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'t> {
    pub(super) form: Form,
    /// The host as it is written, without a port; `file:` has none that counts.
    host: &'t str,
}

/// How an address is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With the scheme of a site.
    Web,
    /// With the scheme of a file at a site.
    RemoteFile,
    /// With `file:`, which names no site.
    LocalFile,
    /// Without a scheme; what stands behind its site, if anything, begins with `/`, `?` or `#`.
    Bare {
        /// Whether anything stands behind its site.
        goes_on: bool,
    },
}

/// Which hosts count where no scheme tells that one stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BareHost {
    /// Those that cannot be a word: with a dot between letters of ASCII, `localhost`, an IP address.
    Evident,
    /// One word of ASCII too, since a site is all that should stand there.
    Any,
}

impl<'t> Address<'t> {
    /// Reads a text that is an address as a whole.
    pub(super) fn parse(text: &'t str, bare: BareHost) -> Option<Self> {
        let text = text.trim();
        let Some(scheme) = scheme(text) else { return Self::parse_bare(text, bare) };
        let Some(rest) = text[scheme.len()..].strip_prefix("://") else {
            // What looks like a scheme can be a host before its port.
            return Self::parse_bare(text, bare);
        };
        let form = match () {
            () if scheme.eq_ignore_ascii_case("file") => return Some(Self { form: Form::LocalFile, host: "" }),
            () if is_one_of(&WEB_SCHEMES, scheme) => Form::Web,
            () if is_one_of(&REMOTE_FILE_SCHEMES, scheme) => Form::RemoteFile,
            () => return None,
        };
        let authority = &rest[..end_of_authority(rest)];
        // Some read a backslash as the end of the host, so that a user's name before one could be taken for it.
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
        // A scheme ends like a host before an empty port.
        let is_evident = || {
            host.is_ascii() && host.trim_end_matches('.').contains(['.', ':']) || host.eq_ignore_ascii_case("localhost")
        };
        let is_read = port != Some("")
            && is_host(host)
            && (is_evident() || bare == BareHost::Any && (host.is_ascii() || host.contains('.')));
        is_read.then_some(Self { form: Form::Bare { goes_on: end < text.len() }, host })
    }

    /// The site, as it is told; none of a file on this machine.
    pub(super) fn site(self) -> Option<String> {
        if let Some(address) = strip_brackets(self.host) {
            return Some(format!("[{}]", address.parse::<Ipv6Addr>().ok()?));
        }
        let host = without_last_dot(self.host);
        (!host.is_empty()).then(|| host.to_lowercase())
    }
}

/// The name of the file that a path or an address leads to; nothing where none can be read, as of a folder.
pub(super) fn file_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let scheme = scheme(text);
    let is_address = scheme.is_some()
        || matches!(Address::parse(text, BareHost::Evident), Some(Address { form: Form::Bare { goes_on: true }, .. }));
    let mut path = scheme.map_or(text, |scheme| &text[scheme.len() + 1..]);
    if is_address && let Some(end) = path.find(['?', '#', ';']) {
        let (before, behind) = path.split_at(end);
        // What belongs to the path and what comes behind it cannot be told apart.
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
    // Windows knows no such letter in a name; what follows one is none of it.
    let name = name.split('?').next().unwrap_or(name).trim();
    let can_be_user = name.contains('@') && (scheme.is_some() || starts_at_server || !is_below);
    let is_told = !matches!(name, "" | "." | "..")
        && !can_be_user
        && name.chars().count() <= NAME_LETTERS
        && !name.contains(char::is_control);
    is_told.then_some(name)
}

fn is_one_of(known: &[&str], scheme: &str) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Whether a text can be an address rather than the path of a file on this machine: with a scheme, behind whatever stands
/// before it.
pub(super) fn can_be_address(text: &str) -> bool {
    let text = &normalize(text);
    scheme(text.trim_start_matches(is_never_path_start)).is_some() || text.contains("://")
}

/// Whether a text without a scheme can be an address all the same: it begins with what can be a host in any script, or
/// with a user, and goes on.
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

/// Whether nothing on this machine begins with a letter.
fn is_never_path_start(letter: char) -> bool {
    !letter.is_alphanumeric() && !matches!(letter, '/' | '\\' | '.' | '~')
}

/// Whether a text begins with two slashes, behind which a server can stand.
pub(super) fn begins_with_server(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(is_slash) && text[1..].starts_with(is_slash)
}

/// The address of a file on this machine that names no server, without its query and fragment.
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

/// Whether anything in a text parts the components of a path.
pub(super) fn has_separator(text: &str) -> bool {
    separators(text).next().is_some()
}

/// The scheme that a text begins with, without the colon; one letter is a drive.
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

/// A host and its port, which is empty where a colon alone stands there; nothing where what follows the host is none.
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

/// A name that ends in a dot is the same name.
fn without_last_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

fn is_host(host: &str) -> bool {
    if let Some(address) = strip_brackets(host) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let host = without_last_dot(host);
    // A host of digits alone at its end is a number to every reader of addresses.
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

/// A path from the separator behind its server and share on, where it names any; nothing where it goes on no further.
///
/// Slashes before a server count in every writing, but only a plain one ends a server or a share: less is told for it.
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

/// What follows a device that Windows hands to its drivers: a drive, or a server by another way.
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

/// What follows the first `count` components of a path, from the last of the slashes between on.
fn strip_components(path: &str, count: usize) -> Option<&str> {
    let mut rest = path.trim_start_matches(is_slash);
    for number in 0..count {
        let behind = &rest[rest.find(is_slash)?..];
        let component = behind.trim_start_matches(is_slash);
        rest = if number + 1 < count { component } else { &behind[behind.len() - component.len() - 1..] };
    }
    Some(rest)
}

/// How many slashes a path begins with, in any writing, and their length.
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

/// Where the last separator of a path begins and ends.
fn last_separator(path: &str) -> Option<(usize, usize)> {
    separators(path).last().map(|(at, end, _)| (at, end))
}

/// Where everything that parts the components of a path on some system begins and ends, and whether it is a slash: slashes
/// and colons, those that only look like one, and those that are encoded, also more than once.
fn separators(path: &str) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    path.char_indices().filter_map(|(at, letter)| {
        let (letter, length) = match letter {
            '%' => decode_letter(&path.as_bytes()[at..])?,
            letter => (letter, letter.len_utf8()),
        };
        let is_slash = match letter {
            // The last two are what older Japanese and Korean systems show for a backslash.
            '/' | '∕' | '⁄' | '⧸' | '／' | '\\' | '∖' | '⧵' | '⧹' | '﹨' | '＼' | '¥' | '₩' => true,
            ':' | '∶' | '꞉' | '﹕' | '：' => false,
            _ => return None,
        };
        Some((at, at + length, is_slash))
    })
}

/// The letter that a code stands for, which begins with a percent sign, and the length of the code.
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

/// Reads a byte that can be encoded any number of times, and returns the length of its code. The digits of a code can be
/// encoded too, unless they are the digits of another digit.
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

/// A site or a name as it is told.
pub(super) fn or_redacted<'t>(told: Option<impl Into<Cow<'t, str>>>) -> Cow<'t, str> {
    told.map_or(Cow::Borrowed(super::REDACTED), Into::into)
}

#[cfg(test)]
mod tests;
