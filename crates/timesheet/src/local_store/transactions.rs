//! The open store and its transactions.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::file::{self, StoreError, is_busy};
use crate::refusal::{Code, Refusal};

/// The open store. Clones share its connection. Statements run on a thread where blocking is allowed.
#[derive(Debug, Clone)]
pub struct LocalStore {
    connection: Arc<Mutex<Connection>>,
    path: Arc<PathBuf>,
}

/// The reason why a transaction was rolled back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The change breaks a rule.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The database returned an error.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The stored JSON is invalid.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// The end of a transaction whose work succeeded.
#[derive(Debug, Clone, Copy)]
enum End {
    Commit,
    RollBack,
}

impl LocalStore {
    /// Opens the store. If the file doesn't exist, creates it with access only for this user.
    ///
    /// Async code must not call this function directly, because it blocks while it accesses the disk.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the file can't be created or opened, isn't a store, or has a newer schema version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: Arc::new(Mutex::new(file::open(path)?)), path: Arc::new(path.to_owned()) })
    }

    /// Returns the path of the store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a change in a transaction and commits it. The transaction is rolled back if the change fails.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run(TransactionBehavior::Immediate, End::Commit, change).await
    }

    /// Runs a change in a transaction and always rolls it back, in order to check the change without storing it.
    pub(crate) async fn preview<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run(TransactionBehavior::Immediate, End::RollBack, change).await
    }

    /// Runs reads in one transaction, so that they all see the same state of the store.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run(TransactionBehavior::Deferred, End::Commit, question).await
    }

    async fn run<T: Send + 'static>(
        &self,
        behavior: TransactionBehavior,
        end: End,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        let connection = Arc::clone(&self.connection);
        let done = tokio::task::spawn_blocking(move || {
            // If an earlier transaction panicked, it was rolled back, so the connection is still usable.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = connection.transaction_with_behavior(behavior)?;
            let done = work(&transaction)?;
            match end {
                End::Commit => transaction.commit()?,
                End::RollBack => transaction.rollback()?,
            }
            Ok(done)
        });
        match done.await {
            Ok(done) => done.map_err(|failure| self.refusal(failure)),
            Err(_) => Err(Refusal::new(Code::InternalError, "An unexpected error occurred")),
        }
    }

    fn refusal(&self, failure: Failure) -> Refusal {
        let path = self.path.display();
        match failure {
            Failure::Refused(refusal) => refusal,
            Failure::Sqlite(error) if is_busy(&error) => {
                let message = format!("cannot write `{path}`: another program kept it locked for too long. Try again");
                Refusal::new(Code::InternalError, message)
            }
            Failure::Sqlite(error) => Refusal::new(Code::InternalError, format!("`{path}`: {}", reason(&error))),
            Failure::Json(_) => {
                Refusal::new(Code::InternalError, format!("cannot read `{path}`: it contains invalid data"))
            }
        }
    }
}

/// Describes a database error without revealing values or SQL statements.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => failure.to_string(),
        rusqlite::Error::FromSqlConversionFailure(column, ..) => format!("column {column} contains invalid data"),
        _ => "it cannot be read or written".to_owned(),
    }
}
