//! Files below temporary folders.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::{Error, IfPresent, OffLimits, Place, is_draft, make_folder};

const BOTH: [IfPresent; 2] = [IfPresent::Keep, IfPresent::Replace];

fn open(path: &Path) -> Dir {
    Dir::open_ambient_dir(path, ambient_authority()).unwrap()
}

fn write(place: &Place, text: &str, if_present: IfPresent) -> Result<(), Error> {
    let mut draft = place.draft(if_present)?;
    draft.write_all(text.as_bytes())?;
    draft.publish().map(drop)
}

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
fn a_file_gets_its_name_once_it_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    for if_present in BOTH {
        let place = Place::at(&path).unwrap();
        let mut draft = place.draft(if_present).unwrap();
        draft.write_all(b"half").unwrap();
        assert!(!path.exists() && names(dir.path()).iter().all(|name| is_draft(name.as_ref())));
        draft.write_all(b" and half").unwrap();
        draft.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half and half");
        assert_eq!(names(dir.path()), ["x"]);
        fs::remove_file(&path).unwrap();
        drop(place.draft(if_present).unwrap());
        assert_eq!(names(dir.path()), [""; 0], "a draft that is given up goes");
    }
}

#[test]
fn a_file_that_is_to_be_kept_stays_also_where_it_appears_late() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::at(&dir.path().join("x")).unwrap();
    let draft = place.draft(IfPresent::Keep).unwrap();
    fs::write(dir.path().join("x"), "theirs").unwrap();
    assert!(matches!(draft.publish(), Err(Error::Exists)));
    assert!(matches!(place.draft(IfPresent::Keep), Err(Error::Exists)));
    assert_eq!(fs::read(dir.path().join("x")).unwrap(), b"theirs");
    assert_eq!(names(dir.path()), ["x"]);
}

#[test]
fn who_has_the_old_file_keeps_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, dir.path().join("other name")).unwrap();
    let mut reader = fs::File::open(&path).unwrap();
    write(&Place::at(&path).unwrap(), "private", IfPresent::Replace).unwrap();
    let mut read = String::new();
    reader.read_to_string(&mut read).unwrap();
    assert_eq!((read.as_str(), fs::read(dir.path().join("other name")).unwrap().as_slice()), ("old", &b"old"[..]));
    assert_eq!(fs::read(&path).unwrap(), b"private");
}

#[test]
fn a_file_that_is_read_only_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    fs::write(&path, "precious").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let place = Place::at(&path).unwrap();
    assert!(matches!(write(&place, "new", IfPresent::Replace), Err(Error::ReadOnly)));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(names(dir.path()), ["x"]);
}

#[cfg(unix)] // permissions of owner, group and others are a matter of Unix
#[test]
fn a_file_is_its_owner_s_alone_whatever_it_replaces() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    write(&Place::at(&path).unwrap(), "new", IfPresent::Keep).unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    write(&Place::at(&path).unwrap(), "newer", IfPresent::Replace).unwrap();
    assert_eq!(mode(), 0o600);
}

#[cfg(unix)] // a pipe or a device among files is a matter of Unix
#[test]
fn nothing_but_a_file_makes_way_or_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("folder")).unwrap();
    make_pipe(&at("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    std::os::unix::fs::symlink("folder", at("link")).unwrap();
    let before = names(dir.path());
    for (name, kind) in [("folder", "a folder"), ("pipe", "a pipe"), ("socket", "a socket"), ("link", "a link")] {
        let place = Place::new(open(dir.path()), name);
        for if_present in BOTH {
            let error = write(&place, "new", if_present).unwrap_err();
            assert_eq!(error.to_string(), format!("is {kind}, not a file"));
        }
        assert!(matches!(place.open(), Err(Error::NotAFile(_))), "{name}");
        // What takes the name while the file is written does not make way either.
        let late = Place::new(open(dir.path()), "late");
        let draft = late.draft(IfPresent::Replace).unwrap();
        fs::rename(at(name), at("late")).unwrap();
        assert!(matches!(draft.publish(), Err(Error::NotAFile(_))), "{name}");
        fs::rename(at("late"), at(name)).unwrap();
    }
    assert!(matches!(
        write(&Place::at(Path::new("/dev/null")).unwrap(), "x", IfPresent::Replace),
        Err(Error::NotAFile(_))
    ));
    assert_eq!(names(dir.path()), before);
}

#[test]
fn what_a_killed_run_left_goes_with_the_next_and_nothing_else_does() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::at(&dir.path().join("x")).unwrap();
    let running = place.draft(IfPresent::Keep).unwrap();
    let kept = names(dir.path());
    let [of_running] = kept.as_slice() else { panic!("{kept:?}") };
    // What a killed run leaves is a draft that nobody holds.
    for left in [".dayledger-1-0.tmp", ".dayledger-4194304-18446744073709551615.tmp"] {
        fs::write(dir.path().join(left), "half").unwrap();
    }
    let theirs = [
        ".dayledger-.tmp",
        ".dayledger-1-.tmp",
        ".dayledger-1-0.tmp.txt",
        ".dayledger-1-0.tmp~",
        ".dayledger-1-x.tmp",
        ".dayledger-notes.tmp",
        ".notes.tmp",
        "dayledger-1-0.tmp",
    ];
    for name in theirs {
        fs::write(dir.path().join(name), "mine").unwrap();
    }
    fs::create_dir(dir.path().join(".dayledger-2-0.tmp")).unwrap();
    let mut expected: Vec<_> = theirs.iter().copied().chain([".dayledger-2-0.tmp", of_running.as_str()]).collect();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".notes.tmp", dir.path().join(".dayledger-3-0.tmp")).unwrap();
        make_pipe(&dir.path().join(".dayledger-4-0.tmp"));
        expected.extend([".dayledger-3-0.tmp", ".dayledger-4-0.tmp"]);
    }
    expected.sort_unstable();
    drop(Place::at(&dir.path().join("y")).unwrap().draft(IfPresent::Keep).unwrap());
    assert_eq!(names(dir.path()), expected);
    running.publish().unwrap();
    assert!(dir.path().join("x").is_file());
}

