//! The open store, and its transactions.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::file::{self, StoreError, is_busy};
use crate::refusal::{Code, Refusal};

/// The open store. Clones share the connection; statements run on a thread where waiting is allowed.
#[derive(Debug, Clone)]
pub struct LocalStore {
    connection: Arc<Mutex<Connection>>,
    path: Arc<PathBuf>,
}

/// Why a transaction was rolled back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A rule.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// What is kept as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl LocalStore {
    /// Opens the store, and makes a new one, readable for this user only, where there is no file yet.
    ///
    /// Waits for the disk: not to be called where waiting is not allowed.
    ///
    /// # Errors
    ///
    /// A file that is no store, or of a newer version of this program; or one that cannot be made or opened.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: Arc::new(Mutex::new(file::open(path)?)), path: Arc::new(path.to_owned()) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Carries out a change as a whole, or not at all where it fails.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run(TransactionBehavior::Immediate, change).await
    }

    /// Asks something of one state of the store.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.run(TransactionBehavior::Deferred, question).await
    }

    async fn run<T: Send + 'static>(
        &self,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Refusal> {
        let connection = Arc::clone(&self.connection);
        let done = tokio::task::spawn_blocking(move || {
            // A panic in here has rolled its transaction back, so that the connection is as good as before.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = connection.transaction_with_behavior(behavior)?;
            let done = work(&transaction)?;
            transaction.commit()?;
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

/// What went wrong, without the value or the statement that it went wrong with.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => failure.to_string(),
        rusqlite::Error::FromSqlConversionFailure(column, ..) => format!("column {column} contains invalid data"),
        _ => "it cannot be read or written".to_owned(),
    }
}
