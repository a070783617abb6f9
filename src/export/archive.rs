//! The folder of an export as tables: the same names as in a history, so that the same SQL runs on both.
//!
//! Tables are read from their files at each statement. What an archive cannot answer is an error that says so: a
//! function whose activities were not exported, a column that was left out, a range that is not held.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use chrono::{DateTime, NaiveDateTime, Utc};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result as DataFusionResult, ScalarValue, plan_err};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::datasource::{ViewTable, provider_as_source};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, col, lit, not};
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::physical_plan::ExecutionPlan;

use super::encode::FileFormat;
use super::error::Error;
use super::layout::files_below;
use super::manifest::{Manifest, MonthFile};
use super::month::Month;
use super::person::Person;
use super::table::{ExportTable, TIMELINES};
use crate::engine::{Function, Model, Parameter, View};
use crate::manictime::file_uri;

/// The part of a path that tells a file's month.
const MONTH: &str = "month";

/// A folder of Parquet files that an export wrote.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
    manifest: Manifest,
}

impl Archive {
    /// Opens the folder of an export.
    ///
    /// # Errors
    /// A folder without a manifest, with one of another version, with files that are not Parquet, or without one of the
    /// files that the manifest tells of.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let refused = |source| Error::Refused { path: folder.to_owned(), source };
        let open = Dir::open_ambient_dir(folder, ambient_authority()).map_err(refused)?;
        let manifest = Manifest::read(folder, &open)?.ok_or_else(|| Error::NoExport { path: folder.to_owned() })?;
        if manifest.format != FileFormat::Parquet {
            return Err(Error::NotParquet { path: folder.to_owned(), format: manifest.format.extension() });
        }
        if let Some(file) = missing_file(&open, &manifest) {
            return Err(Error::Incomplete { path: folder.join(file) });
        }
        Ok(Self { folder: std::path::absolute(folder).map_err(refused)?, manifest })
    }

    /// Its folder, as it was named.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whose history it is, where it was written to lie beside those of others.
    pub fn person(&self) -> Option<&Person> {
        self.manifest.person.as_ref()
    }

    /// Whether window titles, notes, addresses and paths are in it.
    pub fn includes_titles(&self) -> bool {
        self.manifest.includes_titles
    }

    /// When one of its files was written last with other content than before; `None` where it has none.
    pub fn written_utc(&self) -> Option<DateTime<Utc>> {
        self.manifest.tables.values().flat_map(BTreeMap::values).map(|file| file.written_utc).max()
    }

    /// The paths of its files below its folder, with `/`, in order.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn files(&self) -> Result<Vec<String>, Error> {
        files_below(&self.folder).map_err(|source| Error::Refused { path: self.folder.clone(), source })
    }

    /// What it holds, in words.
    pub fn summary(&self) -> String {
        let mut months: Vec<&String> = self.manifest.tables.values().flat_map(|files| files.keys()).collect();
        months.sort_unstable();
        let titles = if self.manifest.includes_titles { "with titles" } else { "without titles" };
        match (months.first(), months.last()) {
            (Some(first), Some(last)) if first == last => format!("{}: {first}, {titles}", self.folder.display()),
            (Some(first), Some(last)) => format!("{}: {first} to {last}, {titles}", self.folder.display()),
            _ => format!("{}: no month", self.folder.display()),
        }
    }

    /// Puts the archive's tables into `model`, and takes out of it what the archive cannot answer.
    ///
    /// # Errors
    /// A file that cannot be read as Parquet.
    pub fn register(&self, mut model: Model) -> Result<Model, Error> {
        for table in ExportTable::ALL {
            if self.holds(table) {
                model = model.with_table(table.name(), self.table(table)?);
            }
            if table == ExportTable::Activities
                && let Some(repeated) = self.repeated()
            {
                model = model.with_table(table.name(), self.without(&repeated)?);
            }
        }
        if !self.manifest.includes_titles {
            let columns = ExportTable::ALL.into_iter().flat_map(ExportTable::private_columns);
            for column in columns {
                model = model.without_column(column, left_out(column));
            }
        }
        if self.holds(ExportTable::Segments) {
            for column in ["rule", "category", "project", "task"] {
                model = model.without_column(column, by_rules(column));
            }
        }
        if self.holds(ExportTable::Activities) {
            model = match self.timelines()? {
                Some(timelines) => model.with_table(TIMELINES.name, timelines),
                None => model.with(&[TIMELINES_OF_ACTIVITIES], &[]),
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
            model = match days.filter(|_| self.holds(ExportTable::DaySummary)) {
                Some(days) => model.with_function(days).covering(name, self.ranges(ExportTable::DaySummary)),
                None => match self.lack(name) {
                    Some(reason) => model.without(name, reason),
                    None => model.covering(name, self.ranges(ExportTable::Activities)),
                },
            };
        }
        model
    }

    fn with_views(&self, mut model: Model) -> Model {
        let views: Vec<&'static str> = model.views.iter().map(|view| view.name).collect();
        for name in views.into_iter().chain(TABLES_OF_A_HISTORY) {
            let reason = match ExportTable::named(name) {
                Some(table) => (!self.holds(table)).then(|| not_exported(name)),
                None => self.lack(name),
            };
            if let Some(reason) = reason {
                model = model.without(name, reason);
            }
        }
        model
    }

    /// Why `name`, which is no exported table, cannot be answered; nothing where the archive's activities answer it.
    fn lack(&self, name: &str) -> Option<String> {
        if FROM_TOTALS.contains(&name) {
            return Some(from_totals(name));
        }
        (!self.holds(ExportTable::Activities)).then(|| without_activities(name))
    }

    fn holds(&self, table: ExportTable) -> bool {
        self.manifest.tables.get(table.name()).is_some_and(|files| !files.is_empty())
    }

    fn ranges(&self, table: ExportTable) -> Arc<[Range<NaiveDateTime>]> {
        self.manifest.ranges(table.name()).into()
    }

    /// The file that lists the timelines; `None` where there is none.
    fn timelines(&self) -> Result<Option<Arc<dyn TableProvider>>, Error> {
        let path = self.folder.join(format!("{0}/{0}.parquet", TIMELINES.name));
        let schema = match held(&path) {
            Err(Error::Refused { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            held => held?,
        };
        let files = listing(&path, &schema, Vec::new()).map_err(|error| unreadable(&path, &error))?;
        Ok(Some(Arc::new(ArchiveTable { files, schema, left_out: Vec::new() })))
    }

    /// Which activities lie in two files: those that run on into a month before which others are missing, and that an
    /// earlier month holds as well.
    fn repeated(&self) -> Option<Expr> {
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

    /// The activities but for those.
    fn without(&self, repeated: &Expr) -> Result<Arc<dyn TableProvider>, Error> {
        let activities = self.files_of(ExportTable::Activities)?;
        let columns: Vec<_> = activities.schema.fields().iter().map(|field| col(field.name())).collect();
        let schema = activities.files.schema();
        let files = Arc::new(ArchiveTable { schema, ..activities });
        let plan = LogicalPlanBuilder::scan(ExportTable::Activities.name(), provider_as_source(files), None)
            .and_then(|files| files.filter(not(repeated.clone())))
            .and_then(|files| files.project(columns))
            .and_then(LogicalPlanBuilder::build)
            .map_err(|error| unreadable(&self.folder, &error))?;
        Ok(Arc::new(ViewTable::new(plan, None)))
    }

    /// The files of one table.
    fn table(&self, table: ExportTable) -> Result<Arc<dyn TableProvider>, Error> {
        Ok(Arc::new(self.files_of(table)?))
    }

    fn files_of(&self, table: ExportTable) -> Result<ArchiveTable, Error> {
        let files = self.manifest.tables.get(table.name());
        let first = files.and_then(|files| files.values().next());
        let first = first.ok_or_else(|| Error::NoExport { path: self.folder.clone() })?;
        let path = self.folder.join(&first.file);
        let held = held(&path)?;
        // Views ask activities for their titles, whoever looks at them; what nobody asks for is never read.
        let private = if table == ExportTable::Activities { table.private_columns() } else { &[] };
        let left_out: Vec<&'static str> =
            private.iter().copied().filter(|column| held.field_with_name(column).is_err()).collect();
        let fields = held.fields().iter().cloned();
        let fields = fields.chain(left_out.iter().map(|name| Arc::new(Field::new(*name, DataType::Utf8View, true))));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let month = vec![(MONTH.to_owned(), DataType::Utf8)];
        // A folder is named by the slash at its end.
        let folder = self.folder.join(table.name()).join("");
        let files = listing(&folder, &schema, month).map_err(|error| unreadable(&path, &error))?;
        // The month of a weekday's row stands in its path alone; other rows have their own time.
        let is_told = table == ExportTable::WeekdayPattern;
        let schema = if is_told { files.schema() } else { schema };
        Ok(ArchiveTable { files, schema, left_out })
    }
}

/// What only `ManicTime`'s own totals can answer.
const FROM_TOTALS: [&str; 7] = [
    "recorded_time",
    "hourly_usage",
    "hourly_totals",
    "hourly_totals_around",
    "timeline_extents",
    "recorded_extents",
    "devices",
];

/// The function that reads titles whatever is asked of it.
const NEEDS_TITLES: &str = "narrative";

/// Tables that a history has and an archive may lack.
const TABLES_OF_A_HISTORY: [&str; 6] =
    ["activities", "timelines", "screenshots", "hourly_totals", "timeline_extents", "devices"];

/// Ranges of whole days.
const DAYS: &[Parameter] = &[Parameter::midnight("start"), Parameter::midnight("end")];

/// The timelines of an archive that has no list of them.
const TIMELINES_OF_ACTIVITIES: View =
    View { name: TIMELINES.name, sql: include_str!("../../sql/archives/timelines.sql"), needs: &[] };

/// The days as they were exported.
const DAY_SUMMARY: &str = include_str!("../../sql/archives/day_summary.sql");

/// Why segments have no such column.
fn by_rules(column: &str) -> String {
    format!("`{column}` is what rules say, and these change: an archive has none; ask the history")
}

fn left_out(column: &str) -> String {
    format!("`{column}` was left out of this archive; ask for other columns, or export again with `--include-titles`")
}

fn not_exported(name: &str) -> String {
    format!("`{name}` is not in this archive: it was exported without it; export again with `--tables {name}`")
}

fn without_activities(name: &str) -> String {
    // Segments name what was worked on, which only titles tell.
    let titles = if name == NEEDS_TITLES { " --include-titles" } else { "" };
    format!(
        "`{name}` needs activities, and this archive was exported without; \
         export again with `--tables activities{titles}`"
    )
}

fn from_totals(name: &str) -> String {
    format!("`{name}` is not in an archive: ask its `app_usage`, `website_usage`, `document_usage` and `tag_usage`")
}

/// A file that is not there as it was written: a month that is gone would look like one in which nothing was done.
fn missing_file<'m>(folder: &Dir, manifest: &'m Manifest) -> Option<&'m str> {
    let mut files = manifest.tables.values().flat_map(|files| files.values());
    let is_whole = |held: &MonthFile| {
        let found = folder.symlink_metadata(&held.file);
        found.is_ok_and(|found| found.is_file() && found.len() == held.bytes)
    };
    files.find(|held| !is_whole(held)).map(|held| held.file.as_str())
}

/// The columns of a file.
fn held(path: &Path) -> Result<SchemaRef, Error> {
    let file = fs::File::open(path).map_err(|source| Error::Refused { path: path.to_owned(), source })?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(path, &error))?;
    Ok(of_model(reader.schema()))
}

