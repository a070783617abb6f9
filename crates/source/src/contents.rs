//! What the files of a source contain: capabilities and tables of their own.

use std::collections::BTreeSet;

use datafusion::arrow::datatypes::SchemaRef;
use serde::Serialize;

/// Data that a history may or may not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Names and keys that devices share.
    CommonGroups,
    /// Names of devices.
    Devices,
    /// Tags with parts.
    TagLists,
    /// Hourly totals of applications.
    HourlyApplications,
    /// Hourly totals of websites.
    HourlyWebsites,
    /// Hourly totals of documents.
    HourlyDocuments,
    /// Hourly totals of tags.
    HourlyTags,
    /// Tags that are linked to activities one by one.
    LinkedTags,
}

/// What the files of a source contain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// The data that the files contain.
    pub capabilities: BTreeSet<Capability>,
    /// The tables of the files as they are, in order of their names.
    pub own_tables: Vec<OwnTable>,
}

impl Contents {
    /// Returns whether the files contain this.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}

/// A table of the files as it is, in the schema that is named after the source. Nothing is known of what its columns
/// mean, so it is only offered if no privacy setting is active.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OwnTable {
    /// Name in lower case.
    pub name: String,
    /// Columns in lower case: `Int64` or `Utf8View`, all of them nullable.
    pub schema: SchemaRef,
}
