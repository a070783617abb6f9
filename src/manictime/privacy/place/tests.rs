use proptest::prelude::*;

use super::*;

const PLACES: [Place; 9] = [
    Place::Application,
    Place::Website,
    Place::Document,
    Place::Location,
    Place::Tag,
    Place::State,
    Place::Other,
    Place::PluginFile,
    Place::Nowhere,
];

fn redactions() -> impl Iterator<Item = Redactions> {
    (0..8_u8).map(|bits| Redactions { titles: bits & 1 > 0, urls: bits & 2 > 0, paths: bits & 4 > 0 })
}

/// What is told of a text in every way in which it can be asked.
fn told(redactions: Redactions, place: Place, text: &str) -> [Option<String>; 3] {
    let owned = |told: Cow<'_, str>| told.into_owned();
    [
        redactions.row(place, text).map(owned),
        Some(owned(redactions.name(place, text))),
        Some(owned(redactions.key(place, text))),
    ]
}

fn group(group_type: Option<&str>, number: Option<i64>) -> Group {
    Group { group_type: group_type.map(str::to_owned), report_group_type: number, ..Group::default() }
}

#[test]
fn the_role_then_the_type_then_the_number_decide() {
    let (sites, files) = (group(Some("manictime/websites"), None), group(Some("ManicTime/Files"), None));
    let (by_number, unknown) = (group(None, Some(3)), group(None, None));
    let mail = group(Some("ManicTime/Email"), Some(2));
    for (role, own, common, place) in [
        (Role::Documents, Some(&sites), None, Place::Website),
        (Role::Documents, Some(&files), Some(&sites), Place::Website),
        (Role::Documents, Some(&files), None, Place::Document),
        (Role::Documents, Some(&unknown), Some(&by_number), Place::Website),
        (Role::Documents, Some(&mail), None, Place::Other),
        (Role::Documents, Some(&unknown), None, Place::Location),
        (Role::Documents, None, None, Place::Location),
        (Role::Websites, Some(&files), None, Place::Website),
        (Role::Applications, Some(&sites), None, Place::Application),
        (Role::Other, Some(&sites), None, Place::Website),
        (Role::Other, Some(&files), None, Place::PluginFile),
        (Role::Other, Some(&mail), None, Place::Other),
    ] {
        assert_eq!(Place::of(role, own, common), place, "{role:?} {own:?} {common:?}");
    }
    assert_eq!(Place::of_unreferenced(&unknown), Place::Nowhere);
    assert_eq!(Place::of_unreferenced(&group(Some("Vendor/Own"), Some(3))), Place::Other);
}

#[test]
fn the_key_of_an_application_loses_its_folders() {
    let paths = Redactions { paths: true, ..Redactions::default() };
    for (key, told) in [
        (r"c:\my dir\tool.exe;my tool", "tool.exe;my tool"),
        ("secret/tool.exe;tool", "tool.exe;tool"),
        ("secret%2Ftool.exe", "tool.exe"),
        ("firefox.exe;firefox", "firefox.exe;firefox"),
        ("counter: strike;source", "counter: strike;source"),
        ("/opt/;x", "(redacted);x"),
    ] {
        assert_eq!(paths.key(Place::Application, key), told, "{key}");
        assert_eq!(Redactions::default().key(Place::Application, key), key);
    }
}

/// Texts of every kind, and pieces of them in any order.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "https://",
        "http:/",
        "file:///",
        "smb://",
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
    fn of_a_website_a_host_remains_and_of_a_document_a_name(text in texts()) {
        for redactions in redactions() {
            let is_host = |letter: char| letter.is_alphanumeric() || ".-_[]:".contains(letter);
            for place in [Place::Website, Place::Location] {
                for told in told(redactions, place, &text).into_iter().flatten().filter(|_| redactions.urls) {
                    prop_assert!(told == REDACTED || told.chars().all(is_host), "{} -> {} {:?}", text, told, redactions);
                }
            }
            for told in told(redactions, Place::Document, &text).into_iter().flatten().filter(|_| redactions.paths) {
                let is_address = !redactions.urls && text.trim().starts_with("http") && told == text;
                let is_site = redactions.urls && told.chars().all(is_host);
                let is_name = !told.contains(['/', '\\', ':', '?', '\t']);
                prop_assert!(told == REDACTED || is_address || is_site || is_name, "{} -> {} {:?}", text, told, redactions);
            }
        }
    }

    #[test]
    fn a_further_switch_tells_nothing_that_fewer_did_not(text in texts()) {
        let all = [Place::Website, Place::Document, Place::Location, Place::PluginFile, Place::Nowhere];
        for place in all {
            for fewer in redactions() {
                for more in redactions() {
                    let adds = (more.titles || !fewer.titles) && (more.urls || !fewer.urls) && (more.paths || !fewer.paths);
                    if !adds {
                        continue;
                    }
                    for (fewer, more) in told(fewer, place, &text).into_iter().zip(told(more, place, &text)) {
                        let Some(more) = more.filter(|more| more != REDACTED) else { continue };
                        let before = fewer.unwrap_or_default();
                        prop_assert!(before.to_lowercase().contains(&more.to_lowercase()) || more.starts_with('['), "{text}: {before} -> {more}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_a_switch_every_text_is_told(text in "\\PC*") {
        for place in PLACES {
            prop_assert_eq!(told(Redactions::default(), place, &text), [Some(text.clone()), Some(text.clone()), Some(text.clone())]);
        }
    }
}
