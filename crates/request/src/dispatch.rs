//! Requests, and the SQL statements that requests run.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;

use super::Error;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Rows, Statement};

/// A typed request with a typed response. The request can run in every app that implements `AsRef<Self::Service>`.
pub trait Request: Sized + Send {
    /// The service that executes the request: the engine, or a service that uses the engine.
    type Service: Send + Sync;
    /// The type of the response.
    type Response: Serialize + JsonSchema + Send;

    /// Runs the request. All totals of a response come from one consistent read. Only data that explains missing data
    /// is read separately, for example the hourly totals of deleted activities.
    ///
    /// # Errors
    /// Fails if the request refers to an object that the history does not contain, for example a device. Also fails if
    /// the service fails.
    fn execute(self, service: &Self::Service) -> impl Future<Output = Result<Self::Response, Error>> + Send;
}

/// Runs `N` statements in one consistent read, and returns the rows of each statement in the same order.
pub async fn run_statements<const N: usize>(
    engine: &Engine,
    statements: [(&'static Statement, Arguments); N],
) -> Result<[Rows; N], Error> {
    let rows = engine.run(statements.into()).await?;
    Ok(rows.try_into().map_err(|_| engine::Error::Internal)?)
}

/// Statements that run in one consistent read.
#[derive(Debug, Default)]
pub struct Batch(Vec<(&'static Statement, Arguments)>);

/// The position of a statement in a [`Batch`]. It selects the rows of the statement in [`BatchRows`].
#[derive(Debug, Clone, Copy)]
pub struct Slot(usize);

/// The rows of a [`Batch`].
#[derive(Debug)]
pub struct BatchRows(Vec<Rows>);

impl Batch {
    /// Adds a statement, and returns the slot for its rows.
    pub fn add(&mut self, statement: (&'static Statement, Arguments)) -> Slot {
        self.0.push(statement);
        Slot(self.0.len() - 1)
    }

    /// Runs the statements in one consistent read.
    ///
    /// # Errors
    /// Fails like [`Engine::run`].
    pub async fn run(self, engine: &Engine) -> Result<BatchRows, Error> {
        Ok(BatchRows(engine.run(self.0).await?))
    }
}

impl BatchRows {
    /// Returns the rows of the statement at `slot`.
    ///
    /// # Errors
    /// Fails with [`engine::Error::Internal`] if the batch has no statement at `slot`.
    pub fn rows(&self, slot: Slot) -> Result<&Rows, engine::Error> {
        self.0.get(slot.0).ok_or(engine::Error::Internal)
    }
}
