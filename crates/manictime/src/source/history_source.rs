//! `ManicTime`'s history as a [`HistorySource`].

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use super::timeline_memory::GenerationMemory;
use super::{Source, losses};
use crate::shape::HOURLY_TOTALS_REMEDY;
use crate::sqlite::sqlite_error;
use crate::{tables, tracker};
use dayledger_source::{
    Contents, Error, HiddenScreenshots, HistorySource, Location, Privacy, ReadHandle, ReadRows, ScanExtent,
    ScanRequest, SourceHealth, Tracker,
};

impl HistorySource for Source {
    fn name(&self) -> &'static str {
        "manictime"
    }

    fn label(&self) -> &'static str {
        "ManicTime"
    }

    fn privacy(&self) -> &Privacy {
        self.privacy()
    }

    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(self.clone().with_privacy(privacy))
    }

    fn location(&self) -> Result<Location, Error> {
        let location = self.locate()?;
        Ok(Location { database: self.privacy().redact_path(&location.database), ..location })
    }

    fn size_bytes(&self) -> Option<u64> {
        fs::metadata(self.locate().ok()?.database).map(|metadata| metadata.len()).ok()
    }

    /// Returns a list with the folder of the database, with symbolic links resolved. Returns an empty list if the
    /// database doesn't exist.
    fn folders(&self) -> Vec<PathBuf> {
        let database = self.settings.locator.find().ok().map(|found| found.database);
        let database = database.map(|path| fs::canonicalize(&path).unwrap_or(path));
        database.and_then(|database| database.parent().map(Into::into)).into_iter().collect()
    }

    /// Returns the folder `Screenshots` next to the database
    /// (docs/spec/manictime.md#screenshot-folders).
    fn screenshots_folder(&self) -> Result<Option<PathBuf>, Error> {
        Ok(Some(self.locate()?.database.with_file_name("Screenshots")))
    }

    fn contents(&self) -> Result<Arc<Contents>, Error> {
        let shape = self.run_in_transaction(&ReadHandle::default(), |source, reader| source.shape_at(reader))?;
        Ok(Arc::clone(shape.contents()))
    }

    fn stores_hourly_totals(&self) -> bool {
        true
    }

    fn read(&self, scans: &[(&ScanRequest, ScanExtent)], handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        Ok(self.read_scans(scans, handle)?)
    }

    fn preload(&self, handle: &ReadHandle) -> Result<bool, Error> {
        // Requests during the preload need the connection of earlier requests. With a new connection, they can't detect
        // that the file is unchanged, and the preloaded rows would be dropped.
        let used = Cell::new(self.lock().idle.take());
        Ok(self.run_at_commit(handle, |source, snapshot, reader| {
            if let Some(used) = used.take() {
                source.return_reader(used);
            }
            let memory = GenerationMemory::new(&source.state, reader.generation, source.settings.memory);
            let preloaded = tables::preload(snapshot, &memory, source.settings.memory);
            preloaded.map_err(|error| sqlite_error(&error, &reader.path))?;
            Ok(memory.is_current())
        })?)
    }

    fn describe(&self, scan: &ScanRequest) -> String {
        tables::describe(scan)
    }

    fn explain(&self, scan: &ScanRequest) -> Result<Vec<String>, Error> {
        Ok(self.run_at_commit(&ReadHandle::default(), |_, snapshot, reader| {
            tables::explain(scan, snapshot).map_err(|error| sqlite_error(&error, &reader.path))
        })?)
    }

    /// Returns the periods in which screenshots must not be shown. If there are no privacy settings,
    /// the database isn't opened.
    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error> {
        if let Some(known) = HiddenScreenshots::without_history(self.privacy()) {
            return Ok(Arc::new(known));
        }
        Ok(self.run_at_commit(&ReadHandle::default(), |_, snapshot, reader| {
            let hidden = snapshot.hidden_rows().map(|hidden| hidden.times.screenshots());
            hidden.map_err(|error| sqlite_error(&error, &reader.path))
        })?)
    }

    fn health(&self) -> Result<SourceHealth, Error> {
        Ok(self.run_in_transaction(&ReadHandle::default(), |source, reader| {
            let shape = source.shape_at(reader)?;
            let mode = reader.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0));
            let unread = mode.and_then(|mode: String| Ok((mode, losses::count(&reader.connection, &shape)?)));
            let (journal_mode, unread) = unread.map_err(|error| sqlite_error(&error, &reader.path))?;
            Ok(SourceHealth {
                schema_version: shape.version().map(str::to_owned),
                journal_mode,
                tables: shape.manifest().collect(),
                missing: shape.missing_data(),
                missing_from: None,
                hourly_totals_remedy: HOURLY_TOTALS_REMEDY,
                unread,
                contents: Arc::clone(shape.contents()),
            })
        })?)
    }

    fn tracker(&self) -> Tracker {
        tracker::detect()
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    fn forget(&self) {
        let mut state = self.lock();
        state.start_generation();
        state.timelines.clear();
    }
}
