//! The data for `sql/functions/note_context.sql`: the applications, documents and other items that were in use while a
//! note was taken.

use chrono::{Local, NaiveDateTime, TimeDelta};
use dayledger_notes::note::Note;
use dayledger_notes::session::Session;
use dayledger_notes::survey::Survey;

use super::super::notebook::Notebook;
use dayledger_engine::columns::{Column, instants, optional_numbers, record_batch, schema, text};
use dayledger_engine::{Arguments, Engine, Parameter, Row, Statement, VirtualTable, rows_from_future, statement};
use dayledger_request::{Error, run_statements};

/// The parameters of a session: its bounds in UTC, and a wider local range. The local range contains the local times of
/// the session in every time zone that a device can have.
const SESSION: &[Parameter] = &[
    Parameter::instant("start"),
    Parameter::instant("end"),
    Parameter::instant("start_utc"),
    Parameter::instant("end_utc"),
];

/// The maximum difference between the local time of a device and UTC.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::days(1);

static ITEMS_IN_USE: Statement = statement!(queries / "items_in_use", SESSION);
static SCREENSHOT_SAMPLES: Statement = statement!(queries / "screenshot_samples", SESSION);

/// Whether the result includes screenshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenshotPolicy {
    /// Includes screenshots.
    Include,
    /// Excludes screenshots.
    Exclude,
}

/// Reads the items that were in use during the sessions of a note, and screenshots from these sessions.
#[derive(Debug, Clone)]
pub(super) struct Context {
    pub(super) notebook: Notebook,
    pub(super) engine: Engine,
    pub(super) screens: ScreenshotPolicy,
}

impl Context {
    pub(super) fn table(self) -> VirtualTable {
        VirtualTable::with_key("note_screen_activity", "path", schema(columns("", &[])), move |path| {
            let context = self.clone();
            rows_from_future(async move { Ok(record_batch(columns(&path, &context.read(&path).await?))?) })
        })
    }

    async fn read(&self, path: &str) -> Result<Vec<OnScreen>, Error> {
        let mut seen = Vec::new();
        for session in self.sessions(path).await? {
            let [start, end] = [session.start, session.end].map(|time| self.notebook.local(time));
            let arguments = Arguments::new()
                .with_instant("start", start.checked_sub_signed(MAX_CLOCK_DIFFERENCE).unwrap_or(start))
                .with_instant("end", end.checked_add_signed(MAX_CLOCK_DIFFERENCE).unwrap_or(end))
                .with_instant("start_utc", session.start.naive_utc())
                .with_instant("end_utc", session.end.naive_utc());
            let [in_use] = run_statements(&self.engine, [(&ITEMS_IN_USE, arguments.clone())]).await?;
            seen.extend(in_use.read(OnScreen::from_row)?);
            if self.screens == ScreenshotPolicy::Include {
                let [pictures] = run_statements(&self.engine, [(&SCREENSHOT_SAMPLES, arguments)]).await?;
                seen.extend(pictures.read(OnScreen::from_row)?);
            }
        }
        Ok(seen)
    }

    /// Returns the sessions of a note in time order. Overlapping sessions are merged, and sessions with a length of
    /// zero are left out.
    async fn sessions(&self, path: &str) -> Result<Vec<Session>, Error> {
        let path_text = path.to_owned();
        let sessions = self.notebook.with_workspace(move |opened| {
            let path = opened.workspace.resolve(&path_text)?;
            let survey = Survey::new(&opened.workspace);
            let Some(found) = survey.notes().iter().find(|found| found.path == path) else { return Ok(Vec::new()) };
            let counted = opened.count_sessions()?;
            let (note, _) = Note::read(&survey, found, &counted, &Local)?;
            Ok(merge_overlapping(note.sessions))
        });
        sessions.await
    }
}

/// Merges overlapping sessions, so that their common time is counted once. Leaves out sessions with a length of zero.
/// `sessions` must be in time order.
fn merge_overlapping(sessions: Vec<Session>) -> Vec<Session> {
    let mut united: Vec<Session> = Vec::new();
    for session in sessions.into_iter().filter(|session| session.start < session.end) {
        match united.last_mut().filter(|last| session.start <= last.end) {
            Some(last) => last.end = last.end.max(session.end),
            None => united.push(session),
        }
    }
    united
}

/// An item that was in use during a session.
struct OnScreen {
    kind: String,
    name: String,
    seconds: Option<i64>,
    start: NaiveDateTime,
    end: NaiveDateTime,
}

impl OnScreen {
    fn from_row(row: Row<'_>) -> Result<Self, dayledger_engine::Error> {
        Ok(Self {
            kind: row.get("kind")?,
            name: row.get("name")?,
            seconds: row.get_optional("seconds")?,
            start: row.get("start_local")?,
            end: row.get("end_local")?,
        })
    }
}

fn columns(path: &str, seen: &[OnScreen]) -> [Column; 6] {
    let each = || seen.iter();
    [
        text("path", each().map(|_| path)),
        text("kind", each().map(|seen| seen.kind.as_str())),
        text("name", each().map(|seen| seen.name.as_str())),
        optional_numbers("seconds", each().map(|seen| seen.seconds)),
        instants("start_local", each().map(|seen| seen.start)),
        instants("end_local", each().map(|seen| seen.end)),
    ]
}
