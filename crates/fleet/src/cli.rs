//! The command line. Parses the arguments, runs the command and returns the exit code.

use std::error;
use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use chrono::{Local, TimeDelta};
use clap::{Parser, Subcommand};
use dayledger_engine::{ENGINE_THREADS, QueryLimits};
use dayledger_export::Person;
use dayledger_render::Format;
use dayledger_request::{DateRange, Error, start_and_end};
use dayledger_terminal::output::{print_line, print_note, print_table};
use dayledger_terminal::program;
use dayledger_terminal::sql::{StatementArguments, Target, run_statements};
use tokio::net::TcpListener;
use url::Url;

use crate::audit_log::{AuditLog, AuditLogError};
use crate::certificates::{self, Authority, Role};
use crate::coverage::{Coverage, CoverageError, Gaps};
use crate::credentials::CredentialFiles;
use crate::hours::GroupBy;
use crate::statements::{self, Statements};
use crate::status::TeamStatus;
use crate::storage::{self, CopySummary, PullOutcome, PushOutcome, Storage, Titles};
use crate::task_worker;
use crate::team::{self, Team};
use crate::team_service::{PersonAccess, TeamService};
use crate::worker;
use crate::workers::{self, Workers};

/// Query the exports of many people together
#[derive(Debug, Parser)]
#[command(name = "dayledger-fleet", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Query the exports with SQL
    ///
    /// Runs the statements from the command line, a file or stdin, or opens a prompt. Every table has the column `person`.
    Sql(Sql),
    /// Show the hours of a team
    ///
    /// Prints the active hours of all people together, without rows that cover fewer people than `--at-least`. Writes every
    /// query to an audit log before it runs.
    Hours(Hours),
    /// Check that all exports are current
    ///
    /// Prints the age and the date range of each export. Exits with 1 if an export is too old or can't be used.
    Status(Status),
    /// Run the MCP server for an AI assistant
    ///
    /// Answers requests of the Model Context Protocol on stdin and stdout. By default, it offers only team totals.
    Serve(Serve),
    /// Run a worker that executes parts of statements
    ///
    /// Listens for callers with a certificate of the fleet's certificate authority. A worker needs the same exports as the
    /// callers.
    Worker(Worker),
    /// Copy exports to object storage
    ///
    /// Copies only files that changed. Window titles, notes, URLs and paths stay here unless you pass `--include-titles`.
    Push(Push),
    /// Copy exports from object storage
    ///
    /// Makes the folder a copy of the storage. Copies only files that changed, and removes exports that are no longer in
    /// storage.
    Pull(Pull),
    /// Create a certificate for a worker or a caller
    ///
    /// Creates the certificate authority of the fleet on first use.
    Certificate(Certificate),
    #[command(name = statements::COMMAND, hide = true)]
    StatementWorker,
    #[command(name = task_worker::COMMAND, hide = true)]
    TaskWorker,
}

/// The exports to query, and the workers that execute the statements.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Data source")]
struct TeamArguments {
    /// Folder with an export of each person, written by `dayledger export --person NAME`
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// Workers that execute the statements, with the same exports [default: this process]
    #[arg(
        long,
        value_name = "URL,...",
        value_delimiter = ',',
        env = "DAYLEDGER_FLEET_WORKERS",
        requires = "authority"
    )]
    workers: Vec<Url>,
    #[command(flatten)]
    files: Option<CredentialFiles>,
}

impl TeamArguments {
    /// Returns the settings for the processes that run statements. Prints the worker machines that don't respond. Fails
    /// if no worker machine responds.
    async fn statements(&self) -> anyhow::Result<Statements> {
        let statements = Statements::new(program::path()?);
        let Some(files) = self.files.as_ref().filter(|_| !self.workers.is_empty()) else { return Ok(statements) };
        let (_, absent) =
            Workers::connect(self.workers.clone(), files.read()?).await.map_err(with_hint(workers::Error::hint))?;
        for error in absent {
            print_note(|out| writeln!(out, "skipped a worker: {error}"));
        }
        Ok(statements.with_machines(&self.workers, files.clone()))
    }

    /// Returns the data source for SQL commands: an engine over the exports of `team`.
    async fn target(&self, team: &Team) -> anyhow::Result<Target> {
        let statements = self.statements().await?;
        let place = match self.workers.len() {
            0 => team.summary(),
            workers => format!("{}, {workers} workers", team.summary()),
        };
        let engine = statements.engine(team).map_err(with_hint(team::Error::hint))?;
        let exports = self.from.clone();
        // The command `\o` replaces files, so it must not write into the folder of the exports.
        Ok(Target::new(engine, place, move || vec![exports.clone()]))
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet sql --from exports\n\
    \x20 dayledger-fleet sql --from exports \"SELECT DISTINCT person FROM segments\"")]
