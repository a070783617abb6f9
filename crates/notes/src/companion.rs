//! Paths of the files that belong to a note: copies of the original text, the metadata, and Chronicle's results.
//!
//! These files are next to their note. Older programs put the files of all notes at the top of the workspace, and named
//! them after the note's file name only. A note in a subfolder uses such a file only if no other note has the same name
//! ([`SharedPlaces`]).

use crate::path::{NotePath, is_note_name};

/// The name of the folders with original texts.
pub(crate) const RAW: &str = ".raw";
/// The name of the folders with metadata.
pub(crate) const META: &str = ".meta";
/// The folder with Chronicle's results, at the top of the workspace.
pub(crate) const PROCESSED: &str = ".chronicle/processed";

/// The folder and the name of a file that belongs to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) folder: String,
    pub(crate) name: String,
}

impl Place {
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }

    fn new(note: &NotePath, kind: &str, name: String) -> Self {
        let above = if note.folder().is_empty() { String::new() } else { format!("{}/", note.folder()) };
        // On a case-sensitive file system, `a.md` and `a.MD` are two notes.
        let below = if note.extension() == "md" { String::new() } else { format!("/{}", note.extension()) };
        Self { folder: format!("{above}{kind}{below}"), name }
    }
}

/// Returns the path of a note's original text: `.raw/<stem>.raw.md` in the note's folder.
pub(crate) fn raw(note: &NotePath) -> Place {
    Place::new(note, RAW, raw_name(note))
}

/// Returns the path of a note's metadata: `.meta/<stem>.json` in the note's folder.
pub(crate) fn meta(note: &NotePath) -> Place {
    Place::new(note, META, meta_name(note))
}

/// Returns the possible paths of Chronicle's result. The name of the result is the note's name with or without `.md`.
pub(crate) fn processed_paths(note: &NotePath) -> Vec<String> {
    let below = if note.folder().is_empty() { PROCESSED.to_owned() } else { format!("{PROCESSED}/{}", note.folder()) };
    processed_names(note).map(|name| format!("{below}/{name}")).collect()
}

/// Paths at the top of the workspace. Several notes with the same file name can share these paths.
#[derive(Debug)]
pub(crate) struct SharedPlaces {
    pub(crate) raw: String,
    pub(crate) meta: String,
    pub(crate) processed: Vec<String>,
}

impl SharedPlaces {
    /// Returns the shared paths of a note. Returns `None` for a note at the top of the workspace, because these paths
    /// are then the note's own paths.
    pub(crate) fn new(note: &NotePath) -> Option<Self> {
        (!note.folder().is_empty() && note.extension() == "md").then(|| Self {
            raw: format!("{RAW}/{}", raw_name(note)),
            meta: format!("{META}/{}", meta_name(note)),
            processed: processed_names(note).map(|name| format!("{PROCESSED}/{name}")).collect(),
        })
    }
}

/// Returns the name of a copy of the original text: `a.raw.md` for number 1, `a.raw.2.md` for number 2.
pub(crate) fn raw_version(note: &NotePath, number: usize) -> String {
    if number == 1 { raw_name(note) } else { format!("{}.raw.{number}.md", note.stem()) }
}

fn raw_name(note: &NotePath) -> String {
    format!("{}.raw.md", note.stem())
}

fn meta_name(note: &NotePath) -> String {
    format!("{}.json", note.stem())
}

fn processed_names(note: &NotePath) -> impl Iterator<Item = String> {
    let with = format!("{}.json", note.file_name());
    // If the result of the note `a.md.md` were named without `.md`, its name would be `a.md.json`. This name belongs to
    // the result of the note `a.md`.
    let without = (note.extension() == "md" && !is_note_name(note.stem())).then(|| meta_name(note));
    [Some(with), without].into_iter().flatten()
}
