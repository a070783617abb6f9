use proptest::prelude::*;

use super::*;

const KINDS: [TextKind; 9] = [
    TextKind::Application,
    TextKind::Website,
    TextKind::Document,
    TextKind::Location,
    TextKind::Tag,
    TextKind::State,
    TextKind::Other,
    TextKind::PluginFile,
    TextKind::Nowhere,
];

fn redactions() -> impl Iterator<Item = Redactions> {
    (0..8_u8).map(|bits| Redactions { titles: bits & 1 > 0, urls: bits & 2 > 0, paths: bits & 4 > 0 })
}

/// Redacts a text as an activity's own text, as the name of a group, and as the key of a group.
fn redact_in_every_way(redactions: Redactions, kind: TextKind, text: &str) -> [Option<String>; 3] {
    let owned = |output: Cow<'_, str>| output.into_owned();
    [
        redactions.redact_activity_text(kind, text).map(owned),
        Some(owned(redactions.redact_group_name(kind, text))),
        Some(owned(redactions.redact_group_key(kind, text))),
    ]
}

#[test]
fn the_key_of_an_application_loses_its_folders() {
    let paths = Redactions { paths: true, ..Redactions::default() };
    for (key, output) in [
        (r"c:\my dir\tool.exe;my tool", "tool.exe;my tool"),
        ("secret/tool.exe;tool", "tool.exe;tool"),
        ("secret%2Ftool.exe", "tool.exe"),
        ("firefox.exe;firefox", "firefox.exe;firefox"),
        (r"C:\Users\secret;Co\app.exe;app", "app.exe;app"),
        ("/home/secret;co/tool;tool", "tool;tool"),
        ("secret：tool.exe;tool", "tool.exe;tool"),
        ("HD:secret:app;App", "app"),
        ("file:secret:x", "x"),
        ("file:secret", "(redacted)"),
        (r"\\server\secret;x", "(redacted)"),
        ("/opt/;x", "(redacted)"),
    ] {
        assert_eq!(paths.redact_group_key(TextKind::Application, key), output, "{key}");
        assert_eq!(Redactions::default().redact_group_key(TextKind::Application, key), key);
    }
}

/// If URLs and paths were both redacted, an earlier version showed a part of a URL that was in a key.
#[test]
fn key_that_urls_redact_stays_redacted_with_paths() {
    let urls = Redactions { urls: true, ..Redactions::default() };
    for redactions in [urls, Redactions { paths: true, ..urls }, Redactions { titles: true, paths: true, ..urls }] {
        assert_eq!(redactions.redact_group_key(TextKind::Application, "https://portal.example/reset/secret"), REDACTED);
        assert_eq!(redactions.redact_group_key(TextKind::Application, r"C:\Clients\plan.exe;Plan"), "plan.exe;Plan");
        assert_eq!(redactions.redact_group_key(TextKind::Application, "firefox.exe;firefox"), "firefox.exe;firefox");
    }
}

/// An earlier version didn't recognise URLs in full-width characters, and showed them as documents.
#[test]
fn address_in_compatibility_letters_is_an_address() {
    let urls = Redactions { urls: true, ..Redactions::default() };
    for redactions in [urls, Redactions { titles: true, paths: true, ..urls }] {
        for text in
            ["ｈｔｔｐｓ：／／site.example／secret", "site․example/secret", "https:/\u{200b}/site.example/secret"]
        {
            assert_eq!(redactions.redact_group_name(TextKind::Document, text), REDACTED, "{text}");
        }
    }
}

#[test]
fn file_url_with_a_host_is_redacted_by_urls() {
    let urls = Redactions { urls: true, ..Redactions::default() };
    let both = Redactions { paths: true, ..urls };
    for (text, redacted_urls, redacted_both) in [
        ("file:///home/ada/plan.txt", "file:///home/ada/plan.txt", "plan.txt"),
        ("FILE://LocalHost/ada/plan.txt", "FILE://LocalHost/ada/plan.txt", "plan.txt"),
        ("file:///C:/ada/plan.txt?secret#secret", "file:///C:/ada/plan.txt", "plan.txt"),
        ("file:///ada/plan.txt#secret", "file:///ada/plan.txt", "plan.txt"),
        ("file://user:secret@host/x.txt?secret#secret", REDACTED, REDACTED),
        ("file://server/secret/plan.txt", REDACTED, REDACTED),
        ("file://localhost:80/plan.txt", REDACTED, REDACTED),
        ("file://ada@localhost/plan.txt", REDACTED, REDACTED),
        ("file:////server/secret/plan.txt", REDACTED, REDACTED),
        (r"file:///\\server\secret\plan.txt", REDACTED, REDACTED),
        (r"file://\\server\secret\plan.txt", REDACTED, REDACTED),
        ("file:///%2Fserver/secret/plan.txt", REDACTED, REDACTED),
        ("file://localhost", REDACTED, REDACTED),
        ("file:///x https://ada:secret@site.example/", REDACTED, REDACTED),
        ("file:/home/ada/plan.txt", REDACTED, REDACTED),
    ] {
        for kind in [TextKind::Document, TextKind::PluginFile] {
            assert_eq!(urls.redact_activity_text(kind, text).unwrap(), redacted_urls, "{text}");
            assert_eq!(both.redact_activity_text(kind, text).unwrap(), redacted_both, "{text}");
        }
    }
}

