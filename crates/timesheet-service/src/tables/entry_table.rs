//! The table `time_entries`. Each row is an entry of the timesheet.

use std::collections::HashSet;

use arrow::array::RecordBatch;
use dayledger_timesheet::{EntryId, EntryPage, EntryQuery, Limit, Order, Refusal, Sort, SortBy, TimeEntry, Timesheet};
use futures::stream::{self, StreamExt};

use super::super::service::TimesheetService;
use super::day_ranges::TableError;
use super::hours;
use dayledger_engine::VirtualTable;
use dayledger_engine::columns::{Column, dates, instants, optional_text, record_batch, schema, text, text_lists};
use dayledger_request::Error;

pub(super) const NAME: &str = "time_entries";

/// Creates the table of entries. Entries at an API are read page by page.
pub(super) fn entry_table(service: TimesheetService) -> VirtualTable {
    VirtualTable::whole(NAME, schema(columns(&[])), move || {
        let start = Some((service.clone(), EntryCursor::default()));
        stream::try_unfold(start, |state| async move {
            let Some((sheet, reading)) = state else { return Ok(None) };
            let (batch, rest) = reading.next(&sheet).await?;
            Ok(Some((batch, rest.map(|reading| (sheet, reading)))))
        })
        .boxed()
    })
}

/// The position up to which entries were read.
#[derive(Debug, Default)]
struct EntryCursor {
    offset: u32,
    /// The entries that were already returned. If an entry is logged while the statement runs, the new entry moves
    /// other entries to a later page, where these would be returned again.
    returned: HashSet<EntryId>,
}

impl EntryCursor {
    /// Returns the next entries as rows, and the new position if more entries follow.
    async fn next(self, service: &TimesheetService) -> Result<(RecordBatch, Option<Self>), TableError> {
        let (entries, rest) = match service.ledger().await? {
            Some(ledger) => (ledger.entries().await.map_err(Error::from)?, None),
            None => self.page(service.timesheet().await?.as_ref()).await.map_err(Error::from)?,
        };
        Ok((record_batch(columns(&entries))?, rest))
    }

    /// Returns the next page of entries from an API, and the new position if more entries follow.
    async fn page(mut self, timesheet: &dyn Timesheet) -> Result<(Vec<TimeEntry>, Option<Self>), Refusal> {
        let query = EntryQuery {
            sort: Sort { by: SortBy::StartDate, order: Order::Ascending },
            limit: Limit::MAX_VALUE,
            offset: self.offset,
            ..EntryQuery::default()
        };
        let EntryPage { mut entries, has_more } = timesheet.query(&query).await?;
        entries.retain(|entry| self.returned.insert(entry.id));
        self.offset += Limit::MAX_VALUE.get();
        Ok((entries, has_more.then_some(self)))
    }
}

fn columns(entries: &[TimeEntry]) -> [Column; 15] {
    let each = || entries.iter();
    let tags = |entry: &TimeEntry| entry.tags.iter().map(|tag| format!("{}={}", tag.name, tag.value)).collect();
    let ids: Vec<String> = each().map(|entry| entry.id.to_string()).collect();
    [
        text("entry_id", ids.iter().map(String::as_str)),
        text("project_code", each().map(|entry| entry.project_code.as_str())),
        text("task", each().map(|entry| entry.task.as_str())),
        optional_text("issue_id", each().map(|entry| entry.issue_id.as_ref())),
        hours("standard_hours", each().map(|entry| entry.standard_hours)),
        hours("overtime_hours", each().map(|entry| entry.overtime_hours)),
        optional_text("description", each().map(|entry| entry.description.as_ref())),
        dates("start_date", each().map(|entry| entry.start_date.date())),
        dates("completion_date", each().map(|entry| entry.completion_date.date())),
        text("status", each().map(|entry| entry.status.as_str())),
        optional_text("decline_comment", each().map(|entry| entry.decline_comment.as_ref())),
        text_lists("tags", each().map(tags)),
        instants("created_utc", each().map(|entry| entry.created_at.naive_utc())),
        instants("updated_utc", each().map(|entry| entry.updated_at.naive_utc())),
        optional_text("user_email", each().map(|entry| entry.user.as_ref()?.email.as_ref())),
    ]
}

#[cfg(test)]
mod tests {
    use dayledger_timesheet::rules::OverlapPolicy;
    use dayledger_timesheet::{Day, Hours, IdempotencyKey, Ledger, NewEntry};

    use super::*;

    #[tokio::test]
    async fn all_pages_are_read_and_moved_entries_appear_once() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Ledger::open(&folder.path().join("timesheet.db")).unwrap();
        ledger.put_demo().await.unwrap();
        let log = async |day: &str| {
            let day: Day = day.parse().unwrap();
            let entry = NewEntry::new("INTERNAL", "Testing", Hours::from_hundredths(1), day, day);
            ledger.log(IdempotencyKey::new(), entry, OverlapPolicy::Allowed).await.unwrap();
        };
        for _ in 0..400 {
            log("2026-01-05").await;
        }
        let (mut actual, mut pages, mut reading) = (Vec::new(), 0, Some(EntryCursor::default()));
        while let Some(at) = reading {
            let (entries, rest) = at.page(&ledger).await.unwrap();
            actual.extend(entries.into_iter().map(|entry| entry.id));
            // The new entry is the first one in the sort order, so every other entry moves by one place.
            log("2025-01-01").await;
            (pages, reading) = (pages + 1, rest);
        }
        assert_eq!((actual.len(), pages), (405, 3));
        assert_eq!(actual.iter().collect::<HashSet<_>>().len(), 405);
    }
}
