//! Checks the schema of the database, with a manifest of required and optional tables and columns in three tiers.
//!
//! Newer versions of `ManicTime` add tables and columns, and older ones lack some, so everything is read by name
//! (docs/spec/manictime.md#tables). Core tables and columns must exist, supplemental ones improve responses, and
//! informational ones are only reported.
//!
//! `ManicTime` has no views and no virtual tables. A view is read only if it has the name of a `ManicTime` table. Other
//! views and all virtual tables are ignored, because reading a virtual table runs the code of an extension over data
//! from an unknown author.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::{Connection, ErrorCode, Row};

use super::error::Error;
use super::sqlite::{Capacity, sqlite_error};
use super::value;

/// How much a table matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Without it nothing can be answered.
    Core,
    /// Without it some answers are degraded.
    Supplemental,
    /// Only reported.
    Informational,
}

struct Expected {
    table: &'static str,
    tier: Tier,
    /// Columns without which the table counts as missing; the others read as null.
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

/// Something that a file may or may not be able to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Names and keys shared by devices (`Ar_CommonGroup`).
    CommonGroups,
    /// Device names (`Ar_Environment`).
    Devices,
    /// Tags as lists with parts (`Ar_GroupList`, `Ar_GroupListItem`).
    TagLists,
    /// Hourly totals of applications.
    HourlyApplications,
    /// Hourly totals of websites.
    HourlyWebsites,
    /// Hourly totals of documents.
    HourlyDocuments,
    /// Hourly totals of tags.
    HourlyTags,
    /// Tags linked to activities one by one (`Ar_Tag`, `Ar_ActivityTag`).
    LinkedTags,
}

impl Capability {
    /// Every capability with the tables that it needs.
    const REQUIRED_TABLES: &[(Self, &[&str])] = &[
        (Self::CommonGroups, &["Ar_CommonGroup"]),
        (Self::Devices, &["Ar_Environment"]),
        (Self::TagLists, &["Ar_GroupList", "Ar_GroupListItem"]),
        (Self::HourlyApplications, &["Ar_ApplicationByDay", "Ar_CommonGroup"]),
        (Self::HourlyWebsites, &["Ar_WebSiteByDay", "Ar_CommonGroup"]),
        (Self::HourlyDocuments, &["Ar_DocumentByDay", "Ar_CommonGroup"]),
        (Self::HourlyTags, &["Ar_TagListByDay", "Ar_CommonGroupList"]),
        (Self::LinkedTags, &["Ar_Tag", "Ar_ActivityTag"]),
    ];

    /// What a user misses without it; `None` for a capability that most files lack rightly.
    pub fn missing_effect(self) -> Option<&'static str> {
        match self {
            Self::CommonGroups => Some("names come from each device's own groups; hourly totals cannot be named"),
            Self::Devices => Some("devices are shown by their id"),
            Self::TagLists => Some("tags are shown by name only, without their parts"),
            Self::HourlyApplications => Some("application usage is computed from activities"),
            Self::HourlyWebsites => Some("website usage is computed from activities"),
            Self::HourlyDocuments => Some("document usage is computed from activities"),
            Self::HourlyTags => Some("tag usage is computed from activities"),
            Self::LinkedTags => None,
        }
    }

    /// What a user can do about its absence.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::CommonGroups | Self::Devices => {
                "update ManicTime and let it open the history once; newer versions write this table"
            }
            Self::TagLists => "update ManicTime if you use tags; without tags nothing is missed",
            Self::HourlyApplications | Self::HourlyWebsites | Self::HourlyDocuments | Self::HourlyTags => {
                "nothing has to be done: the numbers are the same kind, long ranges take longer; a running, recent \
                 ManicTime writes these totals by itself"
            }
            Self::LinkedTags => "nothing has to be done",
        }
    }
}

/// A column of a table as the file declares it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RawColumn {
    pub(crate) name: String,
    pub(crate) declared_type: String,
}

/// The tables and columns of one file, checked against the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    tables: BTreeMap<String, Vec<RawColumn>>,
    capabilities: BTreeSet<Capability>,
    version: Option<String>,
}

impl Shape {
    /// Reads the shape of the file behind `connection`, which holds so much.
    ///
    /// # Errors
    /// `Incomplete` for what is core; whatever `SQLite` says.
    pub(crate) fn read(connection: &Connection, capacity: Capacity, path: &Path) -> Result<Self, Error> {
        let tables = read_tables(connection, capacity).map_err(|error| sqlite_error(&error, path))?;
        let mut shape = Self { tables, capabilities: BTreeSet::new(), version: None };
        for expected in MANIFEST.iter().filter(|expected| expected.tier == Tier::Core) {
            let table = expected.table;
            let missing = match expected.columns.iter().find(|column| !shape.has_column(table, column)) {
                _ if !shape.tables.contains_key(&table.to_ascii_lowercase()) => format!("table `{table}`"),
                Some(column) => format!("column `{table}.{column}`"),
                None => continue,
            };
            return Err(Error::Incomplete { path: path.to_owned(), part: missing });
        }
        shape.capabilities = Capability::REQUIRED_TABLES
            .iter()
            .filter(|(_, tables)| tables.iter().all(|table| shape.is_usable(table)))
            .map(|(capability, _)| *capability)
            .collect();
        if shape.has_column(REGISTRY, "RegistryKey") {
            shape.version = read_version(connection, capacity).map_err(|error| sqlite_error(&error, path))?;
        }
        Ok(shape)
    }

