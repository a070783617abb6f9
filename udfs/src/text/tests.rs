use super::*;

#[test]
fn a_site_is_the_host_in_lower_case() {
    for (url, site) in [
        ("https://GitHub.com/a?b#c", Some("github.com")),
        ("http://user:secret@Example.org:8080/", Some("example.org")),
        ("https://[::1]:9/", Some("[::1]")),
        ("HTTPS://example.org", Some("example.org")),
        ("file:///C:/a.html", None),
        ("chrome://settings", None),
        ("example.org/page", None),
        ("https://", None),
        ("", None),
    ] {
        assert_eq!(site_of(url).as_deref(), site, "{url}");
    }
}

#[test]
fn an_absolute_path_becomes_a_file_uri() {
    for (path, expected) in [
        (r"C:\a b\ü.txt", "file:///C:/a%20b/%C3%BC.txt"),
        ("d:/work/100%.txt", "file:///d:/work/100%25.txt"),
        (r"C:\", "file:///C:/"),
        (r"\\?\C:\long\path", "file:///C:/long/path"),
        (r"\\srv\share\x#1.txt", "file://srv/share/x%231.txt"),
        (r"\\?\UNC\srv\share\x", "file://srv/share/x"),
        ("/home/x/a+b?.md", "/home/x/a+b?.md"),
        (r"/home/a\b", r"/home/a\b"),
    ] {
        assert_eq!(file_uri_of(path), expected);
    }
}

#[test]
fn relative_paths_and_other_texts_are_unchanged() {
    for text in ["notes.txt", "https://example.org/a b", "C:notes.txt", r"\\srv", r"\\.\pipe\x", "", "ü"] {
        assert_eq!(file_uri_of(text), text);
    }
}
