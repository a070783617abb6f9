//! A timesheet that a company stores behind a GraphQL API.
//!
//! This module connects to the API ([`Endpoint`], [`Options`]), authenticates ([`TokenSource`], [`AzureCli`]) and reads
//! the API's responses. If the response to the logging of an entry was lost, the module searches the API for the entry.
//! The API checks most rules of entries. The [`LocalStore`] keeps idempotency keys and evidence on this machine.
//!
//! Invariants:
//! - An operation uses only one token, and therefore acts for only one user.
//! - A mutation is never sent again before the outcome of the first request was checked.
//! - The key of an entry is stored before the entry is sent. The id of the logged entry is stored before the caller
//!   receives the entry.
//! - Logs and messages never contain the text of entries, URL queries, tokens or bodies. Error messages of the API are
//!   the only exception.

mod checks;
mod client;
mod filter;
mod log_once;
mod operations;
mod queries;
mod token;

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

pub use crate::http::{Endpoint, InvalidEndpoint, Options};
pub use token::{AzureCli, Token, TokenSource};

use client::{ApiClient, Failure};
use operations::{
    DeleteTimeEntry, MoveTaskToProject, SubmitTimeEntry, UpdateTimeEntry, delete_time_entry, move_task_to_project,
    submit_time_entry, update_time_entry,
};

use crate::day::Day;
use crate::entry::{Changes, NewEntry, TimeEntry};
use crate::id::{EntryId, IdempotencyKey};
use crate::local_store::LocalStore;
use crate::logged::LoggedEntries;
use crate::project::{Project, ProjectFilter};
use crate::query::{EntryPage, EntryQuery};
use crate::refusal::{Code, Refusal};
use crate::rules::OverlapPolicy;
use crate::status::Status;
use crate::timesheet::Timesheet;

/// The timesheet behind the API. Clones share their state.
#[derive(Clone)]
pub struct GraphQl {
    inner: Arc<Inner>,
}

struct Inner {
    wire: ApiClient,
    tokens: Arc<dyn TokenSource>,
    store: LocalStore,
    settle_time: Duration,
    /// Ensures that only one entry is logged at a time, so that entries with identical content aren't confused.
    logging: tokio::sync::Mutex<()>,
}