fn unreadable(path: &Path, reason: &dyn fmt::Display) -> Error {
    Error::Manifest { path: path.to_owned(), reason: reason.to_string() }
}

/// The file at `path`, or the files below such a folder, as rows of `schema`, with what their paths tell.
fn listing(path: &Path, schema: &SchemaRef, told: Vec<(String, DataType)>) -> DataFusionResult<ListingTable> {
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(told);
    // A path would be read as a pattern where it holds a `*`.
    let path = ListingTableUrl::parse(file_uri(path))?;
    let config = ListingTableConfig::new(path).with_listing_options(options).with_schema(Arc::clone(schema));
    ListingTable::try_new(config)
}

/// The schema in the types of the model: what Parquet has no type for comes back as it was.
fn of_model(schema: &Schema) -> SchemaRef {
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

/// A table of an archive.
#[derive(Debug)]
struct ArchiveTable {
    files: ListingTable,
    /// The columns, those included that were left out of the files.
    schema: SchemaRef,
    left_out: Vec<&'static str>,
}

#[async_trait]
impl TableProvider for ArchiveTable {
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
        // Without a projection every column of the table is asked for, but not the month that its path tells.
        let all = (0..self.schema.fields().len()).collect();
        let projection = projection.unwrap_or(&all);
        for column in projection {
            let name = self.schema.field(*column).name();
            if self.left_out.contains(&name.as_str()) {
                return plan_err!("{}", left_out(name));
            }
        }
        self.files.scan(state, Some(projection), filters, limit).await
    }
}
