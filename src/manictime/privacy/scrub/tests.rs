use proptest::prelude::*;

use super::*;

const BOTH: Redactions = Redactions { titles: false, urls: true, paths: true };
const URLS: Redactions = Redactions { paths: false, ..BOTH };
const PATHS: Redactions = Redactions { urls: false, ..BOTH };

#[track_caller]
fn texts(redactions: Redactions, cases: &[(&str, &str)]) {
    for (text, told) in cases {
        assert_eq!(redactions.text(text), *told, "{text}");
    }
}

#[test]
fn of_an_address_in_a_text_the_site_stays() {
    texts(
        URLS,
        &[
            ("Docs https://Docs.Example:8080/a/b?q=1#x - Firefox", "Docs docs.example - Firefox"),
            ("(https://ada:secret@docs.example/a), then", "(docs.example), then"),
            ("see:github.com/secret/plan now", "see:github.com now"),
            ("www.example.org/a?b", "www.example.org"),
            ("localhost:3000/admin", "localhost"),
            ("10.0.0.1/admin", "10.0.0.1"),
            ("example.org?token=1", "example.org"),
            ("https://[::1]:9/a", "[::1]"),
            ("mailto:ada@example.org", "(redacted)"),
            ("view-source:https://a.example/b", "view-source:a.example"),
            ("chrome-extension://abcdef/page.html", "(redacted)"),
            ("x?to=https%3A%2F%2Fsecret.example%2Fa", "(redacted)"),
            ("sftp://host.example/home/plan.txt", "host.example"),
            ("https://a b", "a b"),
            ("**portal.example/a** and __portal.example/a__", "**portal.example** and __portal.example__"),
            ("?portal.example/a ~~portal.example/a~~", "?portal.example ~~portal.example~~"),
            ("- *[a](portal.example/a)*", "- *[a](portal.example)*"),
            (
                "[x]portal.example/a 1)portal.example/a ✅portal.example/a",
                "[x]portal.example 1)portal.example ✅portal.example",
            ),
            ("「portal.example/a」（portal.example/b）", "「portal.example"),
            ("<img src=\"//portal.example/a\">", "<img src=\"portal.example\">"),
            ("ada:secret@portal.example/a", "portal.example"),
            ("-portal.example/a #portal.example/a", "-portal.example #portal.example"),
        ],
    );
}

