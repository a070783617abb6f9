//! Where the files beside a note lie: the original text, the metadata, and what the application has made of it.
//!
//! Each note has places of its own, in its own folder, which it shares with no other note. Older programs put the files of
//! all notes at the top of the workspace, by name alone; those count for a note of another folder only where no other note
//! has its name ([`Shared`]).

use crate::path::{NotePath, is_note_name};

/// The folder of the original texts.
pub(crate) const RAW: &str = ".raw";
/// The folder of the metadata.
pub(crate) const META: &str = ".meta";
/// The folder of what the application has made of notes.
pub(crate) const PROCESSED: &str = ".chronicle/processed";

/// A file beside a note: its folder and its name.
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
        // `a.md` and `a.MD` are two notes where the case of letters counts.
        let below = if note.extension() == "md" { String::new() } else { format!("/{}", note.extension()) };
        Self { folder: format!("{above}{kind}{below}"), name }
    }
}

/// Where the original text of a note lies: `.raw/<stem>.raw.md` in its folder.
pub(crate) fn raw(note: &NotePath) -> Place {
    Place::new(note, RAW, raw_name(note))
}

/// Where the metadata of a note lies: `.meta/<stem>.json` in its folder.
pub(crate) fn meta(note: &NotePath) -> Place {
    Place::new(note, META, meta_name(note))
}

/// Where the application may have put what it made of a note: by its path, with and without the `.md`.
pub(crate) fn processed_paths(note: &NotePath) -> Vec<String> {
    let below = if note.folder().is_empty() { PROCESSED.to_owned() } else { format!("{PROCESSED}/{}", note.folder()) };
    processed_names(note).map(|name| format!("{below}/{name}")).collect()
}

/// Where files of a note may lie that other notes of the same name would have there too.
#[derive(Debug)]
pub(crate) struct SharedPlaces {
    pub(crate) raw: String,
    pub(crate) meta: String,
    pub(crate) processed: Vec<String>,
}

impl SharedPlaces {
    /// The shared places of a note; none for a note at the top of the workspace, whose own they are.
    pub(crate) fn new(note: &NotePath) -> Option<Self> {
        (!note.folder().is_empty() && note.extension() == "md").then(|| Self {
            raw: format!("{RAW}/{}", raw_name(note)),
            meta: format!("{META}/{}", meta_name(note)),
            processed: processed_names(note).map(|name| format!("{PROCESSED}/{name}")).collect(),
        })
    }
}

/// What the original text is called, and what later ones are that a record took the place of: `a.raw.md`, `a.raw.2.md`.
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
    // Without `.md`, `a.md.md` would be named like `a.md` with it.
    let without = (note.extension() == "md" && !is_note_name(note.stem())).then(|| meta_name(note));
    [Some(with), without].into_iter().flatten()
}
