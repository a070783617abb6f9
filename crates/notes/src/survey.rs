//! A snapshot of a workspace: its notes and the files that belong to them.

use std::collections::{HashMap, HashSet};

use cap_std::fs::Dir;
use chrono::{DateTime, NaiveDate, TimeZone, Utc};

use crate::companion::{self, META, PROCESSED, RAW, SharedPlaces};
use crate::document::{Document, is_cut_in_front_matter};
use crate::meta::Meta;
use crate::naming;
use crate::path::{NotePath, is_ignored_name, is_note_name};
use crate::refusal::Refusal;
use crate::text::NoteText;
use crate::workspace::{Workspace, file_modified_time};

/// The maximum depth of a folder. Notes in more deeply nested folders are ignored.
const MAX_DEPTH: usize = 64;

/// To find the front matter of a note, this number of bytes is read from the start of the file.
const BEGINNING: usize = 64 * 1024;

/// A note that the survey found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundNote {
    /// The note's path.
    pub path: NotePath,
    /// The time of the last change to the file.
    pub modified: DateTime<Utc>,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The notes of a workspace at a certain moment. The list doesn't change later, but reading a note returns its current
/// content.
#[derive(Debug)]
pub struct Survey<'w> {
    workspace: &'w Workspace,
    notes: Vec<FoundNote>,
    /// The number of notes with each file name, in all folders.
    note_counts: HashMap<String, u32>,
    /// The paths of the files in `.raw`, `.meta` and `.chronicle/processed`.
    sidecars: HashSet<String>,
}

impl<'w> Survey<'w> {
    /// Scans a workspace. Skips names that begin with a dot, `node_modules`, links, names that aren't UTF-8, and
    /// folders that can't be read.
    pub fn new(workspace: &'w Workspace) -> Self {
        let mut survey = Self { workspace, notes: Vec::new(), note_counts: HashMap::new(), sidecars: HashSet::new() };
        if let Ok(dir) = workspace.dir().try_clone() {
            survey.scan_folder(&dir, "", 0);
        }
        survey.scan_companions(workspace.dir(), PROCESSED, PROCESSED, 0);
        survey.notes.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        for note in &survey.notes {
            *survey.note_counts.entry(note.path.file_name().to_owned()).or_default() += 1;
        }
        survey
    }

    /// Returns all notes, sorted by path.
    pub fn notes(&self) -> &[FoundNote] {
        &self.notes
    }

    /// Returns the scanned workspace.
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// Returns the day of a note: see [`naming::day`]. Reads only the start of the file. If the front matter is longer,
    /// reads the whole file.
    pub fn day<Z: TimeZone>(&self, found: &FoundNote, zone: &Z) -> NaiveDate {
        let mut text = self.workspace.read_head(&found.path, BEGINNING).map(NoteText::from_bytes);
        if text.as_ref().is_some_and(|head| head.bytes().len() == BEGINNING && is_cut_in_front_matter(head.text())) {
            text = self.workspace.read(&found.path).ok();
        }
        naming::day(&found.path, text.as_ref().map_or("", NoteText::text), found.modified, zone)
    }

    /// Returns the only note with this file name. Returns `None` if several notes, or none, have this file name.
    pub(crate) fn find_unique(&self, file_name: &str) -> Option<&NotePath> {
        let mut named = self.notes.iter().map(|note| &note.path).filter(|path| path.file_name() == file_name);
        named.next().filter(|_| self.note_counts.get(file_name) == Some(&1))
    }

    /// Returns the metadata of a note, if any.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the metadata isn't a JSON object, `IO_ERROR` if it can't be read.
    pub fn meta(&self, note: &NotePath) -> Result<Option<Meta>, Refusal> {
        let own = companion::meta(note).path();
        if let Some(meta) = self.read_meta(&own)? {
            return Ok(Some(meta));
        }
        let Some(shared) = self.shared_places(note) else { return Ok(None) };
        // Metadata with an ID or a file name belongs to a note at the top of the workspace. That note has the same file
        // name as this note.
        Ok(self.read_meta(&shared.meta)?.filter(|meta| !meta.is_identified()))
    }

