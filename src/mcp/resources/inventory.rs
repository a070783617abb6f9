//! The resources with a fixed URI.

use dayledger_mcp::{ServedTools, Toolset};
use rmcp::model::{Resource, Role};

use super::resource::{ChangeSource, MARKDOWN, ReadContext, ResourceEntry, json};
use super::{config, guide};
use crate::activity::{DataRangeRequest, EnvironmentRequest, HealthRequest, TimelinesRequest, UnavailableRequest};
use crate::mcp::history_handler::HistoryHandler;
use crate::notes::{ConfigRequest, FileRequest, NoteRef, RecentRequest, TodayRequest};
use crate::request::Error;
use crate::timesheet::ContextRequest;

/// Returns the resources with a fixed URI for a server with these `tools`, in the order of the list. A model should
/// start with the first resource.
pub(super) fn inventory<R: HistoryHandler>(tools: &ServedTools<R>) -> Vec<ResourceEntry<R>> {
    let mut inventory = history_resources();
    if tools.has_toolset(Toolset::Timesheet) {
        inventory.push(ResourceEntry::new(
            Resource::new("timesheet://context", "timesheet-context").with_title("Timesheet session").with_description(
                "Last project and task, recent entries, and the start and description of work that isn't logged yet.",
            ),
            &[Role::Assistant],
            0.5,
            ChangeSource::Session,
            |context| Box::pin(context.answer(ContextRequest { call_session: context.call_session })),
        ));
    }
    if tools.has_toolset(Toolset::Notes) {
        inventory.extend(notes_resources());
    }
    inventory
}

fn history_resources<R: HistoryHandler>() -> Vec<ResourceEntry<R>> {
    vec![
        ResourceEntry {
            size: |context| u64::try_from(guide::text(context.tools).len()).ok(),
            ..ResourceEntry::new(
                Resource::new("manictime://guide", "guide")
                    .with_title("Guide for assistants")
                    .with_description(
                        "Which tools to use, the meaning of the numbers, how to present results. Read it once, before \
                         the first call.",
                    )
                    .with_mime_type(MARKDOWN),
                &[Role::Assistant],
                1.0,
                ChangeSource::Program,
                |context| Box::pin(std::future::ready(Ok::<_, Error>(guide::text(context.tools)))),
            )
        },
        ResourceEntry::new(
            Resource::new("manictime://data-range", "data-range").with_title("Dates with data").with_description(
                "First and last local time with data, in total and per timeline. Read it before requesting old dates.",
            ),
            &[Role::Assistant],
            0.75,
            ChangeSource::Dates,
            |context| Box::pin(context.answer(DataRangeRequest)),
        ),
        ResourceEntry::new(
            Resource::new("manictime://timelines", "timelines")
                .with_title("Timelines")
                .with_description("Timelines of the history with ID, role and device."),
            &[Role::Assistant],
            0.5,
            ChangeSource::Timelines,
            |context| Box::pin(context.answer(TimelinesRequest)),
        ),
        ResourceEntry::new(
            Resource::new("manictime://health", "health").with_title("State of the history").with_description(
                "Whether the history is readable, missing data and remedies, ignored rows, whether the tracker is \
                 running, the delay of ManicTime's hourly totals. Read it if a response is degraded, empty or an error.",
            ),
            &[Role::User, Role::Assistant],
            0.5,
            ChangeSource::Dates,
            |context| Box::pin(health(context)),
        ),
        ResourceEntry::new(
            Resource::new("manictime://environment", "environment").with_title("Devices").with_description(
                "Devices that recorded the history. With ManicTime, each has operating system, tracker and .NET \
                 versions. For diagnostics.",
            ),
            &[Role::User, Role::Assistant],
            0.25,
            ChangeSource::Timelines,
            |context| Box::pin(context.answer(EnvironmentRequest)),
        ),
        ResourceEntry::new(
            Resource::new("manictime://config", "config").with_title("Configuration").with_description(
                "Version, path of the history and how it was found, redacted and hidden data, served tools and their \
                 limits.",
            ),
            &[Role::User, Role::Assistant],
            0.25,
            ChangeSource::File,
            |context| Box::pin(config::read(context)),
        ),
    ]
}

fn notes_resources<R: HistoryHandler>() -> [ResourceEntry<R>; 4] {
    [
        ResourceEntry::new(
            Resource::new("note://current", "current-note")
                .with_title("Current Note")
                .with_description("The note that is open in Chronicle, as Markdown.")
                .with_mime_type(MARKDOWN),
            &[Role::Assistant],
            0.5,
            ChangeSource::Notes,
            |context| Box::pin(current_note(context)),
        ),
        ResourceEntry::new(
            Resource::new("note://today", "notes-today")
                .with_title("Today's Notes")
                .with_description("Today's notes, with minutes and summaries."),
            &[Role::Assistant],
            0.5,
            ChangeSource::Notes,
            |context| Box::pin(context.answer(TodayRequest)),
        ),
        ResourceEntry::new(
            Resource::new("note://recent", "notes-recent")
                .with_title("Recent Notes")
                .with_description("Notes of the last seven days, by day."),
            &[Role::Assistant],
            0.5,
            ChangeSource::Notes,
            |context| Box::pin(context.answer(RecentRequest)),
        ),
        ResourceEntry::new(
            Resource::new("note://config", "notes-config")
                .with_title("Markers of Notes")
                .with_description("Syntax of the markers, and the style of records."),
            &[Role::Assistant],
            0.5,
            ChangeSource::Program,
            |context| Box::pin(context.answer(ConfigRequest)),
        ),
    ]
}

/// Reads the health of the history. If the history can't be read, returns a health report with this problem instead of
/// an error.
async fn health<R: HistoryHandler>(context: &ReadContext<'_, R>) -> Result<String, Error> {
    match context.handler.handle(HealthRequest).await {
        Ok(health) => json(&health),
        Err(error) => context.answer(UnavailableRequest(error)).await,
    }
}

async fn current_note<R: HistoryHandler>(context: &ReadContext<'_, R>) -> Result<String, Error> {
    Ok(context.handler.handle(FileRequest(NoteRef::Current)).await?.text.into_string())
}
