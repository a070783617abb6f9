//! Houses and engines as the program puts them together. Nothing else in the tests composes one.

use std::path::Path;

use dayledger::House;
use dayledger::engine::Engine;
use dayledger::export::Archive;
use dayledger::manictime::{FoundBy, Locator, Source};
use dayledger::timesheet::Setup;

/// All rooms over the history in a folder.
pub(crate) fn house_at(folder: &Path) -> House {
    house_over(source_at(folder))
}

pub(crate) fn source_at(folder: &Path) -> Source {
    Source::new(Locator::named(folder, FoundBy::Flag))
}

pub(crate) fn house_over(source: Source) -> House {
    House::over(source).unwrap()
}

/// The same for who may not see screenshots.
pub(crate) fn house_without_screenshots(source: Source) -> House {
    House::over_activities(source).unwrap()
}

/// The same rooms with a timesheet, its ledger in `folder`: the table `[timesheet]` of the configuration says the rest.
pub(crate) fn with_timesheet(house: &House, folder: &Path, table: &str) -> House {
    house.with_timesheet(Setup::new(toml::from_str(table).unwrap(), folder, folder).unwrap())
}

/// An engine over the history in a folder.
pub(crate) fn engine_at(folder: &Path) -> Engine {
    house_at(folder).engine().clone()
}

/// An engine over the files of an export.
pub(crate) fn engine_over_archive(folder: &Path) -> Engine {
    dayledger::engine_over_archive(&Archive::open(folder).unwrap()).unwrap()
}
