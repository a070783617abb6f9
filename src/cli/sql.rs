//! `dayledger sql`: queries the history, or the files of an export, in SQL.

use std::path::{Path, PathBuf};

use dayledger_terminal::program;
use dayledger_terminal::sql::{StatementArguments, Target, run_statements};

use super::history::{HistoryArguments, protected_folders};
use crate::export::OpenedExport;
use crate::request::Error;
use crate::{OpenError, export_with_workers};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger sql\n\
    \x20 dayledger sql \"SHOW TABLES\"\n\
    \x20 dayledger sql --format csv -f week.sql > week.csv")]
pub(super) struct Arguments {
    #[command(flatten)]
    statement: StatementArguments,
    /// Query the Parquet files that `dayledger export` wrote to this folder, instead of the history
    #[arg(long, value_name = "DIR", help_heading = "Data source")]
    pub(super) exports: Option<PathBuf>,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let target = match &arguments.exports {
        Some(folder) => open_export(folder)?,
        None => open_history(history)?,
    };
    run_statements(&arguments.statement, &target).await
}

fn open_export(folder: &Path) -> anyhow::Result<Target> {
    let export = OpenedExport::open(folder).map_err(Error::from)?;
    let engine = export_with_workers(&export, program::path()?).map_err(|error| match error {
        OpenError::Export(error) => anyhow::Error::from(Error::from(error)),
        error @ (OpenError::Settings(_) | OpenError::Threads(_)) => error.into(),
    })?;
    // A session that queries an export must overwrite neither the export nor this user's own history.
    let folder = export.folder().to_owned();
    let protected = move || [vec![folder.clone()], HistoryArguments::default().own_folders()].concat();
    Ok(Target::new(engine, export.summary(), protected))
}

pub(super) fn open_history(history: &HistoryArguments) -> anyhow::Result<Target> {
    // Without a home directory, the session has no timesheet, but can still query the history.
    let builder = history.app_builder()?.with_timesheet(history.timesheet_setup_if_any()?);
    let app = builder.build_with_workers(program::path()?)?;
    let history = app.history().clone();
    let place = match history.source().location() {
        Ok(location) => location.database.display().to_string(),
        // Each statement returns this error until the history exists.
        Err(error) => error.to_string(),
    };
    Ok(Target::new(app.engine().clone(), place, move || protected_folders(&history)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use chrono::NaiveDate;
    use dayledger_fixtures::demo::{Plan, write};
    use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};

    use super::*;
    use crate::App;
    use crate::engine::{Engine, QueryLimits, local_now};
    use crate::report::{self, ColorDepth, Format, Style};
    use crate::source::FoundBy;
    use crate::trackers::TrackerSettings;

    /// Returns the question and the statement of each file in `sql/examples`.
    fn examples() -> Vec<(String, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql/examples");
        let files = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
        let example = |file: String| {
            let (comment, statement) = file.split_once('\n').unwrap();
            (comment.trim_start_matches("--").trim().to_owned(), statement.trim().to_owned())
        };
        files.map(example).collect()
    }

    #[tokio::test]
    async fn every_example_finds_something_in_the_demo() {
        let dir = tempfile::tempdir().unwrap();
        let today = local_now().date();
        write(dir.path(), &Plan::new(today)).unwrap();
        let app =
            App::builder(TrackerSettings::default().history_at(dir.path(), FoundBy::Flag).unwrap()).build().unwrap();
        for (question, statement) in examples() {
            assert!(question.ends_with('?'), "{question}");
            let answer = app.engine().query(statement, &QueryLimits::default()).await;
            let table = answer.unwrap_or_else(|error| panic!("{question}: {error}"));
            let rows: usize = table.batches.iter().map(arrow::array::RecordBatch::num_rows).sum();
            assert!(rows > 0, "{question}");
        }
    }

    /// Writes an hour of history for today, around six in the evening. The user spends this hour in one browser on two
    /// devices: 21 minutes on one site and 39 minutes on another. Half of the hour has two tags.
    fn write_evening(folder: &Path, today: NaiveDate) {
        let at =
            |start: &str, end: &str| Span::local(&format!("{today} {start}"), &format!("{today} {end}"), 0).unwrap();
        let mut writer = HistoryWriter::in_folder(folder, SchemaOptions::default()).unwrap();
        for (device, first) in [("desk", 1), ("lap", 11)] {
            writer.add_environment(device, device, None).unwrap();
            let [applications, documents, tags] = [first, first + 1, first + 2];
            writer.add_timeline(&Timeline::applications(applications, device)).unwrap();
            writer.add_timeline(&Timeline::documents(documents, device)).unwrap();
            writer.add_timeline(&Timeline::tags(tags, device)).unwrap();
            let chrome = writer.add_group(applications, &Group::application("chrome.exe;chrome", "Chrome")).unwrap();
            let browsing = Activity::new("window", at("17:30:00", "18:30:00")).group(chrome);
            let browsing = writer.add_activity(applications, &browsing).unwrap();
            for (site, start, end) in [("one.example", "17:30:00", "17:51:00"), ("two.example", "17:51:00", "18:30:00")]
            {
                let group = writer.add_group(documents, &Group::web_site(site)).unwrap();
                let visit = Activity::new(site, at(start, end)).group(group).related_activity(browsing);
                writer.add_activity(documents, &visit).unwrap();
            }
            let client = writer.add_group(tags, &Group::tag("Client A")).unwrap();
            let list = writer.add_group_list(tags, "Client A", &[client], false).unwrap();
            let tagged = Activity::new("Client A", at("17:30:00", "18:00:00")).group_list(list);
            writer.add_activity(tags, &tagged).unwrap();
        }
        writer.finish().unwrap();
    }

    async fn csv(engine: &Engine, question: &str) -> String {
        let (_, statement) = examples().into_iter().find(|(asked, _)| asked.contains(question)).unwrap();
        let table = engine.query(statement, &QueryLimits::default()).await.unwrap();
        let mut out = Vec::new();
        let style = Style { color: ColorDepth::None, width: 80, unicode: true, source_options: "" };
        report::write_batches(&mut out, &table.batches, &table.schema, Format::Csv, &style).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Each minute counts once in every total, and totals are not rounded to whole hours.
    #[tokio::test]
    async fn examples_count_like_the_tools() {
        let dir = tempfile::tempdir().unwrap();
        write_evening(dir.path(), local_now().date());
        let app =
            App::builder(TrackerSettings::default().history_at(dir.path(), FoundBy::Flag).unwrap()).build().unwrap();
        for (question, rows) in [
            ("Which sites had my attention", "website,minutes\ntwo.example,39.0\none.example,21.0\n"),
            ("How much time did each client get", "client,hours\nClient A,0.5\n"),
            ("At which hours of the day", "hour,minutes\n17,30.0\n18,30.0\n"),
            ("after six in the evening", "application,minutes\nChrome,30.0\n"),
            ("two devices at once", "minutes_on_two_devices\n60.0\n"),
        ] {
            assert_eq!(csv(app.engine(), question).await, rows, "{question}");
        }
    }
}
