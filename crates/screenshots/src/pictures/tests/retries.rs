//! Checks that a file is read again after a short wait if another program is writing it.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::super::{Error, Format, Pictures, Region, Units};
use super::{Folder, NAME, encode, fields, name};

/// Returns an instance that records its waits. It calls `during_wait` in each wait.
fn pictures_with_recorded_waits(
    during_wait: impl Fn(usize) + Send + Sync + 'static,
) -> (Pictures, Arc<Mutex<Vec<Duration>>>) {
    let waited = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&waited);
    let pictures = Pictures::with_wait(move |pause| {
        let mut noted = noted.lock().unwrap();
        during_wait(noted.len());
        noted.push(pause);
    });
    (pictures, waited)
}

#[test]
fn file_that_is_completed_during_the_wait_is_returned() {
    let whole = encode(&fields(), Format::Jpeg);
    let states: [&[u8]; 3] = [b"", &whole[..whole.len() / 2], &whole];
    for first in 0..3 {
        let folder = Folder::with(states[first]);
        let file = folder.temporary.path().join(NAME);
        let next: Vec<Vec<u8>> = states[first..].iter().skip(1).map(|state| state.to_vec()).collect();
        let (pictures, waited) = pictures_with_recorded_waits(move |at| fs::write(&file, &next[at]).unwrap());
        let picture = pictures.original(&folder.dir, name()).unwrap();
        assert_eq!(*picture.bytes, *whole);
        assert_eq!(waited.lock().unwrap().len(), 2 - first);
    }
}

#[test]
fn lasting_error_is_returned_after_three_tries() {
    let cases: [(&[u8], &str); 3] =
        [(b"", "SCREENSHOT_EMPTY"), (b"\xff\xd8\xff", "SCREENSHOT_INCOMPLETE"), (b"text", "SCREENSHOT_NOT_AN_IMAGE")];
    let region = Region::new(0.0, 0.0, 10.0, 10.0, Units::Percent).unwrap();
    for (bytes, code) in cases {
        let folder = Folder::with(bytes);
        let (pictures, waited) = pictures_with_recorded_waits(|_| {});
        assert_eq!(pictures.crop(&folder.dir, name(), &region, None).unwrap_err().code(), code);
        assert_eq!(*waited.lock().unwrap(), [50, 100].map(Duration::from_millis));
    }
}

#[test]
fn picture_deleted_during_the_wait_is_missing() {
    let folder = Folder::with(b"");
    let file = folder.temporary.path().join(NAME);
    let (pictures, _) = pictures_with_recorded_waits(move |at| {
        if at == 0 {
            fs::remove_file(&file).unwrap();
        }
    });
    assert!(matches!(pictures.original(&folder.dir, name()), Err(Error::Missing)));
}

#[test]
fn picture_that_is_too_large_is_not_read_again() {
    let folder = Folder::new();
    fs::File::create(folder.temporary.path().join(NAME)).unwrap().set_len(1 << 30).unwrap();
    let (pictures, waited) = pictures_with_recorded_waits(|_| {});
    assert!(matches!(pictures.original(&folder.dir, name()), Err(Error::TooLarge)));
    assert_eq!(waited.lock().unwrap().len(), 0);
}

#[test]
fn file_in_use_is_distinguished_from_a_failing_file() {
    for kind in [io::ErrorKind::ResourceBusy, io::ErrorKind::WouldBlock] {
        assert!(matches!(Error::from(io::Error::from(kind)), Error::Locked));
    }
    let denied = Error::from(io::Error::from(io::ErrorKind::PermissionDenied));
    assert!(matches!(denied, Error::Unreadable { .. }) && denied.may_pass());
}
