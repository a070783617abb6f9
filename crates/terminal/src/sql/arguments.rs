//! The command-line options of statements.

use std::path::PathBuf;
use std::time::Duration;

use dayledger_engine::QueryLimits;
use dayledger_render::{Format, RowStyle};
use dayledger_rows::Separator;

/// The statements, the format of their rows and their limits, for any data source.
#[derive(Debug, clap::Args)]
pub struct StatementArguments {
    /// Statements to run, separated by semicolons
    #[arg(value_name = "SQL", conflicts_with_all = ["command", "file"])]
    statements: Option<String>,
    /// Statements to run
    #[arg(short, long, value_name = "SQL", conflicts_with = "file")]
    command: Option<String>,
    /// File of statements and prompt commands to run
    #[arg(short, long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) rows: RowArguments,
    /// Don't run `start.sql` from the configuration folder
    #[arg(short = 'X', long, help_heading = "Prompt")]
    pub(super) no_start: bool,
    /// Don't load or save the history of the lines you type
    #[arg(long, help_heading = "Prompt")]
    pub(super) no_history: bool,
}

/// The format of a statement's rows, and the statement's limits.
#[derive(Debug, clap::Args)]
pub struct RowArguments {
    /// Format of the rows
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
    /// Separator for csv and csv-excel: a character or `tab`; with `;`, csv-excel uses decimal commas [default: ,]
    #[arg(long, value_name = "CHARACTER", help_heading = "Output")]
    separator: Option<Separator>,
    /// Print at most this many rows per statement [default: 10000000; 100000 at a prompt]
    #[arg(long, value_name = "ROWS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_rows: Option<u64>,
    /// Stop a statement after this time [default: 300]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: Option<u64>,
    /// Stop a statement that uses more memory than this [default: 1024]
    #[arg(long, value_name = "MB", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: Option<u64>,
}

impl StatementArguments {
    /// Returns the statements that the command line contains, if any.
    pub(super) fn text(&self) -> Option<&str> {
        self.statements.as_deref().or(self.command.as_deref())
    }
}

impl RowArguments {
    /// Returns the format and separator of printed rows.
    pub(super) fn style(&self) -> RowStyle {
        RowStyle { separator: self.separator, ..self.format.into() }
    }

    /// Returns the limits of each statement. Limits without a flag come from `usual`.
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
