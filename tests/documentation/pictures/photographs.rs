//! Pages of `report` as a browser shows them, in light and in dark.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use sha2::{Digest, Sha256};

use super::super::parts::{compare, is_updating};
use super::super::shell::{Histories, LAST_DAY};
use super::FOLDER;
use crate::house::sources::root;

/// Pages by name, what of the time they show, and how many pixels of their beginning are photographed.
const PAGES: [(&str, &str, u32); 2] = [("day", LAST_DAY, 740), ("week", "2026-W46", 900)];
const WIDTH: u32 = 1000;
/// The two looks, with what the browser calls them.
const LOOKS: [(&str, &str); 2] = [("dark", "0"), ("light", "1")];
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// What stands before the moment at which a page was written.
const WRITTEN: &str = "Made by dayledger on ";
/// A page with pictures is loaded over slow lines too.
const MOST_BYTES: u64 = 120_000;

/// A browser's picture of the beginning of a page.
fn photograph(page: &Path, look: &str, height: u32, to: &Path) {
    let home = tempfile::tempdir().unwrap();
    let picture = home.path().join("picture.png");
    let is_taken = BROWSERS.iter().any(|browser| {
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
        command.arg(format!("--window-size={WIDTH},{height}"));
        command.arg(format!("--blink-settings=preferredColorScheme={look}"));
        command.arg(format!("--user-data-dir={}", home.path().display()));
        command.arg(format!("--screenshot={}", picture.display())).arg(page);
        let status = command.env("HOME", home.path()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    });
    assert!(is_taken && picture.is_file(), "no browser took the picture; install one of {BROWSERS:?}");
    let mut small = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut small, CompressionType::Best, FilterType::Adaptive);
    image::open(picture).unwrap().to_rgb8().write_with_encoder(encoder).unwrap();
    fs::write(to, small).unwrap();
}

/// What tells a page from others, but for when and by which version it was written.
fn hash(page: &str) -> String {
    let whole = page.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let (before, after) = whole.split_once(WRITTEN).unwrap();
    let (_, after) = after.split_once(" from an invented history").unwrap();
    let digest = Sha256::digest(format!("{before}{after}"));
    digest.iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"))
}

#[test]
fn photographs_are_of_the_pages_that_are_written_now() {
    let histories = Histories::shared();
    let home = histories.home("");
    let mut photographed = String::new();
    for (name, range, height) in PAGES {
        let page = home.folder(&format!("{name}.html"));
        let written = histories.program(&home, &["--demo", "report", "--from", range, "--out"]).arg(&page).output();
        assert!(written.unwrap().status.success());
        let hash = hash(&fs::read_to_string(&page).unwrap());
        let _ = writeln!(photographed, "{name} {range} {hash}");
        for (look, setting) in LOOKS {
            let picture = root().join(FOLDER).join(format!("{name}-{look}.png"));
            if is_updating() {
                photograph(&page, setting, height, &picture);
            }
            let bytes = fs::metadata(&picture).unwrap().len();
            assert!(bytes <= MOST_BYTES, "{} has {bytes} bytes", picture.display());
            assert_eq!(image::image_dimensions(&picture).unwrap(), (WIDTH, height));
        }
    }
    compare(&format!("{FOLDER}/photographed.txt"), |_| photographed);
}
