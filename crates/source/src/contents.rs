//! The kinds of data in a source's files, and the source's own tables.

use std::collections::BTreeSet;

use arrow::datatypes::SchemaRef;
use serde::Serialize;

/// A kind of data that a history may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// The names and keys of groups that several devices share.
    CommonGroups,
    /// Names of devices.
    Devices,
    /// The parts of tags that consist of several parts.
    TagLists,
    /// Hourly totals of applications.
    HourlyApplications,
    /// Hourly totals of websites.
    HourlyWebsites,
    /// Hourly totals of documents.
    HourlyDocuments,
    /// Hourly totals of tags.
    HourlyTags,
    /// Tags that are linked to single activities.
    LinkedTags,
}

/// The kinds of data in a source's files, and the source's own tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// The kinds of data that the files contain.
    pub capabilities: BTreeSet<Capability>,
    /// The source's own tables as they are in the files, sorted by name.
    pub own_tables: Vec<OwnTable>,
}

impl Contents {
    /// Whether the files contain this kind of data.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}

/// An unchanged table from a source's files. In SQL, the table is in a schema with the source's name. The meaning of
/// its columns is unknown, so it is available only if there are no privacy settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwnTable {
    /// The name in lower case.
    pub name: String,
    /// The columns, with names in lower case. Each column has the type `Int64` or `Utf8View`, and
    /// is nullable.
    pub schema: SchemaRef,
}
