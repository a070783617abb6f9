//! The toolsets. Users enable and disable tools by toolset.

/// A set of tools that users enable and disable together. The toolset's name is part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// `activity`: activities, from the tracker's timelines.
    Activity,
    /// `screenshots`: images of the screen.
    Screenshots,
    /// `sql`: queries in SQL.
    Sql,
    /// `questions`: the user's saved questions.
    Questions,
    /// `timesheet`: logged hours.
    Timesheet,
    /// `notes`: meeting notes.
    Notes,
}

impl Toolset {
    /// Every toolset.
    pub const ALL: [Self; 6] =
        [Self::Activity, Self::Screenshots, Self::Sql, Self::Questions, Self::Timesheet, Self::Notes];

    /// The toolsets that a server offers by default. Their tools only read data, except that one tool saves
    /// screenshots.
    pub const DEFAULT: [Self; 3] = [Self::Activity, Self::Screenshots, Self::Sql];

    /// Returns the name that users write in flags and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Screenshots => "screenshots",
            Self::Sql => "sql",
            Self::Questions => "questions",
            Self::Timesheet => "timesheet",
            Self::Notes => "notes",
        }
    }
}
