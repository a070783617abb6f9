//! Runs an export month by month. Each month is one consistent read.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use chrono::{DurationRound, NaiveDate, NaiveDateTime, NaiveTime, SubsecRound, TimeDelta, Utc};

use super::encode::{FileFormat, encode};
use super::error::Error;
use super::file::{Outcome, write_if_changed};
use super::folder::Folder;
use super::layout::RUNNING_ON;
use super::manifest::{Manifest, MonthFile, SourceRange};
use super::month::Month;
use super::person::Person;
use super::table::{ExportTable, RULE_TEXT, SOURCE, TIMELINES};
use dayledger_activity::History;
use dayledger_core::files::OffLimits;
use dayledger_core::local_days::LocalDays;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Statement, Table};
use dayledger_rows::Separator;

/// `calls_around` reads active time from this many hours before the start of a range. It reads calls from 24 hours
/// before the range, and a call counts up to four hours after the last active second.
const CALL_LOOKBACK_HOURS: i64 = 28;
/// A time before every history.
const BEGINNING: NaiveDateTime = NaiveDate::MIN.and_time(NaiveTime::MIN);

/// The options of an export.
#[derive(Debug, Clone)]
pub struct Export {
    /// The folder. It is created if it doesn't exist.
    pub folder: PathBuf,
    /// The person whose history is exported. The files are then in a subfolder for this person.
    pub person: Option<Person>,
    /// The local range to export, end exclusive. By default, the whole history.
    pub range: Option<Range<NaiveDateTime>>,
    /// The tables to export.
    pub tables: BTreeSet<ExportTable>,
    /// The format of the files.
    pub format: FileFormat,
    /// The separator of CSV. By default, a comma.
    pub separator: Option<Separator>,
}

/// The progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of months that are done.
    pub done: usize,
    /// The number of all months of the export.
    pub total: usize,
}

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportSummary {
    /// The local range of the exported months, end exclusive. `None` if the history has no activity in the requested
    /// range.
    pub range: Option<Range<NaiveDateTime>>,
    /// The number of exported months.
    pub months: usize,
    /// The rows and bytes of each table, in the order of [`ExportTable::ALL`].
    pub tables: Vec<(ExportTable, usize, u64)>,
    /// The number of files whose content didn't change. Each month of each table is one file.
    pub unchanged: usize,
}

impl Export {
    /// Writes the files. If the export fails, the files that were already written stay. Each of these files is
    /// complete.
    ///
    /// Data that `history` redacts or hides isn't exported. If anything is redacted or hidden, private columns are
    /// omitted. The manifest contains these privacy settings without their patterns. `now` is the current local time.
    /// No file covers time after `now`.
    ///
    /// # Errors
    /// Fails if the folder can't be used or is inside a folder that dayledger only reads, or if the history is itself
    /// an export. Also fails if a file would cover less of its month than before, if the engine fails, or if a file
    /// can't be written.
    pub async fn run(
        &self,
        history: &History,
        now: NaiveDateTime,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<ExportSummary, Error> {
        if history.rules().are_recorded() {
            return Err(Error::FromExport);
        }
        let (engine, source) = (history.engine(), history.source());
        // The manifest doesn't contain the default separator. An export with the option `separator = ","` and an export
        // without this option therefore stay compatible.
        let separator = self.separator.filter(|separator| *separator != Separator::COMMA);
        let wanted = Manifest { separator, ..Manifest::new(self.format, source.privacy(), self.person.clone()) };
        let mut folder = Folder::open(&self.folder(), wanted, OffLimits::new(history.own_folders()))?;
        let mut available = SourceRange { time_zone: source.zone(), ..read_source_range(engine).await? };
        // A tag can be in the future, and the clock of another device can be ahead. Exports never contain future time.
        available.last_local = available.last_local.map(|last| last.min(now));
        let months = self.months(&available, now);
        self.check_no_data_loss(&folder, &months)?;
        folder.manifest.set_source(available);
        if self.tables.iter().any(|table| table.follows_rules()) {
            folder.manifest.set_rules(history.rules().to_record());
        }
        // Files with other rules are marked before the first month is written. If the export is then interrupted,
        // queries of these files fail. Without the marks, a query could mix the results of different rules.
        folder.write_manifest()?;
        let mut written: Vec<_> = self.tables.iter().map(|table| (*table, 0, 0)).collect();
        let mut unchanged = 0;
        if self.tables.contains(&ExportTable::Activities) && !months.is_empty() {
            let file = format!("{0}/{0}.{1}", TIMELINES.name, self.format.extension());
            for timelines in engine.run_to_tables(vec![(&TIMELINES, Arguments::new())]).await? {
                write_file(&folder, &file, None, &timelines, None)?;
            }
        }
        for (index, part) in months.iter().enumerate() {
            progress(Progress { done: index, total: months.len() });
            for (sum, (rows, outcome)) in written.iter_mut().zip(self.export_month(engine, &mut folder, part).await?) {
                sum.1 += rows;
                sum.2 += outcome.bytes;
                unchanged += usize::from(!outcome.is_new);
            }
            folder.write_manifest()?;
            // This frees memory. Later months don't need the rows of this month.
            source.forget();
        }
        progress(Progress { done: months.len(), total: months.len() });
        let range = months.first().zip(months.last()).map(|(first, last)| first.covered.start..last.covered.end);
        Ok(ExportSummary { range, months: months.len(), tables: written, unchanged })
    }

    /// Returns the folder of the files.
    pub fn folder(&self) -> PathBuf {
        self.person.as_ref().map_or_else(|| self.folder.clone(), |person| self.folder.join(person.folder()))
    }

    /// Returns the requested months that overlap the history and aren't in the future.
    fn months(&self, source: &SourceRange, now: NaiveDateTime) -> Vec<MonthPart> {
        let (Some(first), Some(last)) = (source.first_local, source.last_local) else { return Vec::new() };
        let days = LocalDays::current();
        let (first, last) = (Month::from_date(days.day_of(first)), Month::from_date(days.day_of(last)));
        let at = |month: Month| days.start_of(month.first_day());
        let range = self.range.clone().unwrap_or_else(|| at(first)..at(last.next()));
        let parts =
            Month::split(&range).into_iter().filter(|(month, part)| (first..=last).contains(month) && part.start < now);
        parts
            .map(|(month, part)| {
                // The range of the hours ends on a whole hour, so that the tracker's hourly totals can be used.
                let hour = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now);
                let until = if hour < now { hour + TimeDelta::hours(1) } else { hour };
                MonthPart { month, hours: part.start..part.end.min(until), covered: part.start..part.end.min(now) }
            })
            .collect()
    }

