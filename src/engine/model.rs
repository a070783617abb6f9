//! The definition of a SQL model: its tables, and views and table functions from the files in `sql/`.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;
use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::{MemTable, TableProvider};
use datafusion::logical_expr::ScalarUDF;
use dayledger_udfs::breaks::Boundary;

use super::instant::DAY;
use super::members::Members;
use super::parameter::Parameter;
use super::{SourceTable, Statement};
use crate::source::Capability;

/// The views and table functions that a session offers.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The views; of several with one name, the first whose needs are met counts.
    pub views: Vec<View>,
    /// The table functions.
    pub functions: Vec<Function>,
    /// Functions of values that this model brings along.
    pub(super) value_functions: Vec<Arc<ScalarUDF>>,
    /// Tables that are not in the history's file, by name.
    pub(super) tables: BTreeMap<String, Arc<dyn TableProvider>>,
    /// Tables that files of `sql/` read and that no list names.
    pub(super) sources: BTreeMap<&'static str, Arc<dyn TableProvider>>,
    /// What to say of tables, views and functions that others have and this model has not.
    pub(super) missing: HashMap<String, String>,
    /// What to say of columns that others have and this model's tables have not.
    pub(super) missing_columns: HashMap<String, String>,
    /// How long ranges are cut; absent where none is.
    pub(super) cuts: Option<PartitionPolicy>,
    /// The functions of filtered statements. `None` if the model cannot be filtered.
    pub(super) filtered_functions: Option<FilteredFunctions>,
    /// The local ranges that a function can answer, where that is not any; ends are exclusive.
    pub(super) covered: HashMap<&'static str, Coverage>,
    /// Who tells the rows, where each of many has a model like this one; absent where it has its own.
    pub(super) members: Option<Arc<dyn Members>>,
}

impl Model {
    /// Adds the views and functions of another module.
    #[must_use]
    pub fn with_definitions(mut self, views: &[View], functions: &[Function]) -> Self {
        self.views.extend_from_slice(views);
        self.functions.extend_from_slice(functions);
        self
    }

    /// Answers long ranges of functions that can be in parts.
    #[must_use]
    pub fn with_partitioning(self, cuts: PartitionPolicy) -> Self {
        Self { cuts: Some(cuts), ..self }
    }

    /// Allows filtered statements.
    #[must_use]
    pub fn with_filtered_functions(self, functions: FilteredFunctions) -> Self {
        Self { filtered_functions: Some(functions), ..self }
    }

    /// The same model, whose ranges are cut so; where none is cut yet, none will be.
    #[must_use]
    pub fn with_part_size(self, rows_of_a_part: usize, days_in_one_piece: i64) -> Self {
        let cuts = self.cuts.map(|cuts| PartitionPolicy { rows_of_a_part, days_in_one_piece, ..cuts });
        Self { cuts, ..self }
    }

    /// Adds a table that is not in the history's file.
    #[must_use]
    pub fn with_source_table(self, table: SourceTable) -> Self {
        self.with_table(table.name, Arc::new(table))
    }

    /// Adds a table that only files of `sql/` read: no list names it.
    #[must_use]
    pub fn with_unlisted_table(mut self, table: SourceTable) -> Self {
        self.sources.insert(table.name, Arc::new(table));
        self
    }

    /// Adds a function of values.
    #[must_use]
    pub fn with_value_function(mut self, function: Arc<ScalarUDF>) -> Self {
        self.value_functions.push(function);
        self
    }

    /// Adds a table of a few rows.
    #[must_use]
    pub fn with_rows(self, name: &str, rows: RecordBatch) -> Self {
        match MemTable::try_new(rows.schema(), vec![vec![rows]]) {
            Ok(table) => self.with_table(name, Arc::new(table)),
            // Rows of their own schema are refused by nobody.
            Err(_) => self,
        }
    }

    /// Adds a table, instead of a view of that name.
    #[must_use]
    pub fn with_table(mut self, name: &str, table: Arc<dyn TableProvider>) -> Self {
        self.missing.remove(name);
        self.tables.insert(name.to_owned(), table);
        self
    }

    /// Puts `function` in the place of the one of that name.
    #[must_use]
    pub fn with_function(mut self, function: Function) -> Self {
        self.missing.remove(function.name);
        match self.functions.iter_mut().find(|known| known.name == function.name) {
            Some(known) => *known = function,
            None => self.functions.push(function),
        }
        self
    }

