//! A note, with data from its text, metadata, record and history.

use chrono::{DateTime, NaiveDate, TimeZone, Utc};
use serde::{Serialize, Serializer};

use crate::chronicle;
use crate::display_text::short_title;
use crate::document::Document;
use crate::history::Sessions;
use crate::meta::Meta;
use crate::naming;
use crate::path::NotePath;
use crate::refusal::Refusal;
use crate::sections::Sections;
use crate::session::Session;
use crate::survey::{FoundNote, Survey};
use crate::text::NoteText;

/// A note of the workspace. The JSON form is an item of `note://today`, with path, title, duration, state and summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The note's path, which identifies the note.
    #[serde(rename = "filename")]
    pub path: NotePath,
    /// The note's title: see [`naming::title`]. The title in JSON is on one line and has at most 200 characters.
    #[serde(serialize_with = "in_short")]
    pub title: String,
    /// The note's day: see [`naming::day`].
    #[serde(skip)]
    pub day: NaiveDate,
    /// The time of the last change to the file.
    #[serde(skip)]
    pub modified: DateTime<Utc>,
    /// The duration in minutes, from the session in the metadata. If the metadata has no session, this is the sum of
    /// the sessions in the history.
    #[serde(rename = "duration_minutes")]
    pub minutes: Option<u64>,
    /// The session in the metadata. If the metadata has no session, these are the sessions in the history, in time
    /// order.
    #[serde(skip)]
    pub sessions: Vec<Session>,
    /// Whether the note was processed.
    pub processed: bool,
    /// The summary from the metadata, or from the record if the metadata has no summary.
    pub summary: Option<String>,
    /// The sections of the note's record, if any.
    #[serde(skip)]
    pub record: Option<Sections>,
    /// The reason why the metadata or the record could not be read. The fields from the unreadable source are then
    /// empty.
    #[serde(skip)]
    pub problem: Option<Refusal>,
}

fn in_short<S: Serializer>(title: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&short_title(title))
}

impl Note {
    /// Reads a note of a survey.
    ///
    /// # Errors
    ///
    /// The errors of [`Workspace::read`](crate::workspace::Workspace::read). Unreadable metadata isn't an error.
    pub fn read<Z: TimeZone>(
        survey: &Survey,
        found: &FoundNote,
        sessions: &Sessions,
        zone: &Z,
    ) -> Result<(Self, NoteText), Refusal> {
        let text = survey.workspace().read(&found.path)?;
        Ok((Self::from_text(survey, found, &text, sessions, zone), text))
    }

    /// Creates the note from its text, which was already read.
    pub(crate) fn from_text<Z: TimeZone>(
        survey: &Survey,
        found: &FoundNote,
        text: &NoteText,
        sessions: &Sessions,
        zone: &Z,
    ) -> Self {
        let path = &found.path;
        let (meta, mut problem) = match survey.meta(path) {
            Ok(meta) => (meta, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let processed = survey.is_processed(path, meta.as_ref());
        let record = record(survey, path, text, processed, meta.as_ref()).unwrap_or_else(|refusal| {
            problem.get_or_insert(refusal);
            None
        });
        let of_meta = meta.as_ref().and_then(Meta::summary).map(str::to_owned);
        let of_record = || record.as_ref()?.summary.clone();
        Self {
            summary: of_meta.or_else(of_record).filter(|summary| !summary.is_empty()),
            record,
            title: naming::title(path, text.text()),
            day: naming::day(path, text.text(), found.modified, zone),
            modified: found.modified,
            minutes: meta.as_ref().and_then(Meta::session_minutes).or_else(|| sessions.minutes(path)),
            sessions: meta
                .as_ref()
                .and_then(Meta::session)
                .map_or_else(|| sessions.note_sessions(path), |session| vec![session]),
            processed,
            problem,
            path: path.clone(),
        }
    }
}

/// A function that returns one of the lists in the sections.
type ListAccess = fn(&mut Sections) -> &mut Vec<String>;

/// Returns the sections of a note's record. They come from the first source that has sections: the record in the file,
/// Chronicle's record, or the headings in the text of a processed note. If neither record has sections, missing key
/// points and questions come from the metadata.
///
/// # Errors
///
/// `PARSE_ERROR` if Chronicle's record isn't JSON.
pub(crate) fn record(
    survey: &Survey,
    path: &NotePath,
    text: &NoteText,
    processed: bool,
    meta: Option<&Meta>,
) -> Result<Option<Sections>, Refusal> {
    let document = Document::parse(text.text());
    let day = naming::stated_day(path, text.text());
    if let Some(Ok(sections)) = document.record().map(|record| Sections::read(record, day)) {
        return Ok(Some(sections));
    }
    if let Some(place) = survey.processed_path(path)
        && let Some(sections) = chronicle::read_record(survey.workspace(), &place, day)?
        && sections != Sections::default()
    {
        return Ok(Some(sections));
    }
    let mut sections = Sections::read(&document.body(), day).ok().filter(|_| processed);
    let key_points: ListAccess = |sections| &mut sections.key_points;
    let questions: ListAccess = |sections| &mut sections.questions;
    for (key, list) in [("key_points", key_points), ("questions", questions)] {
        let texts = meta.map(|meta| meta.extracted_texts(key)).unwrap_or_default();
        if !texts.is_empty() && sections.as_mut().is_none_or(|own| list(own).is_empty()) {
            *list(sections.get_or_insert_default()) = texts;
        }
    }
    Ok(sections)
}
