//! Opens an export as SQL tables. The tables have the same names as the tables of a history, so that the same SQL runs
//! on an export and on a history.
//!
//! Each statement reads the exported files. It uses the export's rules and calls, not those of the configuration. The
//! manifest contains the rules without their patterns. Each activity contains the numbers of the rule conditions that
//! it meets. If the export can't answer a statement, the statement fails with the reason. For example, a statement
//! fails if the activities were not exported, or if the range was exported with other rules.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use async_trait::async_trait;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result as DataFusionResult, ScalarValue};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, col, lit, not};
use datafusion::physical_plan::ExecutionPlan;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::encode::FileFormat;
use super::error::Error;
use super::layout::files_below;
use super::manifest::{Manifest, MonthFile};
use super::month::Month;
use super::person::Person;
use super::table::{ExportTable, RULE_TEXT, TIMELINES};
use dayledger_activity as activity;
use dayledger_calendar::Calendars;
use dayledger_core::files::file_uri;
use dayledger_engine::{Coverage, Function, Model, Parameter, View};
use dayledger_notes_service as notes;
use dayledger_rules::{RecordedRules, Rules};
use dayledger_source::Privacy;
use dayledger_timesheet_service as timesheet;

/// The name of the path segment that contains a file's month.
const MONTH: &str = "month";

/// An export that is open for queries: its folder of Parquet files, and its manifest.
#[derive(Debug, Clone)]
pub struct OpenedExport {
    folder: PathBuf,
    manifest: Manifest,
}

