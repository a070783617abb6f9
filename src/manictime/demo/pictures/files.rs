//! Pictures as files: their names, which of them are missing, writing them.
//!
//! **Owns** what lies in the folder of a day. **Does not own** when a picture is taken nor what it shows. Names are
//! those of ManicTime (ManicTime data, section 4): local date and time, offset without a plus sign, width and height of
//! the full picture, a sequence for each device, and whether the application had changed.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use chrono::NaiveDate;
use dayledger_canvas::{Canvas, ImageError};

use super::super::Error;
use super::super::clock::HOUR;
use super::desktop;
use super::scene::Scene;

/// How wide thumbnails are; their height follows from the screen's.
pub(super) const THUMBNAIL_WIDTH: u32 = 320;

/// Where each device's sequence begins: a workstation that has run for years, a laptop that is newer.
const FIRST_SEQUENCE: [usize; 2] = [517_204, 88_310];

/// A picture with all that its files are called and made of.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) scene: Scene,
    pub(super) changed: bool,
    pub(super) sequence: usize,
    pub(super) extension: &'static str,
    pub(super) has_full: bool,
    pub(super) has_thumbnail: bool,
}

impl Picture {
    pub(super) fn date(&self) -> NaiveDate {
        self.scene.local().date()
    }

    /// Returns what the names of both files begin with.
    pub(super) fn stem(&self) -> String {
        let (width, height) = self.scene.size();
        let offset = self.scene.moment.offset;
        format!(
            "{}_{:02}-{:02}_{width}_{height}_{}_{}",
            self.scene.local().format("%Y-%m-%d_%H-%M-%S"),
            offset / HOUR,
            offset % HOUR / 60,
            self.sequence,
            u8::from(self.changed)
        )
    }

    fn write(&self, folder: &Path) -> Result<(), Error> {
        let (stem, extension) = (self.stem(), self.extension);
        let picture = desktop::draw(&self.scene);
        if self.has_full {
            save(&picture, &folder.join(format!("{stem}.{extension}")))?;
        }
        if self.has_thumbnail {
            let (width, height) = self.scene.size();
            let small = picture.scaled(THUMBNAIL_WIDTH, height * THUMBNAIL_WIDTH / width);
            save(&small, &folder.join(format!("{stem}.thumbnail.{extension}")))?;
        }
        Ok(())
    }
}

fn save(picture: &Canvas, path: &Path) -> Result<(), Error> {
    let is_png = path.extension().is_some_and(|extension| extension == "png");
    let encoded = if is_png { picture.png() } else { picture.jpeg() };
    let wrong = |source: ImageError| Error::Picture { path: path.to_owned(), source };
    fs::write(path, encoded.map_err(wrong)?).map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// Puts pictures in order, numbers them, and lets some files be missing, as they are in folders that have been lived in:
/// every tenth thumbnail, every twentieth full picture. The newest day has one second with two pictures, and the newest
/// picture is a PNG file.
pub(super) fn numbered(mut shots: Vec<(Scene, bool)>) -> Vec<Picture> {
    shots.sort_by_key(|(scene, _)| (scene.moment.utc, scene.on_laptop));
    let newest = shots.last().map(|(scene, _)| scene.local().date());
    if let Some(first) = shots.iter().position(|(scene, _)| Some(scene.local().date()) == newest) {
        let (scene, changed) = shots[first].clone();
        shots.insert(first + 1, (scene, !changed));
    }
    let count = shots.len();
    let mut sequences = FIRST_SEQUENCE;
    let mut pictures = Vec::with_capacity(count);
    for (number, (scene, changed)) in (1..).zip(shots) {
        let sequence = &mut sequences[usize::from(scene.on_laptop)];
        *sequence += 1;
        let (sequence, is_last) = (*sequence, number == count);
        pictures.push(Picture {
            scene,
            changed,
            sequence,
            extension: if is_last { "png" } else { "jpg" },
            has_full: is_last || number % 20 != 7,
            has_thumbnail: is_last || number % 10 != 3,
        });
    }
    pictures
}

/// Writes pictures into the folders of their days below `root`, and tells after each day how many are done.
pub(super) fn write(root: &Path, pictures: &[Picture], done: &mut dyn FnMut(u64)) -> Result<(), Error> {
    let mut days = BTreeMap::<NaiveDate, Vec<&Picture>>::new();
    for picture in pictures {
        days.entry(picture.date()).or_default().push(picture);
    }
    let days: Vec<_> = days.into_iter().collect();
    let next = AtomicUsize::new(0);
    let (sender, written) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get).min(days.len()) {
            let (sender, days, next) = (sender.clone(), &days, &next);
            scope.spawn(move || {
                while let Some((date, pictures)) = days.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more once a day has failed.
                    if sender.send(write_day(&root.join(date.to_string()), pictures)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (count, result) in (1..).zip(written) {
            result?;
            done(count);
        }
        Ok::<_, Error>(())
    })?;
    match days.last() {
        Some((date, pictures)) => copy_by_hand(&root.join(date.to_string()), pictures),
        None => Ok(()),
    }
}

fn write_day(folder: &Path, pictures: &[&Picture]) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| Error::Io { path: folder.to_owned(), source })?;
    pictures.iter().try_for_each(|picture| picture.write(folder))
}

/// Puts a file into the folder whose name is none of ManicTime's: a copy that somebody made.
fn copy_by_hand(folder: &Path, pictures: &[&Picture]) -> Result<(), Error> {
    let Some(picture) = pictures.iter().find(|picture| picture.has_full) else { return Ok(()) };
    let name = format!("{}.{}", picture.stem(), picture.extension);
    let copy: PathBuf = folder.join(format!("Copy of {name}"));
    fs::copy(folder.join(name), &copy).map(|_| ()).map_err(|source| Error::Io { path: copy, source })
}
