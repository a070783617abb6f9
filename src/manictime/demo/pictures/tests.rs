//! Tests of the pictures as a reader of the folder meets them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use chrono::{NaiveDateTime, TimeDelta};
use image::{DynamicImage, ImageReader};
use rusqlite::Connection;

use super::super::cast::APPS;
use super::super::{FILE_NAME, SCREENSHOTS, Summary, write};
use super::*;
use dayledger_canvas::Area;

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn plan(days: u32, pictures: Pictures) -> Plan {
    Plan { days, pictures: Some(pictures), ..Plan::new(date("2026-11-20")) }
}

/// A demo in a folder of its own.
struct Demo {
    dir: tempfile::TempDir,
    summary: Summary,
}

impl Demo {
    fn of(plan: &Plan) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let summary = write(dir.path(), plan, &mut |_, _| ()).unwrap();
        Self { dir, summary }
    }

    /// All files of the day folders, from the root of the screenshots.
    fn files(&self) -> BTreeMap<String, PathBuf> {
        let mut files = BTreeMap::new();
        for day in fs::read_dir(self.dir.path().join(SCREENSHOTS)).unwrap() {
            for file in fs::read_dir(day.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let mut parts = path.iter().rev().map(|part| part.to_string_lossy().into_owned());
                let (name, day) = (parts.next().unwrap(), parts.next().unwrap());
                files.insert(format!("{day}/{name}"), path);
            }
        }
        files
    }

    fn named(&self) -> Vec<Named> {
        self.files().into_iter().filter_map(|(name, path)| Named::parse(&name, path)).collect()
    }

    fn rows(&self) -> Connection {
        Connection::open(self.dir.path().join(FILE_NAME)).unwrap()
    }
}

/// A file by what its name says, read apart from the code that writes names.
#[derive(Debug)]
struct Named {
    path: PathBuf,
    day: String,
    stem: String,
    local: NaiveDateTime,
    offset: String,
    size: (u32, u32),
    sequence: u32,
    changed: bool,
    is_thumbnail: bool,
    extension: String,
}

impl Named {
    fn parse(name: &str, path: PathBuf) -> Option<Self> {
        let (day, name) = name.split_once('/')?;
        let (rest, extension) = name.rsplit_once('.')?;
        let stem = rest.strip_suffix(".thumbnail").unwrap_or(rest);
        let parts: Vec<_> = stem.split('_').collect();
        let [date, time, offset, width, height, sequence, number] = parts[..] else { return None };
        Some(Self {
            path,
            day: day.to_owned(),
            stem: stem.to_owned(),
            local: NaiveDateTime::parse_from_str(&format!("{date} {time}"), "%Y-%m-%d %H-%M-%S").ok()?,
            offset: offset.to_owned(),
            size: (width.parse().ok()?, height.parse().ok()?),
            sequence: sequence.parse().ok()?,
            changed: ["0", "1"].iter().position(|known| *known == number)? == 1,
            is_thumbnail: stem != rest,
            extension: extension.to_owned(),
        })
    }

    fn pixels(&self) -> DynamicImage {
        ImageReader::open(&self.path).unwrap().decode().unwrap()
    }

    fn is_laptop(&self) -> bool {
        self.size.0 == 1024
    }
}

/// Few pictures, quickly drawn: two days, one in half an hour.
fn few() -> Demo {
    Demo::of(&plan(3, Pictures { days: 2, minutes: 30 }))
}

#[test]
fn names_are_those_of_manictime_and_say_what_the_files_are() {
    let demo = few();
    let named = demo.named();
    assert!(named.len() > 30, "{}", named.len());
    assert_eq!(named.iter().map(|file| &file.day).collect::<BTreeSet<_>>().len(), 2);
    for file in &named {
        assert_eq!((file.local.date().to_string(), file.offset.as_str()), (file.day.clone(), "01-00"), "{file:?}");
        let (pixels, (width, height)) = (file.pixels(), file.size);
        let expected = if file.is_thumbnail { (320, height * 320 / width) } else { (width, height) };
        assert_eq!((pixels.width(), pixels.height()), expected, "{file:?}");
        let guessed = ImageReader::open(&file.path).unwrap().with_guessed_format().unwrap().format().unwrap();
        assert!(guessed.extensions_str().contains(&file.extension.as_str()), "{file:?} is {guessed:?}");
    }
    let stems = named.iter().map(|file| &file.stem).collect::<BTreeSet<_>>();
    assert_eq!(demo.summary.pictures, stems.len() as u64);
}

#[test]
fn summer_has_another_offset() {
    let summer = Plan { until: date("2026-07-03"), ..plan(1, Pictures { days: 1, minutes: 60 }) };
    assert!(Demo::of(&summer).named().iter().all(|file| file.offset == "02-00"));
}

