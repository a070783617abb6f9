//! The way from a request to its answer.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;

use super::Error;
use crate::engine::{self, Arguments, Engine, Rows, Statement};

/// A typed question with a typed answer.
pub trait Request: Sized + Send {
    /// Who can answer: the engine alone, or a room that holds more beside it.
    type Service: Send + Sync;
    /// The answer's shape.
    type Response: Serialize + JsonSchema + Send;

    /// Asks `room`. Everything that an answer adds up comes from one consistent read; only what explains a missing part
    /// (totals of activities that are no longer kept, the file's own state) is read beside it.
    ///
    /// # Errors
    /// A request that names what the history does not hold; what keeps the room from answering.
    fn execute(self, room: &Self::Service) -> impl Future<Output = Result<Self::Response, Error>> + Send;
}

/// A room that is part of the composition `App`: who holds the house can ask it every [`Request`] of the room.
pub trait Service<App> {
    /// The room in `house`.
    fn from_app(house: &App) -> &Self;
}

/// Answers a fixed number of statements from one consistent read.
pub(crate) async fn run_statements<const N: usize>(
    engine: &Engine,
    statements: [(&'static Statement, Arguments); N],
) -> Result<[Rows; N], Error> {
    let rows = engine.run(statements.into()).await?;
    Ok(rows.try_into().map_err(|_| engine::Error::Internal)?)
}

/// Statements that one consistent read answers.
#[derive(Debug, Default)]
pub(crate) struct Batch(Vec<(&'static Statement, Arguments)>);

/// A statement of a [`Batch`], by which its rows are found among the answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot(usize);

/// The rows of a [`Batch`].
#[derive(Debug)]
pub(crate) struct BatchRows(Vec<Rows>);

impl Batch {
    /// Asks this too.
    pub(crate) fn add(&mut self, statement: (&'static Statement, Arguments)) -> Slot {
        self.0.push(statement);
        Slot(self.0.len() - 1)
    }

    /// Asks `engine`.
    ///
    /// # Errors
    /// Those of [`Engine::ask`].
    pub(crate) async fn run(self, engine: &Engine) -> Result<BatchRows, Error> {
        Ok(BatchRows(engine.run(self.0).await?))
    }
}

impl BatchRows {
    /// The rows of a statement of this batch.
    ///
    /// # Errors
    /// [`engine::Error::Internal`] for a statement of another batch.
    pub(crate) fn rows(&self, asked: Slot) -> Result<&Rows, engine::Error> {
        self.0.get(asked.0).ok_or(engine::Error::Internal)
    }
}
