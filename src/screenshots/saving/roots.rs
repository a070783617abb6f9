//! The roots of a client: `file:///` URIs (RFC 8089) as paths of this machine.
//!
//! They are read more strictly than by `url`, which mends what is wrong: `file://` would allow the whole disk,
//! `file:home/me` the folder `/home/me`.

use std::borrow::Cow;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// How paths of a platform look in a URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// `/home/me`.
    Slashed,
    /// `/C:/Users/me`: the first slash is none of the path's.
    Drives,
}

/// Returns the path that the URI of a root stands for on this platform; `None` for another scheme, a host that is not this
/// one, a query, or without an absolute path in UTF-8.
pub fn folder_of_root(uri: &str) -> Option<PathBuf> {
    path_of(uri, if cfg!(windows) { Paths::Drives } else { Paths::Slashed }).map(PathBuf::from)
}

pub(super) fn path_of(uri: &str, paths: Paths) -> Option<String> {
    const SCHEME: &str = "file:";
    let (scheme, rest) = uri.split_at_checked(SCHEME.len())?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    // The host may be left out with its slashes: `file:/home/me`.
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/')?);
            if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) {
                return None;
            }
            path
        }
    };
    let path = decode_percent(path)?;
    let path = match paths {
        Paths::Slashed => path.as_ref(),
        Paths::Drives => without_first_slash(&path)?,
    };
    // Two slashes would be a share of another host for Windows, and mean nothing elsewhere.
    if path.contains('\0') || path.starts_with("//") || (paths == Paths::Slashed && !path.starts_with('/')) {
        return None;
    }
    Some(path.to_owned())
}

/// `C:/Users` of `/C:/Users`.
fn without_first_slash(path: &str) -> Option<&str> {
    let path = path.strip_prefix('/')?;
    match path.as_bytes() {
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => Some(path),
        _ => None,
    }
}

/// The text with its `%20` and the like put back; `None` for what is no such text, or has more than a path.
fn decode_percent(text: &str) -> Option<Cow<'_, str>> {
    let is_code = |rest: &str| rest.as_bytes().get(..2).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit));
    let is_path = !text.contains(['?', '#']) && text.split('%').skip(1).all(is_code);
    percent_decode_str(text).decode_utf8().ok().filter(|_| is_path)
}
