//! Sends rows to a tracker, so that the tracker gets each row only once.
//!
//! For each row, a push searches the tracker, stores the row, sends the row, and stores the ID of the tracker's entry.
//! It can be interrupted after each step. A row that is stored without an ID may have arrived. The next push first
//! searches the tracker for such rows. It releases a row that it doesn't find, but only after the time in which the row
//! may still appear. If the tracker has an entry that may or may not be a row, the row is left to the user, and the
//! other rows are pushed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::TimeDelta;
use dayledger_core::Error;

use super::api::Rejection;
use super::kimai::BILLABLE_PERMISSION;
use super::rows::group_by_entry;
use super::{Clock, Failure, PushRow, PushTarget, RemoteEntry, RemoteTask, Similarity, TaskIds, TaskNames};
use crate::export::list;
use crate::id::EntryId;
use crate::local_store::{AccountUser, LocalStore, SentRow};
use crate::refusal::Refusal;

/// The maximum number of times that a push sends the same request or the same row.
const ATTEMPTS: u32 = 5;
/// The wait before the second attempt. The wait doubles with each further attempt.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The maximum time that a push waits for a busy tracker before the next attempt.
const MAX_WAIT: Duration = Duration::from_mins(5);

/// The rows that a push would send.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PushPlan {
    /// The rows to send.
    pub new: Vec<PushRow>,
    /// The number of rows that were pushed before.
    pub pushed: usize,
    /// The entries that were changed since they were pushed. Their rows aren't sent.
    pub changed: BTreeSet<EntryId>,
}

/// The result of a push.
#[derive(Debug, Clone, Default)]
pub struct Pushed {
    /// The rows for which the tracker created entries, including rows whose response was lost at first.
    pub created: Vec<PushRow>,
    /// The number of rows that the tracker already had, for example from an imported file.
    pub found: usize,
    /// The number of created rows whose times or hours the tracker changed, because it rounds them.
    pub altered: usize,
    /// The rows that weren't sent, because the tracker has similar entries that may be these rows.
    pub uncertain: Vec<PushRow>,
    /// The plan that was made before sending.
    pub plan: PushPlan,
    /// The reason why the push ended before all rows were sent.
    pub error: Option<Error>,
}

/// Compares rows with the rows that were pushed to an account by the user who pushed last. `rows` must contain all rows
/// of each entry. Sends no request.
///
/// # Errors
///
/// `INTERNAL_ERROR` if the store can't be read.
pub async fn plan(store: &LocalStore, account: &str, rows: &[PushRow]) -> Result<PushPlan, Refusal> {
    let sent = match store.last_push_user(account).await? {
        Some(user) => store.sent_rows(AccountUser { account, user }).await?,
        None => Vec::new(),
    };
    Ok(compare(&sent, rows))
}

/// Compares rows with the rows that were sent to an account.
fn compare(sent: &[SentRow], rows: &[PushRow]) -> PushPlan {
    let mut sent_by_entry: BTreeMap<EntryId, Vec<&PushRow>> = BTreeMap::new();
    for sent in sent.iter().filter(|sent| sent.remote_id.is_some()) {
        sent_by_entry.entry(sent.row.entry).or_default().push(&sent.row);
    }
    let sent_rows = |entry| sent_by_entry.get(&entry).map_or(&[][..], Vec::as_slice);
    let mut plan = PushPlan::default();
    for (entry, rows) in group_by_entry(rows) {
        let sent = sent_rows(entry);
        if sent.iter().all(|sent| rows.iter().any(|row| row.is_as_sent(sent))) {
            plan.pushed += sent.len();
        } else {
            plan.changed.insert(entry);
        }
    }
    let is_sent = |row: &PushRow| sent_rows(row.entry).iter().any(|sent| sent.key() == row.key());
    let new = rows.iter().filter(|row| !plan.changed.contains(&row.entry) && !is_sent(row));
    plan.new = new.cloned().collect();
    plan
}

/// Pushes rows to one account.
#[expect(missing_debug_implementations, reason = "traits without it")]
pub struct Pusher<'p> {
    /// The account.
    pub target: &'p dyn PushTarget,
    /// The name of the account, under which the rows of its users are stored.
    pub account: &'p str,
    /// The store of sent rows.
    pub store: &'p LocalStore,
    /// Provides the current time, and waits.
    pub clock: &'p dyn Clock,
    /// The maximum time until a row appears at the tracker after its response was lost. The row isn't sent again before
    /// this time has passed.
    pub settle_time: Duration,
}

