//! Requests, and the statements that they run.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;

use super::Error;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Rows, Statement};

/// A typed request with a typed response. An app can run it if the app is `AsRef<Self::Service>`.
pub trait Request: Sized + Send {
    /// The service that executes the request: the engine, or a service that uses it.
    type Service: Send + Sync;
    /// The type of the response.
    type Response: Serialize + JsonSchema + Send;

    /// Runs the request. All totals of a response come from one consistent read. Only explanations of missing data,
    /// such as totals of deleted activities or the state of the file, are read separately.
    ///
    /// # Errors
    /// Fails if the history does not contain something that the request refers to, or if the service fails.
    fn execute(self, service: &Self::Service) -> impl Future<Output = Result<Self::Response, Error>> + Send;
}

/// Runs a fixed number of statements in one consistent read.
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

/// The position of a statement in a [`Batch`], which identifies its rows in [`BatchRows`].
#[derive(Debug, Clone, Copy)]
pub struct Slot(usize);

/// The rows of a [`Batch`].
#[derive(Debug)]
pub struct BatchRows(Vec<Rows>);

impl Batch {
    /// Adds a statement.
    pub fn add(&mut self, statement: (&'static Statement, Arguments)) -> Slot {
        self.0.push(statement);
        Slot(self.0.len() - 1)
    }

    /// Runs the statements.
    ///
    /// # Errors
    /// Fails like [`Engine::run`].
    pub async fn run(self, engine: &Engine) -> Result<BatchRows, Error> {
        Ok(BatchRows(engine.run(self.0).await?))
    }
}

impl BatchRows {
    /// Returns the rows of a statement of this batch.
    ///
    /// # Errors
    /// Fails with [`engine::Error::Internal`] for a statement of another batch.
    pub fn rows(&self, slot: Slot) -> Result<&Rows, engine::Error> {
        self.0.get(slot.0).ok_or(engine::Error::Internal)
    }
}
