//! Whether an entry would log time twice, as far as that can be seen before it is sent: the API has no rule against it.
//!
//! The days are those of the user's entries at the API, and the evidence is that of the book. Evidence of an entry that
//! the API does not show is passed over: it was deleted there, or is another user's.

use std::collections::BTreeMap;

use super::token::Token;
use super::{Inner, filter, finding};
use crate::entry::NewEntry;
use crate::logged::Logged;
use crate::query::Limit;
use crate::refusal::Refusal;
use crate::rules::overlap::{self, Overlaps};

impl Inner {
    /// Refuses an entry that overlaps with another, unless overlaps are allowed. Between this and the sending only other
    /// programs can book.
    pub(super) async fn check_overlaps(
        &self,
        token: &Token,
        entry: &NewEntry,
        overlaps: Overlaps,
    ) -> Result<(), Refusal> {
        if overlaps == Overlaps::Allowed {
            return Ok(());
        }
        let (owner, first, last) = (token.owner(), entry.start_date, entry.completion_date);
        let found = self.every(token, |skip| filter::on_days(first, last, owner.as_deref(), skip)).await?;
        let mut others = found.ok_or_else(too_many)?;
        let evidence = match overlap::between(&entry.evidence) {
            Some((start_utc, end_utc)) => self.book.evidence_in(start_utc, end_utc).await?,
            None => BTreeMap::new(),
        };
        for id in evidence.keys() {
            if others.iter().all(|other| other.id != *id) {
                others.extend(self.find(token, *id).await?);
            }
        }
        overlap::check_overlaps(entry, &Logged::each(&others, &evidence))
    }
}

fn too_many() -> Refusal {
    let most = finding::MOST_PAGES * Limit::MOST.get();
    let message = format_args!("More than {most} entries have a day of this one: log fewer days, or ask for overlaps");
    Refusal::invalid("startDate", message)
}
