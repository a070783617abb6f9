//! Sessions of clients, so that one finds its own again in another process.

use rusqlite::{OptionalExtension, Transaction, named_params};

use super::{Failure, LocalStore};
use crate::context::{Session, SessionHandle};
use crate::refusal::Refusal;

/// How many sessions are kept, of which those leave that were not used for the longest time.
pub const SESSIONS: usize = 200;

impl LocalStore {
    /// Lets `work` use a session, which is a new one if none is kept under that handle, or none that can be read, and keeps
    /// what has become of it. Of two that use one session at once, the second sees what
    /// the first has made of it.
    ///
    /// A session that does not change is not written, so that a look is no use, and a new one is not kept. As long as
    /// `work` goes on nobody else writes into the store: it should only remember and tell.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` where the file cannot be written. The session is as it was then.
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

/// The session with that handle, if there is one that can be read: another version may have written it.
fn find(transaction: &Transaction<'_>, handle: SessionHandle) -> Result<Option<Session>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/one.sql"))?;
    let content = statement.query_row(named_params! {":handle": handle.to_string()}, |row| row.get::<_, String>(0));
    Ok(content.optional()?.and_then(|content| serde_json::from_str(&content).ok()))
}

/// Keeps a session, and forgets those before the last [`SESSIONS`].
fn put(transaction: &Transaction<'_>, handle: SessionHandle, session: &Session) -> Result<(), Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/put.sql"))?;
    let content = serde_json::to_string(session)?;
    statement.execute(named_params! {":handle": handle.to_string(), ":content": content})?;
    let mut statement = transaction.prepare(include_str!("../../sql/sessions/trim.sql"))?;
    statement.execute(named_params! {":most": i64::try_from(SESSIONS).unwrap_or(i64::MAX)})?;
    Ok(())
}
