//! An export of the whole history as a source, so that all commands and tools can read it, for example on another
//! computer.
//!
//! The rows come from the files of `activities`, and never from the other exported tables, which views compute again. They
//! contain the result of the user's rules instead of the text that rules read, so [`ExportHistory::rules`] replaces the
//! rules of the configuration.
//!
//! Invariants: an export that lacks a month, or has months with other rules, is rejected, because its totals would be too
//! low without notice. The files are never written.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{
    ArrayRef, AsArray, Int64Array, RecordBatch, RecordBatchOptions, StringViewArray, TimestampSecondArray,
    new_null_array,
};
use arrow::compute::cast;
use arrow::datatypes::{Int64Type, SchemaRef, TimestampSecondType};
use arrow::error::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use serde::{Deserialize, Serialize};

use super::error::Error;
use super::manifest::{MANIFEST, MonthFile};
use super::opened::OpenedExport;
use super::table::{ExportTable, TIMELINES};
use dayledger_rules::{RecordedRules, Rules};
use dayledger_source as source;
use dayledger_source::selection::{Bounds, Selection};
use dayledger_source::{
    self, BATCH_ROWS, Capability, Contents, ErrorKind, HiddenScreenshots, HistorySource, INSTANT, Location, Privacy,
    ReadHandle, ReadRows, Redaction, ScanExtent, ScanRequest, SourceHealth, Table, UnreadData,
};

/// The column with an activity's local start.
const START: &str = "start_local";
/// The column with an activity's local end.
const END: &str = "end_local";
/// About the most memory that the columns of an activity need.
const ROW_BYTES: u64 = 512;

/// The history in an export. It is opened again for each read, so that a later export to the same folder is noticed. It
/// can be serialised, so that another process reads the same history with the same privacy settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportHistory {
    /// The absolute folder, as `OsString` because that can be serialised for every path.
    folder: OsString,
    found_by: source::FoundBy,
    includes_titles: bool,
    rules: RecordedRules,
    privacy: Privacy,
}

impl ExportHistory {
    /// Opens the history in the export at `folder`. Everything that the export doesn't contain counts as redacted.
    ///
    /// # Errors
    /// Fails like [`OpenedExport::open`], and if the export doesn't contain the activities of the whole history, computed
    /// with the same rules.
    pub fn open(folder: &Path, found_by: source::FoundBy) -> Result<Self, Error> {
        let export = OpenedExport::open(folder)?;
        let (rules, includes_titles) = (export.check_whole_history()?.clone(), export.includes_titles());
        let folder = export.folder().into();
        let privacy = with_missing_texts(Privacy::default(), includes_titles);
        Ok(Self { folder, found_by, includes_titles, rules, privacy })
    }

    /// Returns the rules that the activities were exported with.
    pub fn rules(&self) -> Rules {
        Rules::from_record(&self.rules)
    }

    fn folder(&self) -> &Path {
        self.folder.as_ref()
    }

    /// Opens the export again.
    fn export(&self) -> Result<OpenedExport, source::Error> {
        let hides = self.privacy.hides_applications() || self.privacy.hides_sites();
        if hides || (self.includes_titles && self.privacy.redacts_any()) {
            let hint = if hides {
                "remove the settings that hide applications and sites, or read the original history"
            } else {
                "export again without `--include-titles`, or remove the settings that redact texts"
            };
            return Err(self.error("cannot apply the privacy settings to an export", hint));
        }
        let export = OpenedExport::open(self.folder()).map_err(|error| self.convert_error(&error))?;
        let rules = export.check_whole_history().map_err(|error| self.convert_error(&error))?;
        if (rules, export.includes_titles()) == (&self.rules, self.includes_titles) {
            Ok(export)
        } else {
            Err(self.error("the export was written again with other rules or options", "restart dayledger"))
        }
    }

