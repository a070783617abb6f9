//! Updates and checks the generated parts of pages. A generated part is between two markers.
//!
//! A test compares these parts with the program's output. If `DAYLEDGER_UPDATE_DOCS` is set, the test writes the parts
//! instead.

use std::path::Path;
use std::{env, fs};

/// The command that updates the pages.
const UPDATE: &str =
    "DAYLEDGER_UPDATE_DOCS=1 cargo test --locked --all-features --test black_box -- reference sizes documentation";

/// Returns the page with `part` between the markers of `name`.
pub(crate) fn with_part(page: &str, name: &str, part: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|edge| format!("<!-- {name}: {edge} -->"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("the page lacks the mark {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("the page lacks the mark {end}"));
    format!("{before}{begin}\n\n{}\n\n{end}{after}", part.trim())
}

/// Checks that the page `name` equals the result of `right`. If pages are updated, writes the page instead.
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

/// Whether generated parts are written instead of compared.
#[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
pub(super) fn is_updating() -> bool {
    env::var_os("DAYLEDGER_UPDATE_DOCS").is_some()
}
