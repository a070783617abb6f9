use std::fs;

use super::super::tests::trees::{Tree, set_changed};
use super::*;

/// If a folder hasn't changed for this time, its listing is cached.
const SETTLED: Duration = Duration::from_mins(10);
const MORNING: &str = "2026-02-27_09-00-00_01-00_1920_1080_1_0";
const NOON: &str = "2026-02-27_12-00-00_01-00_1920_1080_2_0";

fn open(tree: &Tree) -> Root {
    Root::open(&tree.root).unwrap().unwrap()
}

/// Formats the entries of a folder as `stem image thumbnail`.
fn format_entries(listing: &Listing) -> Vec<String> {
    let format_extension =
        |extension: Option<Extension>| extension.map_or("-".to_owned(), |extension| extension.to_string());
    let entry = |entry: &Entry| {
        format!("{} {} {}", entry.stem, format_extension(entry.image), format_extension(entry.thumbnail))
    };
    listing.entries.iter().map(entry).collect()
}

fn list_folder(tree: &Tree, folder: &str) -> Vec<String> {
    format_entries(&Index::new().listing(&open(tree), folder).unwrap())
}

/// Returns the folders whose listings are cached, as paths relative to the root.
fn cached_folders(index: &Index, tree: &Tree) -> Vec<String> {
    let relative = |path: PathBuf| path.strip_prefix(&tree.root).unwrap().to_str().unwrap().to_owned();
    let mut kept: Vec<_> = index.cache.iter().map(|(path, _)| relative(path)).collect();
    kept.sort();
    kept
}

#[test]
fn image_and_thumbnail_are_one_screenshot_even_if_one_is_missing() {
    let tree = Tree::with(&[
        &format!("{NOON}.thumbnail.jpg"),
        &format!("{MORNING}.thumbnail.jpg"),
        &format!("{MORNING}.jpg"),
        "2026-02-27_13-00-00_01-00_1920_1080_3_0.jpg",
        "2026-02-27_14-00-00_01-00_1920_1080_4_0.jpg",
        "2026-02-27_14-00-00_01-00_1920_1080_4_0.thumbnail.png",
    ]);
    assert_eq!(
        list_folder(&tree, ""),
        [
            format!("{MORNING} jpg jpg"),
            format!("{NOON} - jpg"),
            "2026-02-27_13-00-00_01-00_1920_1080_3_0 jpg -".to_owned(),
            "2026-02-27_14-00-00_01-00_1920_1080_4_0 jpg png".to_owned(),
        ]
    );
}

#[test]
fn two_images_of_one_stem_are_two_screenshots_each_with_its_own_thumbnail() {
    let tree = Tree::with(&[
        &format!("{MORNING}.png"),
        &format!("{MORNING}.jpg"),
        &format!("{MORNING}.thumbnail.png"),
        &format!("{MORNING}.thumbnail.jpg"),
        &format!("{NOON}.jpg"),
        &format!("{NOON}.png"),
        &format!("{NOON}.thumbnail.jpg"),
    ]);
    assert_eq!(
        list_folder(&tree, ""),
        [
            format!("{MORNING} jpg jpg"),
            format!("{MORNING} png png"),
            format!("{NOON} jpg jpg"),
            format!("{NOON} png jpg"),
        ]
    );
}

#[test]
fn files_with_unknown_names_are_skipped() {
    let tree = Tree::with(&["2026-02-27/Thumbs.db", "2026-02-27/shot.jpg", &format!("2026-02-27/{MORNING}.jpg")]);
    let listing = Index::new().listing(&open(&tree), "2026-02-27").unwrap();
    assert_eq!(listing.entries.len(), 1);
}

#[test]
fn a_folder_is_read_again_only_when_it_changed() {
    let tree = Tree::with(&[&format!("2026-02-27/{MORNING}.jpg")]);
    let (index, root) = (Index::new(), open(&tree));
    let listing = || format_entries(&index.listing(&root, "2026-02-27").unwrap());
    let long_ago = SystemTime::now() - SETTLED;
    set_changed(&tree.root.join("2026-02-27"), long_ago);
    assert_eq!(listing().len(), 1);
    // The new file doesn't appear, because the folder's modification time is unchanged. This shows
    // that the folder wasn't read again.
    tree.add(&format!("2026-02-27/{NOON}.jpg"));
    set_changed(&tree.root.join("2026-02-27"), long_ago);
    assert_eq!(listing().len(), 1);
    set_changed(&tree.root.join("2026-02-27"), long_ago + Duration::from_secs(1));
    assert_eq!(listing().len(), 2);
}

#[test]
fn a_folder_that_changed_a_moment_ago_is_read_again() {
    let tree = Tree::with(&[&format!("2026-02-27/{MORNING}.jpg")]);
    let (index, root) = (Index::new(), open(&tree));
    // A time in the future is possible, because the clock of another machine can be ahead.
    for changed in [SystemTime::now(), SystemTime::now() + SETTLED] {
        set_changed(&tree.root.join("2026-02-27"), changed);
        assert_eq!(index.listing(&root, "2026-02-27").unwrap().entries.len(), 1);
        // A second file within one tick of a coarse clock doesn't change the modification time.
        tree.add(&format!("2026-02-27/{NOON}.jpg"));
        set_changed(&tree.root.join("2026-02-27"), changed);
        assert_eq!(index.listing(&root, "2026-02-27").unwrap().entries.len(), 2);
        tree.remove(&format!("2026-02-27/{NOON}.jpg"));
    }
}