#[test]
fn the_sequence_of_a_device_grows_with_time() {
    let demo = Demo::of(&plan(4, Pictures { days: 4, minutes: 40 }));
    let mut devices = BTreeMap::<bool, BTreeMap<u32, NaiveDateTime>>::new();
    for file in demo.named() {
        devices.entry(file.is_laptop()).or_default().insert(file.sequence, file.local);
    }
    assert_eq!(devices.len(), 2, "both devices have pictures");
    for taken in devices.values() {
        assert!(taken.values().is_sorted(), "{taken:?}");
        let sequences: Vec<_> = taken.keys().collect();
        assert_eq!(*sequences[sequences.len() - 1] - sequences[0] + 1, u32::try_from(sequences.len()).unwrap());
    }
}

#[test]
fn folders_are_as_imperfect_as_real_ones() {
    let demo = few();
    let named = demo.named();
    let full = |thumbnail: bool| {
        named.iter().filter(|file| file.is_thumbnail == thumbnail).map(|file| &file.stem).collect::<BTreeSet<_>>()
    };
    let (pictures, thumbnails) = (full(false), full(true));
    assert!(pictures.difference(&thumbnails).count() >= 2, "thumbnails are missing");
    assert!(thumbnails.difference(&pictures).count() >= 1, "full pictures are missing");
    assert!(pictures.intersection(&thumbnails).count() > pictures.len() / 2, "most pictures have both");

    let newest = &named.iter().max_by_key(|file| file.local).unwrap().day;
    let mut twins = BTreeMap::<_, BTreeSet<_>>::new();
    for file in named.iter().filter(|file| file.day == *newest) {
        twins.entry((file.local, file.size)).or_default().insert(&file.stem);
    }
    assert!(twins.values().any(|stems| stems.len() == 2), "no two pictures of one second");
    assert!(named.iter().any(|file| file.extension == "png" && file.day == *newest));
    assert!(named.iter().any(|file| file.changed) && named.iter().any(|file| !file.changed));
    let unknown: Vec<_> =
        demo.files().into_keys().filter(|name| Named::parse(name, PathBuf::new()).is_none()).collect();
    assert!(unknown.len() == 1 && unknown[0].starts_with(&format!("{newest}/Copy of ")), "{unknown:?}");
}

#[test]
fn pictures_older_than_the_retention_are_gone() {
    let demo = Demo::of(&plan(9, Pictures { days: 4, minutes: 120 }));
    let days: BTreeSet<_> = demo.named().into_iter().map(|file| file.day).collect();
    assert!(days.first().unwrap().as_str() >= "2026-11-17" && days.contains("2026-11-20"), "{days:?}");
    let older = demo.rows().query_row("SELECT min(StartLocalTime) FROM Ar_Activity", [], |row| row.get::<_, String>(0));
    assert!(older.unwrap().as_str() < "2026-11-14");
}

