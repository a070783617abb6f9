//! The toolsets by which users enable and disable tools.

/// A set of tools that is enabled and disabled together. Its name is part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// `activity`: what was done, from `ManicTime`'s timelines.
    Activity,
    /// `screenshots`: pictures of the screen.
    Screenshots,
    /// `sql`: queries in SQL.
    Sql,
    /// `timesheet`: logged hours.
    Timesheet,
    /// `notes`: notes of meetings.
    Notes,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 5] = [Self::Activity, Self::Screenshots, Self::Sql, Self::Timesheet, Self::Notes];

    /// Those of a server that is not told which: they only read, but for pictures that are saved.
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
