//! Checks whether the database has the tables and columns of a manifest.
//!
//! Newer versions of `ManicTime` add tables and columns, and older versions lack some. So all columns are read by name
//! (docs/spec/manictime.md#tables). The manifest assigns each table to a tier. Core tables must exist, and supplemental
//! tables improve responses. For informational tables, dayledger only reports whether they exist.
//!
//! A database from `ManicTime` doesn't contain views or virtual tables. If another program added a view, it is read
//! only if it has the name of a `ManicTime` table. All virtual tables are ignored. A virtual table would run the code
//! of a SQLite extension on data from an unknown author.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::DataType;
use rusqlite::{Connection, ErrorCode, Row};

use super::error::Error;
use super::sqlite::sqlite_error;
use super::value;
use dayledger_source::{Capability, Contents, ManifestTable, MissingData, OwnTable, Tier, schema_of};
use dayledger_sqlite::Capacity;

struct Expected {
    table: &'static str,
    tier: Tier,
    /// The required columns. If one of them is missing, the table counts as missing. If another
    /// column is missing, its values are null.
    columns: &'static [&'static str],
}

const MANIFEST: &[Expected] = &[
    Expected { table: "Ar_Timeline", tier: Tier::Core, columns: &["ReportId", "SchemaName"] },
    Expected { table: "Ar_Activity", tier: Tier::Core, columns: ACTIVITY },
    Expected { table: "Ar_Group", tier: Tier::Core, columns: &["ReportId", "GroupId", "Name"] },
    Expected { table: "Ar_CommonGroup", tier: Tier::Supplemental, columns: &["CommonId", "Name"] },
    Expected { table: "Ar_Environment", tier: Tier::Supplemental, columns: &["EnvironmentId", "DeviceDisplayName"] },
    Expected { table: "Ar_GroupList", tier: Tier::Supplemental, columns: &["ReportId", "GroupListId", "Name"] },
    Expected { table: "Ar_GroupListItem", tier: Tier::Supplemental, columns: &["ReportId", "GroupListId", "GroupId"] },
    Expected { table: "Ar_CommonGroupList", tier: Tier::Supplemental, columns: &["CommonId", "Name"] },
    Expected { table: "Ar_ApplicationByDay", tier: Tier::Supplemental, columns: HOURLY },
    Expected { table: "Ar_WebSiteByDay", tier: Tier::Supplemental, columns: HOURLY },
    Expected { table: "Ar_DocumentByDay", tier: Tier::Supplemental, columns: HOURLY },
    Expected { table: "Ar_TagListByDay", tier: Tier::Supplemental, columns: HOURLY },
    Expected { table: "Ar_Tag", tier: Tier::Informational, columns: &["TagId", "Name"] },
    Expected { table: "Ar_ActivityTag", tier: Tier::Informational, columns: &["ReportId", "ActivityId", "TagId"] },
    Expected { table: "Ar_TimelineSummary", tier: Tier::Informational, columns: &["ReportId"] },
    Expected { table: "Ar_ActivityByHour", tier: Tier::Informational, columns: &["ReportId"] },
    Expected { table: "Ar_User", tier: Tier::Informational, columns: &["UserId"] },
    Expected { table: "Ar_Folder", tier: Tier::Informational, columns: &["ReportId", "FolderId"] },
];

const ACTIVITY: &[&str] =
    &["ReportId", "ActivityId", "Name", "GroupId", "StartLocalTime", "StartUtcTime", "EndLocalTime", "EndUtcTime"];

const HOURLY: &[&str] = &["ReportId", "Hour", "CommonId", "TotalSeconds"];

/// For each capability, the tables that a file must contain to have it.
const REQUIRED_TABLES: &[(Capability, &[&str])] = &[
    (Capability::CommonGroups, &["Ar_CommonGroup"]),
    (Capability::Devices, &["Ar_Environment"]),
    (Capability::TagLists, &["Ar_GroupList", "Ar_GroupListItem"]),
    (Capability::HourlyApplications, &["Ar_ApplicationByDay", "Ar_CommonGroup"]),
    (Capability::HourlyWebsites, &["Ar_WebSiteByDay", "Ar_CommonGroup"]),
    (Capability::HourlyDocuments, &["Ar_DocumentByDay", "Ar_CommonGroup"]),
    (Capability::HourlyTags, &["Ar_TagListByDay", "Ar_CommonGroupList"]),
    (Capability::LinkedTags, &["Ar_Tag", "Ar_ActivityTag"]),
];

/// The advice for the user if hourly totals are missing.
pub(crate) const HOURLY_TOTALS_REMEDY: &str = "nothing has to be done: the numbers are the same kind, long ranges take \
    longer; a running, recent ManicTime writes these totals by itself";

