//! Lists the user's tags (docs/spec/time.md#tagged-time).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::client_totals::ClientTotals;
use super::purposes::PURPOSES;
use super::tagged_time;
use crate::devices::RANGE;
use crate::response::first_names;
use crate::time::active_time::{self, ACTIVE_TOTAL, CONTEXT, RangeContext, RecordedDays, Retention};
use crate::time::no_match::{FilteredTime, NoMatch};
use crate::{Diagnostics, Filter, NamedTotal, TimeBasis};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Rows, Statement, statement};
use dayledger_request::{
    Batch, Cursor, DateRange, Error, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso, minutes,
};

/// The maximum number of tag intervals in a response.
const MAX_TAGS: usize = 1000;

/// The maximum number of separate totals in a response. The other, smaller totals become one sum.
const MAX_TOTALS: usize = 100;

/// The name of the sum of the smallest totals.
const OTHER: &str = "(other)";

/// The maximum number of parts that an interval lists for its tag.
const MAX_PARTS: usize = 20;

/// Requests tagged time in a local range, as recorded time.
///
/// Fails with `INVALID_CURSOR` if the cursor is from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct TagsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Whether to list intervals in addition to totals.
    pub include_intervals: bool,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
    /// The filter. Only matching tags are returned. With an application, a site or a document, only matching active
    /// time of these tags is returned.
    pub filter: Filter,
}

impl TagsRequest {
    /// Creates a request for all tags of a range.
    pub fn new(range: DateRange) -> Self {
        Self { range, include_intervals: true, cursor: None, filter: Filter::default() }
    }
}

/// Tagged intervals, in order of time. They are clipped to the range, but not to active use.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `recorded`, because tagged time includes meetings away from the computer. `active` if the filter has an
    /// application, a site or a document, because only active time has these.
    pub time_basis: TimeBasis,
    /// Tagged minutes of the range, listed or not. Each minute counts once.
    pub total_minutes: Minutes,
    /// The tag intervals, clipped to the range. Empty if `includeIntervals` is false.
    pub tags: Vec<TagEntry>,
    /// Minutes per full tag list in the whole range, listed or not, most first. The totals after the first 100 are
    /// added up as `(other)`.
    pub totals: Vec<NamedTotal>,
    /// Minutes per first level of the tags, such as a client. Absent if every first level has only one tag list.
    pub groups: Option<Vec<NamedTotal>>,
    /// Active minutes of the range without any tag.
    pub untagged_minutes: Option<Minutes>,
    /// Time for clients, from tags and from rules.
    #[serde(flatten)]
    pub clients: Option<ClientTotals>,
    /// Whether intervals were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
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
    /// The full tag list, as the tracker shows it.
    pub name: String,
    /// The parts of the tag list, if a part contains a comma. Otherwise, the commas in `name` separate the parts.
    pub path: Option<Vec<String>>,
    /// Whether the tag is billable, if the tracker recorded it.
    pub billable: Option<bool>,
    /// The user's notes.
    pub notes: Option<String>,
}

static TAGS: Statement = statement!(queries / "tags", RANGE);

static TOTALS: Statement = statement!(queries / "tag_totals", RANGE);

static GROUPS: Statement = statement!(queries / "tag_groups", RANGE);

impl Request for TagsRequest {
    type Service = Engine;
    type Response = Tags;

    async fn execute(self, engine: &Engine) -> Result<Tags, Error> {
        let page = Page::from_cursor(&Self { cursor: None, ..self.clone() }, self.cursor)?;
        let arguments = self.filter.apply(self.range.arguments());
        let of_all = self.range.arguments().with_text("device", None);
        let mut batch = Batch::default();
        let rows = batch.add((&TAGS, arguments.clone()));
        let (totals, groups) = (batch.add((&TOTALS, arguments.clone())), batch.add((&GROUPS, arguments.clone())));
        let purposes = batch.add((&PURPOSES, arguments.with_text("device", None)));
        // A filter excludes all time without a tag, so untagged time is requested only if there is no filter.
        let untagged = self.filter.is_empty().then(|| {
            (batch.add((&ACTIVE_TOTAL, of_all.clone())), batch.add((&tagged_time::ACTIVE_TAGS, of_all.clone())))
        });
        // With a filter, the result can be empty. The unfiltered groups and the context of active time are read to
        // explain this.
        let filtered = (!self.filter.is_empty())
            .then(|| (batch.add((&GROUPS, of_all.clone())), batch.add((&CONTEXT, of_all.clone()))));
        let results = batch.run(engine).await?;
        let rows = results.rows(rows)?;
        let untagged = untagged.map(|(total, tagged)| {
            let tagged = tagged_time::seconds(results.rows(tagged)?)?;
            Ok::<_, Error>(minutes(active_time::seconds(results.rows(total)?)? - tagged))
        });
        let totals = read_totals(results.rows(totals)?)?;
        let (total, groups) = read_groups(results.rows(groups)?)?;
        let mut tags = rows.read(|row| {
            let name: String = row.get_optional("tag")?.unwrap_or_default();
            Ok(TagEntry {
                start: format_iso(row.get("start_local")?),
                end: format_iso(row.get("end_local")?),
                duration_minutes: minutes(row.get("seconds")?),
                path: row
                    .get_optional::<Vec<String>>("path")?
                    .filter(|path| !has_same_parts(&name, path))
                    .map(|path| first_names(path, MAX_PARTS)),
                name,
                billable: row.get_optional("is_billable")?,
                notes: row.get_optional::<String>("notes")?.filter(|notes| !notes.is_empty()),
            })
        })?;
        let available = tags.len();
        let (time_basis, diagnostics) = match filtered {
            Some((groups, context)) => {
                let rows = [results.rows(groups)?, results.rows(context)?];
                self.explain_filtered(engine, rows, &of_all, total).await?
            }
            None => (TimeBasis::Recorded, Diagnostics::from_row_count(available)),
        };
        let (listed, truncation) = if self.include_intervals {
            page.rows(available, MAX_TAGS, LimitedBy::Cap)
        } else {
            (0..0, Truncation::not_requested(available))
        };
        // The end is removed first, because all positions change when the start is removed.
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
            clients: ClientTotals::from_rows(results.rows(purposes)?)?,
            truncation,
            diagnostics: diagnostics.with_dates(engine, &self.range).await?,
        })
    }
}

