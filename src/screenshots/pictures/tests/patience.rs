//! A file that another program is writing gets a little time; a server never sleeps long over it.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::super::{Error, Format, Pictures, Region, Units};
use super::{Folder, NAME, encoded, fields, name};

/// Pictures that note how long they waited, and what happens while they do.
fn watched(meanwhile: impl Fn(usize) + Send + Sync + 'static) -> (Pictures, Arc<Mutex<Vec<Duration>>>) {
    let waited = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&waited);
    let pictures = Pictures::waiting_with(move |pause| {
        let mut noted = noted.lock().unwrap();
        meanwhile(noted.len());
        noted.push(pause);
    });
    (pictures, waited)
}

#[test]
fn a_picture_that_is_finished_in_time_comes_whole() {
    let whole = encoded(&fields(), Format::Jpeg);
    let states: [&[u8]; 3] = [b"", &whole[..whole.len() / 2], &whole];
    for first in 0..3 {
        let folder = Folder::with(states[first]);
        let file = folder.temporary.path().join(NAME);
        let next: Vec<Vec<u8>> = states[first..].iter().skip(1).map(|state| state.to_vec()).collect();
        let (pictures, waited) = watched(move |at| fs::write(&file, &next[at]).unwrap());
        let picture = pictures.original(&folder.dir, name()).unwrap();
        assert_eq!(*picture.bytes, *whole);
        assert_eq!(waited.lock().unwrap().len(), 2 - first);
    }
}

#[test]
fn what_does_not_get_better_is_told_after_three_tries() {
    let cases: [(&[u8], &str); 3] =
        [(b"", "SCREENSHOT_EMPTY"), (b"\xff\xd8\xff", "SCREENSHOT_INCOMPLETE"), (b"text", "SCREENSHOT_NOT_AN_IMAGE")];
    let region = Region::new(0.0, 0.0, 10.0, 10.0, Units::Percent).unwrap();
    for (bytes, code) in cases {
        let folder = Folder::with(bytes);
        let (pictures, waited) = watched(|_| {});
        assert_eq!(pictures.crop(&folder.dir, name(), &region, None).unwrap_err().code(), code);
        assert_eq!(*waited.lock().unwrap(), [50, 100].map(Duration::from_millis));
    }
}

#[test]
fn a_picture_that_is_deleted_meanwhile_is_missing() {
    let folder = Folder::with(b"");
    let file = folder.temporary.path().join(NAME);
    let (pictures, _) = watched(move |at| {
        if at == 0 {
            fs::remove_file(&file).unwrap();
        }
    });
    assert!(matches!(pictures.original(&folder.dir, name()), Err(Error::Missing)));
}

#[test]
fn nobody_waits_for_a_picture_to_become_smaller() {
    let folder = Folder::new();
    fs::File::create(folder.temporary.path().join(NAME)).unwrap().set_len(1 << 30).unwrap();
    let (pictures, waited) = watched(|_| {});
    assert!(matches!(pictures.original(&folder.dir, name()), Err(Error::TooLarge)));
    assert_eq!(waited.lock().unwrap().len(), 0);
}

#[test]
fn a_file_in_use_is_told_from_one_that_fails() {
    for kind in [io::ErrorKind::ResourceBusy, io::ErrorKind::WouldBlock] {
        assert!(matches!(Error::from(io::Error::from(kind)), Error::Locked));
    }
    let denied = Error::from(io::Error::from(io::ErrorKind::PermissionDenied));
    assert!(matches!(denied, Error::Unreadable { .. }) && denied.may_pass());
}
