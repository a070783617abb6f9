//! Conversion of an [`EntryQuery`] to a filter of the API.

use super::operations::time_entries::SortEnumType;
use super::operations::time_entries::{
    DecimalOperationFilterInput, LocalDateOperationFilterInput, ProjectFilterInput, ProjectTaskFilterInput,
    StringOperationFilterInput, TimeEntryFilterInput, TimeEntrySortInput, TimeEntryStatusOperationFilterInput,
    Variables,
};
use crate::day::Day;
use crate::entry::NewEntry;
use crate::hours::Hours;
use crate::query::{EntryQuery, Limit, Order, Sort, SortBy};

/// Whether the query has a filter that the API doesn't support: tags regardless of case, and hours including overtime.
pub(super) fn is_unsupported_by_api(query: &EntryQuery) -> bool {
    !query.tags.is_empty() || query.min_hours.is_some() || query.max_hours.is_some()
}

/// Returns the variables for the matching entries from `skip` on.
pub(super) fn query_variables(query: &EntryQuery, skip: u32, take: u32) -> Variables {
    let members = conditions(query);
    let is_filtered = !members.is_empty();
    let filter = TimeEntryFilterInput { and: Box::new(Some(members)), ..Default::default() };
    Variables {
        skip: Some(skip.into()),
        take: Some(take.into()),
        where_: is_filtered.then_some(filter),
        order: Some(sort_order(query.sort)),
    }
}

/// Returns the variables for the user's entries with the same project, task, days and hours as a new entry. There are
/// few, and the other fields are compared here.
pub(super) fn equal_entries_variables(entry: &NewEntry, owner: &str, skip: u32) -> Variables {
    let day = |day| Some(LocalDateOperationFilterInput { eq: Some(day), ..Default::default() });
    let hours = |hours| Some(DecimalOperationFilterInput { eq: Some(hours), ..Default::default() });
    let members = vec![
        TimeEntryFilterInput { start_date: day(entry.start_date), ..Default::default() },
        TimeEntryFilterInput { completion_date: day(entry.completion_date), ..Default::default() },
        project_filter(&entry.project_code),
        task_filter(&entry.task),
        TimeEntryFilterInput { standard_hours: hours(entry.standard_hours), ..Default::default() },
        TimeEntryFilterInput { overtime_hours: hours(entry.overtime_hours), ..Default::default() },
        user_filter(owner),
    ];
    page_variables(members, skip)
}

/// Returns the variables for the user's entries that overlap the days from `first` to `last`.
pub(super) fn days_variables(first: Day, last: Day, owner: &str, skip: u32) -> Variables {
    let until = LocalDateOperationFilterInput { lte: Some(last), ..Default::default() };
    let from = LocalDateOperationFilterInput { gte: Some(first), ..Default::default() };
    let members = vec![
        TimeEntryFilterInput { start_date: Some(until), ..Default::default() },
        TimeEntryFilterInput { completion_date: Some(from), ..Default::default() },
        user_filter(owner),
    ];
    page_variables(members, skip)
}

/// Returns a condition per filter. The maximum of total hours also limits the regular hours, which the API can filter.
/// The minimum of total hours doesn't imply a minimum of regular hours, so it isn't sent.
fn conditions(query: &EntryQuery) -> Vec<TimeEntryFilterInput> {
    let mut members = Vec::new();
    members.extend(query.start_date.map(|day| TimeEntryFilterInput {
        start_date: Some(LocalDateOperationFilterInput { gte: Some(day), ..Default::default() }),
        ..Default::default()
    }));
    members.extend(query.end_date.map(|day| TimeEntryFilterInput {
        completion_date: Some(LocalDateOperationFilterInput { lte: Some(day), ..Default::default() }),
        ..Default::default()
    }));
    members.extend(query.project_code.as_deref().map(project_filter));
    members.extend(query.task.as_deref().map(task_filter));
    members.extend(query.status.map(|status| TimeEntryFilterInput {
        status: Some(TimeEntryStatusOperationFilterInput { eq: Some(status), ..Default::default() }),
        ..Default::default()
    }));
    members.extend(query.description_contains.as_ref().map(|text| TimeEntryFilterInput {
        description: Some(StringOperationFilterInput { contains: Some(text.clone()), ..Default::default() }),
        ..Default::default()
    }));
    members.extend(
        query
            .user_email
            .as_deref()
            .map(|email| TimeEntryFilterInput { user_email: Some(equals(email)), ..Default::default() }),
    );
    members.extend(query.has_overtime.map(|has| TimeEntryFilterInput {
        overtime_hours: Some(if has {
            DecimalOperationFilterInput { gt: Some(Hours::ZERO), ..Default::default() }
        } else {
            DecimalOperationFilterInput { eq: Some(Hours::ZERO), ..Default::default() }
        }),
        ..Default::default()
    }));
    members.extend(query.max_hours.map(|most| TimeEntryFilterInput {
        standard_hours: Some(DecimalOperationFilterInput { lte: Some(most), ..Default::default() }),
        ..Default::default()
    }));
    members
}

/// Returns the variables for a full page of entries that match all conditions.
fn page_variables(members: Vec<TimeEntryFilterInput>, skip: u32) -> Variables {
    Variables {
        skip: Some(skip.into()),
        take: Some(Limit::MAX_VALUE.get().into()),
        where_: Some(TimeEntryFilterInput { and: Box::new(Some(members)), ..Default::default() }),
        order: Some(sort_order(Sort::default())),
    }
}

fn user_filter(id: &str) -> TimeEntryFilterInput {
    TimeEntryFilterInput { user_id: Some(equals(id)), ..Default::default() }
}

fn project_filter(code: &str) -> TimeEntryFilterInput {
    let project = ProjectFilterInput { code: Some(equals(code)), ..Default::default() };
    TimeEntryFilterInput { project: Box::new(Some(project)), ..Default::default() }
}

fn task_filter(name: &str) -> TimeEntryFilterInput {
    let task = ProjectTaskFilterInput { task_name: Some(equals(name)), ..Default::default() };
    TimeEntryFilterInput { project_task: Box::new(Some(task)), ..Default::default() }
}

fn equals(text: &str) -> StringOperationFilterInput {
    StringOperationFilterInput { eq: Some(text.to_owned()), ..Default::default() }
}

/// Returns the sort order. The API has no default order, so pages would overlap without one; the id breaks ties.
fn sort_order(sort: Sort) -> Vec<TimeEntrySortInput> {
    let direction = Some(match sort.order {
        Order::Ascending => SortEnumType::ASC,
        Order::Descending => SortEnumType::DESC,
    });
    let first = match sort.by {
        SortBy::StartDate => TimeEntrySortInput { start_date: direction, ..Default::default() },
        SortBy::CompletionDate => TimeEntrySortInput { completion_date: direction, ..Default::default() },
        SortBy::StandardHours => TimeEntrySortInput { standard_hours: direction, ..Default::default() },
    };
    vec![first, TimeEntrySortInput { id: Some(SortEnumType::ASC), ..Default::default() }]
}
