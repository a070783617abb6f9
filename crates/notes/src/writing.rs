//! Writes records into notes.

use std::io::{ErrorKind, Write};
use std::path::Path;

use cap_std::fs::{Dir, Permissions};
use cap_tempfile::TempFile;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};

use crate::action::Action;
use crate::companion::{self, Place};
use crate::display_text::short_title;
use crate::document::Document;
use crate::extract::{clean_record, has_record, source};
use crate::meta::Meta;
use crate::naming;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::sections::{Sections, with_ticks};
use crate::survey::Survey;
use crate::text::{Handle, NoteText};
use crate::workspace::{MAX_BYTES, Workspace, reason};

/// A record to write into a note.
#[derive(Debug, Clone, Default)]
pub struct NewRecord<'v> {
    /// The text of the record.
    pub content: &'v str,
    /// Additional metadata. It is merged into the existing metadata: see [`Meta::merge`].
    pub meta: Map<String, Value>,
    /// The handle of the text that was processed. If set, writing fails if the note has changed since.
    pub handle: Option<&'v Handle>,
}

/// The result of writing a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRecord {
    /// The note's path.
    pub path: NotePath,
    /// The note's title.
    pub title: String,
    /// The record as it was written.
    pub record: String,
    /// The sections of the record.
    pub sections: Sections,
    /// The path of the copy of the previous file, relative to the workspace.
    pub raw_path: String,
}

impl WrittenRecord {
    /// Formats the result for the response of the tool. The title is on one line and has at most 200 characters.
    pub fn to_text(&self) -> String {
        let counted = |number: usize, what: &str| {
            if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
        };
        let sections = &self.sections;
        let has_summary = sections.summary.as_ref().is_some_and(|summary| !summary.is_empty());
        format!(
            "Processed note: {}\n{}\n✓ Extracted {}\n✓ Identified {}\n\nWritten to {}; the original is kept in {}.",
            short_title(&self.title),
            if has_summary { "\n✓ Generated summary" } else { "" },
            counted(sections.actions.len(), "action item"),
            counted(sections.questions.len(), "open question"),
            self.path,
            self.raw_path
        )
    }
}

/// Writes a record above the author's text of a note, or replaces the note's earlier record. See [`Document`].
///
/// The checks come first. Then the file is copied to `.raw`, next to earlier copies. Then the note is replaced, and
/// finally its metadata. Each file is replaced atomically. So the note is complete even if the program is killed.
/// Actions that are ticked in the earlier record stay ticked. The sections of the record (`extracted`) and the time of
/// processing are added to the metadata, unless `meta` contains them. Unknown keys of the metadata are kept.
///
/// # Errors
///
/// `PARSE_ERROR` if the note isn't UTF-8, if the record has no sections or leaves a block open, or if the note's
/// metadata can't be read. `CONFLICT` if the note doesn't match the handle. `IO_ERROR` if a file can't be written. Also
/// the errors of [`Workspace::read`]. If the error is `IO_ERROR`, some files may have been written, and the message
/// says whether the note was replaced. All other errors leave the note and its metadata unchanged.
pub fn write_processed(
    workspace: &Workspace,
    path: &NotePath,
    replacement: NewRecord,
    now: DateTime<Utc>,
) -> Result<WrittenRecord, Refusal> {
    // The lock of the folder excludes other processes. Not every system can lock a folder, so threads of this process
    // use a lock of their own.
    let _held = workspace.lock_process();
    let _locked = workspace.lock_folder();
    let NewRecord { content, meta: added, handle } = replacement;
    let original = workspace.read(path)?;
    if handle.is_some_and(|handle| original.handle(path) != *handle) {
        return Err(conflict(path));
    }
    if content.len() as u64 > MAX_BYTES {
        return Err(Refusal::new(Code::InvalidArgument, "the text has more than 50 MB, which is too large for a note"));
    }
    let text = original.utf_8(path)?;
    let document = Document::parse(text.without_mark);
    document.check(path)?;
    let day = naming::stated_day(path, text.without_mark);
    let record = clean_record(content)?;
    let earlier = document.record().and_then(|record| Sections::read(record, day).ok()).unwrap_or_default();
    let record = with_ticks(&record, &earlier.actions, day);
    let sections = Sections::read(&record, day)?;
    let content = format!("{}{}", text.mark, document.with_record(&record));
    let title = naming::title(path, text.without_mark);
    // Most checks come before this line, so that a refused record leaves all files unchanged.
    let permissions = permissions(workspace, path)?;
    let (raw, meta_place) = (companion::raw(path), companion::meta(path));
    let mut meta = previous_meta(workspace, path, &meta_place)?;
    meta.merge(Meta::new(extracted_meta(&title, &sections, now)));
    meta.merge(Meta::new(added));
    meta.identify(path, &raw.path(), now);

    let unwritten = |what: &str, note_is: &str| {
        let what = what.to_owned();
        let note_is = note_is.to_owned();
        move |error: std::io::Error| {
            let why = reason(&error);
            Refusal::new(Code::IoError, format!("`{what}` cannot be written: {why}; the note `{path}` is {note_is}"))
        }
    };
    let raw_folder = open_folder(workspace, &raw).map_err(unwritten(&raw.folder, "as it was"))?;
    let meta_folder = open_folder(workspace, &meta_place).map_err(unwritten(&meta_place.folder, "as it was"))?;
    // The metadata is written last. This check finds an obstacle while the note is still unchanged.
    is_file(&meta_folder, &meta_place.name).map_err(unwritten(&meta_place.path(), "as it was"))?;
    let raw_name =
        write_backup(&raw_folder, |number| companion::raw_version(path, number), original.bytes(), &permissions)
            .map_err(unwritten(&raw.path(), "as it was"))?;
    replace_note(workspace, path, &original, &content, permissions.clone())?;
    let meta = serde_json::to_vec_pretty(meta.keys()).map_err(std::io::Error::from);
    meta.and_then(|meta| replace(&meta_folder, &meta_place.name, &meta, permissions))
        .map_err(unwritten(&meta_place.path(), "the new one"))?;
    Ok(WrittenRecord { path: path.clone(), title, record, sections, raw_path: format!("{}/{raw_name}", raw.folder) })
}

