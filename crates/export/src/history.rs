//! Reads an export of the whole history as a source. All commands and tools can then use the export, for example on
//! another computer.
//!
//! Activities are read only from the files of the table `activities`. Views compute most other tables from these
//! activities again. The activities don't contain the texts that rules read, only the results of the rules. The rules
//! in [`ExportHistory::rules`] therefore replace the rules of the configuration.
//!
//! Invariants: an export is rejected if it lacks a month, or if some months have other rules. Otherwise, its totals
//! would be wrong without notice. A read never mixes rows of two exports. This source never writes to the files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, RecordBatchOptions, StringViewArray, TimestampSecondArray,
    new_null_array,
};
use arrow::compute::cast;
use arrow::datatypes::{Int64Type, SchemaRef, TimestampSecondType};
use arrow::error::ArrowError;
use chrono::NaiveDateTime;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use serde::{Deserialize, Serialize};

use super::error::Error;
use super::manifest::{MANIFEST, MonthFile};
use super::opened::{OpenedExport, unreadable_error};
use super::table::{ExportTable, TIMELINES};
use dayledger_core::files::FileStamp;
use dayledger_core::local_days::DayStart;
use dayledger_rules::{RecordedRules, Rules};
use dayledger_source as source;
use dayledger_source::selection::{Bounds, Selection};
use dayledger_source::{
    self, BATCH_ROWS, Batches, Capability, Contents, ErrorKind, HiddenScreenshots, HistorySource, INSTANT, Location,
    Privacy, PrivacySummary, ReadHandle, ReadRows, Redaction, ScanExtent, ScanRequest, SourceHealth, Table, UnreadData,
    merge_scans, rows_of_scan,
};

/// The column with an activity's local start.
const START: &str = "start_local";
/// The column with an activity's local end.
const END: &str = "end_local";
/// An estimate of the memory that one activity needs at most, in bytes.
const ROW_BYTES: u64 = 512;

/// The history in an export. The export may not exist yet. When the manifest has changed, it is read again, so that a
/// later export to the same folder is noticed. This type can be serialised. Another process can then read the same
/// history with the same privacy settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportHistory {
    /// The absolute path of the folder. It is an `OsString`, because every path can be serialised in this form.
    folder: OsString,
    found_by: source::FoundBy,
    /// The options of the export when this history was created. `None` if the manifest could not be read.
    options: Option<ExportOptions>,
    privacy: Privacy,
    /// The last manifest that was read.
    #[serde(skip)]
    current: Arc<Mutex<Option<KnownExport>>>,
}

/// An export, and the file stamp that its manifest had when the manifest was read.
#[derive(Debug)]
struct KnownExport {
    stamp: FileStamp,
    export: Arc<OpenedExport>,
}

/// The options of an export that must not change while other code uses the export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ExportOptions {
    rules: Option<RecordedRules>,
    privacy: PrivacySummary,
    #[serde(default)]
    day_start: DayStart,
}

impl ExportOptions {
    fn from_export(export: &OpenedExport) -> Self {
        let manifest = export.manifest();
        Self { rules: manifest.rules.clone(), privacy: manifest.privacy(), day_start: manifest.day_start }
    }

    fn are_of(&self, export: &OpenedExport) -> bool {
        *self == Self::from_export(export)
    }
}

