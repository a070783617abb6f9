//! Temporary storage of drafts that were shown, so that their rows can be logged by id.

use chrono::{DateTime, Utc};
use rusqlite::{OptionalExtension, named_params};

use super::LocalStore;
use crate::draft::Draft;
use crate::id::DraftId;
use crate::refusal::{Code, Refusal};

/// The maximum number of stored drafts. The oldest are deleted first.
pub const DRAFTS: usize = 50;

impl LocalStore {
    /// Stores a draft with its creation time, and deletes all drafts except the newest [`DRAFTS`].
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be written.
    pub async fn save_draft(&self, draft: &Draft, made_at: DateTime<Utc>) -> Result<DraftId, Refusal> {
        let (id, draft) = (DraftId::new(), draft.clone());
        self.write(move |transaction| {
            let mut statement = transaction.prepare(include_str!("../../sql/drafts/put.sql"))?;
            let content = serde_json::to_string(&draft)?;
            statement.execute(named_params! {
                ":id": id.to_string(),
                ":made_at": made_at.timestamp_millis(),
                ":content": content,
            })?;
            let mut statement = transaction.prepare(include_str!("../../sql/drafts/trim.sql"))?;
            statement.execute(named_params! {":most": i64::try_from(DRAFTS).unwrap_or(i64::MAX)})?;
            Ok(id)
        })
        .await
    }

    /// Returns the stored draft with the id.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if the draft doesn't exist or was deleted. `INTERNAL_ERROR` if the file can't be read.
    pub async fn draft(&self, id: DraftId) -> Result<Draft, Refusal> {
        let content = self
            .read(move |transaction| {
                let mut statement = transaction.prepare(include_str!("../../sql/drafts/one.sql"))?;
                let content = statement.query_row(named_params! {":id": id.to_string()}, |row| row.get(0));
                let content: Option<String> = content.optional()?;
                Ok(content.map(|content| serde_json::from_str(&content)).transpose()?)
            })
            .await?;
        content.ok_or_else(|| {
            let message = format!("draft `{id}` does not exist or was deleted: draft its days again");
            Refusal { field: Some("draft".to_owned()), ..Refusal::new(Code::NotFound, message) }
        })
    }

    /// Returns the id of the newest draft, no matter which program stored it. Returns `None` if no draft is stored.
    ///
    /// # Errors
    ///
    /// `INTERNAL_ERROR` if the file can't be read.
    pub async fn newest_draft(&self) -> Result<Option<DraftId>, Refusal> {
        let id: Option<String> = self
            .read(|transaction| {
                let mut statement = transaction.prepare(include_str!("../../sql/drafts/newest.sql"))?;
                Ok(statement.query_row([], |row| row.get(0)).optional()?)
            })
            .await?;
        Ok(id.and_then(|id| id.parse().ok()))
    }
}
