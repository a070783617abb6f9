//! What the API is asked for, of an [`EntryQuery`].

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

/// Whether something is asked for that the API cannot tell: tags whatever their case, and hours with overtime.
pub(super) fn is_unsupported_by_api(query: &EntryQuery) -> bool {
    !query.tags.is_empty() || query.min_hours.is_some() || query.max_hours.is_some()
}

/// The entries that are asked for, from `skip` on.
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

/// The user's entries that have the same project, task, days and hours as what is logged: few, and to be compared here.
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

/// The user's entries that have a day from `first` to `last`.
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

/// One for each thing that is asked for. That an entry has at most so many regular hours follows from its having at most
/// so many in all; that it has at least so many does not, and is not sent.
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

/// A full page of what holds all of them.
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

/// The API has no order of its own, and pages without one overlap: ids decide what is equal.
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