/// Returns the consequence of a missing capability, and advice for the user. Returns `None` for a capability that most
/// files don't have.
fn describe_missing(capability: Capability) -> Option<MissingData> {
    let update = "update ManicTime and let it open the history once; newer versions write this table";
    let wait = HOURLY_TOTALS_REMEDY;
    let (effect, remedy) = match capability {
        Capability::CommonGroups => ("names come from each device's own groups; hourly totals cannot be named", update),
        Capability::Devices => ("devices are shown by their id", update),
        Capability::TagLists => (
            "tags are shown by name only, without their parts",
            "update ManicTime if you use tags; without tags nothing is missed",
        ),
        Capability::HourlyApplications => ("application usage is computed from activities", wait),
        Capability::HourlyWebsites => ("website usage is computed from activities", wait),
        Capability::HourlyDocuments => ("document usage is computed from activities", wait),
        Capability::HourlyTags => ("tag usage is computed from activities", wait),
        Capability::LinkedTags => return None,
    };
    Some(MissingData { capability, effect, remedy })
}

/// The name of a column and its declared type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RawColumn {
    name: String,
    declared_type: String,
}

/// The tables and columns of one file, checked against the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The columns of each table. The key is the table's name in lower case.
    tables: BTreeMap<String, Vec<RawColumn>>,
    contents: Arc<Contents>,
    version: Option<String>,
}

impl Shape {
    /// Reads the schema of the database at `path`. `capacity` limits the number of rows.
    ///
    /// # Errors
    /// Fails with `Incomplete` if a core table or one of its required columns is missing, and with
    /// errors of `SQLite`.
    pub(crate) fn read(connection: &Connection, capacity: Capacity, path: &Path) -> Result<Self, Error> {
        let tables = read_tables(connection, capacity).map_err(|error| sqlite_error(&error, path))?;
        let mut shape = Self { tables, contents: Arc::default(), version: None };
        for expected in MANIFEST.iter().filter(|expected| expected.tier == Tier::Core) {
            let table = expected.table;
            let missing = match expected.columns.iter().find(|column| !shape.has_column(table, column)) {
                _ if !shape.tables.contains_key(&table.to_ascii_lowercase()) => format!("table `{table}`"),
                Some(column) => format!("column `{table}.{column}`"),
                None => continue,
            };
            return Err(Error::Incomplete { path: path.to_owned(), part: missing });
        }
        let usable = REQUIRED_TABLES.iter().filter(|(_, tables)| tables.iter().all(|table| shape.is_usable(table)));
        shape.contents = Arc::new(Contents {
            capabilities: usable.map(|(capability, _)| *capability).collect(),
            own_tables: shape.tables.iter().map(|(name, columns)| own_table(name, columns)).collect(),
        });
        if shape.has_column(REGISTRY, "RegistryKey") {
            shape.version = read_version(connection, capacity).map_err(|error| sqlite_error(&error, path))?;
        }
        Ok(shape)
    }

    /// Returns the schema version of the database, such as `2.2.0.0`, or `None` if the database
    /// doesn't contain a version.
    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns the capabilities and tables of the file.
    pub(crate) fn contents(&self) -> &Arc<Contents> {
        &self.contents
    }

    /// Whether the file has a capability.
    pub(crate) fn has_capability(&self, capability: Capability) -> bool {
        self.contents.has_capability(capability)
    }

    /// Returns the missing capabilities that a user should know about.
    pub(crate) fn missing_data(&self) -> Vec<MissingData> {
        let missing = REQUIRED_TABLES.iter().filter(|(capability, _)| !self.has_capability(*capability));
        missing.filter_map(|(capability, _)| describe_missing(*capability)).collect()
    }

    /// Returns all tables of the manifest, each with its tier and whether the file contains it.
    pub(crate) fn manifest(&self) -> impl Iterator<Item = ManifestTable> + '_ {
        MANIFEST.iter().map(|expected| ManifestTable {
            name: expected.table,
            tier: expected.tier,
            is_present: self.is_usable(expected.table),
        })
    }

    /// Whether `table` exists with all columns that the manifest requires.
    fn is_usable(&self, table: &str) -> bool {
        self.tables.contains_key(&table.to_ascii_lowercase())
            && MANIFEST
                .iter()
                .filter(|expected| expected.table == table)
                .all(|expected| expected.columns.iter().all(|column| self.has_column(table, column)))
    }

    /// Whether `table` has `column`.
    pub(crate) fn has_column(&self, table: &str, column: &str) -> bool {
        self.tables
            .get(&table.to_ascii_lowercase())
            .is_some_and(|columns| columns.iter().any(|found| found.name.eq_ignore_ascii_case(column)))
    }

    /// Returns the SQL expression for a column, or `NULL` if the column doesn't exist.
    pub(crate) fn column(&self, table: &str, column: &str) -> String {
        if self.has_column(table, column) { format!("\"{column}\"") } else { "NULL".to_owned() }
    }
}

