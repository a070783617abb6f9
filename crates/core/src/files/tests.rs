//! Tests with files in temporary folders.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use super::{AtomicFile, Error, IfPresent, OffLimits, is_temporary, make_folder, make_folder_below, write};

const BOTH: [IfPresent; 2] = [IfPresent::Keep, IfPresent::Replace];

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn file_gets_its_name_once_it_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    for if_present in BOTH {
        let mut file = AtomicFile::create(&path, if_present).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists() && names(dir.path()).iter().all(|name| is_temporary(name.as_ref())));
        file.write_all(b" and half").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half and half");
        assert_eq!(names(dir.path()), ["x"]);
        fs::remove_file(&path).unwrap();
        drop(AtomicFile::create(&path, if_present).unwrap());
        assert_eq!(names(dir.path()), [""; 0], "a file that isn't committed is removed");
    }
}

#[test]
fn existing_file_is_kept_even_if_it_appears_during_the_write() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let file = AtomicFile::create(&path, IfPresent::Keep).unwrap();
    fs::write(&path, "theirs").unwrap();
    assert!(matches!(file.commit(), Err(Error::Exists)));
    assert!(matches!(AtomicFile::create(&path, IfPresent::Keep), Err(Error::Exists)));
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(names(dir.path()), ["x"]);
}

#[test]
fn open_files_and_hard_links_keep_the_old_content() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, dir.path().join("other name")).unwrap();
    let mut reader = File::open(&path).unwrap();
    write(&path, b"private", IfPresent::Replace).unwrap();
    let mut read = String::new();
    reader.read_to_string(&mut read).unwrap();
    assert_eq!((read.as_str(), fs::read(dir.path().join("other name")).unwrap().as_slice()), ("old", &b"old"[..]));
    assert_eq!(fs::read(&path).unwrap(), b"private");
}

#[test]
fn read_only_file_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::write(&path, "precious").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(matches!(write(&path, b"new", IfPresent::Replace), Err(Error::ReadOnly)));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(names(dir.path()), ["x"]);
}

#[cfg(unix)] // only Unix has permissions of owner, group and others
#[test]
fn only_the_owner_can_read_a_file_even_if_it_replaces_a_public_one() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    write(&path, b"new", IfPresent::Keep).unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    write(&path, b"newer", IfPresent::Replace).unwrap();
    assert_eq!(mode(), 0o600);
}

