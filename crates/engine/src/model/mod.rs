//! The definition of a SQL model: its tables, and the views and table functions from the files in `sql/`. Start with
//! [`Model`].
//!
//! - `parameter`, `function`: the parameters of a file, and table functions.
//! - `virtual_table`, `columns`: tables whose rows aren't in the history's database.
//! - `members`: models over many members, such as the exports of a team.
//! - `describe`: descriptions of tables and functions for users.

pub mod columns;
pub(crate) mod describe;
pub(crate) mod function;
pub(crate) mod members;
pub(crate) mod parameter;
pub(crate) mod virtual_table;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::NaiveDateTime;
use datafusion::catalog::{MemTable, TableProvider};
use datafusion::logical_expr::ScalarUDF;
use dayledger_udfs::breaks::Boundary;

use self::members::Members;
use self::parameter::Parameter;
use crate::dates::instant::DAY;
use crate::{Statement, VirtualTable};
use dayledger_source::Capability;

/// The views and table functions that a session offers.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Model {
    /// The views. If several views have the same name, the session uses the first view whose needs are met.
    pub views: Vec<View>,
    /// The table functions.
    pub functions: Vec<Function>,
    /// Additional scalar functions.
    pub(crate) value_functions: Vec<Arc<ScalarUDF>>,
    /// Tables whose rows aren't in the history's database, by name.
    pub(crate) tables: BTreeMap<String, Arc<dyn TableProvider>>,
    /// Tables that only the files of `sql/` use, by name. Lists of tables don't contain them.
    pub(crate) unlisted_tables: BTreeMap<&'static str, Arc<dyn TableProvider>>,
    /// The names of tables, views and functions that this model lacks. Each value is the error message for a statement
    /// that uses the name.
    pub(crate) missing: HashMap<String, String>,
    /// The names of columns that this model's tables lack. Each value is the error message for a statement that uses
    /// the name.
    pub(crate) missing_columns: HashMap<String, String>,
    /// The rule for splitting long ranges into parts. `None` if ranges are never split.
    pub(crate) cuts: Option<PartitionPolicy>,
    /// The functions for filtered statements. `None` if the model cannot be filtered.
    pub(crate) filtered_functions: Option<FilteredFunctions>,
    /// The local ranges that each function accepts, by the name of the function. A function without an entry accepts
    /// every range.
    pub(crate) covered: HashMap<&'static str, Coverage>,
    /// The members whose rows this model combines. Each member has a model like this one. `None` for the model of a
    /// single history.
    pub(crate) members: Option<Arc<dyn Members>>,
}

impl Model {
    /// Adds the views and functions of another module.
    pub fn with_definitions(mut self, views: &[View], functions: &[Function]) -> Self {
        self.views.extend_from_slice(views);
        self.functions.extend_from_slice(functions);
        self
    }

    /// Allows splitting a long range into parts, for functions that set [`Function::parts`].
    pub fn with_partitioning(self, cuts: PartitionPolicy) -> Self {
        Self { cuts: Some(cuts), ..self }
    }

    /// Allows filtered statements.
    pub fn with_filtered_functions(self, functions: FilteredFunctions) -> Self {
        Self { filtered_functions: Some(functions), ..self }
    }

    /// Changes the size of the parts into which long ranges are split. Has no effect if this model doesn't split
    /// ranges.
    pub fn with_part_size(self, rows_of_a_part: usize, days_in_one_piece: i64) -> Self {
        let cuts = self.cuts.map(|cuts| PartitionPolicy { rows_of_a_part, days_in_one_piece, ..cuts });
        Self { cuts, ..self }
    }

    /// Adds a table whose rows aren't in the history's database.
    pub fn with_virtual_table(self, table: VirtualTable) -> Self {
        self.with_table(table.name, Arc::new(table))
    }

    /// Adds a table that only the files of `sql/` use. Lists of tables don't contain it.
    pub fn with_unlisted_table(mut self, table: VirtualTable) -> Self {
        self.unlisted_tables.insert(table.name, Arc::new(table));
        self
    }

    /// Adds a scalar function.
    pub fn with_value_function(mut self, function: Arc<ScalarUDF>) -> Self {
        self.value_functions.push(function);
        self
    }

    /// Adds a table with these rows, which stay in memory.
    pub fn with_rows(self, name: &str, rows: RecordBatch) -> Self {
        match MemTable::try_new(rows.schema(), vec![vec![rows]]) {
            Ok(table) => self.with_table(name, Arc::new(table)),
            // This can't happen, because the rows match their own schema.
            Err(_) => self,
        }
    }

    /// Adds a table. It replaces a view of the same name.
    pub fn with_table(mut self, name: &str, table: Arc<dyn TableProvider>) -> Self {
        self.missing.remove(name);
        self.tables.insert(name.to_owned(), table);
        self
    }

