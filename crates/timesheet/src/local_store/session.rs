//! Sessions of clients, so that a client can continue its session in another process.

use rusqlite::{OptionalExtension, Transaction, named_params};

use super::{Failure, LocalStore};
use crate::context::{Session, SessionHandle};
use crate::refusal::Refusal;

/// The maximum number of stored sessions. The sessions that have been unused for the longest time are deleted first.
pub const SESSIONS: usize = 200;

impl LocalStore {
    /// Runs `work` with the session and stores the changed session. If no session is stored under the handle, or the
    /// stored session can't be read, `work` gets a new session. If two calls use a session simultaneously, the second
    /// call sees the changes of the first.
    ///
    /// An unchanged session isn't written. Reading therefore doesn't count as use, and an empty session isn't stored.
    /// No other caller can write to the store while `work` runs, so `work` should be short.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written. The stored session then stays the same.
    pub async fn with_session<T: Send + 'static>(
        &self,
        handle: SessionHandle,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.write(move |transaction| {
            let before = find(transaction, handle)?.unwrap_or_default();
            let mut session = before.clone();
            let answer = work(&mut session);
            if session != before {
                put(transaction, handle, &session)?;
            }
            Ok(answer)
        })
        .await
    }
}

/// Returns the session with the handle, if it exists and can be read. It may be unreadable if another version of this
/// program wrote it.
fn find(transaction: &Transaction<'_>, handle: SessionHandle) -> Result<Option<Session>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/one.sql"))?;
    let content = statement.query_row(named_params! {":handle": handle.to_string()}, |row| row.get::<_, String>(0));
    Ok(content.optional()?.and_then(|content| serde_json::from_str(&content).ok()))
}

/// Stores a session as the one used last, and deletes all except the [`SESSIONS`] sessions used most recently.
fn put(transaction: &Transaction<'_>, handle: SessionHandle, session: &Session) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/put.sql"))?;
    let content = serde_json::to_string(session)?;
    statement.execute(named_params! {":handle": handle.to_string(), ":content": content})?;
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/trim.sql"))?;
    statement.execute(named_params! {":most": i64::try_from(SESSIONS).unwrap_or(i64::MAX)})?;
    Ok(())
}
