//! The file around a page, which loads nothing, runs nothing and names the program that made it; and the parts that all
//! pages are made of.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::colors::Colors;

const STYLE: &str = include_str!("page.css");

/// Nothing may be loaded, run, sent or framed.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// What a page of this program names as its maker.
pub(super) const GENERATOR: &str = "dayledger";

/// The text of the file with that title and body.
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

/// A heading with the section that it names.
pub(super) fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (heading) }
            (content)
        }
    }
}

/// A number with the words above it, and those after it, if any.
pub(super) fn figure(label: &str, value: &str, more: &str) -> Markup {
    html! { div { dt { (label) } dd { b { (value) } @if !more.is_empty() { small { (more) } } } } }
}

/// The head of a table's column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Head<'a> {
    Text(&'a str),
    /// Of a column that is aligned to the right.
    Number(&'a str),
}

/// The heads of a table's columns.
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

/// Whether the beginning of a file is that of a page of this program, so that a newer one may take its place.
pub fn is_page(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    text.starts_with("<!DOCTYPE html>") && text.contains(&format!("<meta name=\"generator\" content=\"{GENERATOR} "))
}