    /// Returns an error without the folder if paths are redacted.
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

/// Whether `folder` contains an export. It may be incomplete.
pub fn is_export(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file()
}

/// Returns `privacy`, with everything that the export doesn't contain as redacted.
fn with_missing_texts(privacy: Privacy, includes_titles: bool) -> Privacy {
    if includes_titles { privacy } else { privacy.with_redacted(Redaction::ALL) }
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

    /// An export without titles fulfils every redaction. Reads fail with other settings, because rows that were exported
    /// can't be redacted like those of the original history.
    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { privacy: with_missing_texts(privacy, self.includes_titles), ..self.clone() })
    }

    fn location(&self) -> Result<Location, source::Error> {
        self.export()?;
        let location = Location::new(self.folder().join(MANIFEST), self.found_by);
        Ok(Location { database: self.privacy.redact_path(&location.database), ..location })
    }

    /// Returns about the memory for all rows, because the files are compressed.
    fn size_bytes(&self) -> Option<u64> {
        let rows: usize = activity_files(&self.export().ok()?).map(|file| file.rows).sum();
        Some(u64::try_from(rows).ok()?.saturating_mul(ROW_BYTES))
    }

    fn folders(&self) -> Vec<PathBuf> {
        vec![self.folder().to_owned()]
    }

    fn contents(&self) -> Result<Arc<Contents>, source::Error> {
        self.export()?;
        let capabilities =
            [Capability::CommonGroups, Capability::Devices, Capability::TagLists, Capability::LinkedTags];
        Ok(Arc::new(Contents { capabilities: BTreeSet::from(capabilities), own_tables: Vec::new() }))
    }

    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, source::Error> {
        let export = self.export()?;
        let unreadable = |error: ArrowError| Error::Manifest(self.folder().to_owned(), error.to_string());
        let rows = scans.iter().map(|(scan, _)| {
            let rows = read_scan(&export, scan, handle).map_err(unreadable);
            rows.map_err(|error| self.convert_error(&error))
        });
        let rows = rows.collect::<Result<_, _>>()?;
        if self.export()?.manifest() == export.manifest() {
            Ok(rows)
        } else {
            Err(self.error("the export changed while it was read", "try again when the running export ends"))
        }
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        format!("table={}", scan.table.name())
    }

    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, source::Error> {
        // It fails if applications or sites are hidden. Otherwise, the settings alone decide.
        self.export()?;
        Ok(Arc::new(HiddenScreenshots::without_history(&self.privacy).unwrap_or_default()))
    }

    fn health(&self) -> Result<SourceHealth, source::Error> {
        Ok(SourceHealth {
            schema_version: Some(self.export()?.manifest().schema_version.to_string()),
            journal_mode: "none".to_owned(),
            tables: Vec::new(),
            missing: Vec::new(),
            hourly_totals_remedy: "",
            unread: UnreadData::default(),
            contents: self.contents()?,
        })
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }
}

fn read_scan(export: &OpenedExport, scan: &ScanRequest, handle: &ReadHandle) -> Result<ReadRows, ArrowError> {
    let (schema, selection) = needed_columns(&scan.table.schema(), &scan.selection)?;
    let select = |rows: &RecordBatch| selection.apply(&with_columns(rows, &schema)?);
    let rows = match scan.table {
        Table::Activities => {
            let bounds = [START, END].map(|column| selection.bounds(column));
            read_activities(export, &schema, bounds, handle, select)?
        }
        Table::Timelines => read_timelines(export, handle)?.iter().map(select).collect::<Result<_, _>>()?,
        Table::Devices => vec![select(&devices(export)?)?],
        Table::TimelineBounds => timeline_bounds(export, handle)?.iter().map(select).collect::<Result<_, _>>()?,
        Table::HourlyTotals | Table::Own(_) => Vec::new(),
    };
    Ok(ReadRows::Batches(Arc::new(rows)))
}

/// Returns the columns of a table that a selection needs, and the selection from these columns. Reading all columns of
/// activities takes several times longer.
fn needed_columns(table: &SchemaRef, selection: &Selection) -> Result<(SchemaRef, Selection), ArrowError> {
    let filtered = selection.predicates.iter().map(|predicate| table.index_of(&predicate.column));
    let mut needed = filtered.collect::<Result<Vec<_>, _>>()?;
    needed.extend(&selection.projection);
    needed.sort_unstable();
    needed.dedup();
    let projection = selection.projection.iter().filter_map(|column| needed.binary_search(column).ok()).collect();
    Ok((SchemaRef::new(table.project(&needed)?), Selection { projection, ..selection.clone() }))
}

/// Returns the files of activities, by month.
fn activity_files(export: &OpenedExport) -> impl Iterator<Item = &MonthFile> {
    export.manifest().tables.get(ExportTable::Activities.name()).into_iter().flat_map(BTreeMap::values)
}

/// Reads the columns of `schema` of all activities that can be within the bounds of their start and end, in order of
/// their start. Applies `select` to each batch.
fn read_activities(
    export: &OpenedExport,
    schema: &SchemaRef,
    [starts, ends]: [Bounds; 2],
    handle: &ReadHandle,
    select: impl Fn(&RecordBatch) -> Result<RecordBatch, ArrowError>,
) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut selected = Vec::new();
    for file in activity_files(export) {
        // An activity is in the file of the range in which it starts.
        let [first, end] = [file.start_local, file.end_local].map(|time| time.and_utc().timestamp());
        if starts.from.is_none_or(|from| from < end) && starts.to.is_none_or(|to| first < to) {
            for rows in read_file(export.folder().join(&file.file), schema, ends, handle)? {
                selected.push(select(&rows?)?);
            }
        }
    }
    Ok(selected)
}