impl OpenedExport {
    /// Opens the folder of an export.
    ///
    /// # Errors
    /// Fails if the manifest is missing or has another version, or if the files aren't Parquet. Also fails if a file
    /// that the manifest lists is missing or was changed.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let export = Self::read_manifest(folder)?;
        export.check_files()?;
        Ok(export)
    }

    /// Opens the folder of an export without checking its files.
    ///
    /// # Errors
    /// Fails if the manifest is missing or has another version, or if the files aren't Parquet.
    pub(super) fn read_manifest(folder: &Path) -> Result<Self, Error> {
        let refused = |source| Error::Unreadable(folder.to_owned(), source);
        fs::read_dir(folder).map_err(refused)?;
        let manifest = Manifest::read(folder)?.ok_or_else(|| Error::NoExport(folder.to_owned()))?;
        if manifest.format != FileFormat::Parquet {
            return Err(Error::NotParquet(folder.to_owned(), manifest.format.extension()));
        }
        Ok(Self { folder: std::path::absolute(folder).map_err(refused)?, manifest })
    }

    /// Checks that all files in the manifest exist. Otherwise, a missing file would look like a month without activity.
    ///
    /// # Errors
    /// Fails with [`Error::Incomplete`] for the first file that is missing or has another size.
    pub(super) fn check_files(&self) -> Result<(), Error> {
        let mut files = self.manifest.tables.values().flat_map(BTreeMap::values);
        files.try_for_each(|file| self.check_file(file))
    }

    /// Checks that a file in the manifest exists.
    ///
    /// # Errors
    /// Fails with [`Error::Incomplete`] if the file is missing, has another size, or can only be reached through a
    /// link.
    pub(super) fn check_file(&self, held: &MonthFile) -> Result<(), Error> {
        // Links are rejected, because a link to a folder could lead to another export.
        let is_link = |below: &Path| !below.as_os_str().is_empty() && self.folder.join(below).is_symlink();
        let path = self.folder.join(&held.file);
        let is_whole = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() == held.bytes)
            && !Path::new(&held.file).ancestors().skip(1).any(is_link);
        if is_whole { Ok(()) } else { Err(Error::Incomplete(path)) }
    }

    /// Returns the absolute path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the person whose history was exported, if the export is for a team.
    pub fn person(&self) -> Option<&Person> {
        self.manifest.person.as_ref()
    }

    /// Returns whether the export contains window titles, notes, URLs and paths.
    pub fn includes_titles(&self) -> bool {
        self.manifest.includes_titles
    }

    /// Returns when the content of any file last changed, or `None` if the export has no files.
    pub fn written_utc(&self) -> Option<DateTime<Utc>> {
        self.manifest.tables.values().flat_map(BTreeMap::values).map(|file| file.written_utc).max()
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the local ranges for which the table function `name` can be called. `name` must be a function that reads
    /// activities.
    ///
    /// # Errors
    /// Fails with the reason if the function can't be called for any range. For example, the activities are missing, or
    /// an older version wrote the export.
    pub fn answerable_ranges(&self, name: &str) -> Result<Arc<[Range<NaiveDateTime>]>, String> {
        if let Some(reason) = self.missing_reason(name) {
            return Err(reason);
        }
        match self.coverage(name) {
            Coverage { ranges, reason: Some(reason) } if ranges.is_empty() => Err(reason),
            Coverage { ranges, .. } => Ok(ranges),
        }
    }

    /// Checks that the export contains all activities of the history until the last export. Also checks that all files
    /// were computed with the same rules. Returns these rules.
    ///
    /// # Errors
    /// Fails with [`Error::NotWhole`], which contains the reason.
    pub(super) fn check_whole_history(&self) -> Result<&RecordedRules, Error> {
        // `pieces` depends on all rules: on rules about work and on rules about calls.
        let Coverage { ranges, reason } = self.coverage("pieces");
        let is_whole = match (&*ranges, self.manifest.source.last_local) {
            // If the last export ran shortly after the end of a month, its files may end with that month.
            ([range], Some(last)) => range.start == NaiveDateTime::MIN && last - range.end <= TimeDelta::days(2),
            _ => false,
        };
        let reason = if self.has_table(ExportTable::Activities) {
            reason.or_else(|| (!is_whole).then(|| "a part of the history is missing".to_owned()))
        } else {
            Some("it does not contain activities".to_owned())
        };
        match (reason, &self.manifest.rules) {
            (None, Some(rules)) => Ok(rules),
            (reason, _) => {
                let reason = reason.unwrap_or_else(|| WITHOUT_RECORDED_RULES.to_owned());
                Err(Error::NotWhole(self.folder.clone(), reason))
            }
        }
    }

    /// Returns the local time until which the export contains activities, or `None` if it contains no activities. Later
    /// time wasn't exported yet.
    pub(super) fn covered_until(&self) -> Option<NaiveDateTime> {
        self.manifest.ranges(ExportTable::Activities.name(), |_| true).last().map(|range| range.end)
    }

    /// Returns the sorted paths of the exported files, relative to the folder, with `/`.
    ///
    /// # Errors
    /// Fails if a folder can't be read.
    pub fn files(&self) -> Result<Vec<String>, Error> {
        files_below(&self.folder).map_err(|source| Error::Unreadable(self.folder.clone(), source))
    }

    /// Returns a text with the folder, the months, and whether titles are included.
    pub fn summary(&self) -> String {
        let mut months: Vec<&String> = self.manifest.tables.values().flat_map(|files| files.keys()).collect();
        months.sort_unstable();
        let titles = if self.manifest.includes_titles { "with titles" } else { "without titles" };
        match (months.first(), months.last()) {
            (Some(first), Some(last)) if first == last => format!("{}: {first}, {titles}", self.folder.display()),
            (Some(first), Some(last)) => format!("{}: {first} to {last}, {titles}", self.folder.display()),
            _ => format!("{}: no months", self.folder.display()),
        }
    }

    /// Returns the SQL model of the export: the exported tables under their names, and the views and functions that
    /// need only these tables.
    ///
    /// # Errors
    /// Fails if a file can't be read as Parquet.
    pub fn model(&self) -> Result<Model, Error> {
        let model = activity::register(Model::default(), &self.rules(), &Calendars::default(), &Privacy::default());
        let mut model = notes::register_unavailable(timesheet::register_unavailable(model));
        for table in ExportTable::ALL {
            if self.has_table(table) {
                model = model.with_table(table.name(), Arc::new(self.table_files(table)?));
            }
            if table == ExportTable::Activities
                && let Some(repeated) = self.repeated_filter()
            {
                model = model.with_table(table.name(), self.without_repeated(&repeated)?);
            }
        }
        if !self.manifest.includes_titles {
            let columns = ExportTable::ALL.into_iter().flat_map(ExportTable::private_columns);
            for column in columns {
                let reason = format!("`{column}` is not in this export: export again with `--include-titles`");
                model = model.without_column(column, reason);
            }
        }
        if self.has_table(ExportTable::Segments) {
            for column in RULE_COLUMNS {
                let reason =
                    format!("`{column}` depends on rules, which can change: select it from `narrative(start, end)`");
                model = model.without_column(column, reason);
            }
        }
        if self.has_table(ExportTable::Activities) {
            model = match self.timelines()? {
                Some(timelines) => model.with_table(TIMELINES.name, timelines),
                None => model.with_definitions(&[ACTIVITY_TIMELINES], &[]),
            };
        }
        Ok(self.with_views(self.with_functions(model)))
    }

    fn with_functions(&self, mut model: Model) -> Model {
        for function in model.functions.clone() {
            let name = function.name;
            let days = match name {
                "day_summary" => Some(Function { parameters: DAYS, sql: DAY_SUMMARY, ..function }),
                "weekday_pattern" => Some(Function { parameters: DAYS, ..function }),
                _ => None,
            };
            model = match days.filter(|_| self.reads_exported_days()) {
                Some(days) => model.with_function(days).with_coverage(name, self.coverage_of_days()),
                None => match self.missing_reason(name) {
                    Some(reason) => model.without_relation(name, reason),
                    None => model.with_coverage(name, self.coverage(name)),
                },
            };
        }
        model
    }

    /// Returns whether `day_summary` reads the exported days instead of computing the days from activities. If the
    /// exported days include days without activities in the export, `day_summary` reads the exported days. Otherwise,
    /// it uses the activities, because they can also answer queries about parts of days.
    fn reads_exported_days(&self) -> bool {
        let days = self.coverage_of_days().ranges;
        let computed = self.coverage("day_summary").ranges;
        let is_computed =
            |days: &Range<NaiveDateTime>| computed.iter().any(|held| held.start <= days.start && days.end <= held.end);
        self.has_table(ExportTable::DaySummary) && !days.iter().all(is_computed)
    }

    /// Returns the ranges of exported days that were computed with the current rules about calls.
    fn coverage_of_days(&self) -> Coverage {
        let ranges = self.manifest.ranges(ExportTable::DaySummary.name(), |file| !file.has_other_calls);
        Coverage {
            reason: self.outdated_reason(ExportTable::DaySummary, |file| file.has_other_calls),
            ranges: ranges.into(),
        }
    }

    /// Returns the ranges for which a function over activities can be called.
    fn coverage(&self, name: &str) -> Coverage {
        let is_outdated = |file: &MonthFile| match name {
            name if WITHOUT_RULES.contains(&name) => false,
            name if WITHOUT_WORK_RULES.contains(&name) => file.has_other_calls,
            _ => file.has_other_calls || file.has_other_rules,
        };
        let activities = ExportTable::Activities;
        if self.manifest.rules.is_none() && !WITHOUT_RULES.contains(&name) {
            return Coverage { ranges: Arc::default(), reason: Some(WITHOUT_RECORDED_RULES.to_owned()) };
        }
        let files = self.manifest.tables.get(activities.name());
        let follows_outdated = |range: &Range<NaiveDateTime>| {
            let mut files = files.into_iter().flat_map(BTreeMap::values);
            files.any(|file| is_outdated(file) && file.end_local == range.start)
        };
        let mut ranges = self.manifest.ranges(activities.name(), |file| !is_outdated(file));
        for range in &mut ranges {
            // The first day is skipped. An activity can continue from the outdated month into this day, and then
            // contains the condition numbers of other rules.
            if follows_outdated(range) {
                range.start += TimeDelta::days(1);
            }
        }
        ranges.retain(|range| range.start < range.end);
        Coverage { ranges: ranges.into(), reason: self.outdated_reason(activities, is_outdated) }
    }

    /// Returns the reason why some months of a table can't be queried, or `None` if all months can be queried.
    fn outdated_reason(&self, table: ExportTable, is_outdated: impl Fn(&MonthFile) -> bool) -> Option<String> {
        let outdated = self.manifest.tables.get(table.name())?.iter().filter(|(_, file)| is_outdated(file));
        let months: Vec<Month> = outdated.filter_map(|(month, _)| month.parse().ok()).collect();
        (!months.is_empty()).then(|| {
            format!(
                "`{table}` of {months} was exported with other rules; export these months again",
                table = table.name(),
                months = format_months(&months)
            )
        })
    }

    /// Returns the rules that the export was computed with.
    pub fn rules(&self) -> Rules {
        self.manifest.rules.as_ref().map(Rules::from_record).unwrap_or_default()
    }

    fn with_views(&self, mut model: Model) -> Model {
        let views: Vec<&'static str> = model.views.iter().map(|view| view.name).collect();
        for name in views.into_iter().chain(HISTORY_TABLES) {
            let reason = match ExportTable::from_name(name) {
                Some(table) => (!self.has_table(table))
                    .then(|| format!("`{name}` is not in this export: export again with `--tables {name}`")),
                None => self.missing_reason(name),
            };
            if let Some(reason) = reason {
                model = model.without_relation(name, reason);
            }
        }
        model
    }

    /// Returns the reason why the export can't answer the view or function `name`, which must not be an exported table.
    /// Returns `None` if the export's activities are enough for `name`.
    fn missing_reason(&self, name: &str) -> Option<String> {
        if FROM_TOTALS.contains(&name) {
            let others = "use `app_usage`, `website_usage`, `document_usage` or `tag_usage`";
            return Some(format!("`{name}` is not in exports: {others}"));
        }
        let hint = "which this export does not contain: export again with `--tables activities`";
        (!self.has_table(ExportTable::Activities)).then(|| format!("`{name}` needs activities, {hint}"))
    }

    fn has_table(&self, table: ExportTable) -> bool {
        self.manifest.tables.get(table.name()).is_some_and(|files| !files.is_empty())
    }

    /// Returns the table of timelines, or `None` if the export doesn't contain the file of timelines.
    fn timelines(&self) -> Result<Option<Arc<dyn TableProvider>>, Error> {
        let path = self.folder.join(format!("{0}/{0}.parquet", TIMELINES.name));
        let schema = match read_schema(&path) {
            Err(Error::Unreadable(_, source)) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            held => held?,
        };
        let files = listing_table(&path, &schema, Vec::new()).map_err(|error| unreadable_error(&path, &error))?;
        Ok(Some(Arc::new(ExportedTable { files, schema })))
    }

    /// Returns a filter that matches the second copy of activities that are stored twice. If months are missing between
    /// two exported months, an activity can continue from the earlier into the later month. This activity is in the
    /// file of the earlier month, and in the file `running_on` before the later month.
    fn repeated_filter(&self) -> Option<Expr> {
        let files = self.manifest.tables.get(ExportTable::Activities.name())?;
        let instant = |at: NaiveDateTime| lit(ScalarValue::TimestampSecond(Some(at.and_utc().timestamp()), None));
        let held: Vec<(Month, Range<NaiveDateTime>)> =
            files.iter().filter_map(|(month, file)| Some((month.parse().ok()?, file.range()))).collect();
        let is_held = |month: Month| held.iter().any(|(held, _)| *held == month);
        let running_on = held.iter().map(|(month, _)| month.previous()).filter(|before| !is_held(*before));
        let repeated = running_on.filter_map(|place| {
            let earlier = held.iter().filter(|(month, _)| *month < place).map(|(_, range)| {
                col("start_local").lt(instant(range.end)).and(col("end_local").gt(instant(range.start)))
            });
            Some(col(MONTH).eq(lit(place.to_string())).and(earlier.reduce(Expr::or)?))
        });
        repeated.reduce(Expr::or)
    }

    /// Returns the table of activities, without the rows that the filter `repeated` matches.
    fn without_repeated(&self, repeated: &Expr) -> Result<Arc<dyn TableProvider>, Error> {
        let activities = self.table_files(ExportTable::Activities)?;
        let columns: Vec<_> = activities.schema.fields().iter().map(|field| col(field.name())).collect();
        let schema = activities.files.schema();
        let files = Arc::new(ExportedTable { schema, ..activities });
        let plan = LogicalPlanBuilder::scan(ExportTable::Activities.name(), provider_as_source(files), None)
            .and_then(|files| files.filter(not(repeated.clone())))
            .and_then(|files| files.project(columns))
            .and_then(LogicalPlanBuilder::build)
            .map_err(|error| unreadable_error(&self.folder, &error))?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }

    /// Returns the files of one table.
    fn table_files(&self, table: ExportTable) -> Result<ExportedTable, Error> {
        let files = self.manifest.tables.get(table.name());
        let first = files.and_then(|files| files.values().next());
        let first = first.ok_or_else(|| Error::NoExport(self.folder.clone()))?;
        let path = self.folder.join(&first.file);
        let held = read_schema(&path)?;
        // Files from older versions lack these columns. A missing column is read as null.
        let later: &[&str] = if table == ExportTable::Activities { &["title", "notes", RULE_TEXT] } else { &[] };
        let lacking = later.iter().filter(|column| held.field_with_name(column).is_err());
        let fields = held.fields().iter().cloned();
        let fields = fields.chain(lacking.map(|name| Arc::new(Field::new(*name, DataType::Utf8View, true))));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let month = vec![(MONTH.to_owned(), DataType::Utf8)];
        // The trailing slash marks the path as a folder.
        let folder = self.folder.join(table.name()).join("");
        let files = listing_table(&folder, &schema, month).map_err(|error| unreadable_error(&path, &error))?;
        // Rows of `weekday_pattern` don't contain a time, so their month is only in the path of the file. Rows of other
        // tables contain their time.
        let month_is_only_in_path = table == ExportTable::WeekdayPattern;
        let schema = if month_is_only_in_path { files.schema() } else { schema };
        Ok(ExportedTable { files, schema })
    }
}