/// The way in which a row got its entry in the tracker.
enum Delivery {
    Created {
        is_altered: bool,
    },
    Found,
    /// The row may or may not have an entry.
    Uncertain,
}

/// The outcome of a row that was sent without a response.
enum Outcome {
    Arrived,
    /// The row didn't arrive. It is released, so that it can be sent again.
    Missing,
    /// The tracker has a similar entry, but it is unknown whether the entry is the row.
    Uncertain,
}

impl Pusher<'_> {
    /// Sends the rows that weren't pushed before. `rows` must contain all rows of each entry. If a row fails, the rows
    /// after it aren't sent.
    pub async fn push(&self, rows: &[PushRow]) -> Pushed {
        let mut pushed = Pushed::default();
        pushed.error = self.push_into(&mut pushed, rows).await.err();
        pushed
    }

    /// Compares rows with the rows that this user pushed before. `rows` must contain all rows of each entry. Asks the
    /// tracker for the user, but sends no row.
    ///
    /// # Errors
    ///
    /// Fails if the tracker can't be reached or refuses the token, or if the store can't be read.
    pub async fn plan(&self, rows: &[PushRow]) -> Result<PushPlan, Error> {
        let by = self.identify().await?;
        Ok(compare(&self.store.sent_rows(by).await?, rows))
    }

    async fn push_into(&self, pushed: &mut Pushed, rows: &[PushRow]) -> Result<(), Error> {
        let by = self.identify().await?;
        let sent = self.store.sent_rows(by).await?;
        pushed.plan = compare(&sent, rows);
        for sent in sent.into_iter().filter(|sent| sent.remote_id.is_none()) {
            match self.settle(by, &sent).await? {
                Outcome::Arrived => pushed.created.push(sent.row),
                Outcome::Missing => {}
                Outcome::Uncertain => pushed.uncertain.push(sent.row),
            }
        }
        pushed.plan = compare(&self.store.sent_rows(by).await?, rows);
        let uncertain: BTreeSet<_> = pushed.uncertain.iter().map(PushRow::key).collect();
        let new: Vec<_> = pushed.plan.new.iter().filter(|row| !uncertain.contains(&row.key())).cloned().collect();
        let tasks = if new.is_empty() { Vec::new() } else { self.retry(None, || self.target.tasks()).await? };
        for (row, task) in self.find_tasks(&tasks, new)? {
            match self.deliver(by, &row, task).await? {
                Delivery::Found => pushed.found += 1,
                Delivery::Created { is_altered } => {
                    pushed.altered += usize::from(is_altered);
                    pushed.created.push(row);
                }
                Delivery::Uncertain => pushed.uncertain.push(row),
            }
        }
        if pushed.uncertain.is_empty() { Ok(()) } else { Err(self.uncertain_rows(&pushed.uncertain)) }
    }

    /// Asks the tracker which user the token belongs to.
    async fn identify(&self) -> Result<AccountUser<'_>, Error> {
        let user = self.retry(None, || self.target.user()).await?;
        Ok(AccountUser { account: self.account, user })
    }

    /// Finds the tracker's task for each row, by the names in the row.
    fn find_tasks<'t>(
        &self,
        tasks: &'t [RemoteTask],
        rows: Vec<PushRow>,
    ) -> Result<Vec<(PushRow, &'t RemoteTask)>, Error> {
        let (mut found, mut unknown) = (Vec::new(), BTreeSet::new());
        for row in rows {
            match find_task(tasks, &row) {
                Some(task) => found.push((row, task)),
                None => drop(unknown.insert(row.names)),
            }
        }
        if unknown.is_empty() { Ok(found) } else { Err(self.unknown_tasks(&unknown)) }
    }

    fn unknown_tasks(&self, unknown: &BTreeSet<TaskNames>) -> Error {
        let tracker = self.target.tracker();
        let name = |names: &TaskNames| format!("`{} / {} / {}`", names.client, names.project, names.task);
        let unknown = list(unknown.iter().map(name).collect());
        let message = format!("cannot push to {tracker}: it does not have exactly one task of yours for {unknown}");
        Error::for_command(message, format!("correct the names in `[timesheet.export]`, or the tasks in {tracker}"))
    }

    fn uncertain_rows(&self, rows: &[PushRow]) -> Error {
        let tracker = self.target.tracker();
        let names = list(rows.iter().map(name).collect());
        let why = format!("it is unknown whether it has {names}, because it has a similar entry with other times");
        let hint = format!("delete each such entry in {tracker} or correct its times, then push again");
        self.error(why, hint)
    }

    /// Sends a row, unless the tracker already has it.
    async fn deliver(&self, by: AccountUser<'_>, row: &PushRow, task: &RemoteTask) -> Result<Delivery, Error> {
        let mut attempt = 0;
        loop {
            let found = self.search(by, row, task.ids).await?;
            // The store doesn't know this entry, although dayledger created it. For example, the store was replaced.
            if found.as_ref().is_some_and(|entry| entry.similarity == Similarity::Own) {
                return Ok(Delivery::Uncertain);
            }
            let sent_at = self.clock.now();
            if !self.store.begin_push(by, row, task.ids, sent_at).await? {
                let why = "another program is pushing the same hours";
                return Err(self.error(why, "wait until it is done, then push again"));
            }
            if let Some(entry) = found.filter(|entry| entry.similarity == Similarity::Equal) {
                self.store.settle_push(by, row.key(), entry.id).await?;
                return Ok(Delivery::Found);
            }
            match self.target.create(row, task).await {
                Ok(created) => {
                    self.store.settle_push(by, row.key(), created.id).await?;
                    return Ok(Delivery::Created { is_altered: created.is_altered });
                }
                Err(failure @ Failure::Unclear(_)) => {
                    let sent = SentRow { row: row.clone(), task: task.ids, remote_id: None, sent_at };
                    match self.settle(by, &sent).await? {
                        Outcome::Arrived => return Ok(Delivery::Created { is_altered: false }),
                        Outcome::Missing => self.wait_to_retry(failure, &mut attempt, Some(row)).await?,
                        Outcome::Uncertain => return Ok(Delivery::Uncertain),
                    }
                }
                Err(failure) => {
                    self.store.release_push(by, row.key(), sent_at).await?;
                    self.wait_to_retry(failure, &mut attempt, Some(row)).await?;
                }
            }
        }
    }

    /// Finds out whether a row with an unknown outcome has arrived. If the row hasn't arrived, releases the row.
    async fn settle(&self, by: AccountUser<'_>, sent: &SentRow) -> Result<Outcome, Error> {
        let (mut waited, mut wait) = (Duration::ZERO, FIRST_WAIT);
        loop {
            match self.search(by, &sent.row, sent.task).await? {
                Some(entry) if entry.similarity >= Similarity::Own => {
                    self.store.settle_push(by, sent.row.key(), entry.id).await?;
                    return Ok(Outcome::Arrived);
                }
                Some(_) => return Ok(Outcome::Uncertain),
                None => {}
            }
            let age = self.clock.now().signed_duration_since(sent.sent_at).max(TimeDelta::zero());
            // The clock of this machine can be set back. So also count the time for which this push has waited.
            let left = self.settle_time.saturating_sub(waited.max(age.to_std().unwrap_or_default()));
            if left.is_zero() {
                self.store.release_push(by, sent.row.key(), sent.sent_at).await?;
                return Ok(Outcome::Missing);
            }
            let now = wait.min(left);
            self.clock.wait(now, "the response to an entry was lost, and it may still appear").await;
            (waited, wait) = (waited + now, wait * 2);
        }
    }

    /// Searches the tracker for a row, and returns the most similar entry. Ignores entries that belong to other rows.
    async fn search(&self, by: AccountUser<'_>, row: &PushRow, task: TaskIds) -> Result<Option<RemoteEntry>, Error> {
        let mut found = self.retry(Some(row), || self.target.find(row, by.user, task)).await?;
        if found.is_empty() {
            return Ok(None);
        }
        let key = row.key();
        let others = self.store.sent_rows(by).await?.into_iter().filter(|sent| sent.row.key() != key);
        let taken: BTreeSet<_> = others.filter_map(|sent| sent.remote_id).collect();
        found.retain(|entry| !taken.contains(&entry.id));
        Ok(found.into_iter().max_by_key(|entry| entry.similarity))
    }

    /// Sends a request that changes nothing, until the tracker answers.
    async fn retry<T, F>(&self, row: Option<&PushRow>, request: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut attempt = 0;
        loop {
            match request().await {
                Ok(answer) => return Ok(answer),
                Err(failure) => self.wait_to_retry(failure, &mut attempt, row).await?,
            }
        }
    }

    /// Waits before the next attempt, or returns the error if there should be no further attempt.
    async fn wait_to_retry(&self, failure: Failure, attempt: &mut u32, row: Option<&PushRow>) -> Result<(), Error> {
        let tracker = self.target.tracker();
        let backoff = FIRST_WAIT * 2_u32.pow(*attempt);
        *attempt += 1;
        let (wait, why) = match failure {
            Failure::NotSent(why) => {
                return Err(self.error(why, "check the address and your connection, then push again"));
            }
            Failure::Refused(rejection) => return Err(self.rejection_error(&rejection, row)),
            Failure::Busy(wait) => (wait.unwrap_or(backoff), format!("{tracker} limits the number of requests")),
            Failure::Unclear(why) => (backoff, why),
        };
        if wait > MAX_WAIT {
            return Err(self.error(why, format!("push again in {} minutes", wait.as_secs().div_ceil(60))));
        }
        if *attempt >= ATTEMPTS {
            return Err(self.error(why, "push again later: rows that arrived are not sent twice"));
        }
        self.clock.wait(wait, &why).await;
        Ok(())
    }

    fn error(&self, why: impl std::fmt::Display, hint: impl Into<String>) -> Error {
        Error::for_command(format!("cannot push to {}: {why}", self.target.tracker()), hint)
    }

    /// Returns the error for a request that the tracker refused.
    fn rejection_error(&self, rejection: &Rejection, row: Option<&PushRow>) -> Error {
        let Rejection { status, message, forbidden_fields } = rejection;
        let (tracker, target) = (self.target.tracker(), self.target.tracker().key());
        let detail = if message.is_empty() { String::new() } else { format!(": {message}") };
        let of_row = row.map_or_else(|| "the request".to_owned(), name);
        match status {
            None => self.error(message, format!("change the settings of the account in {tracker}")),
            Some(401) => {
                let hint = format!("set `{}` to a valid token", tracker.token_variable());
                self.error(format_args!("it does not accept the token{detail}"), hint)
            }
            Some(403) => {
                let hint = format!("check the permissions of the token's user in {tracker}");
                self.error(format_args!("it does not allow {of_row}{detail}"), hint)
            }
            Some(404) => {
                let hint = format!("check the address and the account in `[timesheet.push.{target}]`");
                self.error(
                    format_args!("it does not find the address of its API, the account or {of_row}{detail}"),
                    hint,
                )
            }
            Some(400) if !forbidden_fields.is_empty() => {
                let fields = list(forbidden_fields.iter().map(|field| format!("`{field}`")).collect());
                let permission = if forbidden_fields.iter().any(|field| field == "billable") {
                    format!("the permission `{BILLABLE_PERMISSION}`")
                } else {
                    "permission to set these fields".to_owned()
                };
                let hint = format!("ask an administrator of {tracker} for {permission}, then push again");
                self.error(format_args!("it does not let your user set {fields} of {of_row}{detail}"), hint)
            }
            Some(400 | 409 | 422) => {
                let hint = format!("correct the entry, or the rules of {tracker} for its day, then push again");
                self.error(format_args!("it refuses {of_row}{detail}"), hint)
            }
            Some(status) => {
                let hint = format!("check the address in `[timesheet.push.{target}]`");
                self.error(format_args!("it answers with the status {status}{detail}"), hint)
            }
        }
    }
}

/// Returns the task with the names in a row. If several projects have these names, returns the task of the project that
/// accepts hours on the row's day. Returns `None` unless there is exactly one task.
fn find_task<'t>(tasks: &'t [RemoteTask], row: &PushRow) -> Option<&'t RemoteTask> {
    let day = row.times.map_or(row.day, |(start, _)| start.date());
    let mut named: Vec<_> = tasks.iter().filter(|task| task.names == row.names).collect();
    if named.len() > 1 {
        named.retain(|task| task.is_open_on(day));
    }
    if let [task] = named[..] { Some(task) } else { None }
}

/// Returns a text that identifies a row in messages.
fn name(row: &PushRow) -> String {
    format!("`{} / {}` on {}", row.project_code, row.task, row.day)
}
