//! What shape the file has: the schema manifest in three tiers, and what follows from it.
//!
//! Newer versions of `ManicTime` add tables and columns, older ones lack some, so everything is read by name (ManicTime
//! data, section 1). Core tables and columns must be there; supplemental ones make answers better; informational ones
//! are only reported.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::Connection;

use super::Error;

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
    Expected {
        table: "Ar_Activity",
        tier: Tier::Core,
        columns: &[
            "ReportId",
            "ActivityId",
            "Name",
            "GroupId",
            "StartLocalTime",
            "StartUtcTime",
            "EndLocalTime",
            "EndUtcTime",
        ],
    },
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
    const NEEDS: &[(Self, &[&str])] = &[
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
    pub fn when_missing(self) -> Option<&'static str> {
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
    /// Reads the shape of the file behind `connection`.
    ///
    /// # Errors
    /// `MissingTable` and `MissingColumn` for what is core; whatever `SQLite` says.
    pub(crate) fn read(connection: &Connection, path: &Path) -> Result<Self, Error> {
        let tables = read_tables(connection).map_err(|error| super::source::sqlite_error(&error, path))?;
        let mut shape = Self { tables, capabilities: BTreeSet::new(), version: None };
        for expected in MANIFEST.iter().filter(|expected| expected.tier == Tier::Core) {
            if !shape.tables.contains_key(&expected.table.to_ascii_lowercase()) {
                return Err(Error::MissingTable { path: path.to_owned(), table: expected.table.to_owned() });
            }
            if let Some(column) = expected.columns.iter().find(|column| !shape.has_column(expected.table, column)) {
                return Err(Error::MissingColumn {
                    path: path.to_owned(),
                    table: expected.table.to_owned(),
                    column: (*column).to_owned(),
                });
            }
        }
        shape.capabilities = Capability::NEEDS
            .iter()
            .filter(|(_, tables)| tables.iter().all(|table| shape.is_usable(table)))
            .map(|(capability, _)| *capability)
            .collect();
        if shape.has_column("Registry", "RegistryKey") {
            shape.version = read_version(connection).map_err(|error| super::source::sqlite_error(&error, path))?;
        }
        Ok(shape)
    }

    /// The version of the report schema, such as `2.2.0.0`, where the file keeps a record of it.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Whether the file can tell this.
    pub fn can(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// What the file can tell.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability> + '_ {
        self.capabilities.iter().copied()
    }

    /// What the file cannot tell.
    pub fn missing_capabilities(&self) -> impl Iterator<Item = Capability> + '_ {
        Capability::NEEDS.iter().map(|(capability, _)| *capability).filter(|capability| !self.can(*capability))
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

    /// The file's tables by lower-case name.
    pub(crate) fn tables(&self) -> &BTreeMap<String, Vec<RawColumn>> {
        &self.tables
    }
}

/// `ManicTime` notes every version that the file was brought to; the highest is its own.
fn read_version(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare("SELECT RegistryKey FROM Registry WHERE typeof(RegistryKey) = 'text'")?;
    let keys = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let versions = keys.iter().filter_map(|key| key.strip_prefix("Database/ActivityReport/Version/"));
    let numbers = |version: &str| version.split('.').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>().ok();
    Ok(versions.filter(|version| numbers(version).is_some()).max_by_key(|version| numbers(version)).map(str::to_owned))
}

fn read_tables(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Vec<RawColumn>>> {
    let mut statement = connection.prepare(
        "SELECT m.name, c.name, c.type FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c \
         WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
    )?;
    let mut rows = statement.query([])?;
    let mut tables: BTreeMap<String, Vec<RawColumn>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let table: String = row.get(0)?;
        let column = RawColumn { name: row.get(1)?, declared_type: row.get(2)? };
        tables.entry(table.to_ascii_lowercase()).or_default().push(column);
    }
    Ok(tables)
}