/// Returns the columns of a table, without blobs (icons). Integer columns are read as integers, and all other columns
/// are read as texts.
fn own_table(name: &str, columns: &[RawColumn]) -> OwnTable {
    let columns = columns.iter().map(|column| (&column.name, column.declared_type.to_ascii_lowercase()));
    let readable = columns.filter(|(_, declared_type)| !declared_type.contains("blob"));
    let columns: Vec<_> = readable
        .map(|(name, declared_type)| {
            // In SQLite, a column is an integer if its declared type contains `INT`.
            let is_number = declared_type.contains("int");
            (name.to_ascii_lowercase(), if is_number { DataType::Int64 } else { DataType::Utf8View })
        })
        .collect();
    let columns: Vec<_> = columns.iter().map(|(name, data_type)| (name.as_str(), data_type.clone(), true)).collect();
    OwnTable { name: name.to_owned(), schema: schema_of(&columns) }
}

/// The table in which `ManicTime` records its schema versions.
const REGISTRY: &str = "Registry";

/// Reads the columns of each table. The key is the table's name in lower case.
fn read_tables(connection: &Connection, capacity: Capacity) -> rusqlite::Result<BTreeMap<String, Vec<RawColumn>>> {
    let sql = "SELECT name, type, rootpage FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name";
    let mut tables = BTreeMap::new();
    capacity.for_each_row(connection, sql, [], |row| {
        // A table whose name isn't valid UTF-8 is skipped, because a SQL statement can't contain this name.
        let Some(name) = exact_text(row, 0)? else { return value::text_bytes(row, 0) };
        let key = name.to_ascii_lowercase();
        let is_view = exact_text(row, 1)?.is_some_and(|kind| kind == "view");
        let is_offered = if is_view {
            is_known(&key) && is_readable(connection, &name)?
        } else {
            // The root page of a virtual table is 0.
            !key.starts_with("sqlite_") && value::number(row, 2)? != Some(0)
        };
        let columns = if is_offered { read_columns(connection, &name)? } else { Vec::new() };
        if !columns.is_empty() {
            tables.insert(key, columns);
        }
        Ok(name.len())
    })?;
    Ok(tables)
}

/// Whether `ManicTime` has a table with the name `key`, in lower case.
fn is_known(key: &str) -> bool {
    MANIFEST.iter().map(|expected| expected.table).chain([REGISTRY]).any(|known| known.eq_ignore_ascii_case(key))
}

/// Whether a view can be read. A view can be invalid even if `SQLite` lists its columns. This function returns an error
/// only if the read must stop.
fn is_readable(connection: &Connection, view: &str) -> rusqlite::Result<bool> {
    match connection.prepare(&format!("SELECT * FROM {}", quote_name(view))) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Err(error),
        prepared => Ok(prepared.is_ok()),
    }
}

/// Reads the schema version. For each upgrade of the file, `ManicTime` records the new version. So the highest recorded
/// version is the current version.
fn read_version(connection: &Connection, capacity: Capacity) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT RegistryKey FROM Registry WHERE typeof(RegistryKey) = 'text'";
    let mut highest: Option<(Vec<u32>, String)> = None;
    capacity.for_each_row(connection, sql, [], |row| {
        let key = value::name(row, 0)?.unwrap_or_default();
        if let Some(version) = key.strip_prefix("Database/ActivityReport/Version/")
            && let Ok(numbers) = version.split('.').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>()
            // Compare versions as numbers, because as texts `2.10` is less than `2.9`.
            && highest.as_ref().is_none_or(|(known, _)| *known <= numbers)
        {
            highest = Some((numbers, version.to_owned()));
        }
        value::text_bytes(row, 0)
    })?;
    Ok(highest.map(|(_, version)| version))
}

/// Reads the columns of a table or view. Skips columns whose name isn't valid UTF-8.
fn read_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RawColumn>> {
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid")?;
    let columns = statement.query_and_then([table], |row| -> rusqlite::Result<Option<RawColumn>> {
        let declared_type = value::name(row, 1)?.unwrap_or_default();
        Ok(exact_text(row, 0)?.map(|name| RawColumn { name, declared_type }))
    })?;
    columns.filter_map(Result::transpose).collect()
}

/// Returns the text at `index`, or `None` if the value isn't a text in valid UTF-8.
fn exact_text(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(row.get_ref(index)?.as_str().ok().map(str::to_owned))
}

/// Returns a name in double quotes for a statement of `SQLite`.
pub(crate) fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
