//! Persons with invented histories, each exported beside the others.

use std::path::{Path, PathBuf};

use chrono::{NaiveDate, NaiveTime};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use dayledger::engine::{Engine, QueryLimits, Table};
use dayledger::export::{Export, ExportTable, FileFormat, OpenedExport, Person};
use dayledger::manictime::{Locator, Source};
use dayledger::source::FoundBy;
use dayledger::{App, AppBuilder, engine_for_export};
use dayledger_fixtures::demo::{Plan, write};
use dayledger_fleet::team::Team;
use tempfile::TempDir;

/// Their names.
pub(crate) const NAMES: [&str; 3] = ["anna", "bela", "chris"];

/// The exports of three persons, with titles and activities, of some weeks that are not the same for all.
pub(crate) struct TestTeam(TempDir);

impl TestTeam {
    pub(crate) async fn export() -> Self {
        Self::export_with(|builder| builder).await
    }

    /// The same without titles, notes, addresses and paths.
    pub(crate) async fn export_without_titles() -> Self {
        Self::export_with(AppBuilder::without_titles).await
    }

    async fn export_with(options: fn(AppBuilder) -> AppBuilder) -> Self {
        let persons = Self(tempfile::tempdir().unwrap());
        for (place, name) in (0..).zip(NAMES) {
            let history = tempfile::tempdir().unwrap();
            let until = NaiveDate::from_ymd_opt(2025, 3, 14).unwrap();
            let plan =
                Plan { days: 10 + 5 * place, activities_per_day: 200, seed: u64::from(place), ..Plan::new(until) };
            write(history.path(), &plan).unwrap();
            let source = Source::new(Locator::from_path(history.path(), FoundBy::Flag));
            let app = options(App::builder(source)).build().unwrap();
            let export = Export {
                folder: persons.folder().to_owned(),
                person: Some(name.parse().unwrap()),
                range: None,
                tables: ExportTable::DEFAULT.iter().copied().chain([ExportTable::Activities]).collect(),
                format: FileFormat::Parquet,
                separator: None,
            };
            let now = until.succ_opt().unwrap().and_time(NaiveTime::MIN);
            export.run(app.history(), now, &mut |_| {}).await.unwrap();
        }
        persons
    }

    /// Copies of the exports in another folder.
    pub(crate) fn copy_from(of: &Self) -> Self {
        let copies = Self(tempfile::tempdir().unwrap());
        copy(of.folder(), copies.folder());
        copies
    }

    /// Makes one person's export one that was written later than all others, with the same in it.
    pub(crate) fn export_again(&self, name: &str) {
        self.change_manifest(name, |manifest| {
            for files in manifest["tables"].as_object_mut().unwrap().values_mut() {
                for file in files.as_object_mut().unwrap().values_mut() {
                    file["writtenUtc"] = "2099-01-01T00:00:00Z".into();
                }
            }
        });
    }

    /// Changes the manifest of one person's export.
    pub(crate) fn change_manifest(&self, name: &str, change: impl FnOnce(&mut serde_json::Value)) {
        let manifest = self.person_folder(name).join("manifest.json");
        let mut value = serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
        change(&mut value);
        std::fs::write(&manifest, value.to_string()).unwrap();
    }

    /// Lets a person's export cover these local times only.
    pub(crate) fn set_coverage(&self, name: &str, start: &str, end: &str) {
        self.change_manifest(name, |manifest| {
            manifest["source"]["firstLocal"] = "2020-01-01T00:00:00".into();
            let files = manifest["tables"]["activities"].as_object_mut().unwrap();
            files.retain(|month, _| month == "2025-03");
            files["2025-03"]["startLocal"] = start.into();
            files["2025-03"]["endLocal"] = end.into();
        });
    }

    /// The folder that all exports are in.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The folder of one person's export.
    pub(crate) fn person_folder(&self, name: &str) -> PathBuf {
        self.folder().join(name.parse::<Person>().unwrap().folder())
    }

    /// The engine over all of them.
    pub(crate) fn engine(&self) -> Engine {
        Team::open(self.folder()).unwrap().engine(None).unwrap()
    }

    /// The engine over one person's export, as she has it herself.
    pub(crate) fn person_engine(&self, name: &str) -> Engine {
        engine_for_export(&OpenedExport::open(&self.person_folder(name)).unwrap()).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else {
            std::fs::copy(&path, &place).unwrap();
        }
    }
}

/// The rows of a statement, each as text, in an order of their own.
pub(crate) async fn rows(engine: &Engine, sql: &str) -> Vec<String> {
    let table: Table = match engine.query(sql, &QueryLimits::default()).await {
        Ok(table) => table,
        Err(error) => panic!("{sql}: {error}"),
    };
    assert_eq!(table.truncated, None, "{sql}");
    let mut rows: Vec<String> = table.batches.iter().flat_map(lines).collect();
    rows.sort_unstable();
    rows
}

fn lines(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::default().with_null("NULL");
    let columns: Vec<_> =
        batch.columns().iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options).unwrap()).collect();
    let line = |row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join(" | ");
    (0..batch.num_rows()).map(line).collect()
}
