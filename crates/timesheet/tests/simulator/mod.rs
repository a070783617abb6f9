//! A simulator of a company's API. It is a server on this machine that executes the client's operations with the rules
//! and messages of the real API. It can also simulate network failures. The black-box tests of the program use it too.
//!
//! The simulator starts with the sample projects and without entries. It doesn't parse GraphQL: it identifies an
//! operation by its name and returns complete objects, from which the client reads the requested fields.

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

/// A request that arrived at the API.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    /// The name of the operation, such as `LogTime`.
    pub(crate) operation: String,
    pub(crate) variables: Value,
    /// The id of the user. `None` if the API doesn't accept the token.
    pub(crate) caller: Option<String>,
}

/// The state shared by all connections.
#[derive(Default)]
struct Shared {
    store: Mutex<Store>,
    requests: Mutex<Vec<Request>>,
    failures: Mutex<Vec<(String, ApiFailure)>>,
    /// Lets one late request be executed. `late_done` reports that the request was executed.
    late: Notify,
    late_done: Notify,
}

/// A running simulator. It stops when this value is dropped.
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
    /// Starts a simulator on a free port of this machine.
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

    /// Makes a request of the operation fail. Failures for the same operation are used in the order of these calls, one
    /// for each request.
    pub(crate) fn fail_next(&self, operation: &str, mishap: ApiFailure) {
        self.shared.failures.lock().unwrap().push((operation.to_owned(), mishap));
    }

    /// Executes one late request, and waits until it is executed.
    pub(crate) async fn deliver_late_request(&self) {
        self.shared.late.notify_one();
        self.shared.late_done.notified().await;
    }

    /// Returns all requests so far, oldest first.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Returns the number of requests of the operation.
    pub(crate) fn count(&self, operation: &str) -> usize {
        self.requests().iter().filter(|request| request.operation == operation).count()
    }

    /// Returns all entries in the order in which they were logged.
    pub(crate) fn entries(&self) -> Vec<TimeEntry> {
        self.shared.store.lock().unwrap().entries.clone()
    }

    /// Adds an entry without checking it.
    pub(crate) fn put(&self, entry: TimeEntry) {
        self.shared.store.lock().unwrap().entries.push(entry);
    }

    /// Changes the status and the comment of an entry, as an approver does in another program.
    pub(crate) fn decide(&self, id: EntryId, status: Status, comment: Option<&str>) {
        let mut store = self.shared.store.lock().unwrap();
        let entry = store.entries.iter_mut().find(|entry| entry.id == id).unwrap();
        entry.status = status;
        entry.decline_comment = comment.map(str::to_owned).or(entry.decline_comment.take());
    }

    /// Changes the projects of the API.
    pub(crate) fn change_projects(&self, change: impl FnOnce(&mut Vec<Project>)) {
        change(&mut self.shared.store.lock().unwrap().projects);
    }
}

/// The user who is logged in. Another user can log in during a test.
#[derive(Debug, Clone)]
pub(crate) struct LoggedIn(Arc<Mutex<Caller>>);

impl LoggedIn {
    pub(crate) fn new(caller: Caller) -> Self {
        Self(Arc::new(Mutex::new(caller)))
    }

    /// Logs in another user.
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
