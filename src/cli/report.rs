//! `dayledger report`, and `--open` of `day` and `period`: write a page about a day, a week or a month.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use chrono::Local;
use clap::ArgAction;
use dayledger_terminal::output::{self, Output};

use super::destination::{self, Overwrite, write_page};
use super::history::{HistoryArguments, protected_folders};
use super::period::parse_range_flags;
use super::{OUTPUT, client_page, config, opener};
use crate::App;
use crate::activity::{Filter, RangeReportRequest, ThumbnailsRequest};
use crate::report::{ClientPage, Page, write_note};
use crate::request::DateRange;
use crate::timesheet::{PeriodHours, TimesheetService};

/// How long a page stays in the cache after it was opened in a browser.
const PAGE_LIFETIME: Duration = Duration::from_hours(24);

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n\
    \x20 dayledger report --from last week\n\
    \x20 dayledger report --from yesterday --out day.html\n\
    \x20 dayledger report --from last month --for-client --tag northwind")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct Arguments {
    /// First day, such as `2025-01-15`, or a period such as `last week`, `2025-W03` or `2025-01`
    #[arg(long, value_name = "START", required = true, num_args = 1.., action = ArgAction::Set)]
    from: Vec<String>,
    /// Last day (inclusive), or a time (exclusive) [default: the end of START]
    #[arg(long, value_name = "END", num_args = 1.., action = ArgAction::Set)]
    to: Option<Vec<String>>,
    /// Include window titles, for a single day
    #[arg(long)]
    include_titles: bool,
    /// Include up to 24 screenshot thumbnails
    #[arg(long)]
    screenshots: bool,
    /// Heading of the page (to filter by window title, use `--text`)
    #[arg(long, value_name = "HEADING")]
    title: Option<String>,
    /// Write a page to send to one client: only the client's hours by day and task (needs `--tag` or `--project`)
    #[arg(long, conflicts_with_all = ["application", "site", "document", "text", "device", "include_titles", "screenshots"])]
    for_client: bool,
    /// Show amounts on the page for a client, from the rates in the configuration
    #[arg(long, requires = "for_client")]
    amounts: bool,
    /// Show only this device
    #[arg(long, value_name = "NAME", help_heading = Filter::HEADING)]
    device: Option<String>,
    #[command(flatten)]
    filter: Filter,
    /// File to write [default: dayledger-START.html in the current folder]
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    out: Option<PathBuf>,
    /// Overwrite any file, not only a page that dayledger wrote
    #[arg(long, help_heading = OUTPUT)]
    force: bool,
}

pub(super) async fn run(arguments: &Arguments, history: &HistoryArguments) -> anyhow::Result<()> {
    let app = &history.app()?;
    let service = &history.timesheet_service(app)?;
    let range = parse_range_flags(&arguments.from, arguments.to.as_deref())?;
    let client = if arguments.for_client { Some(client_page::client_name(&arguments.filter)?) } else { None };
    let named = || file_name(&range, client.as_deref().map(client_page::slug)).into();
    let file = arguments.out.clone().unwrap_or_else(named);
    let replaces = if arguments.force { Overwrite::AnyFile } else { Overwrite::Pages };
    // Computing the page can take long, so a path that can't be written is reported first.
    destination::check_page(&file, replaces, protected_folders(app.history()))?;
    let title = arguments.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let text = if arguments.for_client {
        let hours = client_page::hours(&arguments.filter, range, app, service).await?;
        if arguments.amounts {
            client_page::check_rates(&hours)?;
        }
        let created = Local::now().naive_local();
        ClientPage { hours: &hours, range, title, shows_amounts: arguments.amounts, created }.text()
    } else {
        let request = RangeReportRequest {
            range,
            device: arguments.device.clone(),
            include_titles: arguments.include_titles,
            filter: arguments.filter.clone(),
        };
        page_text(request, title, arguments.screenshots, app, service).await?
    };
    write_page(&file, &text, replaces, protected_folders(app.history()))?;
    print_path(&file)
}