impl GraphQl {
    /// Creates a client for the API, which keeps local data in `store`. This function sends no request.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the trusted certificates of the system can't be used.
    pub fn new(
        endpoint: Endpoint,
        tokens: impl TokenSource + 'static,
        store: LocalStore,
        options: Options,
    ) -> Result<Self, Refusal> {
        let wire = ApiClient::new(endpoint, options)?;
        let inner = Inner {
            wire,
            tokens: Arc::new(tokens),
            store,
            settle_time: options.settle_time,
            logging: tokio::sync::Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Returns the local store. Its pending attempts are the attempts with an unknown outcome.
    pub fn store(&self) -> &LocalStore {
        &self.inner.store
    }
}

/// Runs an operation to its end, even if the caller drops the future.
async fn run_to_completion<T: Send + 'static>(
    operation: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    let ended = |_| Refusal::new(Code::InternalError, "An unexpected error occurred");
    tokio::spawn(operation).await.map_err(ended)?
}

#[async_trait]
impl Timesheet for GraphQl {
    async fn log(&self, key: IdempotencyKey, entry: NewEntry, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal> {
        let inner = Arc::clone(&self.inner);
        run_to_completion(async move { inner.log(key, entry, overlaps).await }).await
    }

    async fn query(&self, query: &EntryQuery) -> Result<EntryPage, Refusal> {
        self.inner.query(&self.inner.tokens.token().await?, query).await
    }

    async fn logged_entries(&self, days: RangeInclusive<Day>, time: Range<i64>) -> Result<LoggedEntries, Refusal> {
        self.inner.logged_entries(&self.inner.tokens.token().await?, &days, &time).await
    }

    async fn find(&self, id: EntryId) -> Result<TimeEntry, Refusal> {
        self.inner.get_entry(&self.inner.tokens.token().await?, id).await
    }

    async fn update(&self, id: EntryId, changes: Changes, overlaps: OverlapPolicy) -> Result<TimeEntry, Refusal> {
        checks::check_changes(&changes)?;
        let inner = Arc::clone(&self.inner);
        run_to_completion(async move {
            inner.check_change(id, &changes, overlaps).await?;
            let variables = update_time_entry::Variables { id, input: changes.clone().into() };
            let is_done = |entry: &TimeEntry| {
                entry.status == Status::NotReported
                    && log_once::has_equal_fields(&changes.clone().apply_to(entry.clone()), entry)
            };
            inner.change_entry::<UpdateTimeEntry>(id, variables, is_done).await
        })
        .await
    }

    async fn move_to(&self, id: EntryId, project_code: &str, task: &str) -> Result<TimeEntry, Refusal> {
        let (inner, project_code, task) = (Arc::clone(&self.inner), project_code.to_owned(), task.to_owned());
        run_to_completion(async move {
            let (new_project_code, new_task) = (project_code.clone(), task.clone());
            let variables = move_task_to_project::Variables { entry_id: id, new_project_code, new_task };
            let is_done = |entry: &TimeEntry| {
                entry.status == Status::NotReported && entry.project_code == project_code && entry.task == task
            };
            inner.change_entry::<MoveTaskToProject>(id, variables, is_done).await
        })
        .await
    }

    async fn delete(&self, id: EntryId) -> Result<(), Refusal> {
        let inner = Arc::clone(&self.inner);
        run_to_completion(async move { inner.delete(id).await }).await
    }

    async fn submit(&self, id: EntryId) -> Result<TimeEntry, Refusal> {
        let inner = Arc::clone(&self.inner);
        run_to_completion(async move {
            let is_done = |entry: &TimeEntry| matches!(entry.status, Status::Submitted | Status::Approved);
            inner.change_entry::<SubmitTimeEntry>(id, submit_time_entry::Variables { id }, is_done).await
        })
        .await
    }

    async fn projects(&self, asked: ProjectFilter) -> Result<Vec<Project>, Refusal> {
        self.inner.projects(&self.inner.tokens.token().await?, asked).await
    }
}

impl Inner {
    /// Changes one entry. If the response is lost, the entry is read again, and `is_done` checks whether the change was
    /// made. The change is never sent twice.
    async fn change_entry<Q: operations::EntryOperation>(
        &self,
        id: EntryId,
        variables: Q::Variables,
        is_done: impl Fn(&TimeEntry) -> bool,
    ) -> Result<TimeEntry, Refusal> {
        let token = self.tokens.token().await?;
        match self.wire.send::<Q>(&token, variables).await {
            Ok(data) => Ok(Q::entry(data)),
            Err(Failure::Broken(refusal) | Failure::Unclear(refusal)) => match self.find(&token, id).await {
                Ok(Some(entry)) if is_done(&entry) => Ok(entry),
                Ok(Some(_)) => Err(change_not_applied(refusal)),
                Ok(None) => Err(Refusal::not_found(id)),
                Err(_) => Err(unverified_change(refusal)),
            },
            Err(failure) => Err(self.add_allowed_values(&token, failure.into()).await),
        }
    }

    async fn delete(&self, id: EntryId) -> Result<(), Refusal> {
        let token = self.tokens.token().await?;
        match self.wire.send::<DeleteTimeEntry>(&token, delete_time_entry::Variables { id }).await {
            Ok(_) => {}
            Err(Failure::Broken(refusal) | Failure::Unclear(refusal)) => match self.find(&token, id).await {
                Ok(None) => {}
                Ok(Some(_)) => return Err(change_not_applied(refusal)),
                Err(_) => return Err(unverified_change(refusal)),
            },
            Err(failure) => return Err(failure.into()),
        }
        self.store.delete_evidence(id).await
    }
}

/// Appends a sentence to the message of a refusal.
fn with_sentence(refusal: Refusal, sentence: &str) -> Refusal {
    Refusal { message: format!("{}. {sentence}", refusal.message), ..refusal }
}

/// Adds to the refusal that the entry was read again and is unchanged.
fn change_not_applied(refusal: Refusal) -> Refusal {
    with_sentence(refusal, "The entry is unchanged: try again")
}

/// Adds to the refusal that the entry couldn't be read again and that its state is therefore unknown.
fn unverified_change(refusal: Refusal) -> Refusal {
    with_sentence(refusal, "It is unknown whether the change was made: check the entry first")
}
