use proptest::prelude::*;

use super::*;

fn site(text: &str, bare: BareHost) -> Option<String> {
    Address::parse(text, bare).and_then(Address::site)
}

#[test]
fn single_word_is_a_site_only_in_a_site_field() {
    for (text, read) in [
        ("intranet", Some("intranet")),
        ("Intranet/x", Some("intranet")),
        ("bücher.example", Some("bücher.example")),
        ("site.example.", Some("site.example")),
        ("my site", None),
        ("Re:plan", None),
        ("計画", None),
        ("計画/x", None),
        ("ada@site", None),
        ("", None),
        (".", None),
        ("..", None),
        (":80", None),
    ] {
        assert_eq!(site(text, BareHost::Any).as_deref(), read, "{text}");
        let evident = text.starts_with("site.");
        assert_eq!(site(text, BareHost::Evident).is_some(), evident, "{text}");
    }
}

#[test]
fn too_long_text_is_not_a_host() {
    let label = "a".repeat(63);
    let long = format!("{label}.{label}.{label}.{}", &label[..61]);
    assert!(site(&format!("https://{long}/"), BareHost::Evident).is_some());
    assert_eq!(site(&format!("https://{long}a/"), BareHost::Evident), None);
    assert_eq!(site(&format!("https://{label}a.example/"), BareHost::Evident), None);
    assert_eq!(file_name(&format!("/home/{}", "a".repeat(256))), None);
}

#[test]
fn number_that_is_not_an_ip_address_is_not_a_host() {
    for text in ["1.5", "https://1.2.3/", "https://256.1.1.1/", "https://4711/", "1.2.3.4.5", "[::1", "[1.2.3.4]"] {
        assert_eq!(site(text, BareHost::Any), None, "{text}");
    }
}

#[test]
fn drive_letter_is_not_a_scheme() {
    assert_eq!(scheme(r"C:\plan.txt"), None);
    assert_eq!(scheme("file:x"), Some("file"));
    for text in ["about:x", "\u{200b}https:x", "(ada:b@c", "/x/https://a", "\u{feff}file:/x"] {
        assert!(can_be_address(text), "{text}");
    }
    for text in ["/x:y", r"C:\x", r"\\?\C:\x", "./a:b", "~/a:b", "plan.txt", ""] {
        assert!(!can_be_address(text), "{text}");
    }
    assert!(begins_with_server(r"\\server\x") && begins_with_server("//x") && !begins_with_server("/x"));
}

#[test]
fn path_separators_are_recognised_in_every_spelling() {
    for separator in [
        "/",
        "\\",
        ":",
        "∕",
        "⁄",
        "⧸",
        "／",
        "∖",
        "⧵",
        "﹨",
        "＼",
        "⧹",
        "∶",
        "꞉",
        "﹕",
        "：",
        "¥",
        "₩",
        "%2F",
        "%5c",
        "%3A",
        "%252F",
        "%E2%88%95",
        "%ef%bc%8f",
        "%C2%A5",
        "%25E2%2588%2595",
        "%25%32%46",
        "%%32%46",
        "%2%46",
        "%252525252F",
    ] {
        assert_eq!(file_name(&format!("/home/a{separator}plan.txt")), Some("plan.txt"), "{separator}");
    }
    for name in ["100%.txt", "100%25.txt", "a%20b.txt", "%E2%88.txt", "%E8%A8%88.txt", "%", "%2", "a%%b"] {
        assert_eq!(file_name(&format!("/home/{name}")), Some(name));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_site_is_a_host_and_nothing_else(text in "(https?://|ftp://|//)?[a-zé0-9._:/\\\\@?#%\\[\\] -]{0,24}") {
        for bare in [BareHost::Any, BareHost::Evident] {
            if let Some(site) = site(&text, bare) {
                let is_host = |letter: char| letter.is_alphanumeric() || ".-_[]:".contains(letter);
                prop_assert!(!site.is_empty() && site.chars().all(is_host), "{} -> {}", text, site);
                prop_assert!(text.to_lowercase().contains(&site) || site.starts_with('['), "{} -> {}", text, site);
                if site.is_ascii() {
                    prop_assert_eq!(self::site(&site, BareHost::Any), Some(site), "a site stays the same");
                }
            }
        }
    }

    #[test]
    fn a_files_name_has_no_separator(text in "(file:|C:|[a-z]{2,4}:)?[a-zé0-9._:/\\\\@?#;%25fFcC -]{0,30}") {
        if let Some(name) = file_name(&text) {
            prop_assert!(last_separator(name).is_none() && !name.contains('?'), "{} -> {}", text, name);
            prop_assert!(!name.trim().is_empty() && text.contains(name));
        }
    }

    #[test]
    fn any_text_is_parsed_without_panic(text in "\\PC*") {
        let _ = (Address::parse(&text, BareHost::Any), file_name(&text), can_be_address(&text), begins_with_server(&text));
    }
}

/// These texts are so long that a quadratic algorithm would take far too long.
#[test]
fn long_text_is_read_to_its_end() {
    for part in ["a", "a.", "/", "\\", "%25", "%2525", "%25%32%35", "%32%35", "%E2%88", ":", "@", "[", "a:", "?", "é"]
    {
        let text = part.repeat(1 << 19);
        for text in [text.clone(), format!("https://{text}"), format!("file:///{text}")] {
            let _ = (Address::parse(&text, BareHost::Any), file_name(&text));
        }
    }
}