/// Writes the page into the cache and opens it in the browser. Prints the page's path even if the browser doesn't open.
pub(super) async fn open_in_browser(
    request: RangeReportRequest,
    app: &App,
    service: &TimesheetService,
) -> anyhow::Result<()> {
    let pages = config::cache_dir()?.join("pages");
    fs::create_dir_all(&pages)?;
    remove_old(&pages);
    let file = pages.join(file_name(&request.range, None));
    let text = page_text(request, None, false, app, service).await?;
    write_page(&file, &text, Overwrite::AnyFile, app.history().own_folders())?;
    if let Err(error) = opener::open(&file).await {
        tracing::debug!(%error, "no browser");
        output::write_stderr(|out, _| writeln!(out, "cannot start a browser: open this file yourself"));
    }
    print_path(&file)
}

async fn page_text(
    request: RangeReportRequest,
    title: Option<&str>,
    with_screenshots: bool,
    app: &App,
    service: &TimesheetService,
) -> anyhow::Result<String> {
    let pictures =
        ThumbnailsRequest { range: request.range, device: request.device.clone(), filter: request.filter.clone() };
    let hours = logged_hours(&request, service).await;
    let daybook = request.answer(app.engine()).await?;
    if let Some(hint) = daybook.unmatched_hint() {
        output::write_stderr(|out, style| write_note(out, hint, style));
    }
    let thumbnails = if with_screenshots { Some(pictures.answer(app.screenshots()).await?) } else { None };
    let page = Page {
        report: &daybook,
        hours: hours.as_ref(),
        thumbnails: thumbnails.as_ref(),
        title,
        found_by: app.history().source().location()?.found_by,
        created: Local::now().naive_local(),
    };
    Ok(page.text())
}

/// Returns the logged hours, or `None` for a page with a filter or for one device, because logged hours can't be
/// filtered. If the timesheet can't be read, prints the error on stderr and returns `None`, because the rest of the
/// page doesn't need logged hours.
async fn logged_hours(request: &RangeReportRequest, service: &TimesheetService) -> Option<PeriodHours> {
    let is_whole = request.filter.is_empty() && request.device.is_none();
    if !is_whole {
        return None;
    }
    match service.period(request.range).await {
        Ok(hours) => hours,
        Err(error) => {
            let note = format!("the page has no logged hours: {error}; {}", error.hint);
            output::write_stderr(|out, style| write_note(out, &note, style));
            None
        }
    }
}

fn print_path(file: &Path) -> anyhow::Result<()> {
    Output::new().write_styled(|out, _| writeln!(out, "{}", file.display()))
}

/// Returns the file name of a page. The name contains the first and the last day. The name of a client's page also
/// contains the client, so that it isn't confused with the complete page.
fn file_name(range: &DateRange, client: Option<String>) -> String {
    let (first, last) = (range.first_day(), range.last_day());
    let of = client.map(|client| format!("{client}-")).unwrap_or_default();
    if first == last { format!("dayledger-{of}{first}.html") } else { format!("dayledger-{of}{first}-to-{last}.html") }
}

/// Removes pages that were opened longer ago than [`PAGE_LIFETIME`]. If a page can't be removed, a later run removes
/// it.
fn remove_old(pages: &Path) {
    let Ok(entries) = fs::read_dir(pages) else { return };
    for entry in entries.flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
        if age.is_some_and(|age| age > PAGE_LIFETIME) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_contains_the_first_and_last_day() {
        let name = |from: &str, to: &str| file_name(&DateRange::parse(from, to, ("", "")).unwrap(), None);
        assert_eq!(name("2025-01-15", "2025-01-16"), "dayledger-2025-01-15.html");
        assert_eq!(name("2025-01-15T09:00", "2025-01-15T12:00"), "dayledger-2025-01-15.html");
        assert_eq!(name("2025-01-13", "2025-01-20"), "dayledger-2025-01-13-to-2025-01-19.html");
    }
}
