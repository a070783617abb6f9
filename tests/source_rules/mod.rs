//! Rules for the source tree (see CONTRIBUTING.md): SQL is in separate files, and every test file runs.

#![cfg(test)]

pub(crate) mod sources;
mod sql_files;

use std::fs;

use sources::{files, root};

#[test]
fn every_test_file_is_declared_as_a_module() {
    // Test files directly in `tests` are left out, because Cargo.toml lists them.
    for file in files("tests", "rs").iter().filter(|file| file.path.matches('/').count() > 1) {
        let module = file.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let (folder, name) = module.rsplit_once('/').unwrap();
        let parents = if folder == "tests" {
            vec!["tests/main.rs".to_owned()]
        } else {
            vec![format!("{folder}/mod.rs"), format!("{folder}.rs")]
        };
        let parent: String = parents.iter().filter_map(|parent| fs::read_to_string(root().join(parent)).ok()).collect();
        let is_declared = parent.lines().any(|line| line.ends_with(&format!("mod {name};")));
        assert!(is_declared, "`{}` never runs: none of {parents:?} declares it", file.path);
    }
}