#[test]
fn a_picture_shows_the_window_in_front_and_none_is_taken_while_nobody_is_there() {
    let demo = few();
    let rows = demo.rows();
    for file in demo.named().iter().filter(|file| !file.is_thumbnail) {
        let at = file.local.to_string();
        // The reports of the two devices: states 1 and 5, windows 2 and 6.
        let states = if file.is_laptop() { 5 } else { 1 };
        let state: i64 = rows
            .query_row(
                "SELECT max(IsActive) FROM Ar_Activity
                 WHERE ReportId = ?1 AND StartLocalTime <= ?2 AND EndLocalTime > ?2",
                (states, &at),
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(state, 1, "nobody was there at {at}");
        let (title, color): (String, String) = rows
            .query_row(
                "SELECT a.Name, g.Color FROM Ar_Activity AS a JOIN Ar_Group AS g USING (ReportId, GroupId)
                 WHERE a.ReportId = ?1 AND a.StartLocalTime <= ?2 AND a.EndLocalTime > ?2",
                (states + 1, &at),
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        let picture = file.pixels().to_rgb8();
        let window = Area { height: file.size.1 - 44, ..Area::new(0, 0, file.size.0, file.size.1) };
        let small = ["Notepad", "Editor", "Rechner", "Calculator", "Snipping Tool", "KeePassXC"];
        let window = if small.iter().any(|name| title.starts_with(name)) {
            window.centred(560, 460)
        } else {
            window.split_left(104).1.inset(16)
        };
        // Below the letters of the title bar. JPEG blurs colours: it must be nearer to this application's than to others'.
        let pixel = picture.get_pixel(window.left + window.width / 2, window.top + 27).0;
        let distance = |color: &str| {
            pixel.into_iter().zip(scene::color(color)).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>()
        };
        let nearest = APPS.iter().map(|app| app.color).min_by_key(|color| distance(color)).unwrap();
        assert_eq!(nearest, color, "{at}: {pixel:?} for `{title}`");
    }
}

#[test]
fn titles_and_the_clock_can_be_read() {
    let moment = super::super::Moment::local("2026-11-20 09:30:05", 60).unwrap();
    let app = APPS.iter().position(|app| app.name == "Slack").unwrap();
    let at = |title: &str, seconds: i64| {
        let moment = super::super::Moment { utc: moment.utc + seconds, ..moment };
        desktop::draw(&Scene { moment, on_laptop: false, app, title: title.to_owned(), content: None })
    };
    let (shown, later, other) = (at("general (Channel)", 0), at("general (Channel)", 4), at("general (Channem)", 0));
    let differing = |one: &dayledger_canvas::Canvas, two: &dayledger_canvas::Canvas| {
        let [one, two] = [one, two].map(|canvas| image::load_from_memory(&canvas.png().unwrap()).unwrap().to_rgb8());
        one.enumerate_pixels()
            .filter(|(x, y, pixel)| two.get_pixel(*x, *y) != *pixel)
            .map(|(x, y, _)| (x, y))
            .collect::<Vec<_>>()
    };
    let clock = differing(&shown, &later);
    assert!(!clock.is_empty() && clock.iter().all(|(x, y)| *x > 1152 - 100 && *y > 720 - 44), "{clock:?}");
    let title = differing(&shown, &other);
    assert!(title.iter().any(|(_, y)| (16..16 + desktop::TITLE_BAR).contains(y)), "another title looks the same");
}

#[test]
fn the_same_plan_draws_the_same_bytes_and_pictures_change_no_row() {
    let plan = plan(2, Pictures { days: 1, minutes: 60 });
    let (one, two) = (Demo::of(&plan), Demo::of(&plan));
    let bytes = |demo: &Demo| {
        demo.files().into_iter().map(|(name, path)| (name, fs::read(path).unwrap())).collect::<BTreeMap<_, _>>()
    };
    assert!(bytes(&one) == bytes(&two), "two runs of one plan differ");
    let without = Demo::of(&Plan { pictures: None, ..plan.clone() });
    let database = |demo: &Demo| fs::read(demo.dir.path().join(FILE_NAME)).unwrap();
    assert!(database(&one) == database(&without), "the rows depend on the pictures");
    assert!(!without.dir.path().join(SCREENSHOTS).exists() && without.summary.pictures == 0);
    let other = Demo::of(&Plan { seed: 2, ..plan });
    assert_ne!(one.files().into_keys().collect::<Vec<_>>(), other.files().into_keys().collect::<Vec<_>>());
}

#[test]
fn a_day_of_work_has_some_thirty_pictures_evenly_spread() {
    let mut album = Album::begin(&plan(1, Pictures::default()));
    let clock = WallClock::between(date("2026-11-20"), date("2026-11-20"));
    let window = |start: i64, app: usize| Window {
        start,
        end: start + 90,
        app,
        title: format!("window {start}"),
        content: None,
        linked: true,
    };
    let day = (8 * 3_600, 16 * 3_600);
    let windows: Vec<_> =
        (day.0..day.1).step_by(90).zip([0, 1, 2].into_iter().cycle()).map(|(at, app)| window(at, app)).collect();
    album.add(false, &windows, day, clock.midnight(date("2026-11-20")), &clock);
    assert!((25..=40).contains(&album.shots.len()), "{}", album.shots.len());
    let times: Vec<_> = album.shots.iter().map(|(scene, _)| scene.local()).collect();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] < TimeDelta::minutes(24) && pair[1] > pair[0]));
}

#[test]
fn the_history_appears_after_its_pictures_and_nothing_unfinished_stays() {
    let dir = tempfile::tempdir().unwrap();
    let left = dir.path().join("Screenshots.partial").join("2001-02-03");
    fs::create_dir_all(&left).unwrap();
    let (database, root) = (dir.path().join(FILE_NAME), dir.path().join(SCREENSHOTS));
    let mut steps = Vec::new();
    write(dir.path(), &plan(2, Pictures { days: 2, minutes: 120 }), &mut |done, total| {
        assert!(!database.exists() && !root.exists(), "half a demo is there at step {done}");
        steps.push((done, total));
    })
    .unwrap();
    assert_eq!(steps, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    let mut names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [FILE_NAME, SCREENSHOTS]);
    assert!(!root.join("2001-02-03").exists(), "what an interrupted run left is not kept");
}

#[test]
fn pictures_are_never_mixed_with_those_that_are_there() {
    let dir = tempfile::tempdir().unwrap();
    let mine = dir.path().join(SCREENSHOTS).join("2026-11-20").join("mine.jpg");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "precious").unwrap();
    let error = write(dir.path(), &plan(1, Pictures::default()), &mut |_, _| ()).unwrap_err();
    assert!(matches!(&error, Error::Exists { path } if path.ends_with(SCREENSHOTS)), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
    assert_eq!(fs::read_to_string(mine).unwrap(), "precious");
}

#[test]
fn every_application_can_be_drawn_on_both_screens() {
    let until = plan(1, Pictures::default()).until;
    let clock = WallClock::between(until, until);
    for app in 0..APPS.len() {
        for on_laptop in [false, true] {
            let scene = Scene {
                moment: clock.at(clock.midnight(until) + 36_000),
                on_laptop,
                app,
                title: String::new(),
                content: None,
            };
            let (width, height) = scene.size();
            assert_eq!(desktop::draw(&scene).area(), Area::new(0, 0, width, height));
        }
    }
}
