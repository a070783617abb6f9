//! Queries for entries: filters, order and paging.

use std::str::FromStr;

use crate::day::Day;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::refusal::Refusal;
use crate::status::Status;
use crate::tag::Tag;

/// A query for entries. An entry must match every filter that is set. Text is compared exactly, except for tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryQuery {
    /// Matches entries that start on this day or later.
    pub start_date: Option<Day>,
    /// Matches entries that end on this day or earlier.
    pub end_date: Option<Day>,
    /// Matches entries of the project with this code.
    pub project_code: Option<String>,
    /// Matches entries on a task with this name, in any project.
    pub task: Option<String>,
    /// Matches entries with this status.
    pub status: Option<Status>,
    /// Matches entries whose description contains this text.
    pub description_contains: Option<String>,
    /// Matches entries that have all of these tags. Case is ignored.
    pub tags: Vec<Tag>,
    /// Matches entries with overtime (`true`) or without overtime (`false`).
    pub has_overtime: Option<bool>,
    /// Matches entries with at least this many hours, including overtime.
    pub min_hours: Option<Hours>,
    /// Matches entries with at most this many hours, including overtime.
    pub max_hours: Option<Hours>,
    /// Matches entries of the user with this email address. In the ledger this filter matches nothing, because the
    /// ledger doesn't store email addresses.
    pub user_email: Option<String>,
    /// The order of the result.
    pub sort: Sort,
    /// The maximum number of returned entries.
    pub limit: Limit,
    /// The number of matching entries to skip before the first returned entry.
    pub offset: u32,
}

impl EntryQuery {
    /// Whether an entry matches all filters. The filters of the SQL query must have the same meaning as this function.
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

/// A page of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryPage {
    /// The entries, in the order of the query.
    pub entries: Vec<TimeEntry>,
    /// Whether more matching entries follow after this page.
    pub has_more: bool,
}

/// The maximum number of entries in a page: 1 to 200 [default: 50].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(u32);

impl Limit {
    /// The largest page that the API returns.
    pub const MAX_VALUE: Self = Self(200);

    /// Creates a limit from a number of entries.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` with the field `limit` for zero and for more than 200. The API rejects the same values.
    pub fn new(entries: u32) -> Result<Self, Refusal> {
        if (1..=Self::MAX_VALUE.0).contains(&entries) {
            return Ok(Self(entries));
        }
        Err(Refusal::invalid("limit", format_args!("Limit must be between 1 and {}", Self::MAX_VALUE.0)))
    }

    /// Returns the number of entries.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

/// The order of entries. Entries with the same value are ordered by id, so that pages are stable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sort {
    /// The field to sort by.
    pub by: SortBy,
    /// The direction.
    pub order: Order,
}

/// A field to sort by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The first day.
    #[default]
    StartDate,
    /// The last day.
    CompletionDate,
    /// The regular hours.
    StandardHours,
}

/// The direction of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// Smallest or oldest first.
    Ascending,
    /// Greatest or newest first.
    #[default]
    Descending,
}

impl FromStr for SortBy {
    type Err = Refusal;

    /// Parses the name of a field. Rejects an unknown name, although the API ignores unknown names.
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
