//! `dayledger notes`: lists and searches meeting notes, and lists their action items.
//!
//! The requests are the same as those of the server's tools.

use chrono::NaiveDate;
use clap::{ArgAction, Subcommand};
use dayledger_terminal::output::Output;

use super::OUTPUT;
use super::history::HistoryArguments;
use super::period::parse_range_flags;
use crate::App;
use crate::notes::{ActionItemsRequest, ActionsRequest, NoteListRequest, NotesRequest};
use crate::report;
use crate::request::{Error, parse_date};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List notes, newest first
    ///
    /// Prints the day, the minutes, the title and the path of each note. A tick marks processed notes.
    #[command(after_help = "Examples:\n\
        \x20 dayledger notes list\n\
        \x20 dayledger notes list --from last month --processed")]
    List(NoteFilter),
    /// Find notes that contain a text
    ///
    /// Searches the titles and the texts of the notes, and prints the matching notes like `dayledger notes list`. Case is
    /// ignored.
    #[command(after_help = "Examples:\n\
        \x20 dayledger notes search rounding rule\n\
        \x20 dayledger notes search northwind --from 2025")]
    Search {
        /// Text to find in the title or the text of a note
        #[arg(required = true)]
        text: Vec<String>,
        #[command(flatten)]
        filter: NoteFilter,
    },
    /// List the action items of processed notes
    ///
    /// Prints the open action items below their notes, with their due dates and owners. Notes that were not processed have
    /// no action items.
    #[command(after_help = "Examples:\n\
        \x20 dayledger notes actions\n\
        \x20 dayledger notes actions --owner me --overdue")]
    Actions(ActionFilter),
}

/// The flags of `list` and `search`.
#[derive(Debug, clap::Args)]
pub(super) struct NoteFilter {
    /// First day, such as `2025-01-15`, or a period such as `last week` or `2025-01` [default: all notes]
    #[arg(long, value_name = "START", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Last day (inclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set, requires = "from")]
    to: Option<Vec<String>>,
    /// Show only processed notes
    #[arg(long)]
    processed: bool,
    /// Show at most this many notes, up to 100 [default: 20]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..=100))]
    limit: Option<i64>,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

/// The flags of `actions`.
#[derive(Debug, clap::Args)]
pub(super) struct ActionFilter {
    /// Show only the action items of this person; `me` means you
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Show only notes of this day or later
    #[arg(long, value_name = "DAY", num_args = 1.., action = ArgAction::Set)]
    from: Option<Vec<String>>,
    /// Show only action items that are due before this day
    #[arg(long, value_name = "DAY", num_args = 1.., action = ArgAction::Set)]
    due_before: Option<Vec<String>>,
    /// Show only action items that were due before today
    #[arg(long)]
    overdue: bool,
    /// Show also action items that are done or cancelled
    #[arg(long)]
    done: bool,
    /// Show at most this many action items, up to 100 [default: 50]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i64).range(1..=100))]
    limit: Option<i64>,
    /// Skip this many action items
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    offset: u32,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

pub(super) async fn run(command: &Command, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = history.app_builder_without_notes()?.with_notes(history.notes_setup()?).build()?;
    match command {
        Command::List(filter) => list(None, filter, &app).await,
        Command::Search { text, filter } => list(Some(text.join(" ")), filter, &app).await,
        Command::Actions(filter) => list_actions(filter, &app).await,
    }
}

async fn list(search: Option<String>, filter: &NoteFilter, app: &App) -> anyhow::Result<()> {
    let range = filter.from.as_ref().map(|from| parse_range_flags(from, filter.to.as_deref())).transpose()?;
    let request = NotesRequest {
        from: range.map(|range| range.first_day()),
        to: range.map(|range| range.last_day()),
        search,
        processed_only: filter.processed,
        limit: filter.limit,
    };
    let answer = app.run(NoteListRequest(request)).await?;
    Output::new().write_response(&answer, filter.json, report::write_note_list)
}

async fn list_actions(filter: &ActionFilter, app: &App) -> anyhow::Result<()> {
    let request = ActionsRequest {
        owner: filter.owner.clone(),
        from: parse_day(filter.from.as_deref(), "--from")?,
        due_before: parse_day(filter.due_before.as_deref(), "--due-before")?,
        overdue: filter.overdue,
        include_done: filter.done,
        limit: filter.limit,
        offset: Some(filter.offset.into()),
    };
    let answer = app.run(ActionItemsRequest(request)).await?;
    let offset = usize::try_from(filter.offset)?;
    Output::new().write_response(&answer, filter.json, |out, answer, style| {
        report::write_action_items(out, answer, offset, style)
    })
}

/// Parses the day in the words of a flag.
fn parse_day(words: Option<&[String]>, flag: &str) -> Result<Option<NaiveDate>, Error> {
    words.map(|words| parse_date(&words.join(" "), flag)).transpose()
}