struct Sql {
    #[command(flatten)]
    team: TeamArguments,
    #[command(flatten)]
    statement: StatementArguments,
}

/// The minimum number of people in a total, and the audit log.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Privacy")]
struct PrivacyArguments {
    /// Show no total that covers fewer people than this
    #[arg(long, value_name = "PEOPLE", env = "DAYLEDGER_FLEET_AT_LEAST", default_value = "5")]
    at_least: NonZeroU16,
    /// File of the audit log [default: hours.jsonl in your data folder]
    #[arg(long, value_name = "FILE", env = "DAYLEDGER_FLEET_RECORD")]
    record: Option<PathBuf>,
    /// Fail if an export doesn't cover all days or can't be used, instead of leaving out the person
    #[arg(long)]
    strict: bool,
}

impl PrivacyArguments {
    fn gaps(&self) -> Gaps {
        if self.strict { Gaps::Refused } else { Gaps::LeftOut }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet hours last week --from exports\n\
    \x20 dayledger-fleet hours 2026-10 --by day --from exports --format csv")]
struct Hours {
    /// Whole days such as `this week`, `2026-10` or `2026-10-05 2026-10-09` (inclusive)
    #[arg(value_name = "RANGE", required = true)]
    range: Vec<String>,
    #[command(flatten)]
    team: TeamArguments,
    /// Group of each row
    #[arg(long, value_enum, default_value_t = GroupBy::Application)]
    by: GroupBy,
    #[command(flatten)]
    privacy: PrivacyArguments,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet status --from exports\n\
    \x20 dayledger-fleet status --from exports --max-age 3 >/dev/null || echo some exports need attention")]
struct Status {
    /// Folder with the exports
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// Maximum age of an export
    #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=3650))]
    max_age: u16,
    /// Format of the rows
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet serve --from exports")]
struct Serve {
    #[command(flatten)]
    team: TeamArguments,
    #[command(flatten)]
    privacy: PrivacyArguments,
    /// Also offer a tool that queries individual people with SQL
    #[arg(long)]
    persons: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet worker --from exports --listen 10.0.0.1:7171 --authority authority.pem \\\n\
    \x20   --certificate worker.pem --key worker.key")]
struct Worker {
    /// Folder with the exports
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// Address to listen on; with port 0, it uses a free port and prints it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7171")]
    listen: SocketAddr,
    #[command(flatten)]
    files: CredentialFiles,
    /// Maximum memory of all statements together
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
}

/// How long to wait for object storage.
#[derive(Debug, clap::Args)]
struct StorageArguments {
    /// Retry for this long if the storage doesn't respond
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=300))]
    wait: u64,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet push --from exports --to s3://hours/team")]
struct Push {
    /// Folder with the export of one person or of several
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// Folder of a bucket
    #[arg(long, value_name = "URL")]
    to: Url,
    /// Also copy window titles, notes, URLs and paths, if an export has them
    #[arg(long)]
    include_titles: bool,
    #[command(flatten)]
    waiting: StorageArguments,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet pull --from s3://hours/team --to exports")]
struct Pull {
    /// Folder of a bucket
    #[arg(long, value_name = "URL")]
    from: Url,
    /// Folder to copy to
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    waiting: StorageArguments,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet certificate anna --in certificates\n\
    \x20 dayledger-fleet certificate machine-1 --worker --in certificates")]
struct Certificate {
    /// Name of the person or machine
    name: Person,
    /// Folder of the fleet's certificate authority, created if it doesn't exist
    #[arg(long = "in", value_name = "DIR")]
    folder: PathBuf,
    /// Create a certificate for a worker instead of a caller
    #[arg(long)]
    worker: bool,
    /// Validity of the certificate
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u16).range(1..=3650))]
    days: u16,
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let cli: Cli = program::parse_arguments();
    program::run(run(cli))
}

/// Returns a function that adds the hint from `hint` to an error for the terminal. `From` isn't implemented, because
/// these errors contain people's names and paths. Tools for an assistant must not return such errors.
fn with_hint<E: error::Error + 'static, H: Into<String>>(hint: impl FnOnce(&E) -> H) -> impl FnOnce(E) -> Error {
    move |error| Error::from_command_error(&error, hint(&error))
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Sql(arguments) => {
            let team = open_complete(&arguments.team.from)?;
            run_statements(&arguments.statement, &arguments.team.target(&team).await?).await?;
        }
        Command::Hours(hours) => hours.print().await?,
        Command::Status(status) => return status.print(),
        Command::Serve(serve) => serve.run().await?,
        Command::Worker(worker) => worker.run().await?,
        Command::Push(push) => push.copy().await?,
        Command::Pull(pull) => pull.copy().await?,
        Command::Certificate(certificate) => certificate.make()?,
        Command::StatementWorker => statements::work().await.context("dayledger-fleet starts this command itself")?,
        Command::TaskWorker => {
            exit_on_panic();
            task_worker::work().await.context("dayledger-fleet starts this command itself")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Hours {
    async fn print(self) -> anyhow::Result<()> {
        let words: Vec<_> = self.range.iter().map(String::as_str).collect();
        let (start, end) = start_and_end(&words);
        let fields = ("RANGE", "RANGE");
        let range = DateRange::parse_inclusive(&start, end.as_deref(), fields)?.check_whole_days(fields)?;
        let gaps = self.privacy.gaps();
        let PrivacyArguments { at_least, record, .. } = self.privacy;
        let team = Team::open(&self.team.from).map_err(with_hint(team::Error::hint))?;
        let record = AuditLog::open(record).and_then(|record| record.add(&range, self.by, at_least));
        record.map_err(with_hint(AuditLogError::hint))?;
        let mut coverage = Coverage::new(&team.exports, Titles::Allowed);
        let count = |coverage: &Coverage| {
            let counted = coverage.scope(&range, at_least, gaps).inspect_err(print_excluded);
            counted.map_err(with_hint(CoverageError::hint))
        };
        // The coverage is checked first, because this check can fail without a connection to workers.
        count(&coverage)?;
        let target = self.team.target(&team).await?;
        loop {
            let counted = count(&coverage)?;
            let statement = counted.statement(self.by, at_least);
            match target.engine.query(statement, &QueryLimits::default()).await {
                Ok(hours) => {
                    print_table(&hours, self.format)?;
                    print_note(|out| counted.write_note(out));
                    return Ok(());
                }
                Err(error) if coverage.handle_failure(&error.to_string()) => {}
                Err(error) => return Err(Error::from(error).into()),
            }
        }
    }
}

/// Prints the people who aren't counted, if they are the reason for the error.
fn print_excluded(error: &CoverageError) {
    if let Some(left_out) = error.excluded_people() {
        print_note(|out| left_out.write_note(out));
    }
}

impl Status {
    fn print(self) -> anyhow::Result<ExitCode> {
        let status = TeamStatus::read(&self.from, Local::now().naive_local(), TimeDelta::days(self.max_age.into()));
        let status = status.map_err(with_hint(team::Error::hint))?;
        print_table(&status.table()?, self.format)?;
        print_note(|out| status.write_problems(out));
        Ok(if status.is_current() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl Serve {
    async fn run(self) -> anyhow::Result<()> {
        let gaps = self.privacy.gaps();
        let PrivacyArguments { at_least, record, .. } = self.privacy;
        let (record, statements) =
            (AuditLog::open(record).map_err(with_hint(AuditLogError::hint))?, self.team.statements().await?);
        let service = TeamService::open(&self.team.from, statements, record, at_least, gaps);
        let service = service.map_err(with_hint(team::Error::hint))?;
        let access = if self.persons { PersonAccess::Each } else { PersonAccess::Together };
        Ok(service.serve(access).await?)
    }
}

impl Worker {
    async fn run(self) -> anyhow::Result<()> {
        // The folder is read now, so that an unreadable folder makes the command fail at its start and not in each
        // statement.
        Team::open(&self.from).and_then(|team| team.require_readable()).map_err(with_hint(team::Error::hint))?;
        let credentials = self.files.read()?;
        let launch = task_worker::launch(program::path()?, &self.from, self.files)?;
        let at = self.listen;
        let listener = TcpListener::bind(at).await.with_context(|| format!("cannot listen on {at}"))?;
        print_line(&format!("listening on https://{}", listener.local_addr()?))?;
        let served = worker::serve(listener, launch, credentials, self.memory << 20);
        let threads = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(threads.spawn(served).await??)
    }
}

/// Ends the process after a panic. Otherwise, the rows that a task returned before the panic would count as the
/// complete result of the task. The engine's own threads are excluded, because the engine already reports their panics
/// as errors.
fn exit_on_panic() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        default_hook(panic);
        if std::thread::current().name() != Some(ENGINE_THREADS) {
            // `abort` could write a core dump to the disk. The core dump would contain people's data.
            std::process::exit(101);
        }
    }));
}

impl StorageArguments {
    fn storage(&self, url: &Url) -> Result<Storage, Error> {
        Storage::open(url, Duration::from_secs(self.wait)).map_err(with_hint(storage::Error::hint))
    }
}

fn open_complete(folder: &Path) -> Result<Team, Error> {
    Team::open(folder).and_then(Team::require_complete).map_err(with_hint(team::Error::hint))
}

impl Push {
    async fn copy(self) -> anyhow::Result<()> {
        let (team, storage) = (open_complete(&self.from)?, self.waiting.storage(&self.to)?);
        let titles = if self.include_titles { Titles::Allowed } else { Titles::Refused };
        let mut report = CopyReport::default();
        for (person, folder) in team.people() {
            let pushed = storage::push(person, folder, &storage, titles).await;
            report.add(person, pushed, |pushed| match pushed {
                PushOutcome::Copied(copied) => describe_copied(copied),
                PushOutcome::LeftOut => "skipped, because it was pulled from storage".to_owned(),
            });
        }
        report.finish()
    }
}

impl Pull {
    async fn copy(self) -> anyhow::Result<()> {
        let storage = self.waiting.storage(&self.from)?;
        let mut report = CopyReport::default();
        let pulling = storage::pull(&storage, &self.to, |person, pulled| {
            report.add(person, pulled, |pulled| match pulled {
                PullOutcome::Copied(copied) => describe_copied(copied),
                PullOutcome::Unfinished => "unchanged, because a push is still running".to_owned(),
                PullOutcome::Removed => "removed, because it is no longer in storage".to_owned(),
            });
        });
        pulling.await.map_err(with_hint(storage::Error::hint))?;
        report.finish()
    }
}

/// The results of copying exports. Prints a line for each person, and keeps the first error.
#[derive(Default)]
struct CopyReport {
    unwritten: Option<anyhow::Error>,
    failed: Option<storage::Error>,
}

impl CopyReport {
    fn add<T>(&mut self, person: &Person, outcome: Result<T, storage::Error>, words: impl FnOnce(T) -> String) {
        let words = match outcome {
            Ok(outcome) => words(outcome),
            Err(error) => {
                let words = format!("unchanged: {error}");
                self.failed.get_or_insert(error);
                words
            }
        };
        if let Err(error) = print_line(&format!("{}: {words}", person.as_str())) {
            self.unwritten.get_or_insert(error);
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        match (self.failed, self.unwritten) {
            (Some(error), _) => Err(with_hint(storage::Error::hint)(error).into()),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(()),
        }
    }
}

/// Describes in words how many files were copied.
fn describe_copied(CopySummary { files, new }: CopySummary) -> String {
    match new {
        0 => format!("{files} files, none changed"),
        _ => format!("{files} files, {new} of them changed"),
    }
}

impl Certificate {
    fn make(&self) -> anyhow::Result<()> {
        let authority = Authority::open(&self.folder).map_err(with_hint(certificates::Error::hint))?;
        let role = if self.worker { Role::Worker } else { Role::Caller };
        let made = authority.certify(&self.name, role, self.days);
        let made = made.map_err(with_hint(certificates::Error::hint))?;
        if authority.is_new {
            let (certificate, key) = authority.files();
            print_line(&format!(
                "{}: the certificate of the authority; copy it to every machine",
                certificate.display()
            ))?;
            print_line(&format!(
                "{}: the key of the authority; keep it secret, because it can create certificates",
                key.display()
            ))?;
        }
        let (name, until) = (self.name.as_str(), made.until.date());
        print_line(&format!("{}: the certificate of {name}, valid until {until}", made.certificate.display()))?;
        print_line(&format!("{}: the key of the certificate", made.key.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    #[ignore = "it ends its process; the next test runs it in another process"]
    fn a_thread_panics() {
        exit_on_panic();
        let _ = std::thread::spawn(|| panic!("on purpose")).join();
    }

    #[test]
    fn a_panic_in_any_thread_ends_a_worker() {
        let test = ["--ignored", "--exact", "cli::tests::a_thread_panics"];
        let ended = Command::new(std::env::current_exe().unwrap()).args(test).output().unwrap();
        let output = String::from_utf8_lossy(&ended.stdout);
        assert!(output.contains("running 1 test") && !output.contains("ok") && !ended.status.success(), "{output}");
    }
}
