//! Scalar functions for text: the site of a URL, and the URI of a file.
//!
//! Implements `site` and `file_uri`. `site` returns every site name, including names that views leave out
//! (docs/spec/time.md#site-names-of-one-character). Redaction doesn't use these functions, because redaction must parse
//! URLs more strictly than any browser does.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use arrow::array::{Array, StringBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::columns::text_column;
use crate::declare::{Declaration, Parameter, scalar};

static SITE: Declaration = Declaration {
    name: "site",
    description: "Returns the host of an http or https URL in lower case, without port and user. Other texts give \
            NULL.",
    parameters: &[Parameter::text("url", "The URL.")],
    call_suffix: "",
    example: "SELECT site('https://GitHub.com:443/a/b')  -- github.com",
};

static FILE_URI: Declaration = Declaration {
    name: "file_uri",
    description: "Returns a Windows drive or UNC path as a file URI. Other texts remain unchanged.",
    parameters: &[Parameter::text("path", "The path.")],
    call_suffix: "",
    example: r"SELECT file_uri('C:\a b\c.txt')  -- file:///C:/a%20b/c.txt",
};

/// All characters that RFC 3986 doesn't allow in the host of a URI.
const NOT_IN_HOST: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// All characters that RFC 3986 doesn't allow in the path of a URI.
const NOT_IN_PATH: &AsciiSet = &NOT_IN_HOST.remove(b':').remove(b'@').remove(b'/');

/// Returns `site(url) -> Utf8`, computed by [`site_of`]. Null if the text isn't an http or https URL.
pub fn site() -> ScalarUDF {
    scalar(&SITE, DataType::Utf8, |columns| {
        let urls = text_column(columns, 0)?;
        let mut sites = StringBuilder::with_capacity(urls.len(), 0);
        for url in urls {
            sites.append_option(url.and_then(site_of));
        }
        Ok(Arc::new(sites.finish()))
    })
}

/// Returns `file_uri(path) -> Utf8`, computed by [`file_uri_of`] (docs/spec/time.md#documents-and-websites).
pub fn file_uri() -> ScalarUDF {
    scalar(&FILE_URI, DataType::Utf8, |columns| {
        let paths = text_column(columns, 0)?;
        let mut uris = StringBuilder::with_capacity(paths.len(), 0);
        for path in paths {
            uris.append_option(path.map(file_uri_of));
        }
        Ok(Arc::new(uris.finish()))
    })
}

/// Returns the host of an http or https URL in lower case, or `None` for other texts.
pub fn site_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.host_str().map(str::to_owned)
}

/// Returns a drive or UNC path as a `file` URI (RFC 8089). Returns other texts unchanged, including Unix paths
/// (docs/spec/time.md#documents-and-websites).
pub fn file_uri_of(path: &str) -> Cow<'_, str> {
    // The prefix `\\?\` makes Windows take the rest of the path literally, for example if the path is long. It isn't a
    // part of the path itself.
    let plain = path.strip_prefix(r"\\?\").unwrap_or(path);
    if is_drive_path(plain) {
        return uri(None, &format!("/{}", plain.replace('\\', "/")));
    }
    let share = path.strip_prefix(r"\\?\UNC\").or_else(|| path.strip_prefix(r"\\"));
    if let Some((server, rest)) = share.and_then(|share| share.split_once('\\'))
        // `\\.\` and `\\?\` are the beginnings of device names, so `.` and `?` aren't servers.
        && !matches!(server, "" | "." | "?")
        && !rest.is_empty()
    {
        return uri(Some(server), &format!("/{}", rest.replace('\\', "/")));
    }
    Cow::Borrowed(path)
}

fn is_drive_path(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

/// Returns a file URI that keeps every character of the recorded path. The crate `url` isn't used, because it would
/// drop `..`, decode `%20` in a name, and reject hosts that aren't domains.
fn uri(server: Option<&str>, path: &str) -> Cow<'static, str> {
    let mut uri = String::from("file://");
    let host = utf8_percent_encode(server.unwrap_or_default(), NOT_IN_HOST);
    // Writing to a string can't fail.
    let _ = write!(uri, "{host}{}", utf8_percent_encode(path, NOT_IN_PATH));
    Cow::Owned(uri)
}

#[cfg(test)]
mod tests;
