//! The timesheet of a company, behind a GraphQL API.
//!
//! Owns: the way to the API ([`Endpoint`], [`Options`]), as whom it is asked ([`TokenSource`], [`AzureCli`]), what its
//! answers mean, and how an entry is found again whose answer was lost. Does not own: the rules of entries, which are
//! the API's, and the [`LocalStore`], in which the local keys and the evidence stay on this machine.
//!
//! Invariants: one operation asks for one token, so that it is one user's; a mutation is never sent twice without a look
//! at what the first has done; the key of an entry is in the store before anything is sent, and its id before anybody is
//! told; text of entries, addresses, tokens and bodies go into no log and no message, but for what the API says itself.

mod answer;
mod client;
mod endpoint;
mod filter;
mod local_checks;
mod log_once;
mod lookup;
mod operations;
mod overlaps;
mod queries;
mod token;

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

pub use endpoint::{Endpoint, InvalidEndpoint};
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

/// How the API is used.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How long to wait for a connection.
    pub connect: Duration,
    /// How long to wait for everything from the connection to the last byte of the answer.
    pub call: Duration,
    /// How long an entry may still turn up at the API after its answer was lost. Before that it is not sent again, and
    /// longer than one call it has to be.
    pub settle_time: Duration,
}

impl Default for Options {
    /// Five seconds for a connection, thirty for a call, and two minutes for an entry to turn up.
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), call: Duration::from_secs(30), settle_time: Duration::from_mins(2) }
    }
}

/// The API as a timesheet. Clones are the same one.
#[derive(Clone)]
pub struct GraphQl {
    inner: Arc<Inner>,
}

struct Inner {
    wire: ApiClient,
    tokens: Arc<dyn TokenSource>,
    store: LocalStore,
    settle_time: Duration,
    /// Entries are logged one after the other, so that one is not taken for another that is equal.
    logging: tokio::sync::Mutex<()>,
}

impl GraphQl {
    /// The API at that address, with a store for what only this machine knows. Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` where the system has no certificates that it trusts.
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

    /// The store: its pending attempts are those of which it is not known whether they have logged anything.
    pub fn store(&self) -> &LocalStore {
        &self.inner.store
    }
}

/// Carries an operation on though nobody waits for its answer any more.
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
        local_checks::check_changes(&changes)?;
        let inner = Arc::clone(&self.inner);
        run_to_completion(async move {
            inner.check_change(id, &changes, overlaps).await?;
            let variables = update_time_entry::Variables { id, input: changes.clone().into() };
            let is_done = |entry: &TimeEntry| {
                entry.status == Status::NotReported
                    && lookup::has_equal_fields(&changes.clone().apply_to(entry.clone()), entry)
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
    /// A change of one entry. If the answer is lost, the entry itself says whether it `is_done`; it is not sent again.
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

/// The refusal with a sentence about what is known of the entry.
fn with_sentence(refusal: Refusal, sentence: &str) -> Refusal {
    Refusal { message: format!("{}. {sentence}", refusal.message), ..refusal }
}

/// The entry was read again and has not changed.
fn change_not_applied(refusal: Refusal) -> Refusal {
    with_sentence(refusal, "The entry is unchanged: try again")
}

/// The entry could not be read again either.
fn unverified_change(refusal: Refusal) -> Refusal {
    with_sentence(refusal, "It is unknown whether the change was made: check the entry first")
}
