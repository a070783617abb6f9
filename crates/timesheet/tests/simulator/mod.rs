//! A simulator of the company's API: a server on this machine that handles the client's operations with the rules and
//! messages of the real API, and with every kind of network failure. The black-box tests use it too.
//!
//! It starts with the sample projects and without entries. It doesn't parse GraphQL: it identifies an operation by its
//! name and returns whole objects, from which the client reads the requested fields.

mod caller;
mod filter;
pub(crate) mod http;
mod operations;
mod store;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use dayledger_timesheet::graphql::{Token, TokenSource};
use dayledger_timesheet::{EntryId, Project, Refusal, Status, TimeEntry, demo};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;

pub(crate) use caller::Caller;
pub(crate) use http::ApiFailure;

use store::Store;

/// A request that reached the API.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    /// The name of the operation, such as `LogTime`.
    pub(crate) operation: String,
    pub(crate) variables: Value,
    /// The id of the user, unless the API does not know the token.
    pub(crate) caller: Option<String>,
}

/// The state that all connections share.
#[derive(Default)]
struct Shared {
    store: Mutex<Store>,
    requests: Mutex<Vec<Request>>,
    failures: Mutex<Vec<(String, ApiFailure)>>,
    /// Lets a late request through, and reports that it was carried out.
    late: Notify,
    late_done: Notify,
}

/// A running API. It ends when it is dropped.
pub(crate) struct Api {
    shared: Arc<Shared>,
    address: SocketAddr,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for Api {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Api {
    /// Starts an API on a free port of this machine.
    pub(crate) async fn start() -> Self {
        let store = Store { projects: demo::projects(), entries: Vec::new() };
        let shared = Arc::new(Shared { store: Mutex::new(store), ..Shared::default() });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(http::serve(Arc::clone(&shared), stream));
                }
            }
        });
        Self { shared, address, server }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/graphql", self.address)
    }

    /// Makes the next request of that operation fail, after the failures that were queued before.
    pub(crate) fn fail_next(&self, operation: &str, mishap: ApiFailure) {
        self.shared.failures.lock().unwrap().push((operation.to_owned(), mishap));
    }

    /// Carries out one late request, and waits until that is done.
    pub(crate) async fn deliver_late_request(&self) {
        self.shared.late.notify_one();
        self.shared.late_done.notified().await;
    }

    /// Every request so far, the oldest first.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The number of requests of that operation.
    pub(crate) fn count(&self, operation: &str) -> usize {
        self.requests().iter().filter(|request| request.operation == operation).count()
    }

    /// All entries, in the order in which they were logged.
    pub(crate) fn entries(&self) -> Vec<TimeEntry> {
        self.shared.store.lock().unwrap().entries.clone()
    }

    /// Adds an entry without a check.
    pub(crate) fn put(&self, entry: TimeEntry) {
        self.shared.store.lock().unwrap().entries.push(entry);
    }

    /// Changes an entry, as an approver does in another program.
    pub(crate) fn decide(&self, id: EntryId, status: Status, comment: Option<&str>) {
        let mut store = self.shared.store.lock().unwrap();
        let entry = store.entries.iter_mut().find(|entry| entry.id == id).unwrap();
        entry.status = status;
        entry.decline_comment = comment.map(str::to_owned).or(entry.decline_comment.take());
    }

    /// Changes the projects.
    pub(crate) fn change_projects(&self, change: impl FnOnce(&mut Vec<Project>)) {
        change(&mut self.shared.store.lock().unwrap().projects);
    }
}

/// The token of a user, which can be switched.
#[derive(Debug, Clone)]
pub(crate) struct LoggedIn(Arc<Mutex<Caller>>);

impl LoggedIn {
    pub(crate) fn new(caller: Caller) -> Self {
        Self(Arc::new(Mutex::new(caller)))
    }

    /// Switches to another user.
    pub(crate) fn switch(&self, caller: Caller) {
        *self.0.lock().unwrap() = caller;
    }
}

#[async_trait]
impl TokenSource for LoggedIn {
    async fn token(&self) -> Result<Token, Refusal> {
        Token::new(self.0.lock().unwrap().token())
    }
}
