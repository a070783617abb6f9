//! Activities that were read into memory, so that a query can process one part after another.

use std::sync::Arc;

use arrow::array::RecordBatch;

use super::batches::BatchBuilder;
use super::stored_columns::ActivityPart;
use super::timeline_cache::TimelineCache;
use crate::snapshot::Commit;
use dayledger_source::selection::Selection;
use dayledger_source::{CachedRows, Error, ErrorKind};

/// Cached activities by timeline. The names are from the commit at which the activities were read.
#[derive(Debug)]
pub(crate) struct CachedActivities {
    pub(super) commit: Arc<Commit>,
    pub(super) timelines: Vec<(i64, Arc<TimelineCache>)>,
}

impl CachedRows for CachedActivities {
    fn batches(&self, selection: &Selection) -> Result<Vec<RecordBatch>, Error> {
        let mut batches = BatchBuilder::without_redaction(selection, self.commit.names());
        let added = self.timelines.iter().try_for_each(|(timeline, rows)| rows.add_to(&mut batches, *timeline));
        added.and_then(|()| batches.finish()).map_err(|error| Error {
            kind: ErrorKind::Failed,
            message: format!("cannot select cached activities: {error}"),
            hint: "report this error with the command that you ran".to_owned(),
        })
    }

    fn starts(&self, every: usize) -> Vec<i64> {
        let of_timeline = |(_, rows): &(i64, Arc<TimelineCache>)| {
            let blocks = rows.blocks().filter_map(|block| block.instants(ActivityPart::StartLocal));
            let starts = blocks.flat_map(|starts| starts.iter().collect::<Vec<_>>());
            starts.skip(every.saturating_sub(1)).step_by(every).flatten().collect::<Vec<_>>()
        };
        self.timelines.iter().flat_map(of_timeline).collect()
    }
}
