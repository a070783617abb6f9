//! The status of each export of a team, for the operator of the fleet.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringViewArray, TimestampSecondArray};
use arrow::error::ArrowError;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use dayledger_engine::Table;
use dayledger_export::{ExportTable, Manifest, Month, MonthFile, OpenedExport};

use crate::exports::{Export, without_control_characters};
use crate::members::Titles;
use crate::team::Error;

/// The status of all exports of a team. Exports with a problem come first. Within both groups, the exports are sorted
/// by the person's name.
#[derive(Debug)]
pub struct TeamStatus {
    people: Vec<PersonStatus>,
}

/// The status of a person's export.
#[derive(Debug)]
struct PersonStatus {
    person: String,
    problems: Vec<String>,
    /// The local time range from the start of the first month to the end of the last month.
    covered: Option<(NaiveDateTime, NaiveDateTime)>,
    written_utc: Option<DateTime<Utc>>,
    version: Option<String>,
    includes_titles: Option<bool>,
}

impl TeamStatus {
    /// Reads the status of the exports in `folder`. `now` is a local time. An export that ends more than `max_age`
    /// before `now` is reported as a problem.
    ///
    /// # Errors
    /// Fails if the folder can't be read or doesn't contain an export.
    pub fn read(folder: &Path, now: NaiveDateTime, max_age: TimeDelta) -> Result<Self, Error> {
        let exports = Export::list(folder).map_err(|source| Error::Refused(folder.to_owned(), source))?;
        if exports.is_empty() {
            return Err(Error::NoExports(folder.to_owned()));
        }
        let mut people: Vec<_> = exports.iter().map(|export| PersonStatus::new(export, now, max_age)).collect();
        people.sort_by_key(|status| status.problems.is_empty());
        Ok(Self { people })
    }

    /// Returns true if none of the exports has a problem.
    pub fn is_current(&self) -> bool {
        self.people.iter().all(|status| status.problems.is_empty())
    }

    /// Writes a line for each problem, and the number of people with a problem. Writes nothing if there are no
    /// problems.
    ///
    /// # Errors
    /// Fails if writing to `out` fails.
    pub fn write_problems(&self, out: &mut dyn Write) -> io::Result<()> {
        for status in &self.people {
            for problem in &status.problems {
                writeln!(out, "{}: {problem}", status.person)?;
            }
        }
        match self.people.iter().filter(|status| !status.problems.is_empty()).count() {
            0 => Ok(()),
            people => writeln!(out, "{people} of {} exports need attention", self.people.len()),
        }
    }

    /// Returns a table with a row for each person.
    ///
    /// # Errors
    /// Doesn't fail in practice, because all columns have the same length.
    pub fn table(&self) -> Result<Table, ArrowError> {
        let rows = RecordBatch::try_from_iter([
            ("person", self.texts(|status| Some(status.person.clone()))),
            ("problem", self.texts(|status| (!status.problems.is_empty()).then(|| status.problems.join("; ")))),
            ("start_local", self.times(|status| Some(status.covered?.0))),
            ("end_local", self.times(|status| Some(status.covered?.1))),
            ("written_utc", self.times(|status| Some(status.written_utc?.naive_utc()))),
            ("version", self.texts(|status| status.version.clone())),
            ("includes_titles", self.flags(|status| status.includes_titles)),
        ])?;
        Ok(Table { schema: rows.schema(), batches: vec![rows], truncated: None })
    }

    fn texts(&self, of: impl Fn(&PersonStatus) -> Option<String>) -> ArrayRef {
        Arc::new(self.people.iter().map(of).collect::<StringViewArray>())
    }

    fn times(&self, of: impl Fn(&PersonStatus) -> Option<NaiveDateTime>) -> ArrayRef {
        let seconds = |status| of(status).map(|time| time.and_utc().timestamp());
        Arc::new(self.people.iter().map(seconds).collect::<TimestampSecondArray>())
    }

    fn flags(&self, of: impl Fn(&PersonStatus) -> Option<bool>) -> ArrayRef {
        Arc::new(self.people.iter().map(of).collect::<BooleanArray>())
    }
}

impl PersonStatus {
    fn new(export: &Export, now: NaiveDateTime, max_age: TimeDelta) -> Self {
        let opened = export.opened.as_ref().ok();
        let manifest = opened.map(OpenedExport::manifest);
        let months = manifest.map(months).unwrap_or_default();
        let ends = months.first_key_value().zip(months.last_key_value());
        let covered = ends.map(|((_, first), (_, last))| (first.start_local, last.end_local));
        let mut problems: Vec<String> =
            export.ranges(Titles::Allowed).err().map(|(_, reason)| reason).into_iter().collect();
        problems.extend(missing_months(&months));
        problems.extend(outdated_months(&months));
        if let Some((_, end)) = covered.filter(|(_, end)| *end < now - max_age) {
            problems.push(format!("the export ends at {end}, more than {} days ago", max_age.num_days()));
        }
        Self {
            person: without_control_characters(&export.name),
            problems: problems.iter().map(|problem| without_control_characters(problem)).collect(),
            covered,
            written_utc: opened.and_then(OpenedExport::written_utc),
            version: manifest.map(|manifest| without_control_characters(&manifest.program)),
            includes_titles: manifest.map(|manifest| manifest.includes_titles),
        }
    }
}

/// Returns the exported months of the activities. If there are no activities, returns the months of the table with the
/// most months.
fn months(manifest: &Manifest) -> BTreeMap<Month, &MonthFile> {
    let activities = manifest.tables.get(ExportTable::Activities.name()).filter(|files| !files.is_empty());
    let files = activities.or_else(|| manifest.tables.values().max_by_key(|files| files.len()));
    files.into_iter().flatten().filter_map(|(month, file)| Some((month.parse().ok()?, file))).collect()
}

/// Describes the gaps between the first and the last month: missing months, and months that end before the next
/// exported month begins.
fn missing_months(months: &BTreeMap<Month, &MonthFile>) -> Option<String> {
    let pairs = months.iter().zip(months.iter().skip(1));
    let gaps = pairs.filter(|((_, file), (_, next))| file.end_local < next.start_local);
    let gaps: Vec<_> =
        gaps.map(|((_, file), (_, next))| format!("{} to {}", file.end_local, next.start_local)).collect();
    (!gaps.is_empty()).then(|| format!("the export has a gap: {}", gaps.join(", ")))
}

/// Describes the months that were exported with other rules than the current rules.
fn outdated_months(months: &BTreeMap<Month, &MonthFile>) -> Option<String> {
    let outdated = months.iter().filter(|(_, file)| file.has_other_calls);
    let outdated: Vec<_> = outdated.map(|(month, _)| month.to_string()).collect();
    (!outdated.is_empty()).then(|| format!("exported with other rules, so export it again: {}", outdated.join(", ")))
}