/// Whether a note has a record that was made from the author's current text. The newest copy in `.raw` contains the
/// text from which the record was made. The metadata isn't used, because Chronicle can replace it. See [`source`] for
/// `is_processed_elsewhere`.
///
/// # Errors
///
/// `PARSE_ERROR` if the copy is too large, `IO_ERROR` if it can't be read.
pub fn is_unchanged(
    workspace: &Workspace,
    path: &NotePath,
    text: &NoteText,
    is_processed_elsewhere: bool,
) -> Result<bool, Refusal> {
    if !has_record(text.text(), is_processed_elsewhere) {
        return Ok(false);
    }
    let folder = companion::raw(path).folder;
    let copies = (1..=MAX_BACKUPS).map(|number| format!("{folder}/{}", companion::raw_version(path, number)));
    let Some(newest) = copies.take_while(|copy| workspace.dir().is_file(copy)).last() else { return Ok(false) };
    let copy = workspace.read_companion(&newest)?.map(NoteText::from_bytes);
    let source = |text: &str| source(text, is_processed_elsewhere).into_owned();
    Ok(copy.is_some_and(|copy| source(copy.text()) == source(text.text())))
}

fn conflict(path: &NotePath) -> Refusal {
    let message = format!("`{path}` has changed since it was read for processing; process it again");
    Refusal::new(Code::Conflict, message)
}

/// Returns the previous metadata of a note. The note's own metadata file is read directly, because the folder's
/// permissions may allow reading a file but not listing the files.
fn previous_meta(workspace: &Workspace, path: &NotePath, place: &Place) -> Result<Meta, Refusal> {
    match workspace.read_companion(&place.path())? {
        Some(own) => Meta::read(&own, &place.path()),
        None => Survey::new(workspace).meta(path).map(Option::unwrap_or_default),
    }
}

/// Returns the permissions of the note. The new note gets the same permissions, and so do the files that belong to the
/// note.
fn permissions(workspace: &Workspace, path: &NotePath) -> Result<Permissions, Refusal> {
    let metadata = workspace.dir().metadata(path.as_str());
    let permissions = metadata.map(|metadata| metadata.permissions());
    match permissions {
        Ok(permissions) if permissions.readonly() => {
            Err(Refusal::new(Code::IoError, format!("cannot write `{path}`: change its permissions first")))
        }
        Ok(permissions) => Ok(permissions),
        Err(_) => Err(conflict(path)),
    }
}

/// Opens a folder for files that belong to a note, and creates the folder if it is missing. Fails if the folder is a
/// link. Files behind a link are ignored when notes are read, so this program could overwrite such a file without
/// noticing it.
fn open_folder(workspace: &Workspace, place: &Place) -> std::io::Result<Dir> {
    for above in Path::new(&place.folder).ancestors().filter(|above| !above.as_os_str().is_empty()) {
        let in_the_way = match workspace.dir().symlink_metadata(above) {
            Ok(metadata) if metadata.is_dir() => continue,
            Ok(metadata) if metadata.is_symlink() => "it is a link, through which nothing is written",
            Ok(_) => "something other than a folder is in its place",
            Err(_) => continue,
        };
        return Err(std::io::Error::new(ErrorKind::NotADirectory, in_the_way));
    }
    workspace.dir().create_dir_all(&place.folder)?;
    workspace.dir().open_dir(&place.folder)
}