    /// Fails if a file would be replaced by a file that covers less of the month.
    fn check_no_data_loss(&self, folder: &Folder, months: &[MonthPart]) -> Result<(), Error> {
        for table in &self.tables {
            let Some(files) = folder.manifest.tables.get(table.name()) else { continue };
            for part in months {
                let Some(there) = files.get(&part.month.to_string()) else { continue };
                if there.start_local < part.covered.start || there.end_local > part.covered.end {
                    return Err(Error::WouldLose {
                        file: there.file.clone(),
                        there: format_range(&there.range()),
                        wanted: format_range(&part.covered),
                    });
                }
            }
        }
        Ok(())
    }

    /// Writes the files of one month. Returns the number of rows and the outcome for each table.
    async fn export_month(
        &self,
        engine: &Engine,
        folder: &mut Folder,
        part: &MonthPart,
    ) -> Result<Vec<(usize, Outcome)>, Error> {
        let answers = self.read_month(engine, part).await?;
        let mut sizes = Vec::with_capacity(self.tables.len());
        for (table, answer) in self.tables.iter().zip(&answers) {
            let file = folder.manifest.file_path(table.name(), part.month, table.name());
            let outcome = write_file(folder, &file, Some(*table), answer, Some(&part.covered))?;
            let rows = answer.batches.iter().map(RecordBatch::num_rows).sum();
            let files = folder.manifest.tables.entry(table.name().to_owned()).or_default();
            let month = part.month.to_string();
            let before = files.get(&month).map(|held| held.written_utc).filter(|_| !outcome.is_new);
            let written = MonthFile {
                file,
                start_local: part.covered.start,
                end_local: part.covered.end,
                rows,
                bytes: outcome.bytes,
                written_utc: before.unwrap_or_else(|| Utc::now().trunc_subsecs(0)),
                has_other_rules: false,
                has_other_calls: false,
            };
            files.insert(month, written);
            sizes.push((rows, outcome));
        }
        if let Some(running_on) = answers.get(self.tables.len()) {
            write_continuing_activities(folder, part, running_on)?;
        }
        Ok(sizes)
    }

