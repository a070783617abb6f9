//! dayledger answers "what did I do?" from the data that already lies on a person's machine.
//!
//! It reads a `ManicTime` history, puts it behind one local query engine, and serves the answers to people at a
//! terminal and to assistants over MCP. Calls go down this list only:
//!
//! | room | what it is for |
//! |---|---|
//! | [`cli`] | one file per command: arguments in, exit code out |
//! | [`mcp`] | the server: tools, contents, errors; no domain logic |
//! | [`report`] | what a person looks at |
//! | [`export`] | the history as files for other tools, and such files as tables |
//! | [`activity`] | the questions: typed request, typed answer |
//! | [`screenshots`] | pictures of the screen: names, index, sampling, pixels |
//! | [`engine`] | the DataFusion session: model, statements, limits |
//! | [`manictime`] | where the data is, what shape it has, `SQLite` rows as Arrow |
//! | [`rows`] | rows as CSV and JSON |
//! | [`files`] | files that are written: whole or not there, and in the place of what |
//!
//! What a number means stands in `sql/`; how it is computed fast, in the crate `dayledger-udfs`.

pub mod activity;
mod asked;
pub mod cli;
pub mod engine;
pub mod export;
pub mod files;
pub mod manictime;
pub mod mcp;
pub mod report;
pub mod rows;
pub mod screenshots;

pub use asked::{Asked, OpenError, work};

/// An engine over `source` that offers the views and functions of every room.
///
/// # Errors
/// When the operating system gives no threads.
pub fn engine_over(source: manictime::Source) -> std::io::Result<engine::Engine> {
    let screenshots = screenshots::Screenshots::of(source.clone());
    let model = activity::register(engine::Model::default());
    engine::Engine::new(source, activity::register_screenshots(model, screenshots))
}

/// The same for who may not see screenshots: its answers know of none.
///
/// # Errors
/// When the operating system gives no threads.
pub fn engine_over_activities(source: manictime::Source) -> std::io::Result<engine::Engine> {
    engine::Engine::new(source, activity::register(engine::Model::default()))
}

/// The same, whose rows have no titles, notes, addresses and paths; what a screenshot's row tells is none of them.
///
/// # Errors
/// When the operating system gives no threads.
pub fn engine_without_titles(source: manictime::Source) -> std::io::Result<engine::Engine> {
    let screenshots = screenshots::Screenshots::of(source.clone());
    let model = activity::register(engine::Model::default());
    let privacy = manictime::Privacy::new(manictime::Redaction::ALL, [], []);
    engine::Engine::new(source.with_privacy(privacy), activity::register_screenshots(model, screenshots))
}

/// An engine over the files of an export.
///
/// # Errors
/// A file that cannot be read as Parquet, or when the operating system gives no threads.
pub fn engine_over_archive(archive: &export::Archive) -> Result<engine::Engine, export::Error> {
    let model = archive.register(activity::register(engine::Model::default()))?;
    let refused = |source| export::Error::Refused { path: archive.folder().to_owned(), source };
    engine::Engine::of_tables(model).map_err(refused)
}