#[cfg(unix)] // only Unix has pipes and devices among files
#[test]
fn only_regular_files_are_replaced_or_opened() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("folder")).unwrap();
    make_pipe(&at("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    std::os::unix::fs::symlink("folder", at("link")).unwrap();
    let before = names(dir.path());
    for (name, kind) in [("folder", "a folder"), ("pipe", "a pipe"), ("socket", "a socket"), ("link", "a link")] {
        for if_present in BOTH {
            let error = write(&at(name), b"new", if_present).unwrap_err();
            assert_eq!(error.to_string(), format!("is {kind}, not a file"));
        }
        assert!(matches!(super::open(&at(name)), Err(Error::NotAFile(_))), "{name}");
        // A folder, pipe, socket or link can also appear after the file is created. It isn't replaced either.
        let file = AtomicFile::create(&at("late"), IfPresent::Replace).unwrap();
        fs::rename(at(name), at("late")).unwrap();
        assert!(matches!(file.commit(), Err(Error::NotAFile(_))), "{name}");
        fs::rename(at("late"), at(name)).unwrap();
    }
    assert!(matches!(write(Path::new("/dev/null"), b"x", IfPresent::Replace), Err(Error::NotAFile("a device"))));
    assert_eq!(names(dir.path()), before);
}

/// Without the check, a `dayledger.toml` that is a pipe would make every command wait forever. A link to `/dev/zero`
/// would make every command fill the memory.
#[cfg(unix)] // only Unix has pipes and devices among files
#[test]
fn only_regular_files_of_bounded_size_are_read() {
    use std::io::{ErrorKind, repeat};
    use std::os::unix::fs::symlink;

    use super::{read_text, read_up_to};

    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    make_pipe(&at("pipe"));
    symlink(at("pipe"), at("to a pipe")).unwrap();
    symlink("/dev/zero", at("to a device")).unwrap();
    fs::create_dir(at("folder")).unwrap();
    for (name, expected) in
        [("pipe", "a pipe"), ("to a pipe", "a pipe"), ("to a device", "a device"), ("folder", "a folder")]
    {
        let read = read_text(&at(name), 100);
        assert!(matches!(&read, Err(Error::NotAFile(kind)) if *kind == expected), "{name}: {read:?}");
    }
    fs::write(at("text"), "x".repeat(100)).unwrap();
    symlink(at("text"), at("to text")).unwrap();
    assert_eq!(read_text(&at("to text"), 100).unwrap().unwrap().len(), 100);
    assert!(
        matches!(read_text(&at("to text"), 99), Err(Error::Refused(error)) if error.kind() == ErrorKind::FileTooLarge)
    );
    assert_eq!(read_text(&at("none"), 100).unwrap(), None);
    assert_eq!(read_up_to(repeat(b'x'), 100).unwrap_err().kind(), ErrorKind::FileTooLarge);
}

#[test]
fn folder_that_is_off_limits_is_recognised_at_any_depth() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("kept/deep/deeper")).unwrap();
    fs::create_dir_all(at("kept2")).unwrap();
    let off_limits = OffLimits::new(vec![at("gone"), at("kept")]);
    for inside in ["kept", "kept/new", "kept/deep/deeper", "kept/../kept/deep", "gone/new"] {
        assert!(matches!(off_limits.check(&at(inside)), Err(Error::OffLimits)), "{inside}");
    }
    for outside in [".", "kept2", "kept/..", "kept/../new"] {
        off_limits.check(&at(outside)).unwrap();
    }
}

#[test]
fn missing_folders_are_created() {
    let dir = tempfile::tempdir().unwrap();
    let none = OffLimits::default();
    for _ in 0..2 {
        make_folder(&dir.path().join("a/b/c"), &none).unwrap();
        make_folder_below(dir.path(), Path::new("d/e"), &none).unwrap();
        assert!(dir.path().join("a/b/c").is_dir() && dir.path().join("d/e").is_dir());
    }
    fs::write(dir.path().join("file"), "x").unwrap();
    assert!(make_folder(&dir.path().join("file/a"), &none).is_err());
    assert!(make_folder_below(dir.path(), Path::new("file/a"), &none).is_err());
    // If the missing folder is created as a link later, the `..` after it can lead anywhere.
    let off_limits = OffLimits::new(vec![dir.path().join("a")]);
    assert!(make_folder(&dir.path().join("new/../a/new"), &off_limits).is_err() || cfg!(windows));
    assert!(!dir.path().join("a/new").exists());
}

#[cfg(unix)] // on Windows, most users aren't allowed to create links
#[test]
fn no_folder_is_created_through_a_link_to_one_that_is_off_limits() {
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("root/kept")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    symlink("kept", at("root/link")).unwrap();
    symlink(at("outside"), at("root/out")).unwrap();
    let off_limits = OffLimits::new(vec![at("root/kept")]);
    for inside in ["link/new", "kept/new/newer"] {
        assert!(matches!(make_folder(&at("root").join(inside), &off_limits), Err(Error::OffLimits)), "{inside}");
        let below = make_folder_below(&at("root"), Path::new(inside), &off_limits);
        assert!(matches!(below, Err(Error::OffLimits)), "{inside}");
    }
    assert!(make_folder_below(&at("root"), Path::new("out/new"), &off_limits).is_err());
    assert_eq!((names(&at("root/kept")), names(&at("outside"))), (vec![], vec![]));
}
