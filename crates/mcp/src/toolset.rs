//! The toolsets by which users enable and disable tools.

/// A set of tools that is enabled and disabled together. Its name is part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// `activity`: activities, from the tracker's timelines.
    Activity,
    /// `screenshots`: images of the screen.
    Screenshots,
    /// `sql`: queries in SQL.
    Sql,
    /// `timesheet`: logged hours.
    Timesheet,
    /// `notes`: meeting notes.
    Notes,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 5] = [Self::Activity, Self::Screenshots, Self::Sql, Self::Timesheet, Self::Notes];

    /// The toolsets of a server without a selection. They only read, except that screenshots can be saved.
    pub const DEFAULT: [Self; 3] = [Self::Activity, Self::Screenshots, Self::Sql];

    /// Returns the name that flags and settings use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Screenshots => "screenshots",
            Self::Sql => "sql",
            Self::Timesheet => "timesheet",
            Self::Notes => "notes",
        }
    }
}
