//! How an aggregate function gathers rows: of many groups at once, or of one.
//!
//! Owns: the adapters to DataFusion's two traits, so that an aggregate function is written once. Does not own: what is
//! gathered.
//!
//! DataFusion wraps an aggregate function that knows one group only: it copies the rows of each group apart, and makes an
//! array of each group's result before it joins them. With a group for each segment that was most of a narrative.

use std::fmt;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

/// A row and the group that it belongs to.
pub(crate) type Member = (usize, usize);

/// What is known of some groups, counted from 0.
pub(crate) trait GroupStates: fmt::Debug + Send + Sync + 'static {
    /// Makes room for so many groups.
    fn grow(&mut self, groups: usize);

    /// Takes rows of arguments; each of their groups has room.
    fn add(&mut self, arguments: &[ArrayRef], members: &[Member]) -> Result<()>;

    /// Takes rows of partial states; each of their groups has room.
    fn merge(&mut self, states: &[ArrayRef], members: &[Member]) -> Result<()>;

    /// Returns the results of the first so many groups.
    fn results(&mut self, groups: usize) -> Result<ArrayRef>;

    /// Returns the partial states of the first so many groups.
    fn states(&mut self, groups: usize) -> Result<Vec<ArrayRef>>;

    /// Forgets the first so many groups; those after them move up.
    fn forget(&mut self, groups: usize);

    /// Returns about how many bytes it takes, without a walk over all groups.
    fn bytes(&self) -> usize;
}

/// Begins what knows nothing yet.
pub(crate) type NewGroupStates = fn() -> Box<dyn GroupStates>;

/// Gathers all rows as one group.
#[derive(Debug)]
pub(crate) struct OneGroup(Box<dyn GroupStates>);

impl OneGroup {
    pub(crate) fn new(begin: NewGroupStates) -> Self {
        let mut gathering = begin();
        gathering.grow(1);
        Self(gathering)
    }

    fn members(values: &[ArrayRef]) -> Vec<Member> {
        (0..values.first().map_or(0, Array::len)).map(|row| (row, 0)).collect()
    }
}

impl Accumulator for OneGroup {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.add(values, &Self::members(values))
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        ScalarValue::try_from_array(&self.0.results(1)?, 0)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.bytes()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.0.states(1)?.iter().map(|state| ScalarValue::try_from_array(state, 0)).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge(states, &Self::members(states))
    }
}

/// Gathers rows group by group.
pub(crate) struct ManyGroups {
    begin: NewGroupStates,
    states: Box<dyn GroupStates>,
    groups: usize,
}

impl ManyGroups {
    pub(crate) fn new(begin: NewGroupStates) -> Self {
        Self { begin, states: begin(), groups: 0 }
    }

    fn grow(&mut self, groups: usize) {
        self.states.grow(groups);
        self.groups = groups;
    }

    fn emit_count(&self, emit: EmitTo) -> usize {
        match emit {
            EmitTo::All => self.groups,
            EmitTo::First(groups) => groups,
        }
    }

    fn forget(&mut self, groups: usize) {
        self.states.forget(groups);
        self.groups -= groups;
    }
}

/// The rows that a filter lets through, with their groups.
fn members(groups: &[usize], filter: Option<&BooleanArray>) -> Vec<Member> {
    let passes = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
    groups.iter().copied().enumerate().filter(|(row, _)| passes(*row)).collect()
}

impl GroupsAccumulator for ManyGroups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.grow(total_num_groups);
        self.states.add(values, &members(group_indices, opt_filter))
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let groups = self.emit_count(emit_to);
        let results = self.states.results(groups)?;
        self.forget(groups);
        Ok(results)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let groups = self.emit_count(emit_to);
        let states = self.states.states(groups)?;
        self.forget(groups);
        Ok(states)
    }

    fn merge_batch(&mut self, values: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.grow(total_num_groups);
        self.states.merge(values, &members(group_indices, None))
    }

    /// Each row as a group of its own.
    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, Array::len);
        let mut gathering = (self.begin)();
        gathering.grow(rows);
        gathering.add(values, &members(&(0..rows).collect::<Vec<_>>(), opt_filter))?;
        gathering.states(rows)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.states.bytes()
    }
}
