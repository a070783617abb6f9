//! Runs an aggregate function for many groups or for one group.
//!
//! DataFusion has two traits for this: one for a single group, and one for many groups. This module adapts
//! [`GroupStates`] to both traits, so that each aggregate function is written only once.
//!
//! Without an implementation for many groups, DataFusion copies the rows of each group into separate arrays. It also
//! creates an array for each group's result, and then concatenates these arrays. For a narrative, which has one group
//! per segment, this took most of the time.

use std::fmt;

use arrow::array::{Array, ArrayRef, BooleanArray};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

/// The index of a row, and the number of its group.
pub(crate) type Member = (usize, usize);

/// The states of several groups, which are numbered from 0.
pub(crate) trait GroupStates: fmt::Debug + Send + Sync + 'static {
    /// Adds empty groups until there are `groups` groups.
    fn grow(&mut self, groups: usize);

    /// Adds rows of arguments to their groups, which must exist.
    fn add(&mut self, arguments: &[ArrayRef], members: &[Member]) -> Result<()>;

    /// Adds rows of partial states to their groups, which must exist.
    fn merge(&mut self, states: &[ArrayRef], members: &[Member]) -> Result<()>;

    /// Returns the results of the first `groups` groups.
    fn results(&mut self, groups: usize) -> Result<ArrayRef>;

    /// Returns the partial states of the first `groups` groups.
    fn states(&mut self, groups: usize) -> Result<Vec<ArrayRef>>;

    /// Removes the first `groups` groups. The numbers of later groups decrease by `groups`.
    fn forget(&mut self, groups: usize);

    /// Returns the approximate size of the states in bytes, without a pass over all groups.
    fn bytes(&self) -> usize;
}

/// Creates states without any group.
pub(crate) type NewGroupStates = fn() -> Box<dyn GroupStates>;

/// Collects all rows in one group.
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

/// Collects rows by group.
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

/// Returns the rows that pass a filter, with their groups.
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

    /// Returns the partial state of each row, as if each row were a separate group.
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
