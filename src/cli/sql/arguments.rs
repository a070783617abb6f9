//! The options of `dayledger sql`.

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::QueryLimits;
use crate::report::{Format, RowStyle};
use crate::rows::Separator;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger sql\n\
    \x20 dayledger sql \"SHOW TABLES\"\n\
    \x20 dayledger sql --format csv -f week.sql > week.csv")]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) statement: StatementArguments,
    /// Ask the Parquet files of this folder, which `dayledger export` wrote, instead of the history
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) exports: Option<PathBuf>,
}

/// What is asked, and how it is answered, whatever it is asked of.
#[derive(Debug, clap::Args)]
pub struct StatementArguments {
    /// Statements to run
    #[arg(value_name = "SQL", conflicts_with_all = ["command", "file"])]
    statements: Option<String>,
    /// Run these statements
    #[arg(short, long, value_name = "SQL", conflicts_with = "file")]
    command: Option<String>,
    /// Run the statements and commands of this file
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Character between two values of csv and csv-excel, or `tab`; with `;`, csv-excel has decimal commas [default: ,]
    #[arg(long, value_name = "CHARACTER")]
    separator: Option<Separator>,
    /// Show at most this many rows of a statement [default: 100000 at a prompt, else 10000000]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_rows: Option<u64>,
    /// Stop a statement that runs for this long [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub(super) timeout: Option<u64>,
    /// Stop a statement that needs more memory than this [default: 1024]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub(super) memory: Option<u64>,
    /// At a prompt, leave out the file `start.sql` of the folder of the configuration
    #[arg(short = 'X', long)]
    pub(super) no_start: bool,
    /// At a prompt, neither read nor keep what was typed before
    #[arg(long)]
    pub(super) no_history: bool,
}

impl StatementArguments {
    /// The statements of the command line.
    pub(super) fn text(&self) -> Option<&str> {
        self.statements.as_deref().or(self.command.as_deref())
    }

    /// How rows are printed.
    pub(super) fn rows(&self) -> RowStyle {
        RowStyle { separator: self.separator, ..self.format.into() }
    }

    /// The limits of each statement, with those of `usual` where no flag says otherwise.
    pub(super) fn limits(&self, usual: QueryLimits) -> QueryLimits {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        QueryLimits {
            deadline: self.timeout.map_or(usual.deadline, Duration::from_secs),
            memory_bytes: self.memory.map_or(usual.memory_bytes, |megabytes| size(megabytes << 20)),
            rows: self.max_rows.map_or(usual.rows, size),
            ..usual
        }
    }
}