impl ExportHistory {
    /// Creates the history of the export at `folder`. Reads only the manifest. If the export doesn't exist or can't be
    /// used, each read fails with the reason. The privacy settings of the new history include all redactions of the
    /// export.
    pub fn new(folder: &Path, found_by: source::FoundBy) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).into();
        let mut history =
            Self { folder, found_by, options: None, privacy: Privacy::default(), current: Arc::default() };
        history.options = history.current().ok().map(|export| ExportOptions::from_export(&export));
        Self { privacy: history.add_exported(Privacy::default()), ..history }
    }

    /// Returns the rules that the activities were exported with.
    pub fn rules(&self) -> Rules {
        let recorded = self.options.as_ref().and_then(|options| options.rules.as_ref());
        recorded.map(Rules::from_record).unwrap_or_default()
    }

    /// Returns the time at which the days of the export start. `None` if the manifest of the export couldn't be read.
    pub fn day_start(&self) -> Option<DayStart> {
        Some(self.options.as_ref()?.day_start)
    }

    /// Returns whether the rules or options of the export changed after this history was created. In this case, the
    /// caller has to create a new [`ExportHistory`]. An export that can't be read isn't outdated.
    pub fn is_outdated(&self) -> bool {
        let has_options_of =
            |export: &OpenedExport| self.options.as_ref().is_some_and(|options| options.are_of(export));
        self.current().is_ok_and(|export| !has_options_of(&export))
    }

    fn folder(&self) -> &Path {
        self.folder.as_ref()
    }

    /// Adds the redactions of the export to `privacy`.
    fn add_exported(&self, privacy: Privacy) -> Privacy {
        privacy.with_redacted(self.options.iter().flat_map(|options| options.privacy.redacted.iter().copied()))
    }

    /// Returns the export without checking it. Reads the manifest again only if it changed.
    fn current(&self) -> Result<Arc<OpenedExport>, Error> {
        // The stamp is taken before the manifest is read. If the manifest changes between these two steps, the next
        // request reads it again.
        let stamp = FileStamp::read(&self.folder().join(MANIFEST));
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*current
            && stamp == Some(known.stamp)
        {
            return Ok(Arc::clone(&known.export));
        }
        let export = Arc::new(OpenedExport::read_manifest(self.folder())?);
        *current = stamp.map(|stamp| KnownExport { stamp, export: Arc::clone(&export) });
        Ok(export)
    }

    /// Returns the export. Fails if the export doesn't contain the whole history, if its options have changed, or if it
    /// doesn't fulfil the privacy settings.
    fn export(&self) -> Result<Arc<OpenedExport>, source::Error> {
        let export = self.current().map_err(|error| self.convert_error(&error))?;
        export.check_whole_history().map_err(|error| self.convert_error(&error))?;
        match &self.options {
            Some(options) if options.are_of(&export) => self.check_privacy(&options.privacy)?,
            _ => {
                let message = "the export was written again with other rules or options";
                return Err(self.error(message, "repeat the request, or restart dayledger if it fails again"));
            }
        }
        Ok(export)
    }

    /// Returns the export like [`Self::export`], but also fails if a file of the export is missing.
    fn complete_export(&self) -> Result<Arc<OpenedExport>, source::Error> {
        let export = self.export()?;
        export.check_files().map_err(|error| self.convert_error(&error))?;
        Ok(export)
    }

    /// Fails if the privacy settings redact more than the export does, because exported rows can't be redacted again.
    fn check_privacy(&self, exported: &PrivacySummary) -> Result<(), source::Error> {
        let refused = "cannot apply the privacy settings to an export";
        let wanted = self.privacy.summary();
        if wanted.hides_names() {
            let hint = "remove the settings that hide applications and sites, or read the original history";
            return Err(self.error(&format!("{refused}: its rows can't be hidden"), hint));
        }
        let is_shown = |kind: &&Redaction| !exported.redacted.contains(kind);
        let shown: Vec<_> = wanted.redacted.iter().filter(is_shown).map(|kind| kind.name()).collect();
        if shown.is_empty() {
            return Ok(());
        }
        let hint = "export again without `--include-titles`, or remove the settings that redact texts";
        Err(self.error(&format!("{refused}: it contains {}", shown.join(", ")), hint))
    }

    /// Calls `read`, which must read a single version of the export. If the export is replaced during the call, `read`
    /// is called once more.
    fn read_unchanged<T>(&self, read: impl Fn(&OpenedExport) -> Result<T, Error>) -> Result<T, source::Error> {
        let mut export = self.export()?;
        for _ in 0..2 {
            let result = read(&export);
            let now = self.export()?;
            if now.manifest() == export.manifest() {
                return result.map_err(|error| self.convert_error(&error));
            }
            export = now;
        }
        Err(self.error("the export changed while it was read", "try again when the running export ends"))
    }

    /// Converts an error. If paths are redacted, the converted error does not contain the folder.
    fn convert_error(&self, error: &Error) -> source::Error {
        let folder = self.folder().display().to_string();
        let shown = self.privacy.redact_path(self.folder()).display().to_string();
        self.error(&error.to_string().replace(&folder, &shown), &error.hint())
    }

    fn error(&self, message: &str, hint: &str) -> source::Error {
        let kind = if self.folder().exists() { ErrorKind::Failed } else { ErrorKind::NotFound };
        source::Error { kind, message: message.to_owned(), hint: hint.to_owned() }
    }
}

