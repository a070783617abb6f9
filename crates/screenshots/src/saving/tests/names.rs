//! Tests which paths are accepted, and which format a path has.

use std::path::Path;

use super::super::SaveError;
use super::TestFolders;
use crate::pictures::Format;

#[test]
fn extension_sets_the_format_and_is_added_if_missing() {
    let place = TestFolders::new();
    for (requested, name, format) in [
        ("morning.jpg", "morning.jpg", Format::Jpeg),
        ("morning.JPEG", "morning.JPEG", Format::Jpeg),
        ("morning.pNg", "morning.pNg", Format::Png),
        ("morning", "morning.jpg", Format::Jpeg),
        ("assets/day one/shot", "assets/day one/shot.jpg", Format::Jpeg),
        (r"assets\shot.png", "assets/shot.png", Format::Png),
        ("./assets//./shot", "assets/shot.jpg", Format::Jpeg),
        ("v1.2/shot", "v1.2/shot.jpg", Format::Jpeg),
        ("früh – 朝.png", "früh – 朝.png", Format::Png),
        (".hidden/shot", ".hidden/shot.jpg", Format::Jpeg),
    ] {
        let target = place.resolve(requested).unwrap();
        assert_eq!(target.path(), place.path("allowed").join(name), "{requested}");
        assert_eq!(target.format(), format, "{requested}");
    }
}

#[test]
fn default_name_is_used_without_a_path() {
    let target = TestFolders::new().destinations().resolve(None, "screenshot-2026-02-27-06-14-44").unwrap();
    assert!(target.path().ends_with("allowed/screenshot-2026-02-27-06-14-44.jpg"));
}

#[test]
fn other_extensions_are_refused() {
    for (requested, extension) in
        [("x.gif", "gif"), ("x.jpg.exe", "exe"), ("run.sh", "sh"), ("x.jpg ~", "jpg ~"), ("x.pn", "pn")]
    {
        let error = TestFolders::new().resolve(requested).unwrap_err();
        assert!(matches!(&error, SaveError::WrongExtension(found) if found == extension), "{error:?}");
    }
}

#[test]
fn no_path_leads_upwards() {
    for requested in ["../x.jpg", "a/../x.jpg", "a/../../x.jpg", r"..\x.jpg", r"a\..\x.jpg", "..", "a/.."] {
        let error = TestFolders::new().resolve(requested).unwrap_err();
        assert!(matches!(&error, SaveError::InvalidName { part, .. } if part == ".."), "{requested}: {error:?}");
    }
}

#[test]
fn names_invalid_on_any_platform_are_rejected_on_all() {
    for requested in [
        "a:b.jpg",
        "C:x.jpg",
        "x.jpg:stream",
        "a<b.jpg",
        "a>b",
        "a\"b",
        "a|b",
        "what?.jpg",
        "*.jpg",
        "a\nb.jpg",
        "a\0.jpg",
        "\u{7f}.jpg",
        "folder./x.jpg",
        "folder /x.jpg",
        " x.jpg",
        "x.jpg ",
        "x.jpg.",
        "x.",
        "",
        " ",
        ".",
        "./",
        "folder/",
        ".jpg",
        "a/.png",
    ] {
        let error = TestFolders::new().resolve(requested).unwrap_err();
        assert_eq!(error.code(), "INVALID_PATH", "{requested:?}: {error:?}");
        assert!(!error.to_string().contains(['\n', '\0']), "{error}");
    }
}

#[test]
fn names_can_have_the_maximum_length_of_file_systems() {
    let place = TestFolders::new();
    assert!(place.resolve(&"x".repeat(251)).is_ok());
    for long in
        ["x".repeat(252), format!("{}.jpg", "é".repeat(126)), format!("{}/x", "x".repeat(256)), "x/".repeat(520)]
    {
        let error = place.resolve(&long).unwrap_err();
        assert_eq!(error.code(), "INVALID_PATH");
        assert!(error.to_string().chars().count() < 150, "{error}");
    }
}

#[test]
fn absolute_path_is_accepted_only_inside_an_allowed_directory() {
    let place = TestFolders::new();
    let inside = place.path("allowed").join("a/x.png");
    assert_eq!(place.resolve(inside.to_str().unwrap()).unwrap().path(), inside);
    for outside in [
        place.path("outside").join("x.jpg"),
        place.path("allowed2").join("x.jpg"),
        place.path("x.jpg"),
        Path::new("/x.jpg").to_owned(),
        Path::new("//server/share/x.jpg").to_owned(),
        Path::new(r"\x.jpg").to_owned(),
    ] {
        let error = place.resolve(outside.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, SaveError::Outside { .. }), "{outside:?}: {error:?}");
    }
    // On Windows, this is an absolute path. On other systems, it contains an invalid character.
    assert!(place.resolve("C:/x.jpg").is_err());
    let upwards = place.path("allowed").join("../outside/x.jpg");
    assert!(matches!(place.resolve(upwards.to_str().unwrap()), Err(SaveError::InvalidName { .. })));
}