/// Tables, views and functions that need the tracker's own totals.
const FROM_TOTALS: [&str; 7] = [
    "recorded_time",
    "hourly_usage",
    "hourly_totals",
    "hourly_totals_around",
    "timeline_bounds",
    "recorded_bounds",
    "devices",
];

/// Functions that depend neither on rules nor on calls.
const WITHOUT_RULES: [&str; 3] = ["meetings_around", "note_sessions_around", "tags_in"];

/// Functions that depend on calls, but not on rules about work.
const WITHOUT_WORK_RULES: [&str; 9] = [
    "calls_around",
    "computer_usage_in",
    "day_summary",
    "device_active_days",
    "device_day_summary",
    "device_day_totals",
    "pieces_by_day",
    "role_pieces",
    "weekday_pattern",
];

/// The columns of the table `segments` that get their values from rules.
const RULE_COLUMNS: [&str; 4] = ["rule", "category", "project", "task"];

/// Tables of a history that can be missing in an export.
const HISTORY_TABLES: [&str; 6] =
    ["activities", "timelines", "screenshots", "hourly_totals", "timeline_bounds", "devices"];

/// Parameters for a range of whole days.
const DAYS: &[Parameter] = &[Parameter::day_start("start"), Parameter::day_start("end")];

/// A view of the timelines, for exports without the file of timelines.
const ACTIVITY_TIMELINES: View =
    View { name: TIMELINES.name, sql: include_str!("../../../sql/opened_exports/timelines.sql"), needs: &[] };

