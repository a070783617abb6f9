use proptest::prelude::*;

use super::*;

const URLS: Redactions = Redactions { titles: false, urls: true, paths: false };
const PATHS: Redactions = Redactions { titles: false, urls: false, paths: true };
const BOTH: Redactions = Redactions { titles: false, urls: true, paths: true };

/// If both URLs and paths were redacted, an earlier version showed a password that was in a URL.
#[test]
fn text_with_a_url_or_a_path_is_redacted_completely() {
    for text in [
        "ssh://ada:secret@host - PuTTY",
        "ftp://ada:secret@host.example/ - FileZilla",
        "redis://:secret@cache:6379",
        "vnc://[::1]",
        "see github.com/secret/plan",
        "www.secret.example",
        "site.example?token=secret",
        "localhost:3000#secret",
        "mailto:ada",
        "ada@site.example",
        r"C:\Users\ada\plan.txt - Editor",
        "C:plan.txt",
        "~/secret",
        "/home",
        "./secret",
        "and/or",
        "$HOME/.secret",
        r"\\server\share",
        "HD:secret:plan.txt",
        "a%2Fsecret",
        "a%5Csecret",
        "ｈｔｔｐｓ：／／ｓｅｃｒｅｔ",
        "C：＼secret",
        "ada＠secret",
        "w\u{200b}ww.secret.example",
        "w\u{e0100}ww.secret.example",
        "w\u{1}ww.secret.example",
        "C\u{1}:secret.txt",
        "แม่:secret.txt",
        "แม่?secret",
        "जगत्:secret.txt",
        "/\u{200b}home",
        "/*secret*/",
        "/[secret]",
        "/\nhome",
        "srv01:secret.txt",
        "tel:+4915112345678",
        "data:,secret",
        "D:[secret] plan.txt",
        "site.example?_token=secret",
        "site.example#!secret",
        "C:¥Users¥ada",
        "∕home∕ada",
        "C:∖Users",
    ] {
        for redactions in [URLS, PATHS, BOTH] {
            assert_eq!(redactions.free_text(text), REDACTED, "{text}");
        }
        assert_eq!(Redactions { titles: true, ..Redactions::default() }.free_text(text), text);
    }
}

#[test]
fn ordinary_titles_are_not_redacted() {
    for text in [
        "",
        "main.rs - dayledger - Visual Studio Code",
        "Inbox (3) - Microsoft Outlook",
        "Re: Invoice for November, 10:30",
        "10:30–11:00 Planning",
        "C# in depth",
        "Issue #12: Rounding",
        "Why? Because!",
        "100 % or 50%",
        "std::vec | cppreference.com",
        "Sales / Northwind",
        "Größe — Ümläute",
        "Plan B: the other one",
        "½ day, ¥5000",
        "wwwwwhat",
    ] {
        assert_eq!(BOTH.free_text(text), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn secret_behind_any_beginning_of_a_location_is_not_shown(
        before in "\\PC{0,12}",
        beginning in prop::sample::select(vec![
            "https://", "ssh://ada:", "C:\\", "\\\\srv\\", "/", "~/", "site.example/", "ada@", "www.", "file:///", "a?", "a#", "a:", "x%2f",
        ]),
        after in "\\PC{0,12}",
    ) {
        let text = format!("{before} {beginning}zq{after}");
        prop_assert_eq!(URLS.free_text(&text), REDACTED);
        prop_assert_eq!(PATHS.free_text(&text), REDACTED);
    }
}