#[test]
fn a_survey_reads_no_day_folder() {
    let files: Vec<_> = (1..=28).map(|day| format!("2026-02-{day:02}/{MORNING}.jpg")).collect();
    let mut tree = Tree::with(&files.iter().map(String::as_str).collect::<Vec<_>>());
    for day in 1..=28 {
        tree.set_age(&format!("2026-02-{day:02}"), SETTLED);
    }
    tree.set_age("", SETTLED);
    let (index, root) = (Index::new(), open(&tree));
    assert_eq!(index.survey(&root).unwrap().days.len(), 28);
    index.listing(&root, "2026-02-27").unwrap();
    assert_eq!(cached_folders(&index, &tree), ["", "2026-02-27"]);
    // A store at another path is a different store, even if its folders have the same names.
    let other = Tree::with(&["2026-02-27/2026-02-27_12-00-00.jpg"]);
    tree.root.clone_from(&other.root);
    assert_eq!(format_entries(&index.listing(&open(&tree), "2026-02-27").unwrap()), ["2026-02-27_12-00-00 jpg -"]);
}

#[test]
fn days_are_found_below_user_and_device_and_files_anywhere_above_them() {
    let tree = Tree::with(&[
        "2026-02-27/x",
        "Ann/2026-02-27/x",
        "Ann/LAPTOP/2026-02-27/x",
        "Ann/LAPTOP/2026-02-28/x",
        "Ann/LAPTOP/old/2026-02-28/x",
        "2026-02-27/2026-02-27/x",
        "2026-02-30/x",
    ]);
    let survey = Index::new().survey(&open(&tree)).unwrap();
    let mut days: Vec<_> = survey.days.into_iter().map(|(_, folder)| folder).collect();
    let mut loose: Vec<_> = survey.loose.into_iter().map(|(folder, _)| folder).collect();
    days.sort();
    loose.sort();
    assert_eq!(days, ["2026-02-27", "Ann/2026-02-27", "Ann/LAPTOP/2026-02-27", "Ann/LAPTOP/2026-02-28"]);
    assert_eq!(loose, ["", "2026-02-30", "Ann", "Ann/LAPTOP"]);
}

#[test]
fn removed_folder_is_empty() {
    let tree = Tree::with(&["2026-02-27/x"]);
    let (index, root) = (Index::new(), open(&tree));
    fs::remove_dir_all(tree.root.join("2026-02-27")).unwrap();
    assert!(index.listing(&root, "2026-02-27").unwrap().entries.is_empty());
    if cfg!(windows) {
        // On Windows, a folder can't be removed while it is open.
        drop(root);
        fs::remove_dir(&tree.root).unwrap();
    } else {
        fs::remove_dir(&tree.root).unwrap();
        assert!(index.survey(&root).unwrap().days.is_empty());
    }
    assert!(Root::open(&tree.root).unwrap().is_none());
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn links_and_special_files_are_not_screenshots() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    let tree = Tree::with(&[&format!("2026-02-27/{MORNING}.jpg")]);
    let secret = tree.outside().join("secret");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join(format!("{NOON}.jpg")), "secret").unwrap();
    let day = tree.root.join("2026-02-27");
    symlink(secret.join(format!("{NOON}.jpg")), day.join(format!("{NOON}.jpg"))).unwrap();
    symlink(day.join(format!("{MORNING}.jpg")), day.join(format!("{NOON}.png"))).unwrap();
    symlink(&secret, tree.root.join("2026-02-28")).unwrap();
    symlink(&secret, tree.root.join("Ann")).unwrap();
    symlink(&day, tree.root.join("2026-03-01")).unwrap();
    fs::create_dir(day.join("2026-02-27_13-00-00.jpg")).unwrap();
    // The path of a socket has a small maximum length, so the socket is bound relative to its
    // folder.
    let _socket = UnixListener::bind(day.join("2026-02-27_14-00-00.jpg")).unwrap();

    let root = open(&tree);
    let index = Index::new();
    assert_eq!(format_entries(&index.listing(&root, "2026-02-27").unwrap()), [format!("{MORNING} jpg -")]);
    let survey = index.survey(&root).unwrap();
    assert_eq!(survey.days.len(), 1);
    assert_eq!(survey.loose.len(), 1);
    // Requests that name these folders or files also fail.
    assert!(index.listing(&root, "2026-02-28").is_err());
    assert!(index.listing(&root, "../secret").is_err());
    for file in [
        format!("2026-02-27/{NOON}.jpg"),
        format!("2026-02-27/{NOON}.png"),
        "2026-02-27/2026-02-27_14-00-00.jpg".to_owned(),
    ] {
        assert!(!root.has_file(Path::new(&file)).unwrap(), "{file}");
    }
    assert!(root.has_file(Path::new(&format!("2026-02-27/{MORNING}.jpg"))).unwrap());
}
