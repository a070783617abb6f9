//! The API itself, for tests: a GraphQL server on this machine with the schema, the rules and the words of the real one,
//! and with everything that can go wrong on the way to it. It starts with the projects of [`crate::demo`] and no entry.

mod filters;
mod http;
mod mishap;
mod rules;
mod schema;
mod state;
mod store;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::endpoint::Endpoint;
use super::token::{Token, TokenSource};
use crate::demo;
use crate::entry::TimeEntry;
use crate::project::Project;
use crate::refusal::Refusal;

pub use mishap::Mishap;
pub use state::Asked;
pub use store::Caller;

use state::{ISSUER, Shared};
use store::Store;

/// A running API. It ends when it is dropped.
pub struct Api {
    shared: Arc<Shared>,
    address: SocketAddr,
    serving: tokio::task::JoinHandle<()>,
}

impl Drop for Api {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Api {
    /// Starts an API on a free port of this machine.
    ///
    /// # Errors
    ///
    /// No port, or a schema that is none.
    pub async fn start() -> io::Result<Self> {
        let store = Arc::new(Mutex::new(Store { projects: demo::projects(), entries: Vec::new() }));
        let schema = schema::schema(&store).map_err(|error| io::Error::other(error.to_string()))?;
        let shared = Arc::new(Shared {
            schema,
            store,
            asked: Mutex::default(),
            mishaps: Mutex::default(),
            late: Notify::new(),
            came: Notify::new(),
        });
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let serving = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(http::serve(Arc::clone(&shared), stream));
                }
            }
        });
        Ok(Self { shared, address, serving })
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}/graphql", self.address)
    }

    /// Where it is.
    ///
    /// # Errors
    ///
    /// None: it is on this machine.
    pub fn endpoint(&self) -> Result<Endpoint, super::InvalidEndpoint> {
        self.url().parse()
    }

    /// A token that the API accepts, as a text.
    pub fn token_text(caller: &Caller) -> String {
        let Caller { id, email, name, acl } = caller;
        let claims = json!({"oid": id, "email": email, "name": name, "extn.TimeReportingACLv2": acl});
        format!("e30.{}.{ISSUER}", URL_SAFE_NO_PAD.encode(claims.to_string()))
    }

    /// Lets the next question of that operation go wrong, after those that were to go wrong before.
    pub fn next(&self, operation: &str, mishap: Mishap) {
        self.shared.mishaps.lock().unwrap_or_else(PoisonError::into_inner).push((operation.to_owned(), mishap));
    }

    /// Carries out one question that was late, and waits until it is.
    pub async fn let_late_ones_through(&self) {
        self.shared.late.notify_one();
        self.shared.came.notified().await;
    }

    /// Every question so far, the oldest first.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often an operation was asked for.
    pub fn count(&self, operation: &str) -> usize {
        self.asked().iter().filter(|asked| asked.operation == operation).count()
    }

    /// All entries, in the order in which they were booked.
    pub fn entries(&self) -> Vec<TimeEntry> {
        self.store().entries.clone()
    }

    /// Books an entry past all rules.
    pub fn put(&self, entry: TimeEntry) {
        self.store().entries.push(entry);
    }

    /// Changes the projects.
    pub fn change_projects(&self, change: impl FnOnce(&mut Vec<Project>)) {
        change(&mut self.store().projects);
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.shared.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The token of one user, who can change.
#[derive(Debug, Clone)]
pub struct LoggedIn(Arc<Mutex<String>>);

impl LoggedIn {
    /// That user.
    pub fn new(caller: &Caller) -> Self {
        Self(Arc::new(Mutex::new(Api::token_text(caller))))
    }

    /// Another user from now on.
    pub fn switch(&self, caller: &Caller) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Api::token_text(caller);
    }
}

#[async_trait]
impl TokenSource for LoggedIn {
    async fn token(&self) -> Result<Token, Refusal> {
        Token::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