impl TagsRequest {
    /// Returns the kind of time that filtered tags count, and the diagnostics. If `seconds` is zero, the diagnostics
    /// contain the reason. `all_groups` are the rows of [`GROUPS`] without the filter, and `all` are the arguments of
    /// that statement. `context` is the row of [`CONTEXT`].
    async fn explain_filtered(
        &self,
        engine: &Engine,
        [all_groups, context]: [&Rows; 2],
        all: &Arguments,
        seconds: i64,
    ) -> Result<(TimeBasis, Diagnostics), Error> {
        let (mut time_basis, mut diagnostics) = (TimeBasis::Recorded, Diagnostics::healthy());
        if self.filter.needs_active_time() {
            let context = RangeContext::from_rows(context)?;
            let kept = context.retention(engine, &self.range, all).await?;
            time_basis = context.time_basis();
            diagnostics = match kept {
                Retention::OnlyTotals(_) => RecordedDays::diagnostics(&self.range, &self.filter),
                kept => context.diagnostics(&kept),
            };
        }
        if self::seconds(all_groups)? == 0 {
            return Ok((time_basis, Diagnostics::from_row_count(0)));
        }
        let no_match = NoMatch { filter: &self.filter, range: self.range, device: None, time: TAGGED_TIME };
        Ok((time_basis, no_match.explain(engine, diagnostics, Some(seconds)).await?))
    }
}

/// Tagged time, for the message about a filter without matches.
const TAGGED_TIME: &FilteredTime = &FilteredTime { name: "as a tag", total: &GROUPS, seconds };

/// Reads the seconds of all tags from the rows of [`GROUPS`].
fn seconds(rows: &Rows) -> Result<i64, engine::Error> {
    Ok(read_groups(rows)?.0)
}

/// Reads the totals from the rows of [`TOTALS`].
fn read_totals(rows: &Rows) -> Result<Vec<NamedTotal>, engine::Error> {
    let totals = rows.read(|row| Ok((row.get_optional("tag")?.unwrap_or_default(), row.get("seconds")?)))?;
    Ok(first_totals(totals))
}

/// Reads the seconds of all tags, and of each first level, from the rows of [`GROUPS`].
fn read_groups(rows: &Rows) -> Result<(i64, Vec<NamedTotal>), engine::Error> {
    let (mut total, mut groups) = (0, Vec::new());
    for row in rows.iter() {
        let seconds = row.get_optional("seconds")?.unwrap_or(0);
        match row.get_optional("tag")? {
            Some(name) => groups.push((name, seconds)),
            None => total = seconds,
        }
    }
    Ok((total, first_totals(groups)))
}

/// Returns whether splitting `name` at its commas gives exactly the parts of `path`.
fn has_same_parts(name: &str, path: &[String]) -> bool {
    name.split(", ").eq(path.iter().map(String::as_str))
}

/// Returns rounded totals. Totals beyond the maximum are summed in exact seconds first, so that each figure is
/// rounded only once.
fn first_totals(mut totals: Vec<(String, i64)>) -> Vec<NamedTotal> {
    if totals.len() > MAX_TOTALS {
        let rest = totals.split_off(MAX_TOTALS);
        totals.push((OTHER.to_owned(), rest.iter().map(|(_, seconds)| seconds).sum()));
    }
    let total = |(name, seconds)| NamedTotal { name, total_minutes: minutes(seconds) };
    totals.into_iter().map(total).collect()
}

impl Truncate for Tags {
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
    fn the_smallest_totals_are_added_up_without_loss() {
        let totals = |count: i64| first_totals((0..count).map(|number| (format!("tag {number}"), 603)).collect());
        assert_eq!(totals(100).last().map(|total| total.name.clone()), Some("tag 99".to_owned()));
        let cut = totals(130);
        assert_eq!((cut.len(), cut[100].name.as_str()), (101, "(other)"));
        assert_eq!(cut[100].total_minutes.to_string(), "301.5", "30 times 10:03, rounded once");
    }

    #[test]
    fn a_name_shows_its_parts_unless_one_contains_a_comma() {
        let parts = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        assert!(has_same_parts("Client, Survey", &parts(&["Client", "Survey"])));
        assert!(!has_same_parts("Client, Survey", &parts(&["Client, Survey"])));
    }
}
