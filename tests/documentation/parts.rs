//! Generated parts of the documentation, between two markers of a page.
//!
//! A test compares them with the output of the program, or writes them if `DAYLEDGER_UPDATE_DOCS` is set.

use std::path::Path;
use std::{env, fs};

/// How to update a page.
const UPDATE: &str =
    "DAYLEDGER_UPDATE_DOCS=1 cargo test --locked --all-features --test black_box -- reference sizes documentation";

/// Returns the page with `part` between the markers of `name`.
pub(crate) fn with_part(page: &str, name: &str, part: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|edge| format!("<!-- {name}: {edge} -->"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("the page lacks the mark {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("the page lacks the mark {end}"));
    format!("{before}{begin}\n\n{}\n\n{end}{after}", part.trim())
}

/// Compares the page `name` with the result of `right`.
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

/// Whether generated parts are written.
#[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
pub(super) fn is_updating() -> bool {
    env::var_os("DAYLEDGER_UPDATE_DOCS").is_some()
}
