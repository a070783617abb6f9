//! The way from a request to its answer.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;

use super::RequestError;
use crate::engine::{self, Arguments, Engine, Rows, Statement};
use crate::screenshots;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request asks for what the history does not hold.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A screenshot cannot be found, read or written.
    #[error(transparent)]
    Screenshots(#[from] screenshots::Error),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] engine::Error),
}

/// A typed question with a typed answer.
pub trait Question: Sized + Send {
    /// The answer's shape.
    type Answer: Serialize + JsonSchema + Send;

    /// Asks `engine`. Everything that an answer adds up comes from one consistent read; only what explains a missing
    /// part (totals of activities that are no longer kept, the file's own state) is read beside it.
    ///
    /// # Errors
    /// [`Error::Request`] where the request names what the history does not hold, [`Error::Engine`] otherwise.
    fn answer(self, engine: &Engine) -> impl Future<Output = Result<Self::Answer, Error>> + Send;
}

/// Answers a fixed number of statements from one consistent read.
pub(super) async fn ask<const N: usize>(
    engine: &Engine,
    statements: [(&'static Statement, Arguments); N],
) -> Result<[Rows; N], Error> {
    let rows = engine.ask(statements.into()).await?;
    Ok(rows.try_into().map_err(|_| engine::Error::Internal)?)
}
