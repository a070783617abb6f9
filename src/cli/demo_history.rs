//! The invented history that `--demo` reads.

use std::fs::{self, File};

use chrono::{Local, NaiveDate};
use dayledger_fixtures::demo::{Pictures, Plan, write};

use super::config;
use crate::manictime::{DATABASE_FILE, FoundBy, Locator};

/// The demo history in the cache, made on first use and anew when the day has changed.
///
/// It is made in a folder of its own and appears at once: neither a crash nor a second process leaves a part of it. Who
/// makes it holds a lock, which ends with the process, so that what is unfinished then was left by a killed one. On a
/// file system without locks several make it at once, and what is left of today's goes another day.
pub(super) fn cached() -> anyhow::Result<Locator> {
    let demos = config::cache_dir()?.join("demo");
    let today = today();
    let dir = demos.join(today.to_string());
    let is_made = || dir.join(DATABASE_FILE).is_file();
    if !is_made() {
        fs::create_dir_all(&demos)?;
        let lock =
            File::options().read(true).write(true).create(true).truncate(false).open(demos.with_extension("lock"))?;
        let is_alone = lock.lock().is_ok();
        if is_made() {
            return Ok(Locator::named(dir, FoundBy::Demo));
        }
        for old in fs::read_dir(&demos)?.flatten() {
            // What begins with today's date is one that another process may be making.
            if is_alone || !old.file_name().to_string_lossy().starts_with(&today.to_string()) {
                // Somebody may still read an old one; it goes another day.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        let made = tempfile::Builder::new().prefix(&format!("{today}.")).tempdir_in(&demos)?;
        write(made.path(), &Plan { pictures: Some(Pictures::default()), ..Plan::new(today) }, &mut |_, _| {})?;
        match fs::rename(made.path(), &dir) {
            Ok(()) => drop(made.keep()),
            // Another process was faster; both have written the same.
            Err(_) if is_made() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Locator::named(dir, FoundBy::Demo))
}

/// The last day of an invented history, unless another is asked for.
pub(super) fn today() -> NaiveDate {
    Local::now().date_naive()
}
