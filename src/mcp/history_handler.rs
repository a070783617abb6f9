//! Runs the requests of tools, resources and completions on an [`App`].

use std::sync::Arc;

use dayledger_mcp::RequestHandler;

use crate::App;
use crate::request::{Error, Request};

/// Runs requests on an [`App`]. Implemented by the app itself, by a function that returns the app, and by a stub for
/// tests.
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

/// Returns the current app. Called for each request, because the app is replaced when the configuration changes.
pub type AppProvider = Arc<dyn Fn() -> App + Send + Sync>;