fn replace_note(
    workspace: &Workspace,
    path: &NotePath,
    original: &NoteText,
    content: &str,
    permissions: Permissions,
) -> Result<(), Refusal> {
    // Another program may have changed the note after it was read.
    if workspace.read(path)? != *original {
        return Err(conflict(path));
    }
    let folder = if path.folder().is_empty() { "." } else { path.folder() };
    let written = workspace.dir().open_dir(folder);
    written.and_then(|folder| replace(&folder, path.file_name(), content.as_bytes(), permissions)).map_err(|error| {
        let why = reason(&error);
        Refusal::new(Code::IoError, format!("`{path}` cannot be written: {why}; the note is as it was"))
    })
}

/// Returns the metadata that describes a record and the time of processing.
fn extracted_meta(title: &str, sections: &Sections, now: DateTime<Utc>) -> Map<String, Value> {
    let now = now.to_rfc3339_opts(SecondsFormat::Secs, true);
    let action = |(place, action): (usize, &Action)| {
        json!({
            "id": format!("action-{:03}", place + 1),
            "text": action.text,
            "owner": action.owner,
            "status": if action.is_open() { "open" } else { "done" },
            "urgent": action.urgent,
            "due": action.due,
            "created_at": now,
        })
    };
    let extracted = json!({
        "title": title,
        "summary": sections.summary,
        "action_items": sections.actions.iter().enumerate().map(action).collect::<Vec<_>>(),
        "questions": sections.questions,
    });
    let keys = [("processing".to_owned(), json!({"processed_at": now})), ("extracted".to_owned(), extracted)];
    keys.into_iter().collect()
}

/// Replaces a file in `dir` atomically. Even if the program is killed, a reader sees either the old content or the new
/// content.
pub(crate) fn replace(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    let mut draft = TempFile::new(dir)?;
    draft.write_all(bytes)?;
    draft.as_file().set_permissions(permissions)?;
    // Some file systems store the new name before the content. A power failure would then leave an empty note.
    draft.as_file().sync_all()?;
    draft.replace(name)?;
    sync(dir);
    Ok(())
}

/// The maximum number of copies of a note.
pub(crate) const MAX_BACKUPS: usize = 10_000;

/// Writes a copy of a text into `dir` and returns the name of the copy. `names` returns a possible name for each number
/// from 1. The first name that is free is used, unless an earlier name already contains the same text. Existing files
/// stay unchanged.
pub(crate) fn write_backup(
    dir: &Dir,
    names: impl Fn(usize) -> String,
    bytes: &[u8],
    permissions: &Permissions,
) -> std::io::Result<String> {
    for name in (1..=MAX_BACKUPS).map(names) {
        create_once(dir, &name, bytes, permissions.clone())?;
        if dir.read(&name)? == bytes {
            return Ok(name);
        }
    }
    Err(std::io::Error::new(ErrorKind::AlreadyExists, "too many versions are kept: delete some"))
}

/// Creates a file in `dir` unless it exists.
fn create_once(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    if is_file(dir, name)? {
        return Ok(());
    }
    // Creating a hard link to a complete file is atomic, and fails if the name exists.
    let draft = format!(".{name}.new");
    replace(dir, &draft, bytes, permissions)?;
    let linked = dir.hard_link(&draft, dir, name).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        // Not every file system supports hard links. Without hard links, the complete file is renamed, unless a file
        // with this name now exists.
        _ if is_file(dir, name)? => Ok(()),
        _ => dir.rename(&draft, dir, name),
    });
    let removed = dir.remove_file(&draft);
    sync(dir);
    match linked {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_file(dir, name)? => Ok(()),
        linked => {
            linked.and(removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }))
        }
    }
}

/// Whether a file exists. Fails if the name belongs to a folder or a link, for example.
pub(crate) fn is_file(dir: &Dir, name: &str) -> std::io::Result<bool> {
    match dir.symlink_metadata(name) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => Err(std::io::Error::new(ErrorKind::AlreadyExists, "something other than a file is in its place")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes the folder to disk, so that a rename survives a power failure. Not every system supports this.
fn sync(dir: &Dir) {
    let _ = dir.open(".").and_then(|dir| dir.sync_all());
}
