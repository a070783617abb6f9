//! The commands: arguments in, exit code out.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use dayledger::cli::{Asking, Target, ask, carry_out, hint_of};
use dayledger::engine::STACK_BYTES;
use tokio::net::TcpListener;
use url::Url;

use crate::credentials::Files;
use crate::team::{self, Team};
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
    /// Carry out parts of statements for others who ask
    Worker(Worker),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger-fleet sql --from exports\n\
    \x20 dayledger-fleet sql --from exports \"SELECT DISTINCT person FROM segments\"")]
struct Sql {
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
    files: Option<Files>,
    #[command(flatten)]
    asking: Asking,
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
    files: Files,
    /// What all statements may take together
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let hint = |error: &anyhow::Error| {
        let of_team = error.downcast_ref::<team::Error>().map(team::Error::hint);
        let of_workers = || error.downcast_ref::<workers::Error>().map(workers::Error::hint);
        of_team.or_else(of_workers).or_else(|| hint_of(error))
    };
    carry_out(run(cli), hint)
}

async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Sql(Sql { from, workers, files, asking }) => {
            let team = Team::open(&from)?;
            let target = match files.filter(|_| !workers.is_empty()) {
                Some(files) => {
                    let workers = Workers::meet(workers, files.read()?).await?;
                    let place = format!("{}, {} workers", team.summary(), workers.len());
                    Target::of(team.engine_with(workers)?, place)
                }
                None => Target::of(team.engine()?, team.summary()),
            };
            ask(&asking, &target).await
        }
        Command::Worker(Worker { from, listen, files, memory }) => {
            let (team, credentials) = (Team::open(&from)?, files.read()?);
            let memory = usize::try_from(memory << 20).unwrap_or(usize::MAX);
            let listener = TcpListener::bind(listen).await.with_context(|| format!("cannot listen at {listen}"))?;
            writeln!(io::stdout(), "listening at https://{}", listener.local_addr()?)?;
            let served = worker::serve(listener, team, credentials, memory);
            // Plans are deep, and what reads them calls itself for each of their steps.
            let threads =
                tokio::runtime::Builder::new_multi_thread().thread_stack_size(STACK_BYTES).enable_all().build()?;
            threads.spawn(served).await??;
            Ok(ExitCode::SUCCESS)
        }
    }
}
