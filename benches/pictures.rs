//! Measures the time and memory for a screenshot of the largest size, 8K (7680 x 4320).
//!
//! Memory means the peak memory of this process, which is read after each kind of work. Kinds of work that need less
//! memory run first. If the system doesn't report the peak memory, no memory is printed.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dayledger::screenshots::{Pictures, Region, Units};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

const SIDES: (u32, u32) = (7680, 4320);
const MODEL_WIDTH: u32 = 1280;

/// A kind of work on one image.
type Work = Box<dyn Fn(&Pictures, &Dir, &Path)>;

/// Returns an image that looks like a screen: windows with lines of letters. The image is neither a single colour nor
/// random noise.
fn screen() -> DynamicImage {
    RgbImage::from_fn(SIDES.0, SIDES.1, |x, y| {
        let window = u8::try_from((x / 960 + y / 540) % 5).unwrap();
        let letter = y % 24 < 14 && ((x.wrapping_mul(2_654_435_761) >> 7) ^ (y / 24 * 97)) % 11 < 3;
        if letter { Rgb([30, 30, 40]) } else { Rgb([245 - window * 20, 240, 225 + window * 5]) }
    })
    .into()
}

/// Returns the peak memory of the process in MiB.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Resets the peak memory of the process.
fn forget_peak() {
    let _ = fs::OpenOptions::new().write(true).open("/proc/self/clear_refs").and_then(|mut file| file.write_all(b"5"));
}

fn pictures_of_8k(criterion: &mut Criterion) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = Dir::open_ambient_dir(temporary.path(), ambient_authority()).unwrap();
    let screen = screen();
    for (name, format) in [("8k.jpg", ImageFormat::Jpeg), ("8k.png", ImageFormat::Png)] {
        screen.save_with_format(temporary.path().join(name), format).unwrap();
    }
    drop(screen);

    let quarter = Region::new(25.0, 25.0, 50.0, 50.0, Units::Percent).unwrap();
    let corner = Region::new(0.0, 0.0, 10.0, 10.0, Units::Percent).unwrap();
    let kinds: [(&str, Work); 4] = [
        ("original", Box::new(|pictures, folder, path| drop(black_box(pictures.original(folder, path).unwrap())))),
        (
            "corner",
            Box::new(move |pictures, folder, path| {
                drop(black_box(pictures.crop(folder, path, &corner, None).unwrap()));
            }),
        ),
        (
            "scaled",
            Box::new(|pictures, folder, path| {
                drop(black_box(pictures.scale(folder, path, MODEL_WIDTH).unwrap()));
            }),
        ),
        (
            "half",
            Box::new(move |pictures, folder, path| {
                drop(black_box(pictures.crop(folder, path, &quarter, None).unwrap()));
            }),
        ),
    ];
    let mut group = criterion.benchmark_group("8k");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for name in ["8k.jpg", "8k.png"] {
        let path = Path::new(name);
        let bytes = fs::metadata(temporary.path().join(path)).unwrap().len();
        for (kind, work) in &kinds {
            forget_peak();
            work(&Pictures::default(), &folder, path);
            if let Some(peak) = peak() {
                println!("{name} ({} KiB), {kind}: peak of {peak} MiB", bytes / 1024);
            }
            // A new instance has empty caches.
            group.bench_function(BenchmarkId::new(*kind, name), |bencher| {
                bencher.iter(|| work(&Pictures::default(), &folder, path));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, pictures_of_8k);
criterion_main!(benches);