    /// Adds `function`, or replaces the function of the same name.
    pub fn with_function(mut self, function: Function) -> Self {
        self.missing.remove(function.name);
        match self.functions.iter_mut().find(|known| known.name == function.name) {
            Some(known) => *known = function,
            None => self.functions.push(function),
        }
        self
    }

    /// Removes the view or table function `name`. A statement that uses it fails with `reason`.
    pub fn without_relation(mut self, name: &str, reason: String) -> Self {
        self.views.retain(|view| view.name != name);
        self.functions.retain(|function| function.name != name);
        self.missing.insert(name.to_owned(), reason);
        self
    }

    /// Sets the error message `reason` for statements that use the column `name` although none of their tables has this
    /// column.
    pub fn without_column(mut self, name: &str, reason: String) -> Self {
        self.missing_columns.insert(name.to_owned(), reason);
        self
    }

    /// Restricts the function `name` to the ranges in `coverage`. A call fails unless its range lies within one of
    /// these ranges.
    pub fn with_coverage(mut self, name: &'static str, coverage: Coverage) -> Self {
        self.covered.insert(name, coverage);
        self
    }

    /// Returns a model that combines the rows of all `members`. Each member has a model like this one, and checks the
    /// range of a call itself. The combined model doesn't check ranges. The accepted ranges of this model come from one
    /// member, but a statement may not read this member at all.
    pub fn with_members(self, members: Arc<dyn Members>) -> Self {
        Self { members: Some(members), covered: HashMap::new(), ..self }
    }
}

/// The ranges that a function accepts.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The local ranges. Their ends are exclusive. A range that starts at [`NaiveDateTime::MIN`] has no earliest start.
    pub ranges: Arc<[Range<NaiveDateTime>]>,
    /// The reason why the function rejects other ranges, and one action that the user can take. `None` if the reason
    /// isn't known.
    pub reason: Option<String>,
}

/// A view: a file with a query.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The name in SQL.
    pub name: &'static str,
    /// The file's text.
    pub sql: &'static str,
    /// The capabilities that the history must have for this view to be used.
    pub needs: &'static [Capability],
}

/// A table function: a file with a query that has named parameters.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// The name in SQL.
    pub name: &'static str,
    /// The parameters, in the order of a call's arguments. The file uses them as `$name`.
    pub parameters: &'static [Parameter],
    /// The file's text.
    pub sql: &'static str,
    /// How a long range is split. `None` if splitting the range would change the rows of the function.
    pub parts: Option<PartitionScheme>,
}

/// Functions that replace functions of the same names in filtered statements. The filter is passed in additional
/// parameters. The replacing functions use these parameters, and the statement itself doesn't.
#[derive(Debug, Clone, Copy)]
pub struct FilteredFunctions {
    /// The parameters of the filter, in addition to the statement's own parameters.
    pub parameters: &'static [Parameter],
    /// The replacing functions. Their files can use each parameter of the filter as `$name`, and can call each
    /// unfiltered function as `unfiltered_NAME`.
    pub functions: &'static [Function],
}

/// The rule that decides which ranges are split into parts, and how large the parts are.
#[derive(Debug, Clone, Copy)]
pub struct PartitionPolicy {
    /// A statement with the parameters `role`, `start` and `end`. Each of its rows is an interval of a `device`. The
    /// range must not be split within such an interval, because rows of the role in the same interval depend on each
    /// other.
    pub occupied: &'static Statement,
    /// A statement with the parameter `role`. It returns one value, `beginning`: the time of the role's first row.
    pub beginning: &'static Statement,
    /// The approximate number of history rows in each part.
    pub rows_of_a_part: usize,
    /// Ranges of at most this many days are not split.
    pub days_in_one_piece: i64,
}

impl PartitionPolicy {
    /// Creates a policy with the usual sizes. With these sizes, a part takes a fraction of a second and needs a few
    /// megabytes.
    pub const fn new(occupied: &'static Statement, beginning: &'static Statement) -> Self {
        Self { occupied, beginning, rows_of_a_part: 8 << 10, days_in_one_piece: 45 }
    }

    /// Whether a local range, in seconds, is long enough to be split.
    pub(crate) fn apply_to(&self, range: &Range<i64>) -> bool {
        range.end.saturating_sub(range.start) > self.days_in_one_piece.saturating_mul(DAY)
    }
}

/// How to split the range from a function's parameter `start` to its parameter `end`. The range is split only at breaks
/// (see `partition`), so the parts together return the same rows as the whole range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionScheme {
    /// The times at which the range may be split.
    pub at: Boundary,
    /// The role whose rows are split. `None` if each call passes the role in the parameter `role`.
    pub role: Option<&'static str>,
    /// The names of the parameters that are lengths of gaps, in minutes. Rows belong together if the gap between them
    /// is shorter. So a range is split only at a break that is longer than these gaps.
    pub gaps: &'static [&'static str],
}