    /// Returns the path of the copy of a note's original text, if the copy exists.
    pub fn raw_path(&self, note: &NotePath) -> Option<String> {
        let own = companion::raw(note).path();
        [Some(own), self.shared_places(note).map(|shared| shared.raw)]
            .into_iter()
            .flatten()
            .find(|place| self.has(place))
    }

    /// Returns the path of Chronicle's result for a note, if the result exists.
    pub(crate) fn processed_path(&self, note: &NotePath) -> Option<String> {
        let own = companion::processed_paths(note);
        let shared = self.shared_places(note).map(|shared| shared.processed).unwrap_or_default();
        own.into_iter().chain(shared).find(|place| self.has(place))
    }

    /// Whether a note was processed. A note is processed if its metadata says so, if `.raw` contains its original text,
    /// or if Chronicle has a result for it.
    pub(crate) fn is_processed(&self, note: &NotePath, meta: Option<&Meta>) -> bool {
        meta.is_some_and(Meta::is_processed) || self.processed_path(note).is_some() || self.raw_path(note).is_some()
    }

    /// Whether another program, or an earlier version of this program, may have replaced the text of a note with a
    /// record. This is possible if the note was processed but has no record between the markers of [`Document`].
    pub fn is_processed_elsewhere(&self, note: &NotePath, text: &str) -> bool {
        let is_processed = || {
            let meta = self.meta(note).ok().flatten();
            Document::parse(text).record().is_none() && self.is_processed(note, meta.as_ref())
        };
        self.processed_path(note).is_some() || is_processed()
    }

    fn shared_places(&self, note: &NotePath) -> Option<SharedPlaces> {
        SharedPlaces::new(note).filter(|_| self.note_counts.get(note.file_name()).is_none_or(|notes| *notes <= 1))
    }

    fn read_meta(&self, place: &str) -> Result<Option<Meta>, Refusal> {
        if !self.has(place) {
            return Ok(None);
        }
        self.workspace.read_companion(place)?.map(|bytes| Meta::read(&bytes, place)).transpose()
    }

    fn has(&self, place: &str) -> bool {
        self.sidecars.contains(place)
    }

    fn scan_folder(&mut self, dir: &Dir, folder: &str, depth: usize) {
        let Ok(entries) = dir.entries() else { return };
        for entry in entries.flatten() {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            // The names `.raw` and `.meta` begin with a dot, so they are tested before the ignored names.
            if kind.is_dir() && matches!(name.as_str(), RAW | META) {
                let place = NotePath::from_parts(folder, &name);
                self.scan_companions(dir, &name, place.as_str(), 0);
            } else if is_ignored_name(&name) {
            } else if kind.is_dir() && depth < MAX_DEPTH {
                if let Ok(below) = entry.open_dir() {
                    self.scan_folder(&below, NotePath::from_parts(folder, &name).as_str(), depth + 1);
                }
            } else if kind.is_file()
                && is_note_name(&name)
                && let Ok(metadata) = entry.metadata()
            {
                let path = NotePath::from_parts(folder, &name);
                self.notes.push(FoundNote { path, modified: file_modified_time(&metadata), bytes: metadata.len() });
            }
        }
    }

    /// Collects the files below the folder `name` of `dir`. `place` is the path of this folder, relative to the
    /// workspace.
    fn scan_companions(&mut self, dir: &Dir, name: &str, place: &str, depth: usize) {
        let Ok(dir) = dir.open_dir(name) else { return };
        let Ok(entries) = dir.entries() else { return };
        for entry in entries.flatten() {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            let below = format!("{place}/{name}");
            if kind.is_file() {
                self.sidecars.insert(below);
            } else if kind.is_dir() && depth < MAX_DEPTH {
                self.scan_companions(&dir, &name, &below, depth + 1);
            }
        }
    }
}
