//! Conversion of queries for entries to filters and sort orders of the API.

use super::operations::time_entries::{
    DecimalOperationFilterInput as HoursFilter, LocalDateOperationFilterInput as DayFilter, ProjectFilterInput,
    ProjectTaskFilterInput, SortEnumType, StringOperationFilterInput as TextFilter, TimeEntryFilterInput as Condition,
    TimeEntrySortInput, TimeEntryStatusOperationFilterInput as StatusFilter, Variables,
};
use crate::day::Day;
use crate::entry::NewEntry;
use crate::hours::Hours;
use crate::query::{EntryQuery, Limit, Order, Sort, SortBy};

/// Whether the query has a filter that the API doesn't support. The API can't compare tags without regard to case, and
/// it can't filter by the sum of regular and overtime hours.
pub(super) fn is_unsupported_by_api(query: &EntryQuery) -> bool {
    !query.tags.is_empty() || query.min_hours.is_some() || query.max_hours.is_some()
}

/// Returns the variables of a request for the entries that match the query. The request skips `skip` entries and
/// returns at most `take` entries.
pub(super) fn query_variables(query: &EntryQuery, skip: u32, take: u32) -> Variables {
    variables(conditions(query), skip, take, query.sort)
}

/// Returns the variables of a request for the user's entries with the project, task, days and hours of `entry`. Few
/// entries match. The caller compares their other fields.
pub(super) fn equal_entries_variables(entry: &NewEntry, owner: &str, skip: u32) -> Variables {
    let day = |day| Some(DayFilter { eq: Some(day), ..Default::default() });
    let members = vec![
        Condition { start_date: day(entry.start_date), ..Default::default() },
        Condition { completion_date: day(entry.completion_date), ..Default::default() },
        project_filter(&entry.project_code),
        task_filter(&entry.task),
        Condition { standard_hours: Some(equal_hours(entry.standard_hours)), ..Default::default() },
        Condition { overtime_hours: Some(equal_hours(entry.overtime_hours)), ..Default::default() },
        user_filter(owner),
    ];
    variables(members, skip, Limit::MAX_VALUE.get(), Sort::default())
}

/// Returns the variables of a request for the user's entries that overlap the days from `first` to `last`.
pub(super) fn days_variables(first: Day, last: Day, owner: &str, skip: u32) -> Variables {
    let members = vec![
        Condition { start_date: Some(until(last)), ..Default::default() },
        Condition { completion_date: Some(from(first)), ..Default::default() },
        user_filter(owner),
    ];
    variables(members, skip, Limit::MAX_VALUE.get(), Sort::default())
}

/// Converts each filter of the query to a condition of the API. Regular hours can't exceed total hours, so a maximum of
/// total hours becomes a maximum of regular hours. A minimum of total hours can't be converted like this and is left
/// out.
fn conditions(query: &EntryQuery) -> Vec<Condition> {
    let is = |status| StatusFilter { eq: Some(status), ..Default::default() };
    let contains = |text: &str| TextFilter { contains: Some(text.to_owned()), ..Default::default() };
    let at_most = |hours| HoursFilter { lte: Some(hours), ..Default::default() };
    let overtime = |has: bool| HoursFilter {
        gt: has.then_some(Hours::ZERO),
        eq: (!has).then_some(Hours::ZERO),
        ..Default::default()
    };
    let conditions = vec![
        query.start_date.map(|day| Condition { start_date: Some(from(day)), ..Default::default() }),
        query.end_date.map(|day| Condition { completion_date: Some(until(day)), ..Default::default() }),
        query.project_code.as_deref().map(project_filter),
        query.task.as_deref().map(task_filter),
        query.status.map(|status| Condition { status: Some(is(status)), ..Default::default() }),
        query
            .description_contains
            .as_deref()
            .map(|text| Condition { description: Some(contains(text)), ..Default::default() }),
        query.user_email.as_deref().map(|email| Condition { user_email: Some(equals(email)), ..Default::default() }),
        query.has_overtime.map(|has| Condition { overtime_hours: Some(overtime(has)), ..Default::default() }),
        query.max_hours.map(|most| Condition { standard_hours: Some(at_most(most)), ..Default::default() }),
    ];
    conditions.into_iter().flatten().collect()
}

/// Returns the variables of a request for the entries that match all conditions.
fn variables(members: Vec<Condition>, skip: u32, take: u32, sort: Sort) -> Variables {
    let where_ = (!members.is_empty()).then(|| Condition { and: Box::new(Some(members)), ..Default::default() });
    Variables { skip: Some(skip.into()), take: Some(take.into()), where_, order: Some(sort_order(sort)) }
}

fn user_filter(id: &str) -> Condition {
    Condition { user_id: Some(equals(id)), ..Default::default() }
}

fn project_filter(code: &str) -> Condition {
    let project = ProjectFilterInput { code: Some(equals(code)), ..Default::default() };
    Condition { project: Box::new(Some(project)), ..Default::default() }
}

fn task_filter(name: &str) -> Condition {
    let task = ProjectTaskFilterInput { task_name: Some(equals(name)), ..Default::default() };
    Condition { project_task: Box::new(Some(task)), ..Default::default() }
}

fn from(day: Day) -> DayFilter {
    DayFilter { gte: Some(day), ..Default::default() }
}

fn until(day: Day) -> DayFilter {
    DayFilter { lte: Some(day), ..Default::default() }
}

fn equal_hours(hours: Hours) -> HoursFilter {
    HoursFilter { eq: Some(hours), ..Default::default() }
}

fn equals(text: &str) -> TextFilter {
    TextFilter { eq: Some(text.to_owned()), ..Default::default() }
}

/// Converts the sort order. It always includes the id, because pages of the API could otherwise overlap.
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