#[test]
fn host_followed_by_a_path_is_a_url_in_any_script() {
    let urls = Redactions { urls: true, ..Redactions::default() };
    for text in [
        "münchen.example/secret",
        "bücher.de?secret",
        "bücher.de:8080#secret",
        "site。example/secret",
        "site%2Eexample/secret",
        "ada@site.example/secret",
        "ada@intranet/secret",
        "\u{200b}site.exam\u{ad}ple/secret",
        "<site.example/secret",
        r"site.example\secret",
    ] {
        assert_eq!(urls.redact_activity_text(TextKind::Document, text).unwrap(), REDACTED, "{text}");
        assert!(TextKind::Document.can_lead_to_site(text) && TextKind::PluginFile.can_lead_to_site(text), "{text}");
    }
    for text in ["site.example/x", "site.example?x", "localhost/x", "10.0.0.1/x", "[::1]/x", "//x", "https:x"] {
        assert!(TextKind::Document.can_lead_to_site(text), "{text}");
    }
    for text in [
        "plan.txt",
        "münchen.txt",
        "home/plan.txt",
        "./site.example/x",
        "../a.b",
        "~/a.b/c",
        "/home/a.b/c",
        r"C:\a.b\c",
        ".config/a.b",
        "Version 1.2/plan.txt",
        "Plan 1.2 C#.txt",
        r"%APPDATA%\a",
    ] {
        assert_eq!(urls.redact_activity_text(TextKind::Document, text).unwrap(), text);
        assert!(!TextKind::Document.can_lead_to_site(text), "{text}");
    }
}

#[test]
fn paths_keep_the_last_part_of_text_that_is_not_a_url() {
    let paths = Redactions { paths: true, ..Redactions::default() };
    for (text, output) in [
        ("HD:secret:plan.txt", "plan.txt"),
        ("file:secret:plan.txt", "plan.txt"),
        ("home/secret/plan.txt", "plan.txt"),
        ("secret∶plan.txt", "plan.txt"),
        ("smb://server/secret", REDACTED),
        ("intranet", "intranet"),
        ("site.example/a/b", "site.example/a/b"),
        ("https://intranet/a/b", "https://intranet/a/b"),
        ("localhost:3000", "localhost:3000"),
    ] {
        for output_here in redact_in_every_way(paths, TextKind::Website, text).into_iter().flatten() {
            assert_eq!(output_here, output, "{text}");
        }
    }
    assert_eq!(
        paths.redact_group_name(TextKind::Website, "intranet:8080"),
        "intranet:8080",
        "a site with a port is not a path"
    );
}

#[test]
fn word_with_a_suffix_is_not_a_site_if_titles_are_redacted() {
    let titles = Redactions { titles: true, ..Redactions::default() };
    for name in ["secret/plan", "secret?plan", "secret#1", "secret:8080", "sécret.b/plan", "secret plan", "秘密"] {
        assert_eq!(titles.redact_group_name(TextKind::Website, name), REDACTED, "{name}");
        assert_eq!(titles.redact_group_key(TextKind::Location, name), REDACTED, "{name}");
    }
    for name in ["intranet", "bücher.example", "site.example/a", "localhost:3000", "https://intranet/a", "[::1]:80"] {
        assert_eq!(titles.redact_group_name(TextKind::Website, name), name);
    }
}

/// Generates texts from pieces of URLs, paths and titles in any order.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "https://",
        "http:/",
        "file:///",
        "smb://",
        "file://",
        "localhost",
        "UNC\\",
        "bücher.example",
        "。",
        "¥",
        "ssh://",
        "about:",
        "C:\\",
        "\\\\",
        "//",
        "/",
        "\\",
        "%2F",
        "%5c",
        ":",
        "@",
        "?",
        "#",
        ";",
        ".",
        "site.example",
        "intranet",
        "plan.txt",
        "ada",
        "秘密",
        " ",
        "(x)",
        "８：／／",
        "8080",
        "[::1]",
        "xn--a",
        "\t",
        "&a=b",
    ]);
    prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn website_keeps_its_host_and_document_keeps_its_name(text in texts()) {
        for redactions in redactions() {
            let is_host = |letter: char| letter.is_alphanumeric() || ".-_[]:".contains(letter);
            for kind in [TextKind::Website, TextKind::Location] {
                for output in redact_in_every_way(redactions, kind, &text).into_iter().flatten().filter(|_| redactions.urls) {
                    prop_assert!(output == REDACTED || output.chars().all(is_host), "{} -> {} {:?}", text, output, redactions);
                }
            }
            for output in redact_in_every_way(redactions, TextKind::Document, &text).into_iter().flatten().filter(|_| redactions.paths) {
                let is_address = !redactions.urls && text.trim().starts_with("http") && output == text;
                let is_site = redactions.urls && output.chars().all(is_host);
                let is_name = !output.contains(['/', '\\', ':', '?', '\t']);
                prop_assert!(output == REDACTED || is_address || is_site || is_name, "{} -> {} {:?}", text, output, redactions);
            }
        }
    }

    #[test]
    fn more_switches_never_reveal_more(text in texts()) {
        for kind in KINDS {
            for fewer in redactions() {
                for more in redactions() {
                    let adds = (more.titles || !fewer.titles) && (more.urls || !fewer.urls) && (more.paths || !fewer.paths);
                    if !adds {
                        continue;
                    }
                    for (fewer, more) in redact_in_every_way(fewer, kind, &text).into_iter().zip(redact_in_every_way(more, kind, &text)) {
                        let Some(more) = more.filter(|more| more != REDACTED) else { continue };
                        let before = fewer.unwrap_or_default();
                        prop_assert!(before.to_lowercase().contains(&more.to_lowercase()) || more.starts_with('['), "{text}: {before} -> {more}");
                    }
                }
            }
        }
    }

    #[test]
    fn text_is_unchanged_without_switches(text in "\\PC*") {
        for kind in KINDS {
            prop_assert_eq!(redact_in_every_way(Redactions::default(), kind, &text), [Some(text.clone()), Some(text.clone()), Some(text.clone())]);
        }
    }
}
