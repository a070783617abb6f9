//! A minimal HTML parser for tests of pages. It supports only the syntax that the library writes, with every attribute
//! in double quotes.

use std::collections::BTreeSet;

const VOID: [&str; 4] = ["img", "link", "meta", "br"];

/// The start of an element, with its attributes as they are written.
pub(super) struct Element<'p> {
    pub(super) name: &'p str,
    attributes: Vec<(&'p str, &'p str)>,
}

impl<'p> Element<'p> {
    pub(super) fn attribute(&self, name: &str) -> Option<&'p str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// Returns the elements of a page in order. Fails if an element is closed before the elements inside it.
#[track_caller]
pub(super) fn elements(page: &str) -> Vec<Element<'_>> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap();
    let (mut elements, mut open) = (Vec::new(), Vec::new());
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').unwrap();
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.bytes().all(|letter| letter.is_ascii_alphanumeric()), "`<{tag}>` is not an element");
        if name == "style" {
            rest = &rest[rest.find("</style>").unwrap()..];
        }
        if !VOID.contains(&name) {
            open.push(name);
        }
        elements.push(Element { name, attributes: pairs(attributes) });
    }
    assert_eq!(open, [""; 0]);
    elements
}

#[track_caller]
fn pairs(mut text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    while !text.trim().is_empty() {
        let (name, rest) = text.split_once("=\"").unwrap();
        let (value, rest) = rest.split_once('"').unwrap();
        pairs.push((name.trim(), value));
        text = rest;
    }
    pairs
}

/// Checks the guarantees of a page: it loads no files, runs no scripts, and is accessible to screen readers.
#[track_caller]
pub(super) fn assert_self_contained_and_accessible(page: &str) {
    let elements = elements(page);
    let count = |name: &str| elements.iter().filter(|element| element.name == name).count();
    for once in ["html", "head", "header", "main", "footer", "h1", "style"] {
        assert_eq!(count(once), 1, "`{once}`");
    }
    for never in ["script", "iframe", "object", "embed", "form", "base", "a", "video", "audio", "input"] {
        assert_eq!(count(never), 0, "`{never}`");
    }
    let policy = elements.iter().find(|element| element.attribute("http-equiv") == Some("Content-Security-Policy"));
    let policy = policy.and_then(|element| element.attribute("content")).unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'; img-src data:"), "{policy}");
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    for outside in ["url(", "@import", "//", "expression", "<"] {
        assert!(!style.contains(outside), "the style contains `{outside}`");
    }

    let mut level = 0;
    let mut ids = BTreeSet::new();
    for element in &elements {
        for (name, value) in &element.attributes {
            assert!(!name.starts_with("on"), "`{name}` would run");
            if ["src", "href", "srcset", "action", "poster", "data"].contains(name) {
                assert!(value.starts_with("data:"), "`{name}` leads to `{value}`");
            }
            if *name == "id" {
                assert!(ids.insert(*value), "two elements have the id `{value}`");
            }
        }
        if let Some(heading) = element.name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok()) {
            assert!(heading <= level + 1, "a heading of level {heading} follows one of {level}");
            level = heading;
        }
        match element.name {
            "html" => assert_eq!(element.attribute("lang"), Some("en")),
            "svg" => {
                assert_eq!(element.attribute("role"), Some("img"));
                assert!(element.attribute("aria-label").is_some_and(|label| label.len() > 10));
            }
            "img" => assert!(element.attribute("alt").is_some_and(|alt| !alt.is_empty())),
            "section" => assert!(element.attribute("aria-labelledby").is_some()),
            _ => {}
        }
    }
    for element in &elements {
        if let Some(id) = element.attribute("aria-labelledby") {
            assert!(ids.contains(id), "nothing is `{id}`");
        }
    }
}
