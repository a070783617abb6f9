//! What a client's root stands for.

use super::super::roots::{InvalidRoot, Paths, path_of};

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
fn what_is_no_directory_of_this_machine_is_refused() {
    use InvalidRoot::{NoPath, NotAFile, OtherHost};
    for (uri, error) in [
        ("https://example.com/x", NotAFile),
        ("", NotAFile),
        ("/home/me", NotAFile),
        ("fileé:///x", NotAFile),
        ("file://server/share", OtherHost),
        ("file://%6cocalhost/x", OtherHost),
        ("file://", NoPath),
        ("file:home/me", NoPath),
        ("file:////server/share", NoPath),
        ("file:///%2Fserver/share", NoPath),
        ("file:///a%", NoPath),
        ("file:///a%2", NoPath),
        ("file:///a%+1", NoPath),
        ("file:///a%zz", NoPath),
        ("file:///a%00b", NoPath),
        ("file:///a%ff", NoPath),
        ("file:///a?b", NoPath),
        ("file:///a#b", NoPath),
    ] {
        assert_eq!(path_of(uri, Paths::Slashed), Err(error), "{uri}");
    }
    for uri in ["file:///home/me", "file:///C:", "file:///C:x", "file:////server/share", "file:///1:/x"] {
        assert_eq!(path_of(uri, Paths::Drives), Err(NoPath), "{uri}");
    }
}
