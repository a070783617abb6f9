//! Checks that files are written atomically, and that existing files are kept by default.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;

use super::super::{IfPresent, SaveError, Saved};
use super::{TestFolders, jpeg, picture};
use crate::pictures::Format;

/// Returns the names of the files in the allowed directory.
fn names(place: &TestFolders) -> Vec<PathBuf> {
    let mut names: Vec<_> = fs::read_dir(place.path("allowed")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names.iter().map(|path| path.file_name().unwrap().into()).collect()
}

#[test]
fn a_file_is_written_with_the_folders_above_it() {
    let place = TestFolders::new();
    let target = place.resolve("a/b/x.jpg").unwrap();
    assert!(!place.path("allowed/a").exists(), "no folder is created before the write");
    let saved = target.write(&jpeg(b"content"), IfPresent::Keep).unwrap();
    assert_eq!(saved, Saved { path: place.path("allowed").join("a/b/x.jpg"), size: 7 });
    assert_eq!(fs::read(&saved.path).unwrap(), b"content");
    assert_eq!(fs::read_dir(place.path("allowed/a/b")).unwrap().count(), 1);
}

#[test]
fn existing_file_is_kept_unless_replacing_is_requested() {
    let place = TestFolders::new();
    let target = place.resolve("x").unwrap();
    target.write(&jpeg(b"first"), IfPresent::Keep).unwrap();
    let error = target.write(&jpeg(b"second"), IfPresent::Keep).unwrap_err();
    assert!(matches!(&error, SaveError::Exists(path) if path.ends_with("allowed/x.jpg")), "{error:?}");
    assert_eq!(fs::read(target.path()).unwrap(), b"first");
    target.write(&jpeg(b"third"), IfPresent::Replace).unwrap();
    assert_eq!(fs::read(target.path()).unwrap(), b"third");
    assert_eq!(names(&place), [Path::new("x.jpg")], "nothing is left behind");
}

#[test]
fn special_files_are_not_replaced() {
    let place = TestFolders::new();
    fs::create_dir(place.path("allowed/folder.jpg")).unwrap();
    let names = [
        "folder.jpg",
        #[cfg(unix)]
        "link.jpg",
        #[cfg(unix)]
        "dangling.jpg",
        #[cfg(unix)]
        "pipe.jpg",
    ];
    #[cfg(unix)]
    {
        fs::write(place.path("outside/theirs.jpg"), "theirs").unwrap();
        std::os::unix::fs::symlink(place.path("outside/theirs.jpg"), place.path("allowed/link.jpg")).unwrap();
        std::os::unix::fs::symlink(place.path("outside/gone.jpg"), place.path("allowed/dangling.jpg")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(place.path("allowed/pipe.jpg")).status().unwrap().success());
    }
    let before = place.content();
    for (name, if_present) in names.iter().flat_map(|name| [(name, IfPresent::Keep), (name, IfPresent::Replace)]) {
        let error = place.resolve(name).unwrap().write(&jpeg(b"x"), if_present).unwrap_err();
        assert!(matches!(error, SaveError::InTheWay { .. }), "{name}: {error:?}");
    }
    assert_eq!(place.content(), before);
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn saved_file_is_private_and_replaces_no_read_only_file() {
    use std::os::unix::fs::PermissionsExt;

    let place = TestFolders::new();
    let target = place.resolve("x.jpg").unwrap();
    let path = place.path("allowed/x.jpg");
    target.write(&jpeg(b"first"), IfPresent::Keep).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let error = target.write(&jpeg(b"second"), IfPresent::Replace).unwrap_err();
    assert!(matches!(&error, SaveError::Unwritable { .. }) && error.to_string().contains("read-only"), "{error}");
    assert_eq!(fs::read(path).unwrap(), b"first");
    assert_eq!(names(&place), [Path::new("x.jpg")]);
}

#[test]
fn a_picture_of_another_format_is_not_written() {
    let place = TestFolders::new();
    let target = place.resolve("x.png").unwrap();
    let error = target.write(&jpeg(b"x"), IfPresent::Keep).unwrap_err();
    assert!(matches!(error, SaveError::OtherFormat { .. }));
    assert!(target.write(&picture(b"x", Format::Png), IfPresent::Keep).is_ok());
}

#[test]
fn only_one_of_concurrent_saves_under_one_name_succeeds() {
    const WRITERS: usize = 8;
    for round in 0..20 {
        let place = TestFolders::new();
        let start = Barrier::new(WRITERS);
        let (place, start) = (&place, &start);
        let written: Vec<_> = thread::scope(|scope| {
            let writers: Vec<_> = (0..WRITERS)
                .map(|number| {
                    scope.spawn(move || {
                        let content = number.to_string().repeat(10_000);
                        let target = place.resolve("new/x.jpg").unwrap();
                        start.wait();
                        match target.write(&jpeg(content.as_bytes()), IfPresent::Keep) {
                            Ok(_) => Some(content),
                            Err(SaveError::Exists { .. }) => None,
                            Err(error) => panic!("round {round}: {error:?}"),
                        }
                    })
                })
                .collect();
            writers.into_iter().filter_map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(written.len(), 1);
        assert_eq!(fs::read(place.path("allowed/new/x.jpg")).unwrap(), written[0].as_bytes());
        assert_eq!(fs::read_dir(place.path("allowed/new")).unwrap().count(), 1);
    }
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn unwritable_directory_is_reported() {
    use std::os::unix::fs::PermissionsExt;

    let place = TestFolders::new();
    fs::set_permissions(place.path("allowed"), fs::Permissions::from_mode(0o555)).unwrap();
    // The root user can write everywhere, so the test is skipped for root.
    if fs::write(place.path("allowed/probe"), "").is_err() {
        for name in ["x.jpg", "a/x.jpg"] {
            let error = place.resolve(name).unwrap().write(&jpeg(b"x"), IfPresent::Keep).unwrap_err();
            assert!(matches!(&error, SaveError::Unwritable(path, _) if path.ends_with(name)), "{error:?}");
        }
    }
    fs::set_permissions(place.path("allowed"), fs::Permissions::from_mode(0o755)).unwrap();
}
