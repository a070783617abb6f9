//! What the user tagged (docs/spec/time.md#tagged-time).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::active_time::{self, Circumstances, Kept, RecordedDays};
use super::devices::RANGE;
use super::no_match::{FilteredTime, NoMatch};
use super::{Diagnostics, Filter, NamedTotal, TimeBasis, tagged};
use crate::engine::{self, Arguments, Engine, Rows, Statement, statement};
use crate::question::{
    Answer, Answers, Batch, Cursor, DateRange, Error, LimitedBy, Minutes, Page, Question, Slot, Truncation, iso,
    minutes,
};

/// How many tag intervals one answer holds at most.
const MAX_TAGS: usize = 1000;

/// How many totals one answer holds at most; those with less time become one.
const MAX_TOTALS: usize = 100;

/// The name of what the smallest totals become.
const OTHER: &str = "(other)";

/// How many parts of a full list one interval names at most.
const MAX_PARTS: usize = 20;

/// Asks for tagged time in a local range, as recorded time.
///
/// Fails with `InvalidCursor`.
#[derive(Debug, Clone, PartialEq)]
pub struct TagsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Whether the intervals are listed, beside what they add up to.
    pub include_intervals: bool,
    /// Where the previous answer ended.
    pub cursor: Option<Cursor>,
    /// Only the tags that match; with an application, a site or a document, only their active time that matches.
    pub filter: Filter,
}

impl TagsRequest {
    /// Asks for all tags of a range.
    pub fn of(range: DateRange) -> Self {
        Self { range, include_intervals: true, cursor: None, filter: Filter::default() }
    }
}

/// Tagged time, in order of time, cut at the range, not at active use.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `recorded`: a meeting away from the computer is tagged time; `active` if the filter has an application, a site
    /// or a document, which only active time has.
    pub time_basis: TimeBasis,
    /// Tagged minutes of the range, each counted once, whatever is listed.
    pub total_minutes: Minutes,
    /// The tag intervals, cut at the range; none without `includeIntervals`.
    pub tags: Vec<TagEntry>,
    /// Minutes per full tag list over the whole range, most first, whatever is listed; beyond 100, `(other)`.
    pub totals: Vec<NamedTotal>,
    /// The same per first level, such as clients, where that adds several up.
    pub groups: Option<Vec<NamedTotal>>,
    /// Active minutes of the range without any tag.
    pub untagged_minutes: Option<Minutes>,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One tagged interval.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEntry {
    /// Local start.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes, measured in UTC.
    pub duration_minutes: Minutes,
    /// The full list as `ManicTime` shows it.
    pub name: String,
    /// The list's parts in order, where one of them holds a comma; else `name` tells them.
    pub path: Option<Vec<String>>,
    /// Whether the tag is billable, where `ManicTime` knows.
    pub billable: Option<bool>,
    /// The user's notes.
    pub notes: Option<String>,
}

static TAGS: Statement = statement!(queries / "tags", RANGE);

static TOTALS: Statement = statement!(queries / "tag_totals", RANGE);

static GROUPS: Statement = statement!(queries / "tag_groups", RANGE);

impl Question for TagsRequest {
    type Of = Engine;
    type Answer = Tags;

    async fn answer(self, engine: &Engine) -> Result<Tags, Error> {
        let page = Page::of(&Self { cursor: None, ..self.clone() }, self.cursor)?;
        let arguments = self.filter.narrow(self.range.arguments());
        let of_all = self.range.arguments().with_text("device", None);
        let mut batch = Batch::default();
        let rows = batch.add((&TAGS, arguments.clone()));
        let (totals, groups) = (batch.add(totals(&arguments)), batch.add(groups(&arguments)));
        // What has no tag fits nothing.
        let untagged = self.filter.is_empty();
        let untagged =
            untagged.then(|| (batch.add(active_time::total(&of_all)), batch.add(tagged::statement(&of_all))));
        let filtered = (!self.filter.is_empty()).then(|| Filtered::ask(&mut batch, &of_all));
        let answers = batch.ask(engine).await?;
        let rows = answers.of(rows)?;
        let untagged = untagged.map(|(total, tagged)| {
            let tagged = tagged::seconds(answers.of(tagged)?)?;
            Ok::<_, Error>(minutes(active_time::seconds(answers.of(total)?)? - tagged))
        });
        let totals = read_totals(answers.of(totals)?)?;
        let (total, groups) = read_groups(answers.of(groups)?)?;
        let mut tags = rows.read(|row| {
            let name: String = row.optional("tag")?.unwrap_or_default();
            Ok(TagEntry {
                start: iso(row.required("start_local")?),
                end: iso(row.required("end_local")?),
                duration_minutes: minutes(row.required("seconds")?),
                path: row.optional::<Vec<String>>("path")?.filter(|path| !tells(&name, path)).map(first_parts),
                name,
                billable: row.optional("is_billable")?,
                notes: row.optional::<String>("notes")?.filter(|notes| !notes.is_empty()),
            })
        })?;
        let available = tags.len();
        let (time_basis, diagnostics) = match filtered {
            Some(filtered) => self.filtered(engine, &answers, filtered, total).await?,
            None => (TimeBasis::Recorded, Diagnostics::of_rows(available)),
        };
        let (listed, truncation) = if self.include_intervals {
            page.rows(available, MAX_TAGS, LimitedBy::Cap)
        } else {
            (0..0, Truncation::not_asked(available))
        };
        tags.truncate(listed.end);
        tags.drain(..listed.start);
        Ok(Tags {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis,
            total_minutes: minutes(total),
            tags,
            groups: (groups.len() < totals.len()).then_some(groups),
            totals,
            untagged_minutes: untagged.transpose()?,
            truncation,
            diagnostics: diagnostics.with_dates(engine).await?,
        })
    }
}

