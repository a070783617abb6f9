//! The SQL table `notes`. Each row is a note of the workspace.

use chrono::Local;
use dayledger_notes::history::Sessions;
use dayledger_notes::markers::Markers;
use dayledger_notes::note::Note;
use dayledger_notes::survey::{FoundNote, Survey};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::sync::mpsc;

use super::super::notebook::Notebook;
use dayledger_engine::columns::{
    Column, dates, flags, instants, optional_text, record_batch, schema, text, text_lists,
};
use dayledger_engine::{TableRows, VirtualTable};
use dayledger_request::Error;

pub(super) const NAME: &str = "notes";

/// The number of notes in a batch. A statement with `LIMIT` stops reading when it has enough batches.
const NOTES_PER_BATCH: usize = 256;

/// The maximum length of a text in characters, as in all SQL tables. Longer texts are truncated.
const MAX_TEXT_CHARS: usize = 32_768;

/// Returns the table of notes, sorted by path.
pub(super) fn note_table(notebook: Notebook) -> VirtualTable {
    VirtualTable::whole(NAME, schema(columns(&[])), move || note_rows(notebook.clone()))
}

fn note_rows(notebook: Notebook) -> TableRows {
    let (sender, receiver) = mpsc::channel(1);
    let read = async move {
        let reader = notebook.clone();
        let looked = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            for found in survey.notes().chunks(NOTES_PER_BATCH) {
                // Sending fails if the statement has ended, because the receiver was dropped.
                if sender.blocking_send(read(&reader, &survey, found)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        looked.await
    };
    // Notes are read while rows are returned. If reading fails, the error follows the rows.
    let notes = stream::unfold(receiver, |mut receiver| async { Some((Ok(receiver.recv().await?), receiver)) });
    let end = stream::once(read).filter_map(|read| async { read.err().map(Err) });
    let notes = stream::select(notes, end).map_err(|error: Error| error.into());
    notes.and_then(|notes| async move { Ok(record_batch(columns(&notes))?) }).boxed()
}

/// A row of the table: a note and its content. All texts are redacted.
struct NoteRow {
    note: Note,
    path: String,
    title: String,
    summary: Option<String>,
    key_points: Vec<String>,
    questions: Vec<String>,
    text: String,
}

/// Reads a batch of notes. Leaves out notes that were deleted or can't be read.
fn read(notebook: &Notebook, survey: &Survey<'_>, found: &[FoundNote]) -> Vec<NoteRow> {
    // Sessions aren't read here, because counting them takes time and they have their own table.
    let sessions = Sessions::default();
    let read = found.iter().filter_map(|found| Note::read(survey, found, &sessions, &Local).ok());
    let all = |texts: Vec<String>| texts.iter().map(|text| notebook.redact(text)).collect();
    read.map(|(note, text)| {
        let (key_points, questions) = points(&note, text.text());
        NoteRow {
            path: note.path.to_string(),
            title: notebook.redact(&note.title),
            summary: note.summary.as_deref().map(|summary| notebook.redact(summary)),
            key_points: all(key_points),
            questions: all(questions),
            // The text is redacted before it is truncated, because a truncated URL may no longer be recognised as a
            // URL.
            text: truncate(&notebook.redact(text.text())).to_owned(),
            note,
        }
    })
    .collect()
}

/// Returns at most [`MAX_TEXT_CHARS`] characters from the start of a text.
fn truncate(text: &str) -> &str {
    text.char_indices().nth(MAX_TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// Returns the key points and open questions of the note's record. Without a record, returns the lines with the markers
/// `!` and `?`.
fn points(note: &Note, text: &str) -> (Vec<String>, Vec<String>) {
    if let Some(record) = &note.record {
        return (record.key_points.clone(), record.questions.clone());
    }
    let markers = Markers::read(text);
    (markers.important, markers.questions)
}

fn columns(notes: &[NoteRow]) -> [Column; 9] {
    let each = || notes.iter();
    [
        text("path", each().map(|told| told.path.as_str())),
        text("title", each().map(|told| told.title.as_str())),
        dates("date", each().map(|told| told.note.day)),
        flags("is_processed", each().map(|told| Some(told.note.processed)), false),
        optional_text("summary", each().map(|told| told.summary.as_ref())),
        text_lists("key_points", each().map(|told| told.key_points.clone())),
        text_lists("questions", each().map(|told| told.questions.clone())),
        text("text", each().map(|told| told.text.as_str())),
        instants("modified_utc", each().map(|told| told.note.modified.naive_utc())),
    ]
}