    /// The version of the report schema, such as `2.2.0.0`, where the file keeps a record of it.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Whether the file can tell this.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// What the file can tell.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability> + '_ {
        self.capabilities.iter().copied()
    }

    /// What the file cannot tell.
    pub fn missing_capabilities(&self) -> impl Iterator<Item = Capability> + '_ {
        Capability::REQUIRED_TABLES
            .iter()
            .map(|(capability, _)| *capability)
            .filter(|capability| !self.has_capability(*capability))
    }

    /// Every table of the manifest with its tier and whether the file has it.
    pub fn manifest(&self) -> impl Iterator<Item = (&'static str, Tier, bool)> + '_ {
        MANIFEST.iter().map(|expected| (expected.table, expected.tier, self.is_usable(expected.table)))
    }

    /// Whether `table` is there with the columns that the manifest asks for.
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

    /// How a statement names a column that may be absent: then it reads as null.
    pub(crate) fn column(&self, table: &str, column: &str) -> String {
        if self.has_column(table, column) { format!("\"{column}\"") } else { "NULL".to_owned() }
    }

    /// The file's tables by lower-case name.
    pub(crate) fn tables(&self) -> &BTreeMap<String, Vec<RawColumn>> {
        &self.tables
    }
}

/// Where `ManicTime` keeps its records.
const REGISTRY: &str = "Registry";

/// Reads the columns of each table, by its lower-case name.
fn read_tables(connection: &Connection, capacity: Capacity) -> rusqlite::Result<BTreeMap<String, Vec<RawColumn>>> {
    let sql = "SELECT name, type, rootpage FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name";
    let mut tables = BTreeMap::new();
    capacity.for_each_row(connection, sql, [], |row| {
        // A name that is no text could not be asked for.
        let Some(name) = exact_text(row, 0)? else { return value::text_bytes(row, 0) };
        let key = name.to_ascii_lowercase();
        let is_view = exact_text(row, 1)?.is_some_and(|kind| kind == "view");
        let is_offered = if is_view {
            is_known(&key) && is_readable(connection, &name)?
        } else {
            // A virtual table has no page of its own.
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

/// Whether `ManicTime` has a table with that lower-case name.
fn is_known(key: &str) -> bool {
    MANIFEST.iter().map(|expected| expected.table).chain([REGISTRY]).any(|known| known.eq_ignore_ascii_case(key))
}

/// Whether a view can be read; its columns alone do not say it. Fails if the read has to end.
fn is_readable(connection: &Connection, view: &str) -> rusqlite::Result<bool> {
    match connection.prepare(&format!("SELECT * FROM {}", quote_name(view))) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Err(error),
        prepared => Ok(prepared.is_ok()),
    }
}

/// `ManicTime` notes every version that the file was brought to; the highest is its own.
fn read_version(connection: &Connection, capacity: Capacity) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT RegistryKey FROM Registry WHERE typeof(RegistryKey) = 'text'";
    let mut highest: Option<(Vec<u32>, String)> = None;
    capacity.for_each_row(connection, sql, [], |row| {
        let key = value::name(row, 0)?.unwrap_or_default();
        if let Some(version) = key.strip_prefix("Database/ActivityReport/Version/")
            && let Ok(numbers) = version.split('.').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>()
            && highest.as_ref().is_none_or(|(known, _)| *known <= numbers)
        {
            highest = Some((numbers, version.to_owned()));
        }
        value::text_bytes(row, 0)
    })?;
    Ok(highest.map(|(_, version)| version))
}

/// The columns of a table or view that can be named.
fn read_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<RawColumn>> {
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid")?;
    let columns = statement.query_and_then([table], |row| -> rusqlite::Result<Option<RawColumn>> {
        let declared_type = value::name(row, 1)?.unwrap_or_default();
        Ok(exact_text(row, 0)?.map(|name| RawColumn { name, declared_type }))
    })?;
    columns.filter_map(Result::transpose).collect()
}

/// A text that is UTF-8.
fn exact_text(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(row.get_ref(index)?.as_str().ok().map(str::to_owned))
}

/// A name of the file as `SQLite` reads it.
pub(crate) fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
