//! The commands: arguments in, exit code out.

use std::error;
use std::net::SocketAddr;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use chrono::{Local, TimeDelta};
use clap::{Parser, Subcommand};
use dayledger::cli::{
    StatementArguments, Target, carry_out, parse, print_line, print_note, print_table, program, run_statements,
    start_and_end,
};
use dayledger::engine::{ENGINE_THREADS, QueryLimits};
use dayledger::export::Person;
use dayledger::report::Format;
use dayledger::request::{DateRange, Error};
use tokio::net::TcpListener;
use url::Url;

use crate::audit_log::{AuditLog, AuditLogError};
use crate::certificates::{self, Authority, Role};
use crate::coverage::{Coverage, CoverageError, Gaps};
use crate::credentials::CredentialFiles;
use crate::hours::GroupBy;
use crate::members;
use crate::statements::{self, Statements};
use crate::status::TeamStatus;
use crate::storage::{self, CopySummary, PullOutcome, PushOutcome, Storage, Titles};
use crate::task_worker;
use crate::team::{self, Team};
use crate::team_service::{PersonAccess, TeamService};
use crate::worker;
use crate::workers::{self, Workers};

/// Asks the exports of many persons at once.
#[derive(Debug, Parser)]
#[command(name = "dayledger-fleet", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask in SQL
    Sql(Sql),
    /// Tell the hours of all together, and nothing of fewer than some
    Hours(Hours),
    /// Show each export's age and range, and check that all are current
    Status(Status),
    /// Answer an assistant over MCP, on standard input and output
    Serve(Serve),
    /// Carry out parts of statements for others who ask
    Worker(Worker),
    /// Bring exports into object storage
    Push(Push),
    /// Bring exports from object storage into a folder
    Pull(Pull),
    /// Make a certificate for a worker, or for who asks workers
    Certificate(Certificate),
    #[command(name = statements::COMMAND, hide = true)]
    StatementWorker,
    #[command(name = task_worker::COMMAND, hide = true)]
    TaskWorker,
}

/// Whose exports are asked, and who carries that out.
#[derive(Debug, clap::Args)]
struct TeamArguments {
    /// The folder into which every person exports with `dayledger export --person NAME`
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// Workers that carry statements out, each with the same exports; without any, this process does
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
    /// How statements run. Reports the worker machines that don't answer; fails if none does.
    async fn statements(&self) -> anyhow::Result<Statements> {
        let statements = Statements::new(program()?);
        let Some(files) = self.files.as_ref().filter(|_| !self.workers.is_empty()) else { return Ok(statements) };
        let (_, absent) =
            Workers::connect(self.workers.clone(), files.read()?).await.map_err(with_hint(workers::Error::hint))?;
        for error in absent {
            print_note(|out| writeln!(out, "done without: {error}"));
        }
        Ok(statements.with_machines(&self.workers, files.clone()))
    }

    /// The exports of a team.
    async fn target(&self, team: &Team) -> anyhow::Result<Target> {
        let statements = self.statements().await?;
        let place = match self.workers.len() {
            0 => team.summary(),
            workers => format!("{}, {workers} workers", team.summary()),
        };
        Ok(Target::new(statements.engine(team).map_err(with_hint(team::Error::hint))?, place))
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

/// Of how few persons hours are told, and where it is kept that they were asked for.
#[derive(Debug, clap::Args)]
struct PrivacyArguments {
    /// Hours are told of no fewer persons
    #[arg(long, value_name = "PERSONS", env = "DAYLEDGER_FLEET_AT_LEAST", default_value = "5")]
    at_least: NonZeroU16,
    /// The file that keeps which hours were asked; without it, `hours.jsonl` in your own folder for data
    #[arg(long, value_name = "FILE", env = "DAYLEDGER_FLEET_RECORD")]
    record: Option<PathBuf>,
    /// Fail if an export does not cover all of the days or cannot be used, instead of leaving the person out
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
    /// Whole days such as `this week`, `2026-10` or `2026-10-05 2026-10-09`, with the last day included
    #[arg(value_name = "RANGE", required = true)]
    range: Vec<String>,
    #[command(flatten)]
    team: TeamArguments,
    /// What a row is of
    #[arg(long, value_enum, default_value_t = GroupBy::Application)]
    by: GroupBy,
    #[command(flatten)]
    privacy: PrivacyArguments,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet status --from exports\n\
    \x20 dayledger-fleet status --from exports --max-age 3 >/dev/null || echo some exports need attention")]
struct Status {
    /// The folder with the exports
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// How old an export may be
    #[arg(long, value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=3650))]
    max_age: u16,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
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
    /// Let single persons be asked, in SQL
    #[arg(long)]
    persons: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet worker --from exports --listen 10.0.0.1:7171 --authority authority.pem \\\n\
    \x20   --certificate worker.pem --key worker.key")]
struct Worker {
    /// The folder with the exports
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// The address to listen at; with port 0 a free one, which is told on standard output
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7171")]
    listen: SocketAddr,
    #[command(flatten)]
    files: CredentialFiles,
    /// Memory for all statements together
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
}

/// Object storage, and how long it is waited for.
#[derive(Debug, clap::Args)]
struct StorageArguments {
    /// For how long storage that cannot answer is asked again
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=300))]
    wait: u64,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet push --from exports --to s3://hours/team")]
struct Push {
    /// The folder into which one person exports, or many
    #[arg(long, value_name = "DIR", env = "DAYLEDGER_FLEET_FROM")]
    from: PathBuf,
    /// The folder of a bucket
    #[arg(long, value_name = "URL")]
    to: Url,
    /// Let titles, notes, addresses and paths leave, where an export has them
    #[arg(long)]
    include_titles: bool,
    #[command(flatten)]
    waiting: StorageArguments,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet pull --from s3://hours/team --to exports")]
struct Pull {
    /// The folder of a bucket
    #[arg(long, value_name = "URL")]
    from: Url,
    /// The folder that becomes a copy of it
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
    /// Whom it names
    name: Person,
    /// The folder of the fleet's authority, which is made where there is none
    #[arg(long = "in", value_name = "DIR")]
    folder: PathBuf,
    /// It is for a worker
    #[arg(long)]
    worker: bool,
    /// How long it holds
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(u16).range(1..=3650))]
    days: u16,
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let cli: Cli = parse();
    carry_out(run(cli))
}

/// Makes an error for the terminal with the hint that `hint` returns. Not a `From`: these errors name people and paths, which
/// the tools of an assistant must not pass on.
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
        let mut coverage = Coverage::new(&team.exports, members::Titles::Allowed);
        let count = |coverage: &Coverage| {
            let counted = coverage.scope(&range, at_least, gaps).inspect_err(print_excluded);
            counted.map_err(with_hint(CoverageError::hint))
        };
        // Workers needn't be asked if there is nothing to ask.
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

/// Names the people that can't be counted, if too few are left.
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
        let office = TeamService::open(&self.team.from, statements, record, at_least, gaps);
        let office = office.map_err(with_hint(team::Error::hint))?;
        let persons = if self.persons { PersonAccess::Each } else { PersonAccess::Together };
        Ok(office.serve(persons).await?)
    }
}

