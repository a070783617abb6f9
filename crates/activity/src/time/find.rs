//! Finds names, titles, notes and meetings that contain the words of a search. Each match has a time and a duration
//! (docs/spec/time.md#search).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::active_time::{CONTEXT, RangeContext, RecordedDays, Retention};
use super::missing_timelines::{MISSING_TIMELINES, MissingTimelines};
use crate::codes;
use crate::response::read_enum;
use crate::{Diagnostics, Filter, HistoryBoundsRequest, ReasonCode, TimeBasis};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Row, Rows, Statement, local_today, statement};
use dayledger_request::{
    Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso, minutes,
    run_statements,
};

/// The words of a search, at least one. Double quotes keep the words of a phrase together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords(String);

impl SearchWords {
    /// Parses the parameter `field`.
    ///
    /// # Errors
    /// Fails with `NO_WORDS` if the text contains no word.
    pub fn parse(text: &str, field: &str) -> Result<Self, Error> {
        if dayledger_udfs::search::SearchWords::parse(text).is_empty() {
            return Err(Error::with_field(
                codes::NO_WORDS,
                field,
                "cannot search: there are no words",
                "pass a part of a name, a title, a URL or a note",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// Parses separate arguments of a command. An argument with spaces is a phrase. If the argument already contains
    /// quotes, it isn't changed.
    ///
    /// # Errors
    /// Fails like [`SearchWords::parse`].
    pub fn from_arguments(arguments: &[String], field: &str) -> Result<Self, Error> {
        let quote = |argument: &String| {
            let is_phrase = argument.contains(char::is_whitespace) && !argument.contains('"');
            if is_phrase { format!("\"{argument}\"") } else { argument.clone() }
        };
        Self::parse(&arguments.iter().map(quote).collect::<Vec<_>>().join(" "), field)
    }
}

/// Requests the matches of words in a local range, newest first.
///
/// Fails with `INVALID_CURSOR` if the cursor is from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct FindRequest {
    /// The words. They must all be in the same text. Case is ignored.
    pub words: SearchWords,
    /// Local range, end exclusive. `None` for the whole history.
    pub range: Option<DateRange>,
    /// The maximum number of matches.
    pub limit: Limit<50, 1000>,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
}

/// The matches of a search, newest first.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundMatches {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `active`, or `active+calls` if calls count. For tags, notes and meetings, minutes are from start to end.
    pub time_basis: TimeBasis,
    /// Active minutes of all matching applications, websites and documents, listed or not. Each minute counts once.
    pub total_minutes: Minutes,
    /// Minutes of all matching tags, including time away from the computer. Absent if no tag matches.
    pub tagged_minutes: Option<Minutes>,
    /// Local start of the earliest match, listed or not.
    pub first: Option<String>,
    /// Local end of the latest match, listed or not.
    pub last: Option<String>,
    /// The matches, newest first.
    pub matches: Vec<FoundMatch>,
    /// Whether matches were left out. `totalAvailable` is the number of all matches.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// A period in which one name matched, with gaps of at most 15 minutes.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundMatch {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Active minutes. For a tag, note or meeting, minutes from start to end.
    pub total_minutes: Minutes,
    /// The kind of item that matches.
    pub kind: MatchKind,
    /// The application, site, document, tag, note or meeting.
    pub name: String,
    /// The matching window title, URL, path or note with the most time. Absent if only the name matches.
    pub text: Option<String>,
    /// The device. Absent for tags, notes and meetings.
    pub device: Option<String>,
}

/// The kind of item in which words match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// The name, a window title or a note of an application.
    Application,
    /// A site, a URL or a note of a website.
    Website,
    /// The name, path or note of a document.
    Document,
    /// A tag or its note.
    Tag,
    /// The title or the path of a meeting note.
    Note,
    /// A meeting of the user's calendars.
    Meeting,
}

static FIND: Statement =
    statement!(queries / "find", &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("words")]);

/// The totals over all matches of a search.
#[derive(Default)]
struct Totals {
    active_seconds: i64,
    tagged_seconds: Option<i64>,
    first: Option<String>,
    last: Option<String>,
}

impl Request for FindRequest {
    type Service = Engine;
    type Response = FoundMatches;