/// Returns whether `folder` contains an export, which may be incomplete.
pub fn is_export(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file()
}

/// Returns the kinds of data in an export. They are the same for every export.
fn contents() -> Arc<Contents> {
    let capabilities = [Capability::CommonGroups, Capability::Devices, Capability::TagLists, Capability::LinkedTags];
    Arc::new(Contents { capabilities: BTreeSet::from(capabilities), own_tables: Vec::new() })
}

impl HistorySource for ExportHistory {
    fn name(&self) -> &'static str {
        "export"
    }

    /// An export doesn't contain the name of the tracker that recorded it.
    fn label(&self) -> &'static str {
        "the tracker"
    }

    fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    /// If the export redacts less than the settings require, later reads fail, because exported rows can't be redacted
    /// again. An export without titles fulfils all redactions.
    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { privacy: self.add_exported(privacy), ..self.clone() })
    }

    fn location(&self) -> Result<Location, source::Error> {
        self.complete_export()?;
        let location = Location::new(self.folder().join(MANIFEST), self.found_by);
        Ok(Location { database: self.privacy.redact_path(&location.database), ..location })
    }

    /// Estimates the memory that all rows need. The files are smaller than that, because they are compressed.
    fn size_bytes(&self) -> Option<u64> {
        let export = self.current().ok()?;
        let rows: usize = activity_files(&export).map(|file| file.rows).sum();
        Some(u64::try_from(rows).ok()?.saturating_mul(ROW_BYTES))
    }

    fn folders(&self) -> Vec<PathBuf> {
        vec![self.folder().to_owned()]
    }

    fn contents(&self) -> Result<Arc<Contents>, source::Error> {
        self.export()?;
        Ok(contents())
    }

    fn covered_until(&self) -> Result<Option<NaiveDateTime>, source::Error> {
        Ok(self.export()?.covered_until())
    }

    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, source::Error> {
        let scans: Vec<_> = scans.iter().map(|(scan, _)| *scan).collect();
        self.read_unchanged(|export| read_scans(export, &scans, handle))
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        format!("table={}", scan.table.name())
    }

    /// Hides all screenshots if the export hides applications or sites, because the export doesn't contain the patterns
    /// of the hidden names.
    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, source::Error> {
        let hides_names = self.options.as_ref().is_some_and(|options| options.privacy.hides_names());
        match HiddenScreenshots::without_history(&self.privacy) {
            Some(known) if !hides_names => Ok(Arc::new(known)),
            Some(_) => Ok(Arc::new(HiddenScreenshots::all())),
            None => self.export().map(|_| Arc::new(HiddenScreenshots::all())),
        }
    }

    fn health(&self) -> Result<SourceHealth, source::Error> {
        let export = self.complete_export()?;
        let manifest = export.manifest();
        let is_missing = |end: &NaiveDateTime| manifest.source.last_local.is_some_and(|last| *end < last);
        Ok(SourceHealth {
            schema_version: Some(manifest.schema_version.to_string()),
            journal_mode: "none".to_owned(),
            tables: Vec::new(),
            missing: Vec::new(),
            missing_from: export.covered_until().filter(is_missing),
            hourly_totals_remedy: "",
            unread: UnreadData::default(),
            contents: contents(),
        })
    }

    fn zone(&self) -> Option<String> {
        self.export().ok()?.manifest().source.time_zone.clone()
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }
}

/// Reads the rows of all scans. Each file is opened only once. Rows that several scans need are read only once.
fn read_scans(export: &OpenedExport, scans: &[&ScanRequest], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
    let shared = merge_scans(scans);
    let batches = read_tables(export, &shared, handle)?;
    let rows = scans.iter().map(|scan| rows_of_scan(scan, &shared, &batches).map(ReadRows::Batches));
    rows.collect::<Option<_>>().ok_or_else(|| unreadable_error(export.folder(), &"a shared read lacks a column"))
}

