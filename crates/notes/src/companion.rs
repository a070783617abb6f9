//! Paths of the files that belong to a note: the original text, the metadata, and the application's results.
//!
//! Each note has its own paths, in its own folder. Older programs put the files of all notes at the top of the
//! workspace, by file name only. Those files are used for a note in another folder only if no other note has the same
//! name ([`SharedPlaces`]).

use crate::path::{NotePath, is_note_name};

/// The folder of the original texts.
pub(crate) const RAW: &str = ".raw";
/// The folder of the metadata.
pub(crate) const META: &str = ".meta";
/// The folder of the application's results.
pub(crate) const PROCESSED: &str = ".chronicle/processed";

/// The folder and name of a file that belongs to a note.
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

/// Returns the path of a note's original text: `.raw/<stem>.raw.md` in its folder.
pub(crate) fn raw(note: &NotePath) -> Place {
    Place::new(note, RAW, raw_name(note))
}

/// Returns the path of a note's metadata: `.meta/<stem>.json` in its folder.
pub(crate) fn meta(note: &NotePath) -> Place {
    Place::new(note, META, meta_name(note))
}

/// Returns the possible paths of the application's result: by the note's path, with and without the `.md`.
pub(crate) fn processed_paths(note: &NotePath) -> Vec<String> {
    let below = if note.folder().is_empty() { PROCESSED.to_owned() } else { format!("{PROCESSED}/{}", note.folder()) };
    processed_names(note).map(|name| format!("{below}/{name}")).collect()
}

/// Paths of files that several notes of the same name could share.
#[derive(Debug)]
pub(crate) struct SharedPlaces {
    pub(crate) raw: String,
    pub(crate) meta: String,
    pub(crate) processed: Vec<String>,
}

impl SharedPlaces {
    /// Returns the shared paths of a note, or `None` for a note at the top of the workspace, which has these paths
    /// itself.
    pub(crate) fn new(note: &NotePath) -> Option<Self> {
        (!note.folder().is_empty() && note.extension() == "md").then(|| Self {
            raw: format!("{RAW}/{}", raw_name(note)),
            meta: format!("{META}/{}", meta_name(note)),
            processed: processed_names(note).map(|name| format!("{PROCESSED}/{name}")).collect(),
        })
    }
}

/// Returns the name of the original text (`a.raw.md`), or of a later version that a record replaced (`a.raw.2.md`).
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
    // Without its `.md`, the note `a.md.md` would get the name that `a.md` has with it.
    let without = (note.extension() == "md" && !is_note_name(note.stem())).then(|| meta_name(note));
    [Some(with), without].into_iter().flatten()
}
