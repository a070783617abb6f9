//! Converts the roots of a client to paths. Roots are `file:///` URIs (RFC 8089).
//!
//! The rules are stricter than those of the crate `url`, which repairs invalid URIs. For example,
//! that crate would read `file://` as the whole disk, and `file:home/me` as the folder `/home/me`.

use std::borrow::Cow;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// The form that a platform's paths have in a URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// `/home/me`.
    Slashed,
    /// `/C:/Users/me`: the first slash isn't part of the path.
    Drives,
}

/// Returns the path for the URI of a root on this platform. Returns `None` if the URI has another
/// scheme, another host or a query, or if its path isn't absolute or isn't UTF-8.
pub fn folder_of_root(uri: &str) -> Option<PathBuf> {
    path_of(uri, if cfg!(windows) { Paths::Drives } else { Paths::Slashed }).map(PathBuf::from)
}

pub(super) fn path_of(uri: &str, paths: Paths) -> Option<String> {
    const SCHEME: &str = "file:";
    let (scheme, rest) = uri.split_at_checked(SCHEME.len())?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    // The slashes and the host are optional. For example, `file:/home/me` is valid.
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
    // On Windows, two slashes at the start would mean a share on another host. On other systems,
    // they have no meaning.
    if path.contains('\0') || path.starts_with("//") || (paths == Paths::Slashed && !path.starts_with('/')) {
        return None;
    }
    Some(path.to_owned())
}

/// Returns `C:/Users` for `/C:/Users`.
fn without_first_slash(path: &str) -> Option<&str> {
    let path = path.strip_prefix('/')?;
    match path.as_bytes() {
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => Some(path),
        _ => None,
    }
}

/// Decodes percent-encoded characters such as `%20`. Returns `None` if the encoding is invalid, or
/// if the text contains a query or a fragment.
fn decode_percent(text: &str) -> Option<Cow<'_, str>> {
    let is_code = |rest: &str| rest.as_bytes().get(..2).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit));
    let is_path = !text.contains(['?', '#']) && text.split('%').skip(1).all(is_code);
    percent_decode_str(text).decode_utf8().ok().filter(|_| is_path)
}