impl Worker {
    async fn run(self) -> anyhow::Result<()> {
        // A folder that cannot be read is an error now, not of each statement.
        Team::open(&self.from).and_then(|team| team.model()).map_err(with_hint(team::Error::hint))?;
        let credentials = self.files.read()?;
        let launch = task_worker::launch(program()?, &self.from, self.files)?;
        let at = self.listen;
        let listener = TcpListener::bind(at).await.with_context(|| format!("cannot listen at {at}"))?;
        print_line(&format!("listening at https://{}", listener.local_addr()?))?;
        let served = worker::serve(listener, launch, credentials, self.memory << 20);
        let threads = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(threads.spawn(served).await??)
    }
}

/// Has a panic end the process: the rows of a task that ended so would be taken for all. In a thread of an engine it is an
/// error to who waits for it, as ever.
fn exit_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        if std::thread::current().name() != Some(ENGINE_THREADS) {
            // Not `abort`, which would leave what is in memory on a disk.
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
        let titles = if self.include_titles { Titles::Allowed } else { Titles::Forbidden };
        let mut told = CopyReport::default();
        for (person, folder) in team.people() {
            let pushed = storage::push(person, folder, &storage, titles).await;
            told.add(person, pushed, |pushed| match pushed {
                PushOutcome::Copied(copied) => describe_copied(copied),
                PushOutcome::LeftOut => "left out, for it was pulled".to_owned(),
            });
        }
        told.finish()
    }
}

impl Pull {
    async fn copy(self) -> anyhow::Result<()> {
        let storage = self.waiting.storage(&self.from)?;
        let mut told = CopyReport::default();
        let pulling = storage::pull(&storage, &self.to, |person, pulled| {
            told.add(person, pulled, |pulled| match pulled {
                PullOutcome::Copied(copied) => describe_copied(copied),
                PullOutcome::Unfinished => "a push has not ended yet: what is here stays as it was".to_owned(),
                PullOutcome::Removed => "no longer in storage, and so removed here".to_owned(),
            });
        });
        pulling.await.map_err(with_hint(storage::Error::hint))?;
        told.finish()
    }
}

/// A line for each person, and what went wrong first.
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
                let words = format!("left as it was: {error}");
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

/// How much was copied.
fn describe_copied(CopySummary { files, new }: CopySummary) -> String {
    match new {
        0 => format!("{files} files, nothing new"),
        _ => format!("{files} files, {new} of them new"),
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
            print_line(&format!("{}: the authority's certificate, for everybody", certificate.display()))?;
            print_line(&format!("{}: its key, which lets anybody in: keep it apart", key.display()))?;
        }
        let (name, until) = (self.name.as_str(), made.until.date());
        print_line(&format!("{}: the certificate of {name}, until {until}", made.certificate.display()))?;
        print_line(&format!("{}: the key to it", made.key.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    #[ignore = "it ends its process; the next test gives it one"]
    fn a_thread_panics() {
        exit_on_panic();
        let _ = std::thread::spawn(|| panic!("on purpose")).join();
    }

    #[test]
    fn a_panic_in_any_thread_ends_a_worker() {
        let test = ["--ignored", "--exact", "cli::tests::a_thread_panics"];
        let ended = Command::new(std::env::current_exe().unwrap()).args(test).output().unwrap();
        let told = String::from_utf8_lossy(&ended.stdout);
        assert!(told.contains("running 1 test") && !told.contains("ok") && !ended.status.success(), "{told}");
    }
}
