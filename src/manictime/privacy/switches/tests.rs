use super::*;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

#[test]
fn a_pattern_fits_whatever_the_case_and_the_letters() {
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
fn a_key_is_told_by_its_parts_and_a_site_by_its_address() {
    let privacy = Privacy::new([], [pattern("keepassxc")], [pattern("bank.example")]);
    assert!(privacy.names_application(&["keepassxc.exe;KeePassXC"]));
    assert!(!privacy.names_application(&["code.exe;code"]));
    assert!(privacy.names_site(&["Bank.Example"]) && !privacy.names_site(&["https://bank.example/"]));
    assert!(privacy.names_site_in("https://bank.example:8443/login"));
    assert!(!privacy.names_site_in("https://bank.example.org/my.bank.example"));
}

/// The name of a messenger begins with an invisible mark, and macOS writes accents of file names as separate characters.
#[test]
fn name_that_looks_like_the_pattern_fits() {
    for (text, name) in [
        ("whatsapp", "\u{200e}WhatsApp"),
        ("whats\u{200b}app", "WhatsApp"),
        ("übersicht", "U\u{308}bersicht"),
        ("u\u{308}bersicht", "Übersicht"),
        ("signal", "Signal\u{a0}"),
        ("keepass", "a; keepass"),
        ("keepass", "ＫeePass"),
    ] {
        assert!(Privacy::new([], [pattern(text)], []).names_application(&[name]), "{text:?} {name:?}");
    }
}

#[test]
fn a_pattern_that_cannot_be_read_is_named() {
    for text in ["", "  ", "[a", "{a,b", "a}"] {
        let error = Pattern::parse(text).unwrap_err().to_string();
        assert!(error.contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn a_pattern_that_can_fit_no_site_is_refused() {
    for text in ["https://bank.example", "bank.example/", "bank.example:443", "*.bank.example."] {
        let refused = Pattern::parse_site(text).unwrap_err().to_string();
        assert!(refused.contains(text) && refused.contains("a host alone"), "{refused}");
    }
    for text in ["*.bank.example", "intranet", "[::1]", "::1", "Bank, at home"] {
        Pattern::parse_site(text).unwrap();
    }
}

#[test]
fn the_summary_and_the_log_keep_the_patterns_to_themselves() {
    let privacy = Privacy::new([Redaction::Urls, Redaction::Titles], [pattern("zqapp*")], [pattern("zqsite")]);
    let summary = serde_json::to_string(&privacy.summary()).unwrap();
    assert_eq!(summary, r#"{"redacted":["titles","urls"],"applicationRules":1,"siteRules":1}"#);
    assert!(!format!("{privacy:?}").contains("zq"));
    assert!(Privacy::new([], [], []).is_empty() && Privacy::default().is_empty() && !privacy.is_empty());
}