/// Reads the rows of each scan.
fn read_tables(export: &OpenedExport, scans: &[ScanRequest], handle: &ReadHandle) -> Result<Vec<Batches>, Error> {
    let unreadable = |error: ArrowError| unreadable_error(export.folder(), &error);
    let needed = scans.iter().map(|scan| NeededColumns::new(&scan.table.schema(), &scan.selection));
    let needed = needed.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    // To count the activities of each timeline, the rows of the activities are read too.
    let counts = scans.iter().any(|scan| scan.table == Table::TimelineBounds);
    let counted = counts.then(counted_columns).transpose().map_err(unreadable)?;
    let of_activities = scans.iter().zip(&needed).filter(|(scan, _)| scan.table == Table::Activities);
    let of_activities: Vec<_> = of_activities.map(|(_, needed)| needed).chain(&counted).collect();
    let mut activities = read_activities(export, &of_activities, handle)?;
    let counted = counted.and_then(|_| activities.pop());
    let mut activities = activities.into_iter();
    let tables = scans.iter().zip(&needed).map(|(scan, needed)| {
        let rows = match scan.table {
            Table::Activities => activities.next().unwrap_or_default(),
            Table::Timelines => read_timelines(export, needed, handle)?,
            Table::Devices => vec![devices(export).and_then(|rows| needed.select(&rows)).map_err(unreadable)?],
            Table::TimelineBounds => {
                let timelines = read_timelines(export, &NeededColumns::all(&Table::Timelines.schema()), handle)?;
                let bounds = timeline_bounds(&timelines, counted.as_deref().unwrap_or_default()).map_err(unreadable)?;
                bounds.iter().map(|rows| needed.select(rows)).collect::<Result<_, _>>().map_err(unreadable)?
            }
            Table::HourlyTotals | Table::Own(_) => Vec::new(),
        };
        Ok(Arc::new(rows))
    });
    tables.collect()
}

/// The columns that a selection needs from a table, and the selection itself. Only these columns are read. For
/// activities, reading all columns would take several times longer.
struct NeededColumns {
    schema: SchemaRef,
    selection: Selection,
}

impl NeededColumns {
    fn new(table: &SchemaRef, selection: &Selection) -> Result<Self, ArrowError> {
        let filtered = selection.predicates.iter().map(|predicate| table.index_of(&predicate.column));
        let mut needed = filtered.collect::<Result<Vec<_>, _>>()?;
        needed.extend(&selection.projection);
        needed.sort_unstable();
        needed.dedup();
        let projection = selection.projection.iter().filter_map(|column| needed.binary_search(column).ok()).collect();
        let selection = Selection { projection, ..selection.clone() };
        Ok(Self { schema: SchemaRef::new(table.project(&needed)?), selection })
    }

    /// Selects all rows and columns of a table.
    fn all(table: &SchemaRef) -> Self {
        let projection = (0..table.fields().len()).collect();
        Self {
            schema: SchemaRef::clone(table),
            selection: Selection { projection, predicates: Vec::new(), limit: None },
        }
    }

