//! The SQL table `note_sessions`. Each row is a session of a note.

use std::ops::Range;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use dayledger_notes::Refusal;
use dayledger_notes::note::Note;
use dayledger_notes::session::Session;
use dayledger_notes::survey::{FoundNote, Survey};

use super::super::codes;
use super::super::notebook::{Notebook, OpenWorkspace};
use dayledger_engine::columns::{Column, instants, numbers, record_batch, schema, text};
use dayledger_engine::{VirtualTable, rows_from_future};
use dayledger_request::Error;

pub(super) const NAME: &str = "note_sessions";

/// The name of the table in the files of `sql/`. A table with this name also exists if notes aren't configured. It is
/// then empty.
pub(super) const SOURCE: &str = "optional_note_sessions";

/// The maximum difference between local time and UTC.
const MAX_UTC_OFFSET: TimeDelta = TimeDelta::days(1);

/// Returns a table of sessions. A statement reads the sessions that begin in a range of local time.
pub(super) fn session_table(name: &'static str, notebook: Notebook) -> VirtualTable {
    VirtualTable::with_range(name, "start_local", schema(columns(&[])), move |range| {
        let notebook = notebook.clone();
        rows_from_future(async move { Ok(record_batch(columns(&read(name, notebook, range).await?))?) })
    })
}

async fn read(name: &str, notebook: Notebook, range: Range<NaiveDateTime>) -> Result<Vec<SessionRow>, Error> {
    let reader = notebook.clone();
    match notebook.with_workspace(move |opened| sessions(&reader, opened, &range)).await {
        // A statement about the history must also work if the notes can't be read. Only a statement that reads the
        // table `note_sessions` fails.
        Err(error) if name == SOURCE => {
            if error.code != codes::NO_WORKSPACE {
                tracing::warn!("the notes cannot be read: run `dayledger doctor` to see why");
            }
            Ok(Vec::new())
        }
        read => read,
    }
}

/// A row of the table: a session of a note. The title is redacted.
struct SessionRow {
    path: String,
    title: String,
    session: Session,
    start: NaiveDateTime,
    end: NaiveDateTime,
}

/// Returns the sessions that begin in a range of local time, in time order.
fn sessions(
    notebook: &Notebook,
    opened: &OpenWorkspace,
    range: &Range<NaiveDateTime>,
) -> Result<Vec<SessionRow>, Refusal> {
    let utc = |local: Option<NaiveDateTime>, else_: DateTime<Utc>| local.map_or(else_, |local| local.and_utc());
    let from = utc(range.start.checked_sub_signed(MAX_UTC_OFFSET), DateTime::<Utc>::MIN_UTC);
    let to = utc(range.end.checked_add_signed(MAX_UTC_OFFSET), DateTime::<Utc>::MAX_UTC);
    let in_history = opened.history().sessions_between(from, to)?;
    let survey = Survey::new(&opened.workspace);
    // A session in the metadata of a note can be on another day than the note, so the metadata of all notes is read.
    let is_told = |found: &&FoundNote| {
        let of_meta = || survey.meta(&found.path).ok()??.session().filter(|session| session.start < to);
        in_history.minutes(&found.path).is_some() || of_meta().is_some_and(|session| session.end >= from)
    };
    let notes = survey.notes().iter().filter(is_told);
    let notes = notes.filter_map(|found| Note::read(&survey, found, &in_history, &Utc).ok());
    let mut rows: Vec<SessionRow> = notes
        .flat_map(|(note, _)| {
            let (path, title) = (note.path.to_string(), notebook.redact(&note.title));
            note.sessions.into_iter().map(move |session| {
                let [start, end] = [session.start, session.end].map(|time| notebook.local(time));
                SessionRow { path: path.clone(), title: title.clone(), session, start, end }
            })
        })
        .filter(|row| range.contains(&row.start))
        .collect();
    rows.sort_by(|one, other| one.session.cmp(&other.session).then_with(|| one.path.cmp(&other.path)));
    Ok(rows)
}

fn columns(sessions: &[SessionRow]) -> [Column; 7] {
    let each = || sessions.iter();
    let seconds = |told: &SessionRow| (told.session.end - told.session.start).num_seconds();
    [
        text("path", each().map(|told| told.path.as_str())),
        text("title", each().map(|told| told.title.as_str())),
        instants("start_local", each().map(|told| told.start)),
        instants("start_utc", each().map(|told| told.session.start.naive_utc())),
        instants("end_local", each().map(|told| told.end)),
        instants("end_utc", each().map(|told| told.session.end.naive_utc())),
        numbers("seconds", each().map(seconds)),
    ]
}