/// The statements that explain filtered tags.
struct Filtered {
    /// All tags.
    groups: Slot,
    circumstances: Slot,
    first_kept: Slot,
}

impl Filtered {
    fn ask(batch: &mut Batch, all: &Arguments) -> Self {
        Self {
            groups: batch.add(groups(all)),
            circumstances: batch.add(active_time::circumstances(all)),
            first_kept: batch.add(active_time::first_kept(None)),
        }
    }
}

impl TagsRequest {
    /// Returns the kind of time of filtered tags, and why there are none if they have no `seconds`.
    async fn filtered(
        &self,
        engine: &Engine,
        answers: &Answers,
        asked: Filtered,
        seconds: i64,
    ) -> Result<(TimeBasis, Diagnostics), Error> {
        let (mut time_basis, mut diagnostics) = (TimeBasis::Recorded, Diagnostics::healthy());
        if self.filter.needs_active_time() {
            let all = self.range.arguments().with_text("device", None);
            let circumstances = Circumstances::of(answers.of(asked.circumstances)?, answers.of(asked.first_kept)?)?;
            let kept = circumstances.kept(engine, &self.range, &all).await?;
            time_basis = circumstances.time_basis();
            diagnostics = match kept {
                Kept::OnlyTotals(_) => RecordedDays::diagnostics(&self.range, &self.filter),
                kept => circumstances.diagnostics(&kept),
            };
        }
        if self::seconds(answers.of(asked.groups)?)? == 0 {
            return Ok((time_basis, Diagnostics::of_rows(0)));
        }
        let no_match = NoMatch { filter: &self.filter, range: self.range, device: None, time: TAGGED_TIME };
        Ok((time_basis, no_match.explained(engine, diagnostics, Some(seconds)).await?))
    }
}

/// Tagged time as filters see it.
const TAGGED_TIME: &FilteredTime = &FilteredTime { name: "as a tag", total: groups, seconds };

/// Returns the statement for the seconds of each first level of tags, and of all.
fn groups(arguments: &Arguments) -> (&'static Statement, Arguments) {
    (&GROUPS, arguments.clone())
}

/// Reads the seconds of all tags from the rows of [`groups`].
fn seconds(rows: &Rows) -> Result<i64, engine::Error> {
    Ok(read_groups(rows)?.0)
}

/// Asks for the seconds of each tag beside a question.
pub(super) fn totals(arguments: &Arguments) -> (&'static Statement, Arguments) {
    (&TOTALS, arguments.clone())
}

/// Reads what [`totals`] was answered.
pub(super) fn read_totals(rows: &Rows) -> Result<Vec<NamedTotal>, engine::Error> {
    let totals = rows.read(|row| Ok((row.optional("tag")?.unwrap_or_default(), row.required("seconds")?)))?;
    Ok(first_totals(totals))
}

/// Reads the seconds of all tags, and those of each first level.
fn read_groups(rows: &Rows) -> Result<(i64, Vec<NamedTotal>), engine::Error> {
    let (mut total, mut groups) = (0, Vec::new());
    for row in rows.iter() {
        let seconds = row.optional("seconds")?.unwrap_or(0);
        match row.optional("tag")? {
            Some(name) => groups.push((name, seconds)),
            None => total = seconds,
        }
    }
    Ok((total, first_totals(groups)))
}

/// Whether the commas of `name` separate exactly the parts of `path`.
fn tells(name: &str, path: &[String]) -> bool {
    name.split(", ").eq(path.iter().map(String::as_str))
}

fn first_parts(mut path: Vec<String>) -> Vec<String> {
    if path.len() > MAX_PARTS {
        path.truncate(MAX_PARTS);
        path.push("…".to_owned());
    }
    path
}

/// Rounds each total once; what is beyond the longest list is added up from exact seconds.
fn first_totals(mut totals: Vec<(String, i64)>) -> Vec<NamedTotal> {
    if totals.len() > MAX_TOTALS {
        let rest = totals.split_off(MAX_TOTALS);
        totals.push((OTHER.to_owned(), rest.iter().map(|(_, seconds)| seconds).sum()));
    }
    let total = |(name, seconds)| NamedTotal { name, total_minutes: minutes(seconds) };
    totals.into_iter().map(total).collect()
}

impl Answer for Tags {
    fn rows(&self) -> usize {
        self.tags.len()
    }

    fn keep(&mut self, rows: usize) {
        self.tags.truncate(rows);
        self.truncation.keep(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_totals_become_one_and_no_second_is_lost() {
        let totals = |count: i64| first_totals((0..count).map(|number| (format!("tag {number}"), 603)).collect());
        assert_eq!(totals(100).last().map(|total| total.name.clone()), Some("tag 99".to_owned()));
        let cut = totals(130);
        assert_eq!((cut.len(), cut[100].name.as_str()), (101, "(other)"));
        assert_eq!(cut[100].total_minutes.to_string(), "301.5", "30 times 10:03, rounded once");
    }

    #[test]
    fn a_name_tells_its_parts_unless_one_holds_a_comma() {
        let parts = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        assert!(tells("Client, Survey", &parts(&["Client", "Survey"])));
        assert!(!tells("Client, Survey", &parts(&["Client, Survey"])));
    }
}