/// Reads the columns of `schema` from a file. Skips the parts of the file in which every activity ends before `ends`.
fn read_file(
    path: PathBuf,
    schema: &SchemaRef,
    ends: Bounds,
    handle: &ReadHandle,
) -> Result<impl Iterator<Item = Result<RecordBatch, ArrowError>>, ArrowError> {
    let mut builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?.with_batch_size(BATCH_ROWS);
    if let Some(from) = ends.from {
        let groups = row_groups_ending_from(&builder, from)?;
        builder = builder.with_row_groups(groups);
    }
    let names = schema.fields().iter().map(|field| field.name().as_str());
    let columns = ProjectionMask::columns(builder.parquet_schema(), names);
    Ok(builder.with_projection(columns).build()?.map(move |rows| {
        if handle.is_stopped() {
            return Err(ArrowError::ComputeError("the read was stopped".to_owned()));
        }
        let rows = rows?;
        for _ in 0..rows.num_rows() {
            handle.count_row();
        }
        Ok(rows)
    }))
}

/// Returns the row groups in which an activity can end at `from` or later, according to the statistics of the file.
fn row_groups_ending_from(file: &ParquetRecordBatchReaderBuilder<File>, from: i64) -> Result<Vec<usize>, ArrowError> {
    let ends = StatisticsConverter::try_new(END, file.schema(), file.parquet_schema())?;
    let ends = cast(&ends.row_group_maxes(file.metadata().row_groups())?, &INSTANT)?;
    let ends = ends.as_primitive::<TimestampSecondType>().iter().enumerate();
    Ok(ends.filter(|(_, end)| end.is_none_or(|end| end >= from)).map(|(group, _)| group).collect())
}

/// Returns the rows with exactly the columns of `schema`, in its types. A column that the rows lack is null.
fn with_columns(rows: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = schema.fields().iter().map(|field| match rows.column_by_name(field.name()) {
        Some(column) => cast(column, field.data_type()),
        None => Ok(new_null_array(field.data_type(), rows.num_rows())),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns.collect::<Result<_, _>>()?, &options)
}

fn read_timelines(export: &OpenedExport, handle: &ReadHandle) -> Result<Vec<RecordBatch>, ArrowError> {
    let (schema, path) = (Table::Timelines.schema(), format!("{0}/{0}.parquet", TIMELINES.name));
    let rows = read_file(export.folder().join(path), &schema, Bounds::default(), handle)?;
    rows.map(|rows| with_columns(&rows?, &schema)).collect()
}

/// Returns the names of the devices. An export doesn't contain their ids and versions.
fn devices(export: &OpenedExport) -> Result<RecordBatch, ArrowError> {
    let names: ArrayRef = Arc::new(StringViewArray::from_iter_values(&export.manifest().source.devices));
    RecordBatch::try_from_iter([("device", Arc::clone(&names)), ("environment_id", names)])
}

/// Returns the number of activities of each timeline, and its first and last time, as a source counts them.
fn timeline_bounds(export: &OpenedExport, handle: &ReadHandle) -> Result<Vec<RecordBatch>, ArrowError> {
    let activities = Table::Activities.schema();
    let columns = ["timeline_id", START, END, "seconds"].map(|column| activities.index_of(column));
    let schema = SchemaRef::new(activities.project(&columns.into_iter().collect::<Result<Vec<_>, _>>()?)?);
    let mut timelines: BTreeMap<i64, (i64, Option<i64>, Option<i64>)> = BTreeMap::new();
    let activities =
        read_activities(export, &schema, [Bounds::default(); 2], handle, |rows| with_columns(rows, &schema))?;
    for rows in &activities {
        let [ids, seconds] = [0, 3].map(|column| rows.column(column).as_primitive::<Int64Type>());
        let [starts, ends] = [1, 2].map(|column| rows.column(column).as_primitive::<TimestampSecondType>());
        for (((id, seconds), start), end) in ids.values().iter().zip(seconds).zip(starts).zip(ends) {
            let (count, first, last) = timelines.entry(*id).or_default();
            *count += 1;
            if seconds > Some(0) {
                *first = first.iter().copied().chain(start).min();
                *last = (*last).max(end);
            }
        }
    }
    let bounds = read_timelines(export, handle)?.into_iter().map(|rows| {
        let ids = rows.column(0).as_primitive::<Int64Type>().values();
        let of = |id: &i64| timelines.get(id).copied().unwrap_or_default();
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
