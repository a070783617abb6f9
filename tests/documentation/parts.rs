//! Parts of the documentation that tests write: what lies between two marks of a page.
//!
//! A test compares them with what the program says, and writes them anew where `DAYLEDGER_UPDATE_DOCS` is set.

use std::path::Path;
use std::{env, fs};

/// Says how to make a page right.
const UPDATE: &str =
    "DAYLEDGER_UPDATE_DOCS=1 cargo test --locked --all-features --test black_box -- reference sizes documentation";

/// The page with `part` between the marks of `name`.
pub(crate) fn with_part(page: &str, name: &str, part: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|edge| format!("<!-- {name}: {edge} -->"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("the page lacks the mark {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("the page lacks the mark {end}"));
    format!("{before}{begin}\n\n{}\n\n{end}{after}", part.trim())
}

/// Holds the page `name` to what `right` makes of it.
pub(crate) fn compare(name: &str, right: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let page = fs::read_to_string(&path).unwrap();
    let right = right(&page);
    if is_updating() {
        fs::write(&path, right).unwrap();
        return;
    }
    let differing = page.lines().zip(right.lines()).find(|(is, should)| is != should);
    assert!(page == right, "{name} is stale, from\n{differing:?}\non; run `{UPDATE}` and look at the difference");
}

/// Whether what tests write is written anew.
#[expect(clippy::disallowed_methods, reason = "a switch of the tests, which configures nothing")]
pub(super) fn is_updating() -> bool {
    env::var_os("DAYLEDGER_UPDATE_DOCS").is_some()
}
