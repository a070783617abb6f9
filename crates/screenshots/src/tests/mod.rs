//! Tests the search for screenshots, the references to screenshots, and the reasons for missing
//! screenshots.

pub(crate) mod trees;

use std::fs;
use std::time::Duration;

use super::*;
use dayledger_manictime::{Locator, Source};
use dayledger_source::{FoundBy, Privacy, Redaction};
use trees::Tree;

const MORNING: &str = "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_1_0";
const NOON: &str = "2026-02-27/2026-02-27_12-00-00_01-00_1920_1080_2_0";
const NIGHT: &str = "2026-02-28/2026-02-28_00-00-00_01-00_1920_1080_3_0";

fn at(time: &str) -> NaiveDateTime {
    time.parse().unwrap()
}

fn window(start: &str, end: &str) -> Range<NaiveDateTime> {
    at(start)..at(end)
}

/// Returns an interval with a UTC offset of one hour. The file names in these tests have the same
/// offset.
fn time_interval(start: &str, end: &str) -> TimeInterval {
    let (local, hour) = (window(start, end), TimeDelta::hours(1));
    TimeInterval { utc: local.start - hour..local.end - hour, local }
}

fn ever() -> Range<NaiveDateTime> {
    NaiveDateTime::MIN..NaiveDateTime::MAX
}

fn files(screenshots: &[Screenshot]) -> Vec<String> {
    let path = |one: &Screenshot| one.image().or(one.thumbnail()).unwrap().to_str().unwrap().replace('\\', "/");
    screenshots.iter().map(path).collect()
}

fn files_in(tree: &Tree, window: &Range<NaiveDateTime>) -> Vec<String> {
    files(&tree.screenshots().find_in(window).unwrap())
}

fn jpg(stems: &[&str]) -> Vec<String> {
    stems.iter().map(|stem| format!("{stem}.jpg")).collect()
}

