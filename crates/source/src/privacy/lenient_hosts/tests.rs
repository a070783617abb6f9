use super::*;

/// Returns all hosts in the text, in order.
fn hosts(text: &str) -> Vec<String> {
    let found = std::cell::RefCell::new(Vec::new());
    any_host(text, |host| {
        found.borrow_mut().push(host.to_owned());
        false
    });
    found.into_inner()
}

#[test]
fn host_is_found_at_every_position() {
    for text in [
        "https://Bank.Example/x",
        "bank.example:8443",
        "https:/bank.example",
        r"https:\\bank.example\x",
        "//bank.example.",
        "https://ada:b@bank.example/x",
        "about:reader?url=https%3A%2F%2Fbank.example%2Fx",
        "about:reader?url=https%25253A%25252F%25252Fbank%25252Eexample",
        "view-source:bank.example",
        "https://web.archive.example/2025/http:/bank.example/x",
        "https://search.example/?q=(bank.example)",
        "https://bank。example",
        "https://bank.exam\u{ad}ple/",
        "https://ba\u{200b}nk.example/",
        "https://b\u{e0100}ank.example/",
        "https://bank․example/",
        "https://ｂａｎｋ．ｅｘａｍｐｌｅ/",
        "https://bank\u{2060}.example/",
        "https://bank.exa\tmple/",
        "see\tbank.example",
        "https%3A%2F%2Fbank%E2%80%8B.example",
        "_bank.example_",
        "(__https://bank.example__)",
        "bank.exampleにアクセス",
        "銀行はbank.exampleです",
    ] {
        assert!(any_host(text, |host| host == "bank.example"), "{text}: {:?}", hosts(text));
    }
    for text in ["https://bank.example.org/", "https://my.bank.example/", "bank%20.example", "bank example"] {
        assert!(!any_host(text, |host| host == "bank.example"), "{text}");
    }
}

#[test]
fn word_is_a_host_only_at_the_start_of_an_address() {
    for text in [
        "https://intranet/x",
        "intranet",
        "intranet:80/x",
        "//intranet",
        r"https:\intranet",
        "a.example/?u=http://intranet",
        "(intranet/x)",
        "[x](intranet/x)",
        "**intranet:8080**",
        "\"intranet/x\"",
        "_intranet/x_",
        "_http://intranet_",
        "„intranet/x“",
    ] {
        assert!(any_host(text, |host| host == "intranet"), "{text}: {:?}", hosts(text));
    }
    for text in [
        "https://a.example/intranet",
        "https://a.example/?q=intranet",
        "intranet://a.example",
        "my intranet",
        "(intranet)",
    ] {
        assert!(!any_host(text, |host| host == "intranet"), "{text}: {:?}", hosts(text));
    }
}

#[test]
fn international_name_has_two_spellings() {
    for text in ["https://bücher.example/", "https://xn--bcher-kva.example/", "https://BÜCHER.example/"] {
        for host in ["bücher.example", "xn--bcher-kva.example"] {
            assert!(any_host(text, |found| found == host), "{text} {host}: {:?}", hosts(text));
        }
    }
    assert!(any_host("http://[2001:DB8::1]:80/", |host| host == "2001:db8::1"));
}

/// These texts are so long that a quadratic algorithm would take far too long.
#[test]
fn long_text_is_read_to_its_end() {
    for part in ["a.", "a.b/", "\u{ad}", "%25", "[", "[a]", "xn--a.", "é.", "計画", "://", "%E4%B8"] {
        assert!(!any_host(&part.repeat(1 << 18), |host| host == "bank.example"), "{part}");
    }
}

/// An earlier version ended hosts in Thai and Hindi at combining marks.
#[test]
fn host_in_any_script_is_read_in_both_spellings() {
    for (host, ascii) in [("ร้าน.example", "xn--q3ct9b5e.example"), ("संस्कृत.example", "xn--i1b2b4b6db1e6c.example")]
    {
        assert_eq!(idna::domain_to_ascii(host).unwrap(), ascii);
        for pattern in [host, ascii] {
            for text in [host.to_owned(), format!("https://{host}/x"), format!("https://{ascii}/x")] {
                assert!(any_host(&text, |read| read == pattern), "{text} {pattern}: {:?}", hosts(&text));
            }
        }
    }
    assert!(any_host("https://mu\u{308}nchen.example/", |host| host == "münchen.example"));
}

#[test]
fn ip_address_is_read_in_every_spelling() {
    for text in ["http://2130706433/", "http://0x7f000001/", "http://127.1/x", "127.0.0.1:80"] {
        assert!(any_host(text, |host| host == "127.0.0.1"), "{text}: {:?}", hosts(text));
    }
    assert!(any_host("http://[::0001]/", |host| host == "::1"));
}
