//! Engines as the program puts them together. Nothing else in the tests composes one.

use std::path::Path;

use dayledger::engine::Engine;
use dayledger::export::Archive;
use dayledger::manictime::{FoundBy, Locator, Source};

/// An engine over the history in a folder.
pub(crate) fn engine_at(folder: &Path) -> Engine {
    engine_over(source_at(folder))
}

pub(crate) fn source_at(folder: &Path) -> Source {
    Source::new(Locator::named(folder, FoundBy::Flag))
}

pub(crate) fn engine_over(source: Source) -> Engine {
    dayledger::engine_over(source).unwrap()
}

/// An engine over the files of an export.
pub(crate) fn engine_over_archive(folder: &Path) -> Engine {
    dayledger::engine_over_archive(&Archive::open(folder).unwrap()).unwrap()
}
