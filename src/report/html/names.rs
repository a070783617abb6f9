//! Names from the history as a page may show them: harmless, short, and no more than a name.

use std::borrow::Cow;

use maud::{Markup, html};

use super::super::style::{ColorDepth, Style};
use super::super::text::{document_name, fit, sanitize};

/// What is written for a page: no terminal, every character.
pub(super) const PLAIN: Style = Style { color: ColorDepth::None, width: 160, unicode: true };
/// A longer name is cut: it would push everything else from the page.
const MAX_NAME_LENGTH: usize = 120;

/// A text without characters that act, cut where it is very long. Escaping is left to who writes it.
pub(super) fn display_name(text: &str) -> String {
    fit(&sanitize(text, &PLAIN), MAX_NAME_LENGTH, &PLAIN).into_owned()
}

/// The name of a document without the folders above it; of an address, its site.
pub(super) fn file_name(document: &str) -> String {
    let name = document_name(document);
    let name: Cow<'_, str> = if name.contains("://") {
        site_name(&name).into()
    } else {
        let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
        if last.is_empty() { name } else { last.to_owned().into() }
    };
    display_name(&name)
}

/// The site of what may be a whole address.
pub(super) fn site_name(site: &str) -> String {
    let rest = site.split_once("://").map_or(site, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // What stands before an `@` is a user and may be a password.
    let host = host.rsplit('@').next().unwrap_or_default();
    display_name(if host.is_empty() { "address" } else { host })
}

/// The ticket and the description of a time entry, line by line and in full: they were written to be read.
pub(super) fn entry_text(issue: Option<&str>, description: Option<&str>) -> Markup {
    let lines = description.into_iter().flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let issue = issue.map(str::trim).filter(|issue| !issue.is_empty());
    html! {
        @if let Some(issue) = issue { b { bdi { (display_name(issue)) } } " " }
        @for (number, line) in lines.enumerate() {
            @if number > 0 { br; }
            bdi { (sanitize(line, &PLAIN)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_name_of_a_path_is_shown() {
        for (document, name) in [
            ("file:///C:/Clients/Northwind/Offer%202.docx", "Offer 2.docx"),
            ("C:\\Clients\\Northwind\\Offer.docx", "Offer.docx"),
            ("\\\\server\\share\\Offer.docx", "Offer.docx"),
            ("/home/alex/src/main.rs", "main.rs"),
            ("/home/alex/src/", "src"),
            ("main.rs", "main.rs"),
            ("https://cloud.example/doc/4711?token=secret", "cloud.example"),
            ("/", "/"),
        ] {
            assert_eq!(file_name(document), name);
        }
    }

    #[test]
    fn only_the_site_of_a_url_is_shown() {
        for (address, site) in [
            ("github.com", "github.com"),
            ("https://alex:secret@bank.example/account?id=7#top", "bank.example"),
            ("intranet/wiki/Plans", "intranet"),
            ("file:///C:/x.html", "address"),
        ] {
            assert_eq!(site_name(address), site);
        }
    }

    #[test]
    fn control_characters_are_removed_and_long_names_are_cut() {
        assert_eq!(display_name("a\u{202e}b\u{7}"), "ab␇");
        assert_eq!(display_name(&"x".repeat(500)).chars().count(), 120);
    }
}
