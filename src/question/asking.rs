//! The way from a request to its answer.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;

use super::Error;
use crate::engine::{self, Arguments, Engine, Rows, Statement};

/// A typed question with a typed answer.
pub trait Question: Sized + Send {
    /// Who can answer: the engine alone, or a room that holds more beside it.
    type Of: Send + Sync;
    /// The answer's shape.
    type Answer: Serialize + JsonSchema + Send;

    /// Asks `room`. Everything that an answer adds up comes from one consistent read; only what explains a missing part
    /// (totals of activities that are no longer kept, the file's own state) is read beside it.
    ///
    /// # Errors
    /// A request that names what the history does not hold; what keeps the room from answering.
    fn answer(self, room: &Self::Of) -> impl Future<Output = Result<Self::Answer, Error>> + Send;
}

/// A room that is part of the composition `House`: who holds the house can ask it every [`Question`] of the room.
pub trait Room<House> {
    /// The room in `house`.
    fn of(house: &House) -> &Self;
}

/// Answers a fixed number of statements from one consistent read.
pub(crate) async fn ask<const N: usize>(
    engine: &Engine,
    statements: [(&'static Statement, Arguments); N],
) -> Result<[Rows; N], Error> {
    let rows = engine.ask(statements.into()).await?;
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
pub(crate) struct Answers(Vec<Rows>);

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
    pub(crate) async fn ask(self, engine: &Engine) -> Result<Answers, Error> {
        Ok(Answers(engine.ask(self.0).await?))
    }
}

impl Answers {
    /// The rows of a statement of this batch.
    ///
    /// # Errors
    /// [`engine::Error::Internal`] for a statement of another batch.
    pub(crate) fn of(&self, asked: Slot) -> Result<&Rows, engine::Error> {
        self.0.get(asked.0).ok_or(engine::Error::Internal)
    }
}