fn tree(stems: &[&str]) -> Tree {
    Tree::with(&jpg(stems).iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn window_includes_its_start_and_excludes_its_end() {
    let tree = tree(&[MORNING, NOON, NIGHT]);
    assert_eq!(files_in(&tree, &window("2026-02-27T09:00:00", "2026-02-27T12:00:00")), jpg(&[MORNING]));
    assert_eq!(files_in(&tree, &window("2026-02-27T09:00:01", "2026-02-27T12:00:01")), jpg(&[NOON]));
    assert_eq!(files_in(&tree, &window("2026-02-27T00:00:00", "2026-02-28T00:00:00")), jpg(&[MORNING, NOON]));
    assert_eq!(files_in(&tree, &window("2026-02-28T00:00:00", "2026-03-01T00:00:00")), jpg(&[NIGHT]));
    assert_eq!(files_in(&tree, &ever()), jpg(&[MORNING, NOON, NIGHT]));
    for empty in
        [window("2026-02-27T09:00:00", "2026-02-27T09:00:00"), at("2026-03-01T00:00:00")..at("2026-02-27T00:00:00")]
    {
        assert_eq!(files_in(&tree, &empty), [""; 0]);
    }
}

#[test]
fn window_reads_only_the_folders_of_its_days() {
    // The name determines when a screenshot was taken, but the day of its folder determines whether
    // the file is read.
    let strayed = "2026-02-27/2026-02-28_00-00-02_01-00_1920_1080_3_0";
    let tree = tree(&[MORNING, NIGHT, strayed]);
    let around_midnight = window("2026-02-27T23:00:00", "2026-02-28T01:00:00");
    assert_eq!(files_in(&tree, &around_midnight), jpg(&[NIGHT, strayed]));
    assert_eq!(files_in(&tree, &window("2026-02-28T00:00:00", "2026-02-28T01:00:00")), jpg(&[NIGHT]));
    assert_eq!(files_in(&tree, &window("2026-02-27T23:00:00", "2026-02-28T00:00:00")), [""; 0]);
}

#[test]
fn the_nearest_before_and_after_a_window_are_found_across_days() {
    let loose = "2026-02-26_08-00-00_01-00_1920_1080_0_0";
    let tree = tree(&[MORNING, NOON, NIGHT, loose]);
    let find_around = |start, end| {
        let found = tree.screenshots().find_neighbours(&window(start, end)).unwrap();
        found.map(|found| found.map(|one| files(&[one]).remove(0)))
    };
    let file = |stem: &str| Some(format!("{stem}.jpg"));
    assert_eq!(find_around("2026-02-27T10:00:00", "2026-02-27T11:00:00"), [file(MORNING), file(NOON)]);
    assert_eq!(find_around("2026-02-27T12:00:01", "2026-02-28T00:00:00"), [file(NOON), file(NIGHT)]);
    assert_eq!(find_around("2026-02-27T00:00:00", "2026-02-27T01:00:00"), [file(loose), file(MORNING)]);
    assert_eq!(find_around("2026-03-05T00:00:00", "2026-03-06T00:00:00"), [file(NIGHT), None]);
    assert_eq!(find_around("2026-02-25T00:00:00", "2026-02-26T00:00:00"), [None, file(loose)]);
}

#[test]
fn details_of_the_name_are_returned() {
    let tree = Tree::with(&[
        "2026-02-27/2026-02-27_06-14-44_-03--30_3866_2330_517204_1.jpg",
        "2026-02-27/2026-02-27_06-14-44_-03--30_3866_2330_517204_1.thumbnail.jpg",
        "2017-03-28/2017-03-28_14-05-33.thumbnail.jpg",
        "2017-03-28/notes.txt",
    ]);
    let screenshots = tree.screenshots().find_in(&ever()).unwrap();
    let [old, new] = screenshots.as_slice() else { panic!("{screenshots:?}") };
    assert_eq!((new.taken_at, new.taken_utc()), (at("2026-02-27T06:14:44"), Some(at("2026-02-27T09:44:44"))));
    assert_eq!(new.size, Some(Size { width: 3866, height: 2330 }));
    assert_eq!((new.sequence, new.monitor), (Some(517_204), Some(1)));
    assert!(new.has_image() && new.has_thumbnail() && !old.has_image() && old.has_thumbnail());
    assert_eq!((old.taken_at, old.taken_utc()), (at("2017-03-28T14:05:33"), None));
    assert_eq!((old.size, old.sequence, old.monitor, old.offset), (None, None, None, None));
    assert_eq!(old.image(), None);
    assert_eq!(old.thumbnail(), Some("2017-03-28/2017-03-28_14-05-33.thumbnail.jpg".into()));
}

#[test]
fn screenshots_of_one_moment_are_ordered_by_sequence_and_monitor() {
    let tree = Tree::with(&[
        "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_10_0.jpg",
        "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_1.jpg",
        "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.png",
        "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.jpg",
        "Ann/2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.jpg",
    ]);
    let found = tree.screenshots().find_in(&ever()).unwrap();
    assert_eq!(
        files(&found),
        [
            "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.jpg",
            "Ann/2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.jpg",
            "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_0.png",
            "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_9_1.jpg",
            "2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_10_0.jpg",
        ]
    );
    let references: std::collections::HashSet<_> = found.iter().map(|one| one.reference.to_string()).collect();
    assert_eq!(references.len(), 5);
}

#[test]
fn every_screenshot_is_found_by_its_reference_even_after_a_restart() {
    // On other systems, the file system ignores the case of names, so the actual case is unknown.
    let (image_ending, small_ending) = if cfg!(target_os = "linux") { ("JPG", "Jpeg") } else { ("jpg", "jpeg") };
    let tree = Tree::with(&[
        &format!("{MORNING}.jpg"),
        &format!("{MORNING}.thumbnail.jpg"),
        &format!("{MORNING}.png"),
        &format!("{NOON}.{image_ending}"),
        &format!("{NOON}.thumbnail.jpg"),
        &format!("{NIGHT}.thumbnail.{small_ending}"),
        "2026-02-27/2026-02-28_00-00-02_01-00_1920_1080_3_0.jpg",
        "2017-03-28_14-05-33.jpg",
        "Ann/LAPTOP/2026-02-27/2026-02-27_09-00-00_01-00_1920_1080_1_0.jpg",
        "Ann/loose folder/2026-02-27_09-00-00_01-00_1920_1080_1_0.png",
    ]);
    let found = tree.screenshots().find_in(&ever()).unwrap();
    assert_eq!(found.len(), 8);
    let restarted = tree.screenshots();
    for one in found {
        let text = one.reference.to_string();
        assert_eq!(restarted.find(&text.parse().unwrap()).unwrap(), one, "{text}");
    }
}

#[test]
fn reference_returns_the_current_files() {
    let tree = tree(&[MORNING]);
    let screenshots = tree.screenshots();
    let reference = screenshots.find_in(&ever()).unwrap()[0].reference.clone();
    let find = || screenshots.find(&reference).map(|one| (one.has_image(), one.has_thumbnail()));
    assert_eq!(find().unwrap(), (true, false));
    tree.add(&format!("{MORNING}.thumbnail.png"));
    assert_eq!(find().unwrap(), (true, true));
    tree.remove(&format!("{MORNING}.jpg"));
    assert_eq!(find().unwrap(), (false, true));
    tree.remove(&format!("{MORNING}.thumbnail.png"));
    assert!(matches!(find(), Err(Error::NotFound)));
    fs::remove_dir_all(tree.root.join("2026-02-27")).unwrap();
    assert!(matches!(find(), Err(Error::NotFound)));
    fs::remove_dir_all(&tree.root).unwrap();
    assert!(matches!(find(), Err(Error::NotFound)));
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn a_reference_to_a_link_finds_nothing() {
    use std::os::unix::fs::symlink;

    let tree = tree(&[MORNING]);
    let screenshots = tree.screenshots();
    let reference = screenshots.find_in(&ever()).unwrap()[0].reference.clone();
    let secret = tree.outside().join("secret.jpg");
    fs::write(&secret, "secret").unwrap();
    tree.remove(&format!("{MORNING}.jpg"));
    for target in [secret, "/dev/zero".into()] {
        let link = tree.root.join(format!("{MORNING}.jpg"));
        symlink(target, &link).unwrap();
        assert!(matches!(screenshots.find(&reference), Err(Error::NotFound)));
        fs::remove_file(link).unwrap();
    }
    let outside = tree.outside().join("outside");
    fs::rename(tree.root.join("2026-02-27"), &outside).unwrap();
    fs::write(outside.join(MORNING.rsplit_once('/').unwrap().1.to_owned() + ".jpg"), "secret").unwrap();
    symlink(&outside, tree.root.join("2026-02-27")).unwrap();
    assert!(screenshots.find(&reference).is_err());
    assert!(screenshots.folder().unwrap().open(format!("{MORNING}.jpg")).is_err());
}

#[test]
fn store_without_day_folders_returns_the_same_screenshots() {
    let loose = ["2026-02-27_09-00-00_01-00_1920_1080_1_0", "pictures/2026-02-28_00-00-00_01-00_1920_1080_3_0"];
    let tree = tree(&loose);
    assert_eq!(files_in(&tree, &window("2026-02-27T00:00:00", "2026-02-28T00:00:00")), jpg(&loose[..1]));
    assert_eq!(files_in(&tree, &ever()), jpg(&loose));
    let holds = Store::Available(TimeBounds { first: at("2026-02-27T09:00:00"), last: at("2026-02-28T00:00:00") });
    assert_eq!(tree.screenshots().store().unwrap(), holds);
}

#[test]
fn nearest_screenshot_is_inside_the_interval_even_if_another_is_nearer() {
    let tree = tree(&[MORNING, NOON, NIGHT]);
    let screenshots = tree.screenshots();
    let nearest = |start, end, to| {
        let found = screenshots.nearest_each(&[(time_interval(start, end), at(to) - at(start))]).unwrap().remove(0);
        found.map(|one| files(&[one]).remove(0))
    };
    let day = ("2026-02-27T00:00:00", "2026-02-28T00:00:00");
    assert_eq!(nearest(day.0, day.1, "2026-02-27T10:30:00"), Some(format!("{MORNING}.jpg")));
    assert_eq!(nearest(day.0, day.1, "2026-02-27T10:30:01"), Some(format!("{NOON}.jpg")));
    assert_eq!(nearest(day.0, day.1, "2026-02-27T23:59:59"), Some(format!("{NOON}.jpg")));
    assert_eq!(nearest("2026-02-27T13:00:00", "2026-02-27T14:00:00", "2026-02-27T13:00:00"), None);
}

#[test]
fn absence_reason_depends_on_the_store() {
    let tree = Tree::with(&[]);
    let screenshots = tree.screenshots();
    let before = window("2026-02-26T00:00:00", "2026-02-27T00:00:00");
    let touching = window("2026-02-26T00:00:00", "2026-02-27T09:00:00");
    let after = window("2026-03-26T00:00:00", "2026-03-27T00:00:00");
    let between = window("2026-02-27T10:00:00", "2026-02-27T11:00:00");
    let why = |window: &_| screenshots.absence_reason(window).unwrap();
    assert_eq!((why(&after), screenshots.store().unwrap()), (Absence::CaptureDisabled, Store::Empty));
    // These day folders contain no screenshots. ManicTime leaves such folders when it deletes their
    // files.
    fs::create_dir(tree.root.join("2026-02-26")).unwrap();
    tree.add("2026-03-27/Thumbs.db");
    assert_eq!((why(&after), screenshots.store().unwrap()), (Absence::CaptureDisabled, Store::Empty));
    for stem in [MORNING, NOON, NIGHT] {
        tree.add(&format!("{stem}.jpg"));
    }
    assert_eq!([why(&before), why(&touching)], [Absence::Retention; 2]);
    assert_eq!([why(&between), why(&after)], [Absence::NoneInRange; 2]);
    let holds = Store::Available(TimeBounds { first: at("2026-02-27T09:00:00"), last: at("2026-02-28T00:00:00") });
    assert_eq!(screenshots.store().unwrap(), holds);
    fs::remove_dir_all(&tree.root).unwrap();
    assert_eq!((why(&after), screenshots.store().unwrap()), (Absence::DirectoryMissing, Store::Missing));
    assert_eq!(screenshots.find_in(&ever()).unwrap(), Vec::new());
    let missing = screenshots.folder().unwrap_err();
    assert!(missing.to_string().contains(tree.root.to_str().unwrap()) && missing.hint().contains("configuration"));
    fs::write(&tree.root, "a file").unwrap();
    assert_eq!(why(&after), Absence::DirectoryMissing);
}

#[test]
fn oldest_screenshot_can_be_from_any_device() {
    let tree = Tree::with(&[&format!("Ann/{NOON}.jpg"), &format!("Ben/{MORNING}.jpg"), &format!("Ann/{NIGHT}.jpg")]);
    let why = |window: &_| tree.screenshots().absence_reason(window).unwrap();
    assert_eq!(why(&window("2026-02-27T08:00:00", "2026-02-27T09:00:00")), Absence::Retention);
    assert_eq!(why(&window("2026-02-27T10:00:00", "2026-02-27T11:00:00")), Absence::NoneInRange);
}

#[cfg(unix)] // only Unix has permissions for owner, group and others
#[test]
fn unreadable_folder_is_an_error_and_the_reason_is_unknown() {
    let tree = Tree::with(&[]);
    let screenshots = tree.screenshots();
    fs::remove_dir(&tree.root).unwrap();
    std::os::unix::fs::symlink(&tree.root, &tree.root).unwrap();
    let error = screenshots.find_in(&ever()).unwrap_err();
    assert_eq!(error.code(), "SCREENSHOTS_UNREADABLE");
    assert!(error.to_string().contains(tree.root.to_str().unwrap()), "{error}");
    assert_eq!(screenshots.store().unwrap_err().to_string(), error.to_string());
    assert_eq!(screenshots.absence_reason(&ever()).unwrap(), Absence::Unknown);
}

#[test]
fn folder_next_to_the_database_is_found_once_it_appears() {
    let dir = tempfile::tempdir().unwrap();
    let screenshots = Screenshots::new(Arc::new(Source::new(Locator::from_path(dir.path(), FoundBy::Flag))), None);
    let error = screenshots.find_in(&ever()).unwrap_err();
    assert_eq!(error.code(), "DATABASE_NOT_FOUND");
    assert_eq!(screenshots.absence_reason(&ever()).unwrap_err().to_string(), error.to_string());
    fs::write(dir.path().join("ManicTimeReports.db"), "").unwrap();
    assert_eq!(screenshots.find_in(&ever()).unwrap(), Vec::new());
    assert_eq!(screenshots.absence_reason(&ever()).unwrap(), Absence::DirectoryMissing);
    let folder = dir.path().join("Screenshots");
    fs::create_dir_all(folder.join("2026-02-27")).unwrap();
    fs::write(folder.join(format!("{MORNING}.jpg")), "").unwrap();
    assert_eq!(files(&screenshots.find_in(&ever()).unwrap()), jpg(&[MORNING]));
    assert!(screenshots.folder().unwrap().is_file(format!("{MORNING}.jpg")));
}

#[test]
fn hidden_screenshots_are_not_found() {
    let tree = tree(&[MORNING, NOON]);
    let reference = tree.screenshots().find_in(&ever()).unwrap()[0].reference.clone();
    let privacy = Privacy::new([Redaction::Titles, Redaction::Paths], [], []);
    let all_hidden = tree.screenshots_with_privacy(privacy);
    assert_eq!(all_hidden.find_in(&ever()).unwrap(), Vec::new());
    let day = time_interval("2026-02-27T00:00:00", "2026-02-28T00:00:00");
    assert_eq!(all_hidden.nearest_each(&[(day.clone(), day.middle())]).unwrap(), [None]);
    assert!(matches!(all_hidden.find(&reference), Err(Error::NotFound)));
    assert_eq!(all_hidden.store().unwrap(), Store::Hidden);
    assert_eq!(all_hidden.absence_reason(&ever()).unwrap(), Absence::Hidden);
    // The settings hide paths, so errors must not contain the folder's path either.
    fs::remove_dir_all(&tree.root).unwrap();
    assert_eq!(all_hidden.store().unwrap(), Store::Hidden);
    assert_eq!(all_hidden.absence_reason(&ever()).unwrap(), Absence::Hidden);
    let error = all_hidden.folder().unwrap_err().to_string();
    assert!(!error.contains(tree.outside().to_str().unwrap()), "{error}");
}

#[test]
fn new_screenshot_is_found_immediately() {
    let tree = tree(&[MORNING]);
    tree.set_age("2026-02-27", Duration::from_mins(10));
    let screenshots = tree.screenshots();
    let day = window("2026-02-27T00:00:00", "2026-02-28T00:00:00");
    assert_eq!(screenshots.find_in(&day).unwrap().len(), 1);
    tree.add(&format!("{NOON}.jpg"));
    assert_eq!(screenshots.find_in(&day).unwrap().len(), 2);
    tree.remove(&format!("{NOON}.jpg"));
    assert_eq!(screenshots.find_in(&day).unwrap().len(), 1);
}
