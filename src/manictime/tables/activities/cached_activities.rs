//! Activities that were read once and are asked for part by part.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use super::batches::BatchBuilder;
use super::stored_columns::ActivityPart;
use super::timeline_cache::TimelineCache;
use crate::manictime::selection::Selection;
use crate::manictime::snapshot::Commit;

/// Activities as they are held in memory, by timeline, and what names them at the commit that they were read at.
#[derive(Debug)]
pub(crate) struct CachedActivities {
    pub(super) commit: Arc<Commit>,
    pub(super) timelines: Vec<(i64, Arc<TimelineCache>)>,
}

impl CachedActivities {
    /// The rows of a selection that asks for no more than was read.
    ///
    /// # Errors
    /// A column that was not read.
    pub(crate) fn batches(&self, selection: &Selection) -> rusqlite::Result<Vec<RecordBatch>> {
        let mut batches = BatchBuilder::without_redaction(selection, self.commit.names());
        self.timelines.iter().try_for_each(|(timeline, rows)| rows.add_to(&mut batches, *timeline))?;
        batches.finish()
    }

    /// The local start of each so many activities, as far as it is known.
    pub(crate) fn starts(&self, every: usize) -> Vec<i64> {
        let of_timeline = |(_, rows): &(i64, Arc<TimelineCache>)| {
            let blocks = rows.blocks().filter_map(|block| block.instants(ActivityPart::StartLocal));
            let starts = blocks.flat_map(|starts| starts.iter().collect::<Vec<_>>());
            starts.skip(every.saturating_sub(1)).step_by(every).flatten().collect::<Vec<_>>()
        };
        self.timelines.iter().flat_map(of_timeline).collect()
    }
}
