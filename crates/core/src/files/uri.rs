//! Converts paths to URIs.

use std::fmt::Write;
use std::path::Path;

/// Returns the URI of a file or folder. The host is empty, so that SQLite reads `//server/share` as a path. Bytes that
/// aren't UTF-8 are escaped.
///
/// The crate `url` isn't used for two reasons. It would make `server` the host, and SQLite rejects URIs with a host. It
/// also doesn't support relative paths.
pub fn file_uri(path: &Path) -> String {
    let mut written = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let valid = if cfg!(windows) { chunk.valid().replace('\\', "/") } else { chunk.valid().to_owned() };
        written += &valid.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(written, "%{byte:02x}");
        }
    }
    match written.starts_with('/') {
        true => format!("file://{written}"),
        false if cfg!(windows) => format!("file:///{written}"),
        false => format!("file:{written}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reaches_sqlite_with_every_character() {
        assert_eq!(file_uri(Path::new("/a b/50%?#ü/x.db")), "file:///a b/50%25%3f%23ü/x.db");
        assert_eq!(file_uri(Path::new("//server/share/x.db")), "file:////server/share/x.db");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let path = Path::new(std::ffi::OsStr::from_bytes(b"/M\xfcller\xff/x.db"));
            assert_eq!(file_uri(path), "file:///M%fcller%ff/x.db");
        }
        assert_eq!(file_uri(Path::new("x.db")).trim_start_matches("file:").trim_start_matches('/'), "x.db");
    }
}