    async fn execute(self, engine: &Engine) -> Result<FoundMatches, Error> {
        let first_page = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::from_cursor(&first_page, self.cursor)?;
        let range = match self.range {
            Some(range) => range,
            None => whole_history(engine).await?,
        };
        let of_all = range.arguments().with_text("device", None);
        let statements =
            [(&FIND, self.arguments(&range)), (&CONTEXT, of_all.clone()), (&MISSING_TIMELINES, of_all.clone())];
        let [rows, context, missing] = run_statements(engine, statements).await?;
        let (totals, matches) = read_rows(&rows)?;
        let (listed, truncation) = page.rows(matches.len(), self.limit.get(), LimitedBy::Limit);

        let context = RangeContext::from_rows(&context)?;
        let diagnostics = match context.retention(engine, &range, &of_all).await? {
            Retention::OnlyTotals(_) => RecordedDays::diagnostics(&range, &Filter::default()),
            kept => context.diagnostics_with_documents(&kept, &MissingTimelines::from_rows(&missing)?),
        };
        // A tag, note or meeting can match although the range has no activities.
        let has_only_others = diagnostics.reason_code == Some(ReasonCode::NoDataInRange) && !matches.is_empty();
        let diagnostics = if has_only_others { Diagnostics::healthy() } else { diagnostics };
        Ok(FoundMatches {
            start_date: range.start_text(),
            end_date: range.end_text(),
            time_basis: context.time_basis(),
            total_minutes: minutes(totals.active_seconds),
            tagged_minutes: totals.tagged_seconds.map(minutes),
            first: totals.first,
            last: totals.last,
            matches: matches[listed].iter().map(|row| read_match(*row)).collect::<Result<_, _>>()?,
            truncation,
            diagnostics: diagnostics.with_dates(engine, &range).await?,
        })
    }
}

impl FindRequest {
    fn arguments(&self, range: &DateRange) -> Arguments {
        range.arguments().with_text("words", Some(&self.words.0))
    }
}

/// Returns the range of the whole history, or today for an empty history.
async fn whole_history(engine: &Engine) -> Result<DateRange, Error> {
    let range = HistoryBoundsRequest.execute(engine).await?.range();
    Ok(range.unwrap_or_else(|| DateRange::day(local_today())))
}

/// Returns the totals over all matches, and the row of each match.
fn read_rows(rows: &Rows) -> Result<(Totals, Vec<Row<'_>>), engine::Error> {
    let (mut totals, mut matches) = (Totals::default(), Vec::new());
    for row in rows.iter() {
        if row.get_optional::<String>("kind")?.is_some() {
            matches.push(row);
            continue;
        }
        let tagged_seconds: i64 = row.get_optional("tagged_seconds")?.unwrap_or(0);
        totals = Totals {
            active_seconds: row.get_optional("active_seconds")?.unwrap_or(0),
            tagged_seconds: (tagged_seconds > 0).then_some(tagged_seconds),
            first: row.get_optional("first_local")?.map(format_iso),
            last: row.get_optional("last_local")?.map(format_iso),
        };
    }
    Ok((totals, matches))
}

fn read_match(row: Row<'_>) -> Result<FoundMatch, engine::Error> {
    Ok(FoundMatch {
        start: format_iso(row.get("first_local")?),
        end: format_iso(row.get("last_local")?),
        total_minutes: minutes(row.get("seconds")?),
        kind: read_enum(row, "kind")?,
        name: row.get_optional("name")?.unwrap_or_default(),
        text: row.get_optional("text")?,
        device: row.get_optional("device")?,
    })
}

impl Truncate for FoundMatches {
    fn rows(&self) -> usize {
        self.matches.len()
    }

    fn keep(&mut self, rows: usize) {
        self.matches.truncate(rows);
        self.truncation.keep(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(arguments: &[&str]) -> Result<String, Error> {
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        SearchWords::from_arguments(&arguments, "WORDS").map(|words| words.0)
    }

    #[test]
    fn an_argument_with_spaces_is_a_phrase() {
        assert_eq!(words(&["rounding.rs"]), Ok("rounding.rs".to_owned()));
        assert_eq!(words(&["case search", "github"]), Ok("\"case search\" github".to_owned()));
        assert_eq!(words(&["\"case search\" github"]), Ok("\"case search\" github".to_owned()));
    }

    #[test]
    fn a_search_needs_a_word() {
        for arguments in [&[""][..], &[" ", "\t"], &["\"\""]] {
            let error = words(arguments).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (codes::NO_WORDS, Some("WORDS")), "{arguments:?}");
        }
    }
}
