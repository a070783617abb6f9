//! A second source behind `HistorySource`, which has its rows in memory. Requests, statements and outputs work over it
//! without any code of their own, and both sources keep the promises of the boundary.

#![cfg(test)]

mod contract;
mod expected;
mod memory;
mod outputs;
mod redaction;
mod requests;
mod server;
mod statements;
mod week;

use std::sync::Arc;

use dayledger::App;
use dayledger::source::HistorySource;

use memory::MemorySource;

/// An app over any source.
fn app_over(source: Arc<dyn HistorySource>) -> App {
    App::builder(source).build().unwrap()
}

/// An app over the week in memory.
fn week_app() -> App {
    app_over(Arc::new(MemorySource::new(week::rows())))
}
