//! Tests the paths of a client's roots.

use super::super::roots::{Paths, path_of};

#[test]
fn a_root_is_a_path_of_this_machine() {
    for (uri, path) in [
        ("file:///home/me/project", "/home/me/project"),
        ("file:///home/me/my%20project/", "/home/me/my project/"),
        ("file://localhost/home/me", "/home/me"),
        ("FILE:///srv", "/srv"),
        ("file:/srv", "/srv"),
        ("file:///tmp/f%C3%BCr%20alle%25", "/tmp/für alle%"),
        ("file:///C:/odd", "/C:/odd"),
        ("file:///", "/"),
    ] {
        assert_eq!(path_of(uri, Paths::Slashed).unwrap(), path);
    }
    for (uri, path) in [
        ("file:///C:/Users/me", "C:/Users/me"),
        ("file:///c%3A/Users/me/my%20project", "c:/Users/me/my project"),
        ("file:///C:/", "C:/"),
    ] {
        assert_eq!(path_of(uri, Paths::Drives).unwrap(), path);
    }
}

#[test]
fn root_outside_this_machine_is_rejected() {
    for uri in [
        "https://example.com/x",
        "",
        "/home/me",
        "fileé:///x",
        "file://server/share",
        "file://%6cocalhost/x",
        "file://",
        "file:home/me",
        "file:////server/share",
        "file:///%2Fserver/share",
        "file:///a%",
        "file:///a%2",
        "file:///a%+1",
        "file:///a%zz",
        "file:///a%00b",
        "file:///a%ff",
        "file:///a?b",
        "file:///a#b",
    ] {
        assert_eq!(path_of(uri, Paths::Slashed), None, "{uri}");
    }
    for uri in ["file:///home/me", "file:///C:", "file:///C:x", "file:////server/share", "file:///1:/x"] {
        assert_eq!(path_of(uri, Paths::Drives), None, "{uri}");
    }
}