    /// Leaves out the view or table function `name`; who asks for it is told `reason`.
    #[must_use]
    pub fn without_relation(mut self, name: &str, reason: String) -> Self {
        self.views.retain(|view| view.name != name);
        self.functions.retain(|function| function.name != name);
        self.missing.insert(name.to_owned(), reason);
        self
    }

    /// Who asks for the column `name` where no table of the statement has it is told `reason`.
    #[must_use]
    pub fn without_column(mut self, name: &str, reason: String) -> Self {
        self.missing_columns.insert(name.to_owned(), reason);
        self
    }

    /// Lets the function `name` answer ranges inside one of those and refuse all others.
    #[must_use]
    pub fn with_coverage(mut self, name: &'static str, coverage: Coverage) -> Self {
        self.covered.insert(name, coverage);
        self
    }

    /// The model over all `members`, each of which has one like this. Each member checks the range of a call by itself,
    /// because a statement may not read the member that this model comes from.
    #[must_use]
    pub fn with_members(self, members: Arc<dyn Members>) -> Self {
        Self { members: Some(members), covered: HashMap::new(), ..self }
    }
}

/// The ranges that a function can answer.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The local ranges; ends are exclusive. One that starts at [`NaiveDateTime::MIN`] has no earliest start.
    pub ranges: Arc<[Range<NaiveDateTime>]>,
    /// Why it can't answer others, and what to do, if that is known.
    pub reason: Option<String>,
}

/// A view: a file that selects.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Its name in SQL.
    pub name: &'static str,
    /// The file's text.
    pub sql: &'static str,
    /// What the history must be able to tell for this file to be the one.
    pub needs: &'static [Capability],
}

/// A table function: a file that selects, with named parameters.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name in SQL.
    pub name: &'static str,
    /// The parameters, in the order in which a call gives them; the file writes them `$name`.
    pub parameters: &'static [Parameter],
    /// The file's text.
    pub sql: &'static str,
    /// How long ranges are answered, where the rows of a part of the range are those of the whole range that lie in it.
    pub parts: Option<PartitionScheme>,
}

/// Functions that replace others of the same names in filtered statements. They read the filter from parameters that the
/// statement itself doesn't need.
#[derive(Debug, Clone, Copy)]
pub struct FilteredFunctions {
    /// The parameters of the filter, besides the statement's own.
    pub parameters: &'static [Parameter],
    /// The functions that replace those of the same names. Their files can use each of these parameters as `$name`, and
    /// call every unfiltered function as `unfiltered_NAME`.
    pub functions: &'static [Function],
}

/// How long ranges are cut.
#[derive(Debug, Clone, Copy)]
pub struct PartitionPolicy {
    /// Tells in rows of `device` and an interval what holds the rows of a role together: a statement of `role`, `start`
    /// and `end`.
    pub occupied: &'static Statement,
    /// Tells in the one value `beginning` where rows of a role begin: a statement of `role`.
    pub beginning: &'static Statement,
    /// How many rows of the history a part is made of, about.
    pub rows_of_a_part: usize,
    /// Ranges of no more days are answered in one piece.
    pub days_in_one_piece: i64,
}

impl PartitionPolicy {
    /// Cuts into parts that are read and computed in the blink of an eye and take a few megabytes.
    pub const fn new(occupied: &'static Statement, beginning: &'static Statement) -> Self {
        Self { occupied, beginning, rows_of_a_part: 8 << 10, days_in_one_piece: 45 }
    }

    /// Whether that local range, in seconds, is long enough to be answered in parts.
    pub(super) fn apply_to(&self, range: &Range<i64>) -> bool {
        range.end.saturating_sub(range.start) > self.days_in_one_piece.saturating_mul(DAY)
    }
}

/// How a range can be cut so that the answers about its parts are the answer about it: at breaks (see `partition`).
/// The function's parameters `start` and `end` name its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionScheme {
    /// Where.
    pub at: Boundary,
    /// The role whose rows are cut; else the function has a parameter `role`.
    pub role: Option<&'static str>,
    /// The parameters that are minutes over which rows hang together; breaks are longer.
    pub gaps: &'static [&'static str],
}
