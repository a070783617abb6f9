use super::*;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

#[test]
fn pattern_ignores_case_and_unicode_form() {
    for (text, name) in [
        ("keepass*", "KeePassXC.exe;keepassxc"),
        ("KEEPASSXC.EXE", "keepassxc.exe"),
        ("*.example.org", "my.bank.example.org"),
        ("m?ller*", "Müller & Söhne"),
        ("ÄRZTE*", "ärztekammer"),
        ("{bank,clinic}.example", "clinic.example"),
        ("{,*.}bank.example", "bank.example"),
        ("{,*.}bank.example", "www.bank.example"),
        (r"c:\tools\*", r"C:\Tools\a\b.exe"),
        ("*", "https://a/b\nc"),
        (" bank.example ", "bank.example"),
    ] {
        assert!(pattern(text).fits(&name.to_lowercase()), "{text} {name}");
    }
    for (text, name) in [
        ("keepass", "keepassxc"),
        ("*.example.org", "example.org"),
        ("m?ller", "mller"),
        ("{,*.}a.example", "ba.example"),
    ] {
        assert!(!pattern(text).fits(&name.to_lowercase()), "{text} {name}");
    }
}

#[test]
fn pattern_matches_parts_of_a_key_and_sites_of_a_url() {
    let privacy = Privacy::new([], [pattern("keepassxc")], [pattern("bank.example")]);
    assert!(privacy.is_hidden_application(&["keepassxc.exe;KeePassXC"]));
    assert!(!privacy.is_hidden_application(&["code.exe;code"]));
    assert!(privacy.is_hidden_site(&["Bank.Example"]) && !privacy.is_hidden_site(&["https://bank.example/"]));
    assert!(privacy.is_hidden_site_url("https://bank.example:8443/login"));
    assert!(!privacy.is_hidden_site_url("https://bank.example.org/my.bank.example"));
}

/// For example, the name of one messenger begins with an invisible mark. macOS stores an accent in a file name as a
/// separate character.
#[test]
fn name_that_looks_like_the_pattern_matches() {
    for (text, name) in [
        ("whatsapp", "\u{200e}WhatsApp"),
        ("whats\u{200b}app", "WhatsApp"),
        ("übersicht", "U\u{308}bersicht"),
        ("u\u{308}bersicht", "Übersicht"),
        ("signal", "Signal\u{a0}"),
        ("keepass", "a; keepass"),
        ("keepass", "ＫeePass"),
    ] {
        assert!(Privacy::new([], [pattern(text)], []).is_hidden_application(&[name]), "{text:?} {name:?}");
    }
}

#[test]
fn error_for_an_invalid_pattern_contains_it() {
    for text in ["", "  ", "[a", "{a,b", "a}"] {
        let error = Pattern::parse(text).unwrap_err().to_string();
        assert!(error.contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn pattern_that_cannot_match_a_site_is_rejected() {
    for text in ["https://bank.example", "bank.example/", "bank.example:443", "*.bank.example."] {
        let refused = Pattern::parse_site(text).unwrap_err().to_string();
        assert!(refused.contains(text) && refused.contains("only a host"), "{refused}");
    }
    for text in ["*.bank.example", "intranet", "[::1]", "::1", "Bank, at home"] {
        Pattern::parse_site(text).unwrap();
    }
}

#[test]
fn summary_and_log_do_not_contain_patterns() {
    let privacy = Privacy::new([Redaction::Urls, Redaction::Titles], [pattern("zqapp*")], [pattern("zqsite")]);
    let summary = serde_json::to_string(&privacy.summary()).unwrap();
    assert_eq!(summary, r#"{"redacted":["titles","urls"],"applicationRules":1,"siteRules":1}"#);
    assert!(!format!("{privacy:?}").contains("zq"));
    assert!(Privacy::new([], [], []).is_empty() && Privacy::default().is_empty() && !privacy.is_empty());
}