    /// Reads the rows of every table in a month. If activities are exported, the last table contains activities from
    /// before the month. They continue into the month, or are needed to detect calls at the start of the month.
    async fn read_month(&self, engine: &Engine, part: &MonthPart) -> Result<Vec<Table>, Error> {
        let mut statements: Vec<(&'static Statement, Arguments)> = Vec::with_capacity(self.tables.len() + 1);
        for table in &self.tables {
            let range = Arguments::from_range(part.covered.start, part.covered.end);
            let arguments = match table {
                ExportTable::Activities => range.with_instant("after", BEGINNING),
                table => match table.role_of_hours() {
                    Some(role) => Arguments::from_range(part.hours.start, part.hours.end).with_text("role", Some(role)),
                    None => range,
                },
            };
            statements.push((table.statement(), arguments));
        }
        if self.tables.contains(&ExportTable::Activities) {
            let after = part.covered.start - TimeDelta::hours(CALL_LOOKBACK_HOURS);
            let earlier = Arguments::from_range(BEGINNING, part.covered.start).with_instant("after", after);
            statements.push((ExportTable::Activities.statement(), earlier));
        }
        Ok(engine.run_to_tables(statements).await?)
    }
}

/// Reads the bounds and devices of the history.
async fn read_source_range(engine: &Engine) -> Result<SourceRange, Error> {
    let answers = engine.run(vec![(&SOURCE, Arguments::new())]).await?;
    let row = answers.first().ok_or(engine::Error::Internal)?.first()?;
    Ok(SourceRange {
        first_local: row.get_optional("first_local")?,
        last_local: row.get_optional("last_local")?,
        devices: row.get_optional("devices")?.unwrap_or_default(),
        time_zone: None,
    })
}

/// Writes the activities that started before a month, because the first hours of an export are computed from them. They
/// are written to a file in the folder of the preceding month. If the preceding month is also exported, nothing is
/// written.
fn write_continuing_activities(folder: &Folder, part: &MonthPart, rows: &Table) -> Result<(), Error> {
    let activities = ExportTable::Activities.name();
    let held = folder.manifest.tables.get(activities);
    let is_held = |month: Month| held.is_some_and(|files| files.contains_key(&month.to_string()));
    // An earlier export may have written the activities that continue from this month into the next month. They are now
    // in the file of this month, so the earlier file is removed.
    folder.remove(&folder.manifest.file_path(activities, part.month, RUNNING_ON))?;
    if is_held(part.month.previous()) {
        return Ok(());
    }
    let file = folder.manifest.file_path(activities, part.month.previous(), RUNNING_ON);
    write_file(folder, &file, Some(ExportTable::Activities), rows, None).map(|_| ())
}

/// Writes one file. Keeps the existing file if its content is the same.
fn write_file(
    folder: &Folder,
    file: &str,
    table: Option<ExportTable>,
    rows: &Table,
    range: Option<&Range<NaiveDateTime>>,
) -> Result<Outcome, Error> {
    let private = table.filter(|_| !folder.manifest.includes_titles).map_or(&[][..], ExportTable::private_columns);
    // The column of rule conditions is needed only to open an export, and only Parquet exports can be opened.
    let for_opened: &[&str] = if folder.manifest.format == FileFormat::Parquet { &[] } else { &[RULE_TEXT] };
    let name = table.map_or(TIMELINES.name, ExportTable::name);
    let (schema, batches) = without_columns(rows, &[private, for_opened].concat())
        .map_err(|error| Error::Unwritable(name, error.to_string()))?;
    let source = &folder.manifest.source;
    let mut metadata = vec![
        ("dayledger.schema_version".to_owned(), folder.manifest.schema_version.to_string()),
        ("dayledger.table".to_owned(), name.to_owned()),
        ("dayledger.devices".to_owned(), source.devices.join(", ")),
        ("dayledger.includes_titles".to_owned(), folder.manifest.includes_titles.to_string()),
    ];
    if let Some(zone) = &source.time_zone {
        metadata.push(("dayledger.time_zone".to_owned(), zone.clone()));
    }
    if let Some(range) = range {
        metadata.push(("dayledger.start_local".to_owned(), range.start.to_string()));
        metadata.push(("dayledger.end_local".to_owned(), range.end.to_string()));
    }
    let written = write_if_changed(&folder.prepare_path(file)?, |out| {
        let clock = table.map_or("timeline_id", ExportTable::clock);
        let format = (folder.manifest.format, folder.manifest.separator);
        encode(out, (&schema, &batches), clock, format, metadata).map_err(io::Error::other)
    });
    written.map_err(|error| Error::from_file_error(&folder.display_path(file), error))
}

/// A month of an export, clipped to the requested range.
#[derive(Debug, Clone)]
struct MonthPart {
    month: Month,
    /// The range for hourly tables. If this range ends at the current time, its end is moved to the next whole hour.
    hours: Range<NaiveDateTime>,
    /// The range that the files cover. It never ends after the current time.
    covered: Range<NaiveDateTime>,
}

/// Returns the rows without the given columns.
fn without_columns(rows: &Table, columns: &[&str]) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    let fields = rows.schema.fields().iter().enumerate();
    let kept: Vec<usize> =
        fields.filter(|(_, field)| !columns.contains(&field.name().as_str())).map(|(at, _)| at).collect();
    let batches = rows.batches.iter().map(|batch| batch.project(&kept)).collect::<Result<_, _>>()?;
    Ok((Arc::new(rows.schema.project(&kept)?), batches))
}

fn format_range(range: &Range<NaiveDateTime>) -> String {
    format!("{} to before {}", range.start, range.end)
}
