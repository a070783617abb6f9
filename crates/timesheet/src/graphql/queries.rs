//! Queries. A query doesn't change data, so it can be retried if the connection breaks.

use std::collections::BTreeSet;

use graphql_client::GraphQLQuery;

use super::client::{Failure, project_of};
use super::operations::projects::{BooleanOperationFilterInput, ProjectFilterInput, ProjectSortInput, SortEnumType};
use super::operations::{
    ActiveTasks, Projects, TimeEntries, TimeEntryById, active_tasks, projects, time_entries, time_entry_by_id,
};
use super::token::Token;
use super::{Inner, filter};
use crate::entry::TimeEntry;
use crate::id::EntryId;
use crate::project::{Project, ProjectFilter};
use crate::query::{EntryPage, EntryQuery, Limit};
use crate::refusal::{Code, Refusal};

/// The maximum number of pages to read if the API lacks a filter. These pages contain 10,000 entries, which one person
/// needs many years to log.
pub(super) const MAX_PAGES: u32 = 50;

impl Inner {
    /// Sends a query. If the connection fails or breaks, retries the query once.
    pub(super) async fn read<Q: GraphQLQuery>(
        &self,
        token: &Token,
        variables: impl Fn() -> Q::Variables,
    ) -> Result<Q::ResponseData, Refusal> {
        match self.wire.send::<Q>(token, variables()).await {
            Err(Failure::NotSent(_) | Failure::Broken(_)) => Ok(self.wire.send::<Q>(token, variables()).await?),
            answer => Ok(answer?),
        }
    }

    /// Returns the entry with the id, or `None` if it doesn't exist or the user can't see it.
    pub(super) async fn find(&self, token: &Token, id: EntryId) -> Result<Option<TimeEntry>, Refusal> {
        let data = self.read::<TimeEntryById>(token, || time_entry_by_id::Variables { id }).await?;
        Ok(data.time_entry.map(TimeEntry::from))
    }

    /// Returns the entry with the id, or fails with `NOT_FOUND`.
    pub(super) async fn get_entry(&self, token: &Token, id: EntryId) -> Result<TimeEntry, Refusal> {
        self.find(token, id).await?.ok_or_else(|| Refusal::not_found(id))
    }

    /// Reads one page of entries from the API.
    pub(super) async fn page(
        &self,
        token: &Token,
        variables: impl Fn() -> time_entries::Variables,
    ) -> Result<EntryPage, Refusal> {
        let page = self.read::<TimeEntries>(token, variables).await?.time_entries;
        let Some(page) = page else { return Ok(EntryPage::default()) };
        let entries = page.items.unwrap_or_default().into_iter().map(TimeEntry::from).collect();
        Ok(EntryPage { entries, has_more: page.page_info.has_next_page })
    }

    /// Returns all matching entries. `variables` returns the variables of a request that starts at the given offset.
    /// Returns `None` if there are more pages than [`MAX_PAGES`].
    pub(super) async fn all_pages(
        &self,
        token: &Token,
        variables: impl Fn(u32) -> time_entries::Variables,
    ) -> Result<Option<Vec<TimeEntry>>, Refusal> {
        self.first_matches(usize::MAX, token, variables, |_| true).await
    }

    /// Returns the entries for which `wanted` is true, and stops reading when more than `enough` of them are found.
    /// Returns `None` if more than [`MAX_PAGES`] pages would have to be read.
    async fn first_matches(
        &self,
        enough: usize,
        token: &Token,
        variables: impl Fn(u32) -> time_entries::Variables,
        wanted: impl Fn(&TimeEntry) -> bool,
    ) -> Result<Option<Vec<TimeEntry>>, Refusal> {
        let mut found = Vec::new();
        // If an entry is logged or deleted while the pages are read, later pages shift. An entry that was already read
        // may then appear again, and is skipped.
        let mut seen = BTreeSet::new();
        for page in 0..MAX_PAGES {
            let EntryPage { entries, has_more } = self.page(token, || variables(page * Limit::MAX_VALUE.get())).await?;
            found.extend(entries.into_iter().filter(|entry| wanted(entry) && seen.insert(entry.id)));
            if found.len() > enough || !has_more {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    pub(super) async fn query(&self, token: &Token, query: &EntryQuery) -> Result<EntryPage, Refusal> {
        if !filter::is_unsupported_by_api(query) {
            return self.page(token, || filter::query_variables(query, query.offset, query.limit.get())).await;
        }
        let (offset, limit) = (query.offset as usize, query.limit.get() as usize);
        let variables = |skip| filter::query_variables(query, skip, Limit::MAX_VALUE.get());
        let found = self.first_matches(offset + limit, token, variables, |entry| query.matches(entry)).await?;
        let found = found.ok_or_else(|| {
            let read = MAX_PAGES * Limit::MAX_VALUE.get();
            let message = format_args!("More than {read} entries would have to be searched: use fewer days");
            Refusal::invalid("startDate", message)
        })?;
        let has_more = found.len() > offset + limit;
        Ok(EntryPage { entries: found.into_iter().skip(offset).take(limit).collect(), has_more })
    }

    pub(super) async fn projects(&self, token: &Token, asked: ProjectFilter) -> Result<Vec<Project>, Refusal> {
        let variables = || {
            let active = BooleanOperationFilterInput { eq: Some(true), ..Default::default() };
            let active = ProjectFilterInput { is_active: Some(active), ..Default::default() };
            projects::Variables {
                where_: (asked == ProjectFilter::Active).then_some(active),
                order: Some(vec![ProjectSortInput { code: Some(SortEnumType::ASC), ..Default::default() }]),
            }
        };
        let data = self.read::<Projects>(token, variables).await?;
        Ok(data.projects.into_iter().map(Project::from).collect())
    }

    /// Adds the allowed projects or tasks to a refusal, because the API doesn't send them. If querying them fails,
    /// returns the refusal unchanged.
    pub(super) async fn add_allowed_values(&self, token: &Token, refusal: Refusal) -> Refusal {
        if refusal.code != Code::ValidationError {
            return refusal;
        }
        match refusal.field.as_deref() {
            Some("task") => {
                let Some(code) = project_of(&refusal.message).map(str::to_owned) else { return refusal };
                let variables = || active_tasks::Variables { code: code.clone() };
                let asked = self.read::<ActiveTasks>(token, variables).await.ok().and_then(|data| data.project);
                let Some(project) = asked else { return refusal };
                let active = project.available_tasks.iter().filter(|task| task.is_active);
                refusal.with_allowed(active.map(|task| &*task.task_name))
            }
            Some("projectCode") => match self.projects(token, ProjectFilter::Active).await {
                Ok(projects) => refusal.with_allowed(projects.iter().map(|project| &*project.code)),
                Err(_) => refusal,
            },
            _ => refusal,
        }
    }
}
