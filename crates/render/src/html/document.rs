//! The HTML document around the content of a page, and the elements that all pages use.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::colors::Colors;

const STYLE: &str = include_str!("page.css");

/// The content security policy of a page. The page can't load files, run scripts or send forms.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// The name of the generator in the metadata of a page.
pub(super) const GENERATOR: &str = "dayledger";

/// Returns the content of an HTML file with this title and body.
pub(super) fn document(title: &str, body: &Markup, colors: &Colors) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(format!("{GENERATOR} {}", env!("CARGO_PKG_VERSION")));
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                link rel="icon" href="data:,";
                title { (title) " – " (GENERATOR) }
                style { (PreEscaped(STYLE)) (PreEscaped(colors.rules())) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// Returns a section with a heading above its content.
pub(super) fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (heading) }
            (content)
        }
    }
}

/// Returns a key figure: a value with a label above it. If `more` isn't empty, this text comes after the value.
pub(super) fn figure(label: &str, value: &str, more: &str) -> Markup {
    html! { div { dt { (label) } dd { b { (value) } @if !more.is_empty() { small { (more) } } } } }
}

/// The heading of a table's column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Head<'a> {
    Text(&'a str),
    /// A heading that is aligned to the right.
    Number(&'a str),
}

/// Returns the headings of a table's columns.
pub(super) fn heads(columns: &[Head<'_>]) -> Markup {
    html! {
        thead {
            tr {
                @for column in columns {
                    @match column {
                        Head::Text(text) => th scope="col" { (text) },
                        Head::Number(text) => th.number scope="col" { (text) },
                    }
                }
            }
        }
    }
}

/// Whether a file begins like a page of dayledger. Such a file may be replaced by a newer page.
pub fn is_page(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    text.starts_with("<!DOCTYPE html>") && text.contains(&format!("<meta name=\"generator\" content=\"{GENERATOR} "))
}
