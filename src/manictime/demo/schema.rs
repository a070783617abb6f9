//! The tables and indexes of a ManicTime history, in groups that can be left out.
//!
//! **Owns** the DDL (`schema/*.sql`, one file per table group). **Does not own** any row. Invariant: names, column
//! order and types are those of a real local database (report schema 2.2), so that a reader sees nothing here that
//! it would not see there. `Ar_TimelineSummary` and `Ar_ActivityByHour` are those of newer versions.

use rusqlite::Connection;

/// A part of the schema that is there as a whole or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableGroup {
    /// `Ar_Timeline`, `Ar_Group`, `Ar_Activity`: every history has them.
    Core,
    /// `Ar_GroupList`, `Ar_GroupListItem`: the tags of an activity.
    GroupLists,
    /// `Ar_CommonGroup`, `Ar_CommonGroupList`: groups shared by timelines.
    CommonGroups,
    /// `Ar_Folder`.
    Folders,
    /// `Ar_*ByDay` and `Ar_*ByYear` for applications, web sites, documents, tag lists and computer usage.
    Hourly,
    /// `Ar_Environment`: the devices.
    Environments,
    /// `Ar_User`, `Ar_Team`, `Ar_TeamMember`, `Ar_Category`, `Ar_CategoryGroup`.
    People,
    /// `Registry`, `Sequence`, `Document`.
    Bookkeeping,
    /// `Ar_TimelineSummary`, of newer versions.
    TimelineSummary,
    /// `Ar_ActivityByHour`, of newer versions.
    ActivityByHour,
    /// `Ar_Tag`, `Ar_ActivityTag`, which ManicTime's own files do not have.
    Tags,
}

impl TableGroup {
    /// Every table group, in the order of creation.
    pub const ALL: [Self; 11] = [
        Self::Bookkeeping,
        Self::Core,
        Self::GroupLists,
        Self::Folders,
        Self::CommonGroups,
        Self::Hourly,
        Self::Environments,
        Self::People,
        Self::TimelineSummary,
        Self::ActivityByHour,
        Self::Tags,
    ];

    /// Returns the DDL of the group: its tables, then its indexes.
    pub const fn ddl(self) -> &'static str {
        match self {
            Self::Core => include_str!("schema/core.sql"),
            Self::GroupLists => include_str!("schema/group_lists.sql"),
            Self::CommonGroups => include_str!("schema/common_groups.sql"),
            Self::Folders => include_str!("schema/folders.sql"),
            Self::Hourly => include_str!("schema/hourly.sql"),
            Self::Environments => include_str!("schema/environments.sql"),
            Self::People => include_str!("schema/people.sql"),
            Self::Bookkeeping => include_str!("schema/bookkeeping.sql"),
            Self::TimelineSummary => include_str!("schema/timeline_summary.sql"),
            Self::ActivityByHour => include_str!("schema/activity_by_hour.sql"),
            Self::Tags => include_str!("schema/tags.sql"),
        }
    }

    /// Splits the DDL where the first index begins; large histories get their indexes after the rows.
    fn tables_and_indexes(self) -> (&'static str, &'static str) {
        let ddl = self.ddl();
        let cut = ["\nCREATE INDEX", "\nCREATE UNIQUE INDEX"].iter().filter_map(|word| ddl.find(word)).min();
        ddl.split_at(cut.unwrap_or(ddl.len()))
    }
}

/// Which table groups a history has. [`TableGroup::Core`] is always there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaOptions {
    groups: Vec<TableGroup>,
}

impl Default for SchemaOptions {
    /// Everything that ManicTime itself writes: all but [`TableGroup::Tags`].
    fn default() -> Self {
        Self::core().with(&TableGroup::ALL).without(&[TableGroup::Tags])
    }
}

impl SchemaOptions {
    /// Returns the least that a history can be: timelines, groups and activities.
    pub fn core() -> Self {
        Self { groups: vec![TableGroup::Core] }
    }

    /// Adds table groups.
    #[must_use]
    pub fn with(mut self, groups: &[TableGroup]) -> Self {
        for group in groups {
            if !self.has(*group) {
                self.groups.push(*group);
            }
        }
        self
    }

    /// Leaves table groups out; the core stays.
    #[must_use]
    pub fn without(mut self, groups: &[TableGroup]) -> Self {
        self.groups.retain(|group| *group == TableGroup::Core || !groups.contains(group));
        self
    }

    /// Tells whether the history has a table group.
    pub fn has(&self, group: TableGroup) -> bool {
        self.groups.contains(&group)
    }
}

/// Creates the whole schema that ManicTime itself writes, tables and indexes.
pub fn create(conn: &Connection) -> rusqlite::Result<()> {
    create_tables(conn, &SchemaOptions::default())?;
    create_indexes(conn, &SchemaOptions::default())
}

/// Creates the tables of the chosen groups, without their indexes.
pub fn create_tables(conn: &Connection, options: &SchemaOptions) -> rusqlite::Result<()> {
    chosen(options).try_for_each(|group| conn.execute_batch(group.tables_and_indexes().0))
}

/// Creates the indexes of the chosen groups, whose tables must exist.
pub fn create_indexes(conn: &Connection, options: &SchemaOptions) -> rusqlite::Result<()> {
    chosen(options).try_for_each(|group| conn.execute_batch(group.tables_and_indexes().1))
}

fn chosen(options: &SchemaOptions) -> impl Iterator<Item = TableGroup> {
    TableGroup::ALL.into_iter().filter(|group| options.has(*group))
}
