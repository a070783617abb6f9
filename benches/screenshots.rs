//! Measures the time to list the screenshots of one day, for stores with different numbers of files.
//!
//! A store has 2,400 empty files per day. Half of the files are thumbnails. Stores are written once into the build
//! directory. For a cold list, dayledger's own cache is empty, so dayledger reads the folders. From the second list on,
//! the operating system has cached the folders.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dayledger::manictime::{Locator, Source};
use dayledger::screenshots::{ConfiguredFolder, Screenshots};
use dayledger::source::FoundBy;

const NAMES_A_DAY: usize = 2_400;
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const SECONDS_BETWEEN: i64 = 30;

fn first_day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 1, 1).unwrap()
}

/// Creates a store with this number of files.
fn store(names: usize) -> PathBuf {
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("screenshots-{names}"));
    let finished = store.with_extension("finished");
    if finished.exists() {
        return store;
    }
    let _ = fs::remove_dir_all(&store);
    let mut sequence = 0;
    for number in 0..days(names) {
        let day = first_day() + Days::new(number);
        let folder = store.join(day.to_string());
        fs::create_dir_all(&folder).unwrap();
        let mut time = day.and_time(NaiveTime::MIN);
        for _ in 0..NAMES_A_DAY / 2 {
            let stem = format!("{}_01-00_3840_2160_{sequence}_0", time.format("%Y-%m-%d_%H-%M-%S"));
            File::create_new(folder.join(format!("{stem}.jpg"))).unwrap();
            File::create_new(folder.join(format!("{stem}.thumbnail.jpg"))).unwrap();
            (time, sequence) = (time + TimeDelta::seconds(SECONDS_BETWEEN), sequence + 1);
        }
        // dayledger doesn't cache a folder that was just changed, so the folder gets an older modification time.
        File::open(&folder).unwrap().set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
    }
    File::open(&store).unwrap().set_modified(SystemTime::now() - Duration::from_hours(1)).unwrap();
    File::create_new(finished).unwrap();
    store
}

fn days(names: usize) -> u64 {
    u64::try_from(names.div_ceil(NAMES_A_DAY)).unwrap()
}

fn screenshots(store: &Path) -> Screenshots {
    let source = Arc::new(Source::new(Locator::from_path(store, FoundBy::Flag)));
    Screenshots::new(source, Some(ConfiguredFolder::new(store, FoundBy::Flag)))
}

/// Returns the middle day of a store's period.
fn window(names: usize) -> Range<NaiveDateTime> {
    let day = first_day() + Days::new(days(names) / 2);
    day.and_time(NaiveTime::MIN)..(day + Days::new(1)).and_time(NaiveTime::MIN)
}

fn list(screenshots: &Screenshots, window: &Range<NaiveDateTime>) {
    let found = screenshots.find_in(window).unwrap();
    assert_eq!(found.len(), NAMES_A_DAY / 2);
}

fn one_day(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("list of one day");
    for names in SIZES {
        let (store, window) = (store(names), window(names));
        group.bench_function(BenchmarkId::new("cold", names), |bencher| {
            bencher.iter(|| list(&screenshots(&store), &window));
        });
        let kept = screenshots(&store);
        group.bench_function(BenchmarkId::new("warm", names), |bencher| bencher.iter(|| list(&kept, &window)));
        let reference = kept.find_in(&window).unwrap()[600].reference.clone();
        group.bench_function(BenchmarkId::new("find", names), |bencher| {
            bencher.iter(|| screenshots(&store).find(&reference).unwrap());
        });
        group.bench_function(BenchmarkId::new("first and last day", names), |bencher| {
            bencher.iter(|| screenshots(&store).store().unwrap());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(3));
    targets = one_day
}
criterion_main!(benches);