/// The SQL that reads the exported days.
const DAY_SUMMARY: &str = include_str!("../../../sql/opened_exports/day_summary.sql");

/// Returns a text that lists months in order. Consecutive months are a range, as in `2024-03, 2025-09 to 2025-11`.
fn format_months(months: &[Month]) -> String {
    let parts = months.chunk_by(|month, after| month.next() == *after).map(|part| match part {
        [first, .., last] => format!("{first} to {last}"),
        part => part.iter().map(Month::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The reason why an export without rules in its manifest can't answer functions over activities.
const WITHOUT_RECORDED_RULES: &str =
    "an older version wrote this export, without the rules and calls that it was computed with; export it again";

/// Reads the columns of a file, in the types of the model.
fn read_schema(path: &Path) -> Result<SchemaRef, Error> {
    let file = fs::File::open(path).map_err(|source| Error::Unreadable(path.to_owned(), source))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable_error(path, &error))?;
    Ok(to_model_schema(reader.schema()))
}

pub(super) fn unreadable_error(path: &Path, reason: &dyn fmt::Display) -> Error {
    Error::Manifest(path.to_owned(), reason.to_string())
}

/// Returns a table with the columns of `schema` and with the columns in the paths of the files. The table contains the
/// file at `path`, or all files in the folder at `path`.
fn listing_table(
    path: &Path,
    schema: &SchemaRef,
    path_columns: Vec<(String, DataType)>,
) -> DataFusionResult<ListingTable> {
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(path_columns);
    // The path is converted to a URI, because DataFusion would read `*` in a plain path as a pattern.
    let path = ListingTableUrl::parse(file_uri(path))?;
    let config = ListingTableConfig::new(path).with_listing_options(options).with_schema(Arc::clone(schema));
    ListingTable::try_new(config)
}

/// Converts the schema of Parquet back to the types of the model.
fn to_model_schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| {
        let data_type = match field.data_type() {
            DataType::Timestamp(_, _) => DataType::Timestamp(TimeUnit::Second, None),
            DataType::Utf8 => DataType::Utf8View,
            DataType::List(_) => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8View, true))),
            other => other.clone(),
        };
        Field::new(field.name(), data_type, field.is_nullable())
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// A table of an opened export.
#[derive(Debug)]
struct ExportedTable {
    files: ListingTable,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for ExportedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> DataFusionResult<Vec<TableProviderFilterPushDown>> {
        self.files.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        // Without a projection, the result has all columns of the table. The month from the path isn't one of them.
        let all = (0..self.schema.fields().len()).collect();
        self.files.scan(state, Some(projection.unwrap_or(&all)), filters, limit).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If two outdated months were a year apart, the message used to list them as one range, including the months in
    /// between.
    #[test]
    fn months_between_outdated_months_are_not_listed() {
        let months = ["2024-03", "2025-09", "2025-10", "2025-11", "2026-01"].map(|month| month.parse().unwrap());
        assert_eq!(format_months(&months), "2024-03, 2025-09 to 2025-11, 2026-01");
    }
}
