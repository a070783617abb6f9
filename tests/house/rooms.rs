//! Which top-level module may use which: only those further down the list (see `docs/architecture.md`).

use std::sync::LazyLock;

use regex::Regex;

use super::sources::files;

/// The modules from the top down; a name with an ending is a file directly in `src`. Modules in one row do not use each
/// other.
const ROWS: [&[&str]; 12] = [
    &["lib.rs"],
    &["cli"],
    &["asked.rs"],
    &["mcp"],
    &["house.rs"],
    &["export", "report"],
    &["activity", "notes", "timesheet"],
    &["screenshots", "question"],
    &["engine"],
    &["manictime", "files", "rows"],
    &["code.rs", "rules", "calendar"],
    &["glob.rs"],
];

/// A path or a group of paths that begins at the root of the crate.
static FROM_ROOT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"crate::(\w+|\{[^;]*;)").unwrap());

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|modules| modules.iter().any(|known| known.trim_end_matches(".rs") == module))
}

#[test]
fn modules_use_only_those_below_them() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in files("src", "rs").iter().filter(|file| !file.is_test() && file.path != "src/main.rs") {
        let module = file.path.trim_start_matches("src/").trim_end_matches(".rs").split('/').next().unwrap();
        let from = row(module).unwrap_or_else(|| panic!("`{module}` is not in the list of modules"));
        let code: String = file.code().flat_map(|(_, line)| [line, "\n"]).collect();
        for path in FROM_ROOT.captures_iter(&code) {
            for name in path[1].split(|letter: char| !(letter.is_alphanumeric() || letter == '_')) {
                // Other names are of items that are re-exported at the root, or of items in a group.
                let Some(to) = row(name).filter(|_| name != module) else { continue };
                seen += 1;
                if to <= from {
                    wrong.push(format!("{} uses `crate::{name}`", file.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "modules use others that are not below them:\n{}", wrong.join("\n"));
    assert!(seen > 500, "only {seen} uses are found");
}
