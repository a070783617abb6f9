//! Which entries are asked for, in which order, and how many.

use std::str::FromStr;

use crate::day::Day;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::refusal::Refusal;
use crate::status::Status;
use crate::tag::Tag;

/// The entries that hold all of what is given, in a stable order. Text is compared exactly, but for tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryQuery {
    /// Start on that day or later.
    pub start_date: Option<Day>,
    /// End on that day or earlier: the day is part of what is asked for.
    pub end_date: Option<Day>,
    /// Are logged on that project.
    pub project_code: Option<String>,
    /// Are logged on a task of that name.
    pub task: Option<String>,
    /// Have that status.
    pub status: Option<Status>,
    /// Have that text in their description.
    pub description_contains: Option<String>,
    /// Have all of these tags, whatever the case of names and values.
    pub tags: Vec<Tag>,
    /// Have overtime, or have none.
    pub has_overtime: Option<bool>,
    /// Have at least that many hours, overtime counted.
    pub min_hours: Option<Hours>,
    /// Have at most that many hours, overtime counted.
    pub max_hours: Option<Hours>,
    /// Are of the user with that address. The ledger, which has one user, knows of no addresses.
    pub user_email: Option<String>,
    /// In which order.
    pub sort: Sort,
    /// How many at most.
    pub limit: Limit,
    /// How many to leave out first.
    pub offset: u32,
}

impl EntryQuery {
    /// Whether an entry holds all of what is given: the meaning of the filters, in one place.
    pub fn matches(&self, entry: &TimeEntry) -> bool {
        let total = entry.total_hours();
        let description = entry.description.as_deref().unwrap_or_default();
        let email = entry.user.as_ref().and_then(|user| user.email.as_deref());
        self.start_date.is_none_or(|day| entry.start_date >= day)
            && self.end_date.is_none_or(|day| entry.completion_date <= day)
            && self.project_code.as_ref().is_none_or(|code| *code == entry.project_code)
            && self.task.as_ref().is_none_or(|task| *task == entry.task)
            && self.status.is_none_or(|status| status == entry.status)
            && self.description_contains.as_ref().is_none_or(|text| description.contains(text))
            && self.tags.iter().all(|asked| entry.tags.iter().any(|tag| tag.fold_case() == asked.fold_case()))
            && self.has_overtime.is_none_or(|has| has == (entry.overtime_hours > Hours::ZERO))
            && self.min_hours.is_none_or(|least| total >= least)
            && self.max_hours.is_none_or(|most| total <= most)
            && self.user_email.as_deref().is_none_or(|asked| email == Some(asked))
    }
}

/// Some of the entries that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryPage {
    /// The entries, in the order that was asked for.
    pub entries: Vec<TimeEntry>,
    /// Whether more follow.
    pub has_more: bool,
}

/// How many entries an answer has at most: 1 to 200, 50 unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(u32);

impl Limit {
    /// The most that the API gives at once.
    pub const MAX_VALUE: Self = Self(200);

    /// That many.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` with the field `limit`, for none and for more than 200: the API does not cut down either.
    pub fn new(entries: u32) -> Result<Self, Refusal> {
        if (1..=Self::MAX_VALUE.0).contains(&entries) {
            return Ok(Self(entries));
        }
        Err(Refusal::invalid("limit", format_args!("Limit must be between 1 and {}", Self::MAX_VALUE.0)))
    }

    /// How many.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

/// In which order entries come. Those that are equal in it come in the order of their ids, so that pages do not change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sort {
    /// What they are compared by.
    pub by: SortBy,
    /// Which end comes first.
    pub order: Order,
}

/// What entries are compared by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortBy {
    /// Their first day.
    #[default]
    StartDate,
    /// Their last day.
    CompletionDate,
    /// Their regular hours.
    StandardHours,
}

/// Which end of an order comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// The least.
    Ascending,
    /// The greatest, that is the newest.
    #[default]
    Descending,
}

impl FromStr for SortBy {
    type Err = Refusal;

    /// The API passes over a name that it does not know; here it is a mistake that is told.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.to_ascii_lowercase().as_str() {
            "startdate" => Ok(Self::StartDate),
            "completiondate" => Ok(Self::CompletionDate),
            "standardhours" => Ok(Self::StandardHours),
            _ => {
                let message = format_args!("cannot sort by `{text}`: use startDate, completionDate or standardHours");
                Err(Refusal::invalid("sortBy", message))
            }
        }
    }
}

impl FromStr for Order {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.to_ascii_lowercase().as_str() {
            "asc" => Ok(Self::Ascending),
            "desc" => Ok(Self::Descending),
            _ => Err(Refusal::invalid("sortOrder", format_args!("invalid order `{text}`: use asc or desc"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// See docs/spec/timesheet.md#entry-queries.
    #[test]
    fn limit_above_200_is_rejected() {
        for entries in [0, 201, 500] {
            let refusal = Limit::new(entries).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some("limit"));
            assert_eq!(refusal.message, "Limit must be between 1 and 200");
        }
        assert_eq!(
            (Limit::new(1).unwrap().get(), Limit::new(200).unwrap(), Limit::default().get()),
            (1, Limit::MAX_VALUE, 50)
        );
    }

    #[test]
    fn sort_names_ignore_case_and_unknown_names_are_rejected() {
        assert_eq!("startDate".parse(), Ok(SortBy::StartDate));
        assert_eq!("COMPLETIONDATE".parse(), Ok(SortBy::CompletionDate));
        assert_eq!("standardhours".parse(), Ok(SortBy::StandardHours));
        assert_eq!("DESC".parse(), Ok(Order::Descending));
        assert_eq!("asc".parse(), Ok(Order::Ascending));
        assert_eq!("task".parse::<SortBy>().unwrap_err().field.as_deref(), Some("sortBy"));
        assert_eq!("down".parse::<Order>().unwrap_err().field.as_deref(), Some("sortOrder"));
    }
}
