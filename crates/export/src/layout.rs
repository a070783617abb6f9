//! The paths of the files of an export.

use std::fs;
use std::io;
use std::path::Path;

use super::manifest::MANIFEST;
use super::month::Month;
use super::table::{ExportTable, TIMELINES};

/// The name of the file with activities that start before the first month of an export and continue
/// into this month.
pub(super) const RUNNING_ON: &str = "running_on";
/// The file name extension of Parquet, the only format that can be queried.
const PARQUET: &str = ".parquet";

/// Returns whether `path` can be a file of an export. The path is relative to the folder and contains `/`. An accepted
/// path never leads out of the folder.
pub fn is_file_of_export(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [file] => *file == MANIFEST,
        [folder, file] => *folder == TIMELINES.name && file.strip_suffix(PARQUET) == Some(TIMELINES.name),
        [folder, month, file] => {
            let (table, name) = (ExportTable::from_name(folder), file.strip_suffix(PARQUET));
            let is_running_on = name == Some(RUNNING_ON) && table == Some(ExportTable::Activities);
            is_month(month) && table.is_some_and(|table| name == Some(table.name()) || is_running_on)
        }
        _ => false,
    }
}

fn is_month(folder: &str) -> bool {
    let month = folder.strip_prefix("month=");
    month.is_some_and(|month| month.parse().is_ok_and(|parsed: Month| parsed.to_string() == month))
}

/// Returns the sorted paths of an export's files, relative to `folder`. Links are skipped.
///
/// # Errors
/// Fails if a folder can't be read.
pub(super) fn files_below(folder: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    let mut waiting = vec![(folder.to_owned(), String::new())];
    while let Some((at, path)) = waiting.pop() {
        for entry in fs::read_dir(at)? {
            let entry = entry?;
            let (kind, name) = (entry.file_type()?, entry.file_name());
            let Some(name) = name.to_str() else { continue };
            let below = format!("{path}{name}");
            // An export has two levels of folders. A deeper folder can't contain files of the
            // export.
            if kind.is_dir() && path.matches('/').count() < 2 {
                waiting.push((entry.path(), below + "/"));
            } else if kind.is_file() && is_file_of_export(&below) {
                files.push(below);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_only_to_files_of_an_export() {
        for path in [
            "manifest.json",
            "segments/month=2026-10/segments.parquet",
            "activities/month=2026-10/running_on.parquet",
            "timelines/timelines.parquet",
        ] {
            assert!(is_file_of_export(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../manifest.json",
            "manifest.json/",
            "segments/../../other.parquet",
            "segments//segments.parquet",
            "segments/month=2026-10/../segments.parquet",
            "segments/month=2026-1/segments.parquet",
            "segments/month=2026-10/activities.parquet",
            "segments/month=2026-10/running_on.parquet",
            "segments/month=2026-10/segments.parquet/segments.parquet",
            "segments\\month=2026-10\\segments.parquet",
            "scratch/month=2026-10/scratch.parquet",
            "person=bela/manifest.json",
            "nul/month=2026-10/nul.parquet",
            "checksums.json",
        ] {
            assert!(!is_file_of_export(path), "{path}");
        }
    }
}
