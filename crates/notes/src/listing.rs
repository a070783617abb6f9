//! Lists of notes.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use chrono::{NaiveDate, TimeZone};
use regex::{Regex, RegexBuilder};

use crate::display_text::{replace_control_characters, short_title};
use crate::history::Sessions;
use crate::naming;
use crate::note::Note;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal, write_problems};
use crate::survey::{FoundNote, Survey};

/// The number of notes in a list by default.
const DEFAULT_LIMIT: usize = 20;

/// The maximum length of a search text, in bytes.
const MAX_SEARCH_BYTES: usize = 1000;

/// A filter for a list of notes.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The first day to include.
    pub from: Option<NaiveDate>,
    /// The last day to include.
    pub to: Option<NaiveDate>,
    /// The search text. If set, only notes with this text in their title or body match. Case is ignored.
    pub search: Option<String>,
    /// The text of each note that is searched: the original text or the redacted text.
    pub searched: SearchableText,
    /// Whether to leave out notes that were not processed.
    pub processed_only: bool,
}

/// The searchable text of a note: by default the original text, otherwise the redacted text.
#[derive(Clone, Default)]
pub struct SearchableText(Option<Arc<Redactor>>);

/// A function that redacts a text.
type Redactor = dyn Fn(&str) -> String + Send + Sync;

impl SearchableText {
    /// Passes the text of each note to `part`, and searches the text that `part` returns. So the search can't find text
    /// that `part` redacts.
    pub fn with_redaction(part: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(part)))
    }

    fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.as_ref().map_or(Cow::Borrowed(text), |part| Cow::Owned(part(text)))
    }
}

impl fmt::Debug for SearchableText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Part" } else { "All" })
    }
}

/// Returns the number of notes in a list: 1 to 100. If `asked` is unset or 0, returns 20.
pub fn limit(asked: Option<i64>) -> usize {
    clamp_limit(asked, DEFAULT_LIMIT)
}

/// A list of notes, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The newest matching notes, up to the limit.
    pub notes: Vec<Note>,
    /// The number of matching notes, without the notes in `unread`. Notes beyond the limit are read only if there is a
    /// search text. Without a search text, some of the counted notes may be unreadable.
    pub found: usize,
    /// The reasons why notes could not be read. These notes may match, but are left out.
    pub unread: Vec<Refusal>,
}

impl Listing {
    /// Returns the newest notes that match the filter, at most `limit`. Notes of the same day are sorted by
    /// modification time, newest first. A note that is deleted before it is read isn't listed.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the first day is after the last day, or the search text is too long.
    pub fn collect<Z: TimeZone>(
        survey: &Survey,
        filter: &Filter,
        limit: usize,
        sessions: &Sessions,
        zone: &Z,
    ) -> Result<Self, Refusal> {
        let search = Search::from_filter(filter)?;
        let mut dated: Vec<(NaiveDate, &FoundNote)> = survey
            .notes()
            .iter()
            .map(|found| (survey.day(found, zone), found))
            .filter(|(day, _)| filter.from.is_none_or(|from| from <= *day) && filter.to.is_none_or(|to| *day <= to))
            .collect();
        dated.sort_by(|(day, note), (other_day, other)| {
            other_day.cmp(day).then(other.modified.cmp(&note.modified)).then(note.path.cmp(&other.path))
        });
        let mut listing = Self { notes: Vec::new(), found: 0, unread: Vec::new() };
        for (_, found) in dated {
            // Notes beyond the limit are counted but not listed. To count them, they are read only if there is a search
            // text.
            let is_listed = listing.notes.len() < limit;
            let is_processed = || survey.is_processed(&found.path, survey.meta(&found.path).ok().flatten().as_ref());
            if filter.processed_only && !is_processed() {
                continue;
            }
            if !is_listed && search.is_none() {
                listing.found += 1;
                continue;
            }
            let text = match survey.workspace().read(&found.path) {
                Ok(text) => text,
                Err(gone) if gone.code == Code::FileNotFound => continue,
                Err(refusal) => {
                    listing.unread.push(refusal);
                    continue;
                }
            };
            if search.as_ref().is_some_and(|search| !search.matches(&found.path, &filter.searched.apply(text.text()))) {
                continue;
            }
            if is_listed {
                listing.notes.push(Note::from_text(survey, found, &text, sessions, zone));
            }
            listing.found += 1;
        }
        Ok(listing)
    }

    /// Formats the list for the response of the tool. Each line has the form `1. a.md - Title (32m) ✓`. The minutes are
    /// left out if they are unknown, and the tick is left out if the note was not processed. Problems and unreadable
    /// notes follow the list.
    pub fn to_text(&self) -> String {
        let mut text = match self.found {
            0 => "Found 0 notes.".to_owned(),
            1 => "Found 1 note:\n".to_owned(),
            found => format!("Found {found} notes:\n"),
        };
        for (place, note) in self.notes.iter().enumerate() {
            let minutes = note.minutes.map(|minutes| format!(" ({minutes}m)")).unwrap_or_default();
            let tick = if note.processed { " ✓" } else { "" };
            let (path, title) = (replace_control_characters(note.path.as_str()), short_title(&note.title));
            let _ = write!(text, "\n{}. {path} - {title}{minutes}{tick}", place + 1);
        }
        if self.found > self.notes.len() {
            let _ = write!(text, "\n\nThese are the newest {}; narrow the search or raise `limit`.", self.notes.len());
        }
        write_problems(&mut text, self.notes.iter().filter_map(|note| note.problem.as_ref()));
        match self.unread.len() {
            0 => {}
            1 => text.push_str("\n\n1 note cannot be read and is not included:"),
            unread => {
                let _ = write!(text, "\n\n{unread} notes cannot be read and are not included:");
            }
        }
        write_problems(&mut text, &self.unread);
        text
    }
}

/// The search text as a regular expression. The search ignores the case of letters in all writing systems.
struct Search(Regex);

impl Search {
    fn from_filter(filter: &Filter) -> Result<Option<Self>, Refusal> {
        if let (Some(from), Some(to)) = (filter.from, filter.to)
            && from > to
        {
            let message = format!("`date_from` {from} is after `date_to` {to}; swap them");
            return Err(Refusal::new(Code::InvalidArgument, message));
        }
        let Some(sought) = filter.search.as_deref().map(str::trim).filter(|sought| !sought.is_empty()) else {
            return Ok(None);
        };
        let too_long = || {
            let message = format!("`search` has more than {MAX_SEARCH_BYTES} bytes; search for a few words");
            Refusal::new(Code::InvalidArgument, message)
        };
        let pattern = (sought.len() <= MAX_SEARCH_BYTES).then(|| regex::escape(sought)).ok_or_else(too_long)?;
        RegexBuilder::new(&pattern)
            .case_insensitive(true)
            .build()
            .map(|regex| Some(Self(regex)))
            .map_err(|_| too_long())
    }

    fn matches(&self, path: &NotePath, text: &str) -> bool {
        self.0.is_match(text) || self.0.is_match(&naming::title(path, text))
    }
}

/// The largest possible limit of a list.
const MAX_LIMIT: i64 = 100;

/// Returns the limit of a list: `usual` if `asked` is unset or 0, otherwise `asked` clamped to 1 to 100.
pub(crate) fn clamp_limit(asked: Option<i64>, usual: usize) -> usize {
    match asked.unwrap_or(0) {
        0 => usual,
        asked => usize::try_from(asked.clamp(1, MAX_LIMIT)).unwrap_or(1),
    }
}