#[test]
fn of_a_path_in_a_text_the_last_part_stays() {
    texts(
        PATHS,
        &[
            (r"C:\Users\Ada Byron\My work\plan.txt - Editor", "plan.txt - Editor"),
            (r"C:\Users/Ada Byron/plan.txt", "plan.txt"),
            (r"\\server\share\Ada Byron\plan.txt", "plan.txt"),
            (r"\\?\C:\work\plan.txt", "plan.txt"),
            ("//server/share/plan.txt", "plan.txt"),
            ("/home/ada byron/plan.txt (edited)", "plan.txt (edited)"),
            ("~/ada/plan.txt", "plan.txt"),
            ("[~/ada/my work] - .../src/Main.java", "[Main.java"),
            ("file:///home/ada/my%20plan.pdf?page=3", "my%20plan.pdf"),
            ("smb://server/share/plan.txt", "plan.txt"),
            (r"My work\sub folder\plan.txt", "plan.txt"),
            ("plan.txt - src/ada/plan.txt", "plan.txt - plan.txt"),
            ("src/plan.rs", "plan.rs"),
            ("%APPDATA%/ada/plan.txt", "plan.txt"),
            (r"C:\Work\ - Explorer", "(redacted) - Explorer"),
            (r"C:\", "(redacted)"),
            (r#"open "C:\ada\a.txt" or "/home/ada/b.txt""#, r#"open "a.txt" or "b.txt""#),
            ("/home/ada/x.txt https://example.org/a/b", "x.txt https://example.org/a/b"),
            ("**src/plan.rs** or *C:/ada/a.txt*", "**plan.rs** or *a.txt*"),
            ("!~/ada/b.txt", "!b.txt"),
            ("[[ada/plan]] [[ada/plan|the plan]] see [it](ada/plan)", "[[plan]] [[plan|the plan]] see [it](plan)"),
        ],
    );
}

#[test]
fn words_that_are_neither_stay() {
    for text in [
        "Plan for today",
        "and/or, TCP/IP, I/O",
        "24/7, 12/05/2024, 10:30",
        "withcoral/coral: SQL over many sources",
        "Ada (@ada) / Home",
        "Is this C#? 50% done: yes",
        "github.com",
        "$5/month",
        "ManicTime/Files",
        "C#/F#, C++/Rust, is it a_/b or A?/B?",
        "**and/or** *.rs",
        "",
    ] {
        assert_eq!(BOTH.text(text), text);
    }
    assert_eq!(Redactions::default().text("C:\\ada https://a.example/b"), "C:\\ada https://a.example/b");
}

#[test]
fn each_switch_leaves_the_others_texts() {
    let text = "https://a.example/b/c C:\\ada\\plan.txt";
    assert_eq!(URLS.text(text), "a.example C:\\ada\\plan.txt");
    assert_eq!(PATHS.text(text), "https://a.example/b/c plan.txt");
    assert_eq!(BOTH.word("Client/Project/Part"), "Client/Project/Part", "a tag is no path");
    assert_eq!(BOTH.word("see https://a.example/b and C:\\ada\\x.txt"), "see a.example and x.txt");
}

fn folder() -> impl Strategy<Value = String> {
    "[a-zA-Zäß0-9_.,()' &+-]{0,6}zq[a-zA-Z0-9 _.-]{0,6}[a-z]".prop_map(|name| name.trim().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_folder_of_an_absolute_path_is_told(
        before in "([A-Z]{1,8} |\\(|\")?",
        root in prop::sample::select(vec!["C:\\", "d:/", "\\\\srv\\", "/", "~/", "file:///", "smb://srv/"]),
        folders in prop::collection::vec(folder(), 1..4),
        after in "( - [A-Z ]{1,9}|\\))?",
    ) {
        let separator = if root.contains('\\') { "\\" } else { "/" };
        let text = format!("{before}{root}{}{separator}name.txt{after}", folders.join(separator));
        prop_assert!(!BOTH.text(&text).contains("zq"), "{} -> {}", text, BOTH.text(&text));
    }

    #[test]
    fn nothing_behind_the_site_of_an_address_is_told(
        before in "([A-Z]{1,8} |\\(|see:)?",
        scheme in prop::sample::select(vec!["https://", "http://", "ws://"]),
        rest in "[/?#][!#-;=?-Z_a-z~^\\[\\]]{0,9}zq[!#-;=?-Z_a-z~]{0,9}",
        after in "( - [A-Z ]{1,9})?",
    ) {
        let text = format!("{before}{scheme}site.example{rest}{after}");
        let told = URLS.text(&text).into_owned();
        prop_assert!(!told.contains("zq") && told.contains("site.example"), "{} -> {}", text, told);
    }

    #[test]
    fn any_text_is_read(text in "\\PC*") {
        let _ = (BOTH.text(&text), BOTH.word(&text));
    }
}

/// Texts of a length at which looking through the rest at each word would not end in anybody's patience.
#[test]
fn a_long_text_of_beginnings_is_read_through() {
    for beginning in ["file://a ", "\\ ", "a=", "a:", "%a,", "C:\\a\"", ":// ", "a/ / ", "$a;"] {
        let text = beginning.repeat(1 << 15) + "/end";
        assert!(BOTH.text(&text).len() <= text.len() + "(redacted)".len() * (1 << 15), "{beginning}");
    }
    assert_eq!(BOTH.text(r"a \ b\c.txt"), "c.txt");
}
