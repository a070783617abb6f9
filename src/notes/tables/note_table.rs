//! The table `notes`: a row is a note of the workspace.

use chrono::Local;
use dayledger_notes::history::Sessions;
use dayledger_notes::markers::Markers;
use dayledger_notes::note::Note;
use dayledger_notes::survey::{FoundNote, Survey};
use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::sync::mpsc;

use super::super::notebook::Notebook;
use crate::engine::columns::{Column, dates, flags, instants, optional_text, record_batch, schema, text, text_lists};
use crate::engine::{SourceTable, TableRows};
use crate::request::Error;

/// Its name in SQL.
pub(super) const NAME: &str = "notes";

/// How many notes are read at once: a statement that wants no more reads no more.
const NOTES_PER_BATCH: usize = 256;

/// Of a longer text only so many characters are told, as everywhere in SQL.
const MAX_TEXT_CHARS: usize = 32_768;

/// The notes by path.
pub(super) fn note_table(notebook: Notebook) -> SourceTable {
    SourceTable::whole(NAME, schema(columns(&[])), move || note_rows(notebook.clone()))
}

fn note_rows(notebook: Notebook) -> TableRows {
    let (sender, receiver) = mpsc::channel(1);
    let read = async move {
        let told = notebook.clone();
        let looked = notebook.with_workspace(move |opened| {
            let survey = Survey::new(&opened.workspace);
            for found in survey.notes().chunks(NOTES_PER_BATCH) {
                // The statement has ended if the receiver is gone.
                if sender.blocking_send(read(&told, &survey, found)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        looked.await
    };
    // Reading continues while rows are returned; its error, if any, comes last.
    let notes = stream::unfold(receiver, |mut receiver| async { Some((Ok(receiver.recv().await?), receiver)) });
    let end = stream::once(read).filter_map(|read| async { read.err().map(Err) });
    let notes = stream::select(notes, end).map_err(|error: Error| error.into());
    notes.and_then(|notes| async move { Ok(record_batch(columns(&notes))?) }).boxed()
}

/// A note, and what it says, as it may be told.
struct NoteRow {
    note: Note,
    path: String,
    title: String,
    summary: Option<String>,
    key_points: Vec<String>,
    questions: Vec<String>,
    text: String,
}

/// Those of the notes that can be read; what is gone or cannot be read is left out.
fn read(notebook: &Notebook, survey: &Survey<'_>, found: &[FoundNote]) -> Vec<NoteRow> {
    // How long each took is told by the sessions, which are much to count.
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
            // What is cut before it is told can look like something else.
            text: truncate(&notebook.redact(text.text())).to_owned(),
            note,
        }
    })
    .collect()
}

/// The beginning of a text, as long as one is told in SQL.
fn truncate(text: &str) -> &str {
    text.char_indices().nth(MAX_TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// The key points and the open questions of a record; of a note without one, its lines that are marked so.
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
