//! A team with sample histories. The exports of all people are in one folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use chrono::{NaiveDate, NaiveTime};
use dayledger::activitywatch::{self, ActivityWatch};
use dayledger::{App, AppBuilder};
use dayledger_engine::{Engine, QueryLimits, Table};
use dayledger_export::{Export, ExportTable, FileFormat, OpenedExport, Person};
use dayledger_fixtures::demo::{Format, HOME, Plan, write};
use dayledger_fleet::team::Team;
use dayledger_manictime::{Locator, Source};
use dayledger_source::{FoundBy, HistorySource};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// The names of the people.
pub(crate) const NAMES: [&str; 3] = ["anna", "bela", "chris"];
/// The tracker of each person.
const FORMATS: [Format; 3] = [Format::ManicTime, Format::ManicTime, Format::ActivityWatch];

/// The files of all exports, with their paths relative to the common folder.
type Files = Vec<(PathBuf, Vec<u8>)>;

// An export takes seconds in an unoptimised build, so all tests use copies of the same exports.
static WITH_TITLES: OnceCell<Files> = OnceCell::const_new();
static WITHOUT_TITLES: OnceCell<Files> = OnceCell::const_new();

/// The exports of three people, with titles and activities. Each person has a different number of days.
pub(crate) struct TestTeam(TempDir);

impl TestTeam {
    pub(crate) async fn export() -> Self {
        Self::from_files(WITH_TITLES.get_or_init(|| export(|builder| builder)).await)
    }

    /// Returns exports of the same histories without titles, notes, URLs and paths.
    pub(crate) async fn export_without_titles() -> Self {
        Self::from_files(WITHOUT_TITLES.get_or_init(|| export(AppBuilder::without_titles)).await)
    }

    fn from_files(files: &[(PathBuf, Vec<u8>)]) -> Self {
        let team = Self(tempfile::tempdir().unwrap());
        for (path, bytes) in files {
            let path = team.folder().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        team
    }

    /// Makes a person's export newer than the other exports, without changing its rows.
    pub(crate) fn export_again(&self, name: &str) {
        self.change_manifest(name, |manifest| {
            for files in manifest["tables"].as_object_mut().unwrap().values_mut() {
                for file in files.as_object_mut().unwrap().values_mut() {
                    file["writtenUtc"] = "2099-01-01T00:00:00Z".into();
                }
            }
        });
    }

    /// Changes the manifest of a person's export.
    pub(crate) fn change_manifest(&self, name: &str, change: impl FnOnce(&mut serde_json::Value)) {
        let manifest = self.person_folder(name).join("manifest.json");
        let mut value = serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
        change(&mut value);
        std::fs::write(&manifest, value.to_string()).unwrap();
    }

    /// Changes the manifest so that a person's export covers only these local times in March 2025.
    pub(crate) fn set_coverage(&self, name: &str, start: &str, end: &str) {
        self.change_manifest(name, |manifest| {
            manifest["source"]["firstLocal"] = "2020-01-01T00:00:00".into();
            let files = manifest["tables"]["activities"].as_object_mut().unwrap();
            files.retain(|month, _| month == "2025-03");
            files["2025-03"]["startLocal"] = start.into();
            files["2025-03"]["endLocal"] = end.into();
        });
    }

    /// Returns the folder that contains the exports of all people.
    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Returns the folder of a person's export.
    pub(crate) fn person_folder(&self, name: &str) -> PathBuf {
        self.folder().join(name.parse::<Person>().unwrap().folder())
    }

    /// Returns the engine over the exports of all people.
    pub(crate) fn engine(&self) -> Engine {
        Team::open(self.folder()).unwrap().engine(None).unwrap()
    }

    /// Returns the engine over a person's own export.
    pub(crate) fn person_engine(&self, name: &str) -> Engine {
        Engine::from_tables(OpenedExport::open(&self.person_folder(name)).unwrap().model().unwrap()).unwrap()
    }
}

/// Creates the histories of all people and exports them.
async fn export(options: fn(AppBuilder) -> AppBuilder) -> Files {
    let folder = tempfile::tempdir().unwrap();
    for (place, (name, format)) in (0..).zip(NAMES.into_iter().zip(FORMATS)) {
        let history = tempfile::tempdir().unwrap();
        let until = NaiveDate::from_ymd_opt(2025, 3, 14).unwrap();
        let (days, seed) = (10 + 5 * place, u64::from(place));
        let plan = Plan { days, activities_per_day: 200, seed, format, ..Plan::new(until) };
        write(history.path(), &plan).unwrap();
        let app = options(App::builder(source_in(history.path(), format))).build().unwrap();
        let export = Export {
            folder: folder.path().to_owned(),
            person: Some(name.parse().unwrap()),
            range: None,
            tables: ExportTable::DEFAULT.iter().copied().chain([ExportTable::Activities]).collect(),
            format: FileFormat::Parquet,
            separator: None,
        };
        let now = until.succ_opt().unwrap().and_time(NaiveTime::MIN);
        export.run(app.history(), now, &mut |_| {}).await.unwrap();
    }
    files_below(folder.path())
}

/// Opens the history in a folder.
fn source_in(folder: &Path, format: Format) -> Arc<dyn HistorySource> {
    match format {
        Format::ManicTime => Arc::new(Source::new(Locator::from_path(folder, FoundBy::Flag))),
        Format::ActivityWatch => {
            let locator = activitywatch::Locator::from_path(folder, FoundBy::Flag);
            let zone = Some(HOME.to_owned());
            let settings = activitywatch::Settings { zone, ..activitywatch::Settings::new(locator) };
            Arc::new(ActivityWatch::new(settings).unwrap())
        }
    }
}

fn files_below(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            files.extend(files_below(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            files.push((name, std::fs::read(path).unwrap()));
        }
    }
    files
}

/// Returns the rows of a statement as text, sorted.
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