    /// Returns the selected rows and columns, in the types of the table. A column that is missing in `rows` is null.
    fn select(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns = self.schema.fields().iter().map(|field| match rows.column_by_name(field.name()) {
            Some(column) => cast(column, field.data_type()),
            None => Ok(new_null_array(field.data_type(), rows.num_rows())),
        });
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        let columns = columns.collect::<Result<_, _>>()?;
        self.selection.apply(&RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }

    /// Returns whether the selection can contain an activity that starts in the range of `file`.
    fn may_start_in(&self, file: &MonthFile) -> bool {
        let Bounds { from, to } = self.selection.bounds(START);
        let [first, end] = [file.start_local, file.end_local].map(|time| time.and_utc().timestamp());
        from.is_none_or(|from| from < end) && to.is_none_or(|to| first < to)
    }
}

/// Returns the files of activities, by month.
fn activity_files(export: &OpenedExport) -> impl Iterator<Item = &MonthFile> {
    export.manifest().tables.get(ExportTable::Activities.name()).into_iter().flat_map(BTreeMap::values)
}

/// Reads the activities of each selection, in order of their start.
fn read_activities(
    export: &OpenedExport,
    selections: &[&NeededColumns],
    handle: &ReadHandle,
) -> Result<Vec<Vec<RecordBatch>>, Error> {
    let mut selected = vec![Vec::new(); selections.len()];
    for file in activity_files(export) {
        // An activity is stored in only one file: the file whose range contains the start of the activity.
        let mut here = selections.iter().zip(&mut selected).filter(|(needed, _)| needed.may_start_in(file)).peekable();
        if here.peek().is_none() {
            continue;
        }
        export.check_file(file)?;
        let opened = ExportFile::open(export.folder().join(&file.file))?;
        for (needed, selected) in here {
            selected.extend(opened.read(needed, handle)?);
        }
    }
    Ok(selected)
}

fn read_timelines(
    export: &OpenedExport,
    needed: &NeededColumns,
    handle: &ReadHandle,
) -> Result<Vec<RecordBatch>, Error> {
    let path = format!("{0}/{0}.parquet", TIMELINES.name);
    ExportFile::open(export.folder().join(path))?.read(needed, handle)
}

/// An open Parquet file. Its content stays readable after the file is replaced.
struct ExportFile {
    path: PathBuf,
    file: File,
    metadata: ArrowReaderMetadata,
}

impl ExportFile {
    fn open(path: PathBuf) -> Result<Self, Error> {
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Error::Incomplete(path)),
            file => file.map_err(|source| Error::Unreadable(path.clone(), source))?,
        };
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::default());
        let metadata = metadata.map_err(|error| unreadable_error(&path, &error))?;
        Ok(Self { path, file, metadata })
    }

    /// Returns the rows and columns of a selection.
    fn read(&self, needed: &NeededColumns, handle: &ReadHandle) -> Result<Vec<RecordBatch>, Error> {
        self.try_read(needed, handle).map_err(|error| unreadable_error(&self.path, &error))
    }

    fn try_read(&self, needed: &NeededColumns, handle: &ReadHandle) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.try_clone()?, self.metadata.clone())
                .with_batch_size(BATCH_ROWS);
        if let Some(from) = needed.selection.bounds(END).from {
            builder = builder.with_row_groups(self.row_groups_ending_from(from)?);
        }
        let names = needed.schema.fields().iter().map(|field| field.name().as_str());
        let columns = ProjectionMask::columns(builder.parquet_schema(), names);
        let rows = builder.with_projection(columns).build()?.map(|rows| {
            if handle.is_stopped() {
                return Err(ArrowError::ComputeError("the read was stopped".to_owned()));
            }
            let rows = rows?;
            (0..rows.num_rows()).for_each(|_| handle.count_row());
            needed.select(&rows)
        });
        rows.collect()
    }

    /// Returns the row groups in which an activity can end at `from` or later, according to the statistics of the file.
    fn row_groups_ending_from(&self, from: i64) -> Result<Vec<usize>, ArrowError> {
        let file = &self.metadata;
        let ends = StatisticsConverter::try_new(END, file.schema(), file.parquet_schema())?;
        let ends = cast(&ends.row_group_maxes(file.metadata().row_groups())?, &INSTANT)?;
        let ends = ends.as_primitive::<TimestampSecondType>().iter().enumerate();
        // A row group without statistics can contain such an activity.
        Ok(ends.filter(|(_, end)| end.is_none_or(|end| end >= from)).map(|(group, _)| group).collect())
    }
}

/// Returns the names of the devices. An export doesn't contain their ids and versions.
fn devices(export: &OpenedExport) -> Result<RecordBatch, ArrowError> {
    let names: ArrayRef = Arc::new(StringViewArray::from_iter_values(&export.manifest().source.devices));
    RecordBatch::try_from_iter([("device", Arc::clone(&names)), ("environment_id", names)])
}

/// Returns the columns of activities that [`timeline_bounds`] needs.
fn counted_columns() -> Result<NeededColumns, ArrowError> {
    let activities = Table::Activities.schema();
    let columns = ["timeline_id", START, END, "seconds"].map(|column| activities.index_of(column));
    let projection = columns.into_iter().collect::<Result<_, _>>()?;
    NeededColumns::new(&activities, &Selection { projection, predicates: Vec::new(), limit: None })
}

