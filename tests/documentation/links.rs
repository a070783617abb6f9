//! Checks that the targets of links on the pages exist.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::{page, pages};
use crate::source_rules::sources::{SourceFile, files, root};

/// The target of a Markdown link or image, or of an image for light or dark mode.
static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"]+)""#).unwrap());
/// Code in a line. Code contains no links.
static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`\n]*`").unwrap());
/// A link in a heading. Only the text of the link is part of the heading's anchor.
static LINKED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap());

/// Returns the page without fenced blocks.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let prose = CODE.replace_all(&prose, "");
    let found = LINK.captures_iter(&prose);
    found.map(|link| link.get(1).or_else(|| link.get(2)).unwrap().as_str().to_owned()).collect()
}

/// Returns the anchors of a page, from its headings.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchors = headings.map(|heading| {
        let anchor = anchor(heading.trim_start_matches('#'));
        let times = seen.entry(anchor.clone()).or_default();
        *times += 1;
        if *times == 1 { anchor } else { format!("{anchor}-{}", *times - 1) }
    });
    anchors.collect()
}

fn anchor(heading: &str) -> String {
    let heading = LINKED.replace_all(heading.trim(), "$1").to_lowercase();
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// Returns the path from the project's root, without `..`. Returns `None` if the path leads out of the project.
fn resolve(from: &str, link: &str) -> Option<PathBuf> {
    let mut path = Path::new(from).parent().unwrap().to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(path)
}

/// Returns the problem with a link, if any.
fn fault(from: &SourceFile, link: &str) -> Option<String> {
    let (place, wanted) = link.split_once('#').map_or((link, None), |(place, anchor)| (place, Some(anchor)));
    let path = if place.is_empty() { Some(PathBuf::from(&from.path)) } else { resolve(&from.path, place) };
    let Some(path) = path.filter(|path| root().join(path).exists()) else { return Some("leads nowhere".to_owned()) };
    let wanted = wanted?;
    let there = anchors(&page(path.to_str().unwrap()).text);
    (!there.iter().any(|anchor| anchor == wanted)).then(|| format!("has no such heading: {there:?}"))
}

/// A link in a comment to a heading of the specification.
static CITATION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"docs/spec/[a-z]+\.md(?:#[a-z0-9-]+)?").unwrap());

#[test]
fn every_link_to_the_specification_has_a_target() {
    let sources = ["benches", "crates", "fixtures", "fleet", "notes", "src", "tests", "timesheet", "udfs"]
        .map(|folder| files(folder, "rs"));
    let from_root = page("README.md");
    let mut faults = Vec::new();
    let mut count = 0;
    for file in sources.into_iter().flatten().chain(files("sql", "sql")) {
        for citation in CITATION.find_iter(&file.text).map(|citation| citation.as_str()) {
            count += 1;
            faults.extend(fault(&from_root, citation).map(|fault| format!("{}: `{citation}` {fault}", file.path)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 100, "only {count} citations were found");
}

#[test]
fn every_link_has_a_target() {
    let mut faults = Vec::new();
    let mut count = 0;
    for page in pages().into_iter().chain(["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map(page)) {
        for link in links(&page.text).into_iter().filter(|link| !link.contains("://")) {
            count += 1;
            faults.extend(fault(&page, &link).map(|fault| format!("{}: `{link}` {fault}", page.path)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 100, "only {count} links were found");
}
