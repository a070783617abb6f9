//! What files and folders are called, and that every test is run.

use std::fs;

use super::sources::{files, root};

/// Names that say nothing of what is in the room (style, smells).
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "manager", "misc", "shared"];

#[test]
fn names_say_what_is_inside() {
    for folder in ["src", "fixtures", "timesheet", "udfs", "tests", "benches"] {
        for file in files(folder, "rs") {
            for part in file.path.trim_end_matches(".rs").split('/') {
                assert!(!EMPTY_NAMES.contains(&part), "`{}`: the name `{part}` says nothing", file.path);
            }
        }
    }
}

#[test]
fn every_folder_of_tests_is_run() {
    let main = fs::read_to_string(root().join("tests").join("main.rs")).unwrap();
    for entry in fs::read_dir(root().join("tests")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join("mod.rs").exists() {
            assert!(
                main.lines().any(|line| line == format!("mod {name};")),
                "`tests/{name}` is not in `tests/main.rs`"
            );
        } else if entry.path().is_dir() {
            assert!(files(&format!("tests/{name}"), "rs").is_empty(), "`tests/{name}` holds code that nothing runs");
        }
    }
}

#[test]
fn every_file_of_tests_is_declared() {
    for file in files("tests", "rs") {
        let (folder, name) = file.path.trim_end_matches(".rs").rsplit_once('/').unwrap();
        if folder == "tests" || name == "mod" {
            continue;
        }
        let (parent, own) = folder.rsplit_once('/').unwrap();
        let inside = root().join(folder).join("mod.rs");
        let declaring = if inside.exists() { inside } else { root().join(parent).join(format!("{own}.rs")) };
        let text = fs::read_to_string(&declaring).unwrap_or_default();
        assert!(
            text.lines().any(|line| line.ends_with(&format!("mod {name};"))),
            "`{}` is declared nowhere",
            file.path
        );
    }
}