/// Returns the rows of the table `timeline_bounds`: the number of activities of each timeline, and its first and last
/// time. `activities` are the rows of [`counted_columns`].
fn timeline_bounds(timelines: &[RecordBatch], activities: &[RecordBatch]) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut known: BTreeMap<i64, (i64, Option<i64>, Option<i64>)> = BTreeMap::new();
    for rows in activities {
        let [ids, seconds] = [0, 3].map(|column| rows.column(column).as_primitive::<Int64Type>());
        let [starts, ends] = [1, 2].map(|column| rows.column(column).as_primitive::<TimestampSecondType>());
        for (((id, seconds), start), end) in ids.values().iter().zip(seconds).zip(starts).zip(ends) {
            let (count, first, last) = known.entry(*id).or_default();
            *count += 1;
            // Activities without a duration don't extend a timeline (docs/spec/time.md#whole-seconds).
            if seconds > Some(0) {
                // `None` is less than any time, so it is left out of the minimum.
                *first = first.iter().copied().chain(start).min();
                *last = (*last).max(end);
            }
        }
    }
    let bounds = timelines.iter().map(|rows| {
        let ids = rows.column(0).as_primitive::<Int64Type>().values();
        let of = |id: &i64| known.get(id).copied().unwrap_or_default();
        let counts: Int64Array = ids.iter().map(|id| of(id).0).collect();
        let firsts: TimestampSecondArray = ids.iter().map(|id| of(id).1).collect();
        let lasts: TimestampSecondArray = ids.iter().map(|id| of(id).2).collect();
        let columns: [(&str, ArrayRef); 6] = [
            ("timeline_id", Arc::clone(rows.column(0))),
            ("role", Arc::clone(rows.column(1))),
            ("device", Arc::clone(rows.column(3))),
            ("activities", Arc::new(counts)),
            ("first_local", Arc::new(firsts)),
            ("last_local", Arc::new(lasts)),
        ];
        RecordBatch::try_from_iter(columns)
    });
    bounds.collect()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use chrono::NaiveDate;

    use super::*;
    use crate::encode::FileFormat;
    use crate::manifest::{Manifest, SourceRange};

    /// Returns the manifest of an export of one whole month, without its files.
    fn manifest_of_a_month() -> Manifest {
        let [first, end]: [NaiveDateTime; 2] =
            [1, 2].map(|month| NaiveDate::from_ymd_opt(2025, month, 1).unwrap().into());
        let file = MonthFile {
            file: "activities/month=2025-01/activities.parquet".to_owned(),
            start_local: first,
            end_local: end,
            rows: 0,
            bytes: 0,
            written_utc: first.and_utc(),
            has_other_rules: false,
            has_other_calls: false,
        };
        let mut manifest = Manifest::new(FileFormat::Parquet, &Privacy::default(), None);
        manifest.source =
            SourceRange { first_local: Some(first), last_local: Some(end), devices: Vec::new(), time_zone: None };
        manifest.rules = Some(RecordedRules::default());
        manifest.tables = BTreeMap::from([("activities".to_owned(), BTreeMap::from([("2025-01".to_owned(), file)]))]);
        manifest
    }

    /// Without the repetition, there were two problems. A response could contain rows of two exports, or the request
    /// could fail although the new export was complete.
    #[test]
    fn read_is_repeated_once_if_the_export_is_replaced() {
        for (replacements, expected_reads) in [(0, 1), (1, 2), (2, 2)] {
            let folder = tempfile::tempdir().unwrap();
            let (manifest, path) = (RefCell::new(manifest_of_a_month()), folder.path().join(MANIFEST));
            manifest.borrow().write(&path).unwrap();
            let history = ExportHistory::new(folder.path(), source::FoundBy::Flag);
            let reads = Cell::new(0);
            let devices = history.read_unchanged(|export| {
                reads.set(reads.get() + 1);
                if reads.get() <= replacements {
                    manifest.borrow_mut().source.devices.push(format!("DESK {}", reads.get()));
                    manifest.borrow().write(&path).unwrap();
                }
                Ok(export.manifest().source.devices.len())
            });
            assert_eq!(reads.get(), expected_reads);
            match devices {
                Ok(devices) => assert_eq!(devices, replacements, "the last read is of the last export"),
                Err(error) => {
                    assert!(replacements == 2 && error.message.contains("changed while it was read"), "{error}");
                }
            }
        }
    }

    #[test]
    fn manifest_contains_privacy_settings_that_titles_do_not_imply() {
        let redacted = |kinds: &[Redaction]| Privacy::new(kinds.iter().copied(), [], []);
        for (privacy, is_written) in
            [(redacted(&[]), false), (redacted(&Redaction::ALL), false), (redacted(&[Redaction::Paths]), true)]
        {
            let manifest = Manifest::new(FileFormat::Parquet, &privacy, None);
            assert_eq!((manifest.privacy.is_some(), manifest.privacy()), (is_written, privacy.summary()));
        }
    }
}
