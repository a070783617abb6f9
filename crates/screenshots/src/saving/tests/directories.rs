//! Tests the directories in which files are saved.

use std::fs;

#[cfg(unix)]
use super::super::IfPresent;
use super::super::{AllowedBy, AllowedDirectory, Destinations, SaveError};
#[cfg(unix)]
use super::jpeg;
use super::{TestFolders, allow};

#[test]
fn empty_allow_list_has_its_own_error() {
    let error = Destinations::default().resolve(Some("x.jpg"), "default").unwrap_err();
    assert!(matches!(error, SaveError::NothingAllowed));
    assert!(error.hint().contains("--allow-write"));
}

#[test]
fn missing_directory_is_reported_with_its_setting() {
    let place = TestFolders::new();
    for (allowed_by, words) in
        [(AllowedBy::Flag, "--allow-write"), (AllowedBy::Configuration, "allow_write"), (AllowedBy::Root, "root")]
    {
        let gone = AllowedDirectory { directory: place.path("gone"), allowed_by };
        let error = Destinations::new(vec![gone.clone()], vec![]).resolve(Some("x.jpg"), "default").unwrap_err();
        assert!(matches!(error, SaveError::Unusable { .. }), "{error:?}");
        assert!(error.to_string().contains(words) && error.to_string().contains("gone"), "{error}");
        // If one allowed directory can't be used, the other directories are still used.
        let both = Destinations::new(vec![gone, allow(&place.path("allowed"))], vec![]);
        assert!(both.resolve(Some("x.jpg"), "default").unwrap().path().starts_with(place.path("allowed")));
    }
    fs::write(place.path("file"), "x").unwrap();
    let file = Destinations::new(vec![allow(&place.path("file"))], vec![]);
    assert!(matches!(file.resolve(None, "default"), Err(SaveError::Unusable { .. })));
    assert!(!place.path("gone").exists(), "a missing allowed directory is not created");
}

#[test]
fn first_directory_that_accepts_the_file_is_used() {
    let place = TestFolders::new();
    let both = Destinations::new(vec![allow(&place.path("allowed")), allow(&place.path("outside"))], vec![]);
    assert!(both.resolve(Some("x.jpg"), "d").unwrap().path().starts_with(place.path("allowed")));
    let second = place.path("outside").join("x.jpg");
    assert_eq!(both.resolve(second.to_str(), "d").unwrap().path(), second);
    fs::write(place.path("allowed").join("assets"), "a file where a folder should be").unwrap();
    assert!(both.resolve(Some("assets/x.jpg"), "d").unwrap().path().starts_with(place.path("outside")));
    fs::write(place.path("outside").join("assets"), "another").unwrap();
    assert!(matches!(both.resolve(Some("assets/x.jpg"), "d"), Err(SaveError::InTheWay { .. })));
}

#[test]
fn folders_of_manictime_are_never_written() {
    let place = TestFolders::new();
    fs::create_dir_all(place.path("allowed/ManicTime/Screenshots")).unwrap();
    let before = place.content();
    let destinations = place.with_forbidden(&["allowed/ManicTime", "not/there/yet"]);
    for requested in ["ManicTime/x.jpg", "ManicTime/Screenshots/2026-02-27/x.jpg", r"ManicTime\new\x.png"] {
        let error = destinations.resolve(Some(requested), "d").unwrap_err();
        assert!(matches!(error, SaveError::Forbidden { .. }), "{error:?}");
    }
    assert!(destinations.resolve(Some("ManicTime2/x.jpg"), "d").is_ok());
    // The file isn't written even if the tracker's folder itself, or a folder in it, is allowed.
    for inside in ["allowed/ManicTime", "allowed/ManicTime/Screenshots"] {
        let destinations = Destinations::new(vec![allow(&place.path(inside))], vec![place.path("allowed/ManicTime")]);
        assert!(matches!(destinations.resolve(None, "d"), Err(SaveError::Forbidden { .. })));
    }
    assert_eq!(place.content(), before);
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn folder_of_manictime_is_recognised_through_links() {
    let place = TestFolders::new();
    fs::create_dir(place.path("allowed/real")).unwrap();
    std::os::unix::fs::symlink("real", place.path("allowed/link")).unwrap();
    for (forbidden, requested) in [("allowed/real", "link/x.jpg"), ("allowed/link", "real/x.jpg")] {
        let found = place.with_forbidden(&[forbidden]).resolve(Some(requested), "d");
        assert!(matches!(found, Err(SaveError::Forbidden { .. })), "{found:?}");
    }
    // The folder becomes a link to the tracker's folder after the check and before the write.
    let target = place.with_forbidden(&["allowed/real"]).resolve(Some("later/x.jpg"), "d").unwrap();
    std::os::unix::fs::symlink("real", place.path("allowed/later")).unwrap();
    assert!(matches!(target.write(&jpeg(b"x"), IfPresent::Keep), Err(SaveError::Forbidden { .. })));
    assert_eq!(fs::read_dir(place.path("allowed/real")).unwrap().count(), 0);
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn links_cannot_leave_the_directory() {
    let place = TestFolders::new();
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(place.path(target), place.path(name)).unwrap();
    link("outside", "allowed/absolute");
    std::os::unix::fs::symlink("../outside", place.path("allowed/relative")).unwrap();
    link("outside/gone", "allowed/dangling");
    let before = place.content();
    for requested in ["absolute/x.jpg", "relative/x.jpg", "relative/new/x.jpg", "dangling/x.jpg"] {
        let error = place.resolve(requested).map(|target| target.write(&jpeg(b"x"), IfPresent::Replace).unwrap_err());
        let error = error.unwrap_or_else(|error| error);
        assert!(matches!(error, SaveError::Outside { .. } | SaveError::Unwritable { .. }), "{requested}: {error:?}");
    }
    // The folder becomes a link after the check and before the write.
    let target = place.resolve("later/x.jpg").unwrap();
    link("outside", "allowed/later");
    assert!(matches!(target.write(&jpeg(b"x"), IfPresent::Replace), Err(SaveError::Outside { .. })));
    fs::remove_file(place.path("allowed/later")).unwrap();
    assert_eq!(place.content(), before);
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn links_that_stay_inside_work() {
    let place = TestFolders::new();
    fs::create_dir(place.path("allowed/real")).unwrap();
    std::os::unix::fs::symlink("real", place.path("allowed/link")).unwrap();
    place.resolve("link/x.jpg").unwrap().write(&jpeg(b"x"), IfPresent::Keep).unwrap();
    assert_eq!(fs::read(place.path("allowed/real/x.jpg")).unwrap(), b"x");
    // The allowed directory itself may be a link, because the user has configured it.
    std::os::unix::fs::symlink("allowed", place.path("alias")).unwrap();
    let alias = Destinations::new(vec![allow(&place.path("alias"))], vec![]);
    let named = place.path("alias/y.jpg");
    assert_eq!(alias.resolve(named.to_str(), "d").unwrap().path(), named);
    let real = place
        .path("allowed/y.jpg")
        .canonicalize()
        .unwrap_or(place.path("allowed").canonicalize().unwrap().join("y.jpg"));
    assert!(alias.resolve(real.to_str(), "d").is_ok(), "the real path is accepted too");
}
