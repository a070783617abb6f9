//! Answers the requests of tools, resources and completions with an [`App`].

use std::sync::Arc;

use dayledger_mcp::RequestHandler;

use crate::App;
use crate::request::{Error, Request};

/// Answers the requests of an [`App`]: the app itself, a function that returns it, or a stub of the tests.
pub(super) trait HistoryHandler: RequestHandler<App = App> {}

impl<D: RequestHandler<App = App>> HistoryHandler for D {}

impl RequestHandler for App {
    type App = Self;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        Self: AsRef<Q::Service>,
    {
        self.run(request).await
    }
}

/// Returns the current app, which is another one after the configuration changed. Called for each request.
pub type AppProvider = Arc<dyn Fn() -> App + Send + Sync>;
