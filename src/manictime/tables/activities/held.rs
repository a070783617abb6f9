//! Activities that were read once and are asked for part by part.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;

use super::batches::BatchBuilder;
use super::block::{Block, Combinations, TakesBlocks};
use super::stored_columns::Part;
use super::timeline_cache::TimelineCache;
use crate::manictime::selection::Selection;
use crate::manictime::snapshot::Commit;

/// Activities as they are held in memory, and what names them at the commit that they were read at.
#[derive(Debug)]
pub(crate) struct HeldActivities {
    commit: Arc<Commit>,
    timelines: Vec<HeldTimeline>,
}

/// The activities of one timeline, in order of start.
#[derive(Debug)]
pub(super) struct HeldTimeline {
    timeline: i64,
    rows: Held,
}

#[derive(Debug)]
enum Held {
    /// All of them, for later questions too.
    Followed(Arc<TimelineCache>),
    /// Those that this question asks for.
    Read { combinations: Combinations, blocks: Vec<Block> },
}

impl HeldTimeline {
    pub(super) fn followed(timeline: i64, known: Arc<TimelineCache>) -> Self {
        Self { timeline, rows: Held::Followed(known) }
    }

    fn add_to(&self, batches: &mut BatchBuilder<'_>) -> rusqlite::Result<()> {
        match &self.rows {
            Held::Followed(known) => known.add_to(batches, self.timeline),
            Held::Read { combinations, blocks } => {
                blocks.iter().try_for_each(|block| batches.add(self.timeline, combinations, block))
            }
        }
    }

    fn blocks(&self) -> Vec<&Block> {
        match &self.rows {
            Held::Followed(known) => known.blocks().collect(),
            Held::Read { blocks, .. } => blocks.iter().collect(),
        }
    }
}

impl TakesBlocks for Vec<HeldTimeline> {
    fn wanted(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, timeline: i64, _combinations: &Combinations, block: Block) -> rusqlite::Result<()> {
        let block = block.packed();
        let known = self.iter_mut().find_map(|held| match &mut held.rows {
            Held::Read { blocks, .. } if held.timeline == timeline => Some(blocks),
            _ => None,
        });
        if let Some(blocks) = known {
            blocks.push(block);
        } else {
            let rows = Held::Read { combinations: Combinations::default(), blocks: vec![block] };
            self.push(HeldTimeline { timeline, rows });
        }
        Ok(())
    }

    fn end(&mut self, timeline: i64, all: Combinations) {
        for held in self.iter_mut().filter(|held| held.timeline == timeline) {
            if let Held::Read { combinations, .. } = &mut held.rows {
                *combinations = all;
                return;
            }
        }
    }
}

impl HeldActivities {
    pub(super) fn new(commit: Arc<Commit>, timelines: Vec<HeldTimeline>) -> Self {
        Self { commit, timelines }
    }

    /// The rows of a selection that asks for no more than was read.
    ///
    /// # Errors
    /// A column that was not read.
    pub(crate) fn batches(&self, selection: &Selection) -> rusqlite::Result<Vec<RecordBatch>> {
        let mut batches = BatchBuilder::of(selection, self.commit.names());
        self.timelines.iter().try_for_each(|timeline| timeline.add_to(&mut batches))?;
        batches.finish()
    }

    /// The local start of each so many activities, as far as it is known.
    pub(crate) fn starts(&self, every: usize) -> Vec<i64> {
        let of_timeline = |timeline: &HeldTimeline| {
            let blocks = timeline.blocks().into_iter().filter_map(|block| block.instants(Part::StartLocal));
            let starts = blocks.flat_map(|starts| starts.iter().collect::<Vec<_>>());
            starts.skip(every.saturating_sub(1)).step_by(every).flatten().collect::<Vec<_>>()
        };
        self.timelines.iter().flat_map(of_timeline).collect()
    }
}
