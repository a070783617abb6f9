//! Entries of some days, all of them.

use dayledger_timesheet::{Day, EntryQuery, Limit, Order, Sort, SortBy, Status, TimeEntry};

use super::sheet::Sheet;
use crate::question::Error;

/// Every entry that starts on one of the days from `first` to `last`, or on any day without them, and has that status,
/// or any; in the order in which they start.
///
/// # Errors
/// A timesheet that cannot be read.
pub(super) async fn starting(
    sheet: &Sheet,
    days: Option<(Day, Day)>,
    status: Option<Status>,
) -> Result<Vec<TimeEntry>, Error> {
    let mut found: Vec<TimeEntry> = Vec::new();
    let is_within = |entry: &TimeEntry| days.is_none_or(|(_, last)| entry.start_date <= last);
    let mut offset = 0;
    loop {
        let query = EntryQuery {
            start_date: days.map(|(first, _)| first),
            status,
            sort: Sort { by: SortBy::StartDate, order: Order::Ascending },
            limit: Limit::MOST,
            offset,
            ..EntryQuery::default()
        };
        let page = sheet.timesheet().await?.query(&query).await?;
        let is_past = !page.entries.last().is_some_and(is_within);
        found.extend(page.entries.into_iter().filter(is_within));
        if is_past || !page.has_more {
            return Ok(found);
        }
        offset += Limit::MOST.get();
    }
}