#[cfg(unix)] // permissions of owner, group and others are a matter of Unix
#[test]
fn the_draft_of_another_user_stays() {
    let dir = tempfile::tempdir().unwrap();
    let left = dir.path().join(".dayledger-1-0.tmp");
    fs::write(&left, "half").unwrap();
    // Only root can give a file to somebody else.
    if std::os::unix::fs::chown(&left, Some(12_345), None).is_err() {
        return;
    }
    drop(Place::at(&dir.path().join("y")).unwrap().draft(IfPresent::Keep).unwrap());
    assert!(left.exists());
}

#[test]
fn a_folder_that_is_off_limits_is_known_at_any_depth_and_by_its_handle() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("kept/deep/deeper")).unwrap();
    fs::create_dir_all(at("kept2")).unwrap();
    let off_limits = OffLimits::new(vec![at("gone"), at("kept")]);
    for inside in ["kept", "kept/deep", "kept/deep/deeper", "kept/../kept/deep"] {
        assert!(off_limits.cover(&at(inside)), "{inside}");
        assert!(matches!(off_limits.admit(&open(&at(inside))), Err(Error::OffLimits)), "{inside}");
    }
    assert!(off_limits.cover(&at("gone/new")), "a folder that is not there yet");
    for outside in [".", "kept2", "kept/.."] {
        assert!(!off_limits.cover(&at(outside)), "{outside}");
        off_limits.admit(&open(&at(outside))).unwrap();
    }
    // An open folder stays what it is, whatever its name leads to by now. On Windows it keeps its name.
    let folder = open(&at("kept/deep"));
    if cfg!(not(windows)) {
        fs::rename(at("kept"), at("moved")).unwrap();
        fs::create_dir_all(at("kept/deep")).unwrap();
        off_limits.admit(&folder).unwrap();
        assert!(matches!(OffLimits::new(vec![at("moved")]).admit(&folder), Err(Error::OffLimits)));
    }
}

#[test]
fn folders_are_made_as_far_as_they_are_missing() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        make_folder(&open(dir.path()), Path::new("a/b/c"), &OffLimits::default()).unwrap();
        assert!(dir.path().join("a/b/c").is_dir());
    }
    for wrong in ["a/../..", "/a", "../x"] {
        assert!(make_folder(&open(dir.path()), Path::new(wrong), &OffLimits::default()).is_err(), "{wrong}");
    }
    fs::write(dir.path().join("file"), "x").unwrap();
    assert!(make_folder(&open(dir.path()), Path::new("file/a"), &OffLimits::default()).is_err());
}

#[cfg(unix)] // Windows lets few make a link
#[test]
fn no_folder_is_made_through_a_link_that_leads_out_or_off_limits() {
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("root/kept")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    symlink("kept", at("root/link")).unwrap();
    symlink(at("outside"), at("root/out")).unwrap();
    symlink("../outside", at("root/up")).unwrap();
    let off_limits = OffLimits::new(vec![at("root/kept")]);
    for way in ["link/new", "kept/new/newer"] {
        let error = make_folder(&open(&at("root")), Path::new(way), &off_limits).unwrap_err();
        assert!(matches!(error, Error::OffLimits), "{way}: {error:?}");
    }
    for way in ["out/new", "up/new"] {
        assert!(make_folder(&open(&at("root")), Path::new(way), &off_limits).is_err(), "{way}");
    }
    assert_eq!((names(&at("root/kept")), names(&at("outside"))), (vec![], vec![]));
}
