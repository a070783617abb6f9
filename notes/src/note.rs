//! A note with what is known of it.

use chrono::{DateTime, NaiveDate, TimeZone, Utc};

use crate::chronicle::Processed;
use crate::history::Sessions;
use crate::meta::Meta;
use crate::naming::{self, UNTITLED};
use crate::path::NotePath;
use crate::refusal::Refusal;
use crate::sections::Sections;
use crate::session::Session;
use crate::survey::{Found, Survey};
use crate::text::NoteText;

/// A note of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where it lies; this is what tells it from all others.
    pub path: NotePath,
    /// Its title, or [`UNTITLED`].
    pub title: String,
    /// Its day: that of its name, else the local one on which it was last written.
    pub day: NaiveDate,
    /// When it was last written.
    pub modified: DateTime<Utc>,
    /// How many minutes it took: what its metadata says of its session, else the sum of the sessions in its history.
    pub minutes: Option<u64>,
    /// When it was taken, the first time first: what its metadata says of its session, else the sessions in its history.
    pub sessions: Vec<Session>,
    /// Whether it was processed.
    pub processed: bool,
    /// What it comes to, if it was processed.
    pub summary: Option<String>,
    /// Why its metadata could not be read. What it would have told is missing then.
    pub problem: Option<Refusal>,
}

impl Note {
    /// Reads a note that was found.
    ///
    /// # Errors
    ///
    /// See [`Workspace::read`](crate::workspace::Workspace::read). Metadata that cannot be read is no error.
    pub fn read<Z: TimeZone>(
        survey: &Survey,
        found: &Found,
        sessions: &Sessions,
        zone: &Z,
    ) -> Result<(Self, NoteText), Refusal> {
        let text = survey.workspace().read(&found.path)?;
        Ok((Self::of(survey, found, &text, sessions, zone), text))
    }

    /// The note that has that text.
    pub(crate) fn of<Z: TimeZone>(
        survey: &Survey,
        found: &Found,
        text: &NoteText,
        sessions: &Sessions,
        zone: &Z,
    ) -> Self {
        let path = &found.path;
        let (meta, mut problem) = match survey.meta(path) {
            Ok(meta) => (meta, None),
            Err(refusal) => (None, Some(refusal)),
        };
        let made = survey.processed(path);
        let processed = survey.is_processed(path, meta.as_ref());
        let of_meta = meta.as_ref().and_then(Meta::summary).map(str::to_owned);
        let of_text = || Sections::read(text.text()).ok().filter(|_| processed)?.summary;
        let of_made = || match Processed::read(survey.workspace(), made.as_deref()?) {
            Ok(made) => made?.summary,
            Err(refusal) => {
                problem.get_or_insert(refusal);
                None
            }
        };
        let summary = of_meta.or_else(of_text).or_else(of_made).filter(|summary| !summary.is_empty());
        Self {
            title: naming::title(text.text()).unwrap_or(UNTITLED).to_owned(),
            day: naming::day(path, found.modified, zone),
            modified: found.modified,
            minutes: meta.as_ref().and_then(Meta::session_minutes).or_else(|| sessions.minutes(path)),
            sessions: meta.as_ref().and_then(Meta::session).map_or_else(|| sessions.of(path), |session| vec![session]),
            processed,
            summary,
            problem,
            path: path.clone(),
        }
    }
}
