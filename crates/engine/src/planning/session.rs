//! The DataFusion session for one schema of the history: catalog, views, functions and cached plans.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue, internal_err, plan_datafusion_err};
use datafusion::datasource::ViewTable;
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::execution::{FunctionRegistry, SessionState, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::parser::Statement as ParsedStatement;

use super::analysis::Analysis;
use super::exact_cast::KeepFractions;
use super::prepared::{PlanPool, Prepared, Slots};
use super::statement::{Arguments, Statement, bind, filter_placeholder, placeholder, plan_open};
use super::{clock, exact_cast, impossible_filters};
use crate::model::function::{SqlFunction, UnfilteredFunction};
use crate::model::members::{Members, MembersFunction, MembersSchema};
use crate::model::parameter::Parameter;
use crate::model::{FilteredFunctions, Model, View};
use crate::partition::{PartitionPlanner, PushBounds};
use crate::query::planned_statement::{PlannedStatement, StatementKey};
use crate::query::{messages, position};
use crate::running::first_rows::collect_first;
use crate::running::reservation::ReserveForWindows;
use crate::{Error, Rows};
use dayledger_source::{Contents, HistorySource, HistoryTable};

/// The maximum memory for the intermediate results of all statements together, in bytes. A request about ten years
/// needs much less.
const MEMORY_LIMIT: usize = 2 << 30;
/// The maximum number of cached plans for statements that users wrote. Each plan takes a few hundred kilobytes.
const MAX_CACHED_STATEMENTS: usize = 16;
/// The catalog in which SQL looks up unqualified names.
const CATALOG: &str = "dayledger";
/// The schema in which SQL looks up unqualified names.
pub(crate) const MODEL_SCHEMA: &str = "model";

/// A history and its contents.
type History = (Arc<dyn HistorySource>, Arc<Contents>);

/// A session for one state of a history's contents. Without a history, it contains only the model's own tables.
pub(crate) struct Session {
    context: SessionContext,
    /// The context in which the project's own statements run. It is created for the first statement.
    task_context: OnceLock<Arc<TaskContext>>,
    history: Option<History>,
    model: Arc<Model>,
    /// Free plans of the project's own statements.
    pub(crate) prepared: PlanPool,
    /// Plans of statements that users wrote, in order of their last use, oldest first.
    statement_cache: Mutex<Vec<(StatementKey, PlannedStatement)>>,
    /// The parameters of the filter, in addition to the parameters of a statement. Empty in an unfiltered session.
    filter_parameters: &'static [Parameter],
    /// The session for filtered statements of the same model. It is created for the first such statement.
    filtered: OnceLock<Arc<Self>>,
}

impl fmt::Debug for Session {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session").field("history", &self.history).finish_non_exhaustive()
    }
}

impl Session {
    /// Creates a session for a history with these contents. Without a history, it contains only the model's own tables.
    pub(crate) fn new(history: Option<History>, model: &Arc<Model>) -> Result<Self> {
        let session = Self::build(history, model, None)?;
        match &model.members {
            Some(members) => session.with_members(members),
            None => Ok(session),
        }
    }

    /// Creates a session for all `members`. Each member has a session like `self`.
    fn with_members(self, members: &Arc<dyn Members>) -> Result<Self> {
        let of_one = Arc::new(self.state());
        let state = members.session(SessionStateBuilder::new_from_existing(of_one.as_ref().clone()));
        let mut state = state.build();
        for function in &self.model.functions {
            // Each member checks and splits the range of a call itself. So the function in this session only reads the
            // arguments and plans the columns.
            let member_function = SqlFunction::new(*function, None, None, &[]);
            let call = MembersFunction { members: Arc::clone(members), member_function, session: Arc::clone(&of_one) };
            state.register_udtf(function.name, Arc::new(call));
        }
        let context = SessionContext::new_with_state(state);
        let Some(member_schema) = self.schema(MODEL_SCHEMA) else { return internal_err!("the session has no model") };
        let views = MembersSchema { members: Arc::clone(members), member_schema, _session: self.context };
        context.register_catalog(CATALOG, Arc::new(Catalog { model: Arc::new(views), own: None }));
        Ok(Self { context, ..self })
    }

    /// Returns the session for filtered statements of the same history and model.
    ///
    /// # Errors
    /// Fails if the model has no filtered functions.
    pub(crate) fn filtered_session(&self) -> Result<Arc<Self>> {
        if let Some(filtered) = self.filtered.get() {
            return Ok(Arc::clone(filtered));
        }
        let Some(filtered_functions) = self.model.filtered_functions else {
            return internal_err!("the model cannot be filtered");
        };
        // Two threads can build the filtered session at the same time. The first session is kept, so that both threads
        // share its cached plans.
        let filtered = Self::build(self.history.clone(), &self.model, Some((filtered_functions, self.state())))?;
        Ok(Arc::clone(self.filtered.get_or_init(|| Arc::new(filtered))))
    }

    /// Builds a session. With `filter`, the filtered functions replace the functions of the same names. `filter` also
    /// contains the state of the unfiltered session, because the filtered functions call the unfiltered functions.
    fn build(
        history: Option<History>,
        model: &Arc<Model>,
        filter: Option<(FilteredFunctions, SessionState)>,
    ) -> Result<Self> {
        // Plans run with one partition. More partitions wouldn't help, because a day has only a few hundred rows. In
        // addition, some functions need all rows in one order.
        let config = SessionConfig::new()
            .with_target_partitions(1)
            .with_information_schema(true)
            .with_default_catalog_and_schema(CATALOG, MODEL_SCHEMA)
            .with_create_default_catalog_and_schema(false)
            // For the project's statements, a third pass never changes the plan. It would take as long as the first two
            // passes together.
            .set_usize("datafusion.optimizer.max_passes", 2)
            // This optimisation would reserve memory for as many groups as the row limit, which is ten million by
            // default.
            .set_bool("datafusion.optimizer.enable_topk_aggregation", false)
            .set_bool("datafusion.sql_parser.collect_spans", true)
            // Plans run several times. With dynamic filters, a plan would keep the filters that it derived from the
            // rows of its previous run.
            .set_bool("datafusion.optimizer.enable_dynamic_filter_pushdown", false);
        let runtime =
            RuntimeEnvBuilder::new().with_memory_pool(Arc::new(GreedyMemoryPool::new(MEMORY_LIMIT))).build_arc()?;
        let [drop_impossible, drop_empty] = impossible_filters::rules();
        let mut state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(runtime)
            .with_default_features()
            .with_query_planner(Arc::new(PartitionPlanner))
            .with_analyzer_rule(Arc::new(Analysis))
            .with_optimizer_rule(drop_impossible)
            .with_optimizer_rule(drop_empty)
            .with_optimizer_rule(Arc::new(PushBounds))
            .with_physical_optimizer_rule(Arc::new(ReserveForWindows))
            .build();
        let functions = clock::functions().into_iter().chain(exact_cast::functions());
        for function in functions.chain(model.value_functions.iter().map(Arc::clone)) {
            state.register_udf(function)?;
        }
        state.register_expr_planner(Arc::new(KeepFractions))?;
        dayledger_udfs::register(&mut state, clock::day_start())?;
        // A session without a history can be for an export. The files of an export are chosen during planning, so the
        // ranges of its calls can't be split later.
        let cuts = model.cuts.filter(|_| history.is_some());
        let filter_parameters = filter.as_ref().map_or(&[][..], |(filtered, _)| filtered.parameters);
        let filtered = filter.as_ref().map_or(&[][..], |(filtered, _)| filtered.functions);
        let own = model.functions.iter().map(|function| (function, &[][..]));
        for (function, parameters) in own.chain(filtered.iter().map(|function| (function, filter_parameters))) {
            let covered = model.covered.get(function.name).cloned();
            state.register_udtf(function.name, Arc::new(SqlFunction::new(*function, covered, cuts, parameters)));
        }
        for (name, function) in filter.into_iter().flat_map(|(_, state)| UnfilteredFunction::functions(state)) {
            state.register_udtf(&name, function);
        }
        let context = SessionContext::new_with_state(state);

        let views = Arc::new(ModelSchema::new(history.as_ref(), model));
        views.attach_session(&context);
        let own = history.as_ref().map(|(source, contents)| -> (_, Arc<dyn SchemaProvider>) {
            let tables = HistoryTable::own_tables(source, contents).into_iter().collect();
            (source.name(), Arc::new(ModelSchema { tables, ..ModelSchema::default() }))
        });
        context.register_catalog(CATALOG, Arc::new(Catalog { model: views, own }));
        Ok(Self {
            context,
            task_context: OnceLock::new(),
            history,
            model: Arc::clone(model),
            prepared: PlanPool::default(),
            statement_cache: Mutex::default(),
            filter_parameters,
            filtered: OnceLock::new(),
        })
    }

    /// Returns the values of a statement's parameters, and of the filter's parameters.
    pub(crate) fn values(&self, statement: &Statement, arguments: &Arguments) -> Result<Vec<ScalarValue>> {
        arguments.values(statement.parameters.iter().chain(self.filter_parameters))
    }

    /// Whether this session was created for a history with these contents. `None` means that there is no history.
    pub(crate) fn is_for(&self, contents: Option<&Contents>) -> bool {
        self.history.as_ref().map(|(_, contents)| &**contents) == contents
    }

    /// Returns the schema of the history's own tables, if there is a history.
    pub(crate) fn own_schema(&self) -> Option<&'static str> {
        self.history.as_ref().map(|(source, _)| source.name())
    }

    /// Returns a copy of the state for planning. Call this function once for each request.
    pub(crate) fn state(&self) -> SessionState {
        self.context.state()
    }

    /// Creates a plan for one of the project's own statements, with `values` for its parameters.
    pub(crate) async fn new_plan(
        &self,
        state: &SessionState,
        statement: &'static Statement,
        values: Vec<ScalarValue>,
    ) -> Result<Prepared, Error> {
        let names = (0..statement.parameters.len()).map(placeholder);
        let slots = Slots::from_values(
            names.chain(self.filter_parameters.iter().map(|parameter| filter_placeholder(parameter).0)).zip(values),
        );
        let open = plan_open(state, statement.name, statement.parameters, statement.sql)?;
        // The slots are inserted after the optimiser has run, because it would replace each slot by its current value.
        let bound = bind(state.optimize(&open)?, &slots.bindings())?;
        let plan = state.query_planner().create_physical_plan(&bound, state).await?;
        Ok(Prepared::new(statement.sql, plan, slots))
    }

    /// Runs a plan whose scans are loaded, and returns its rows. If `first_rows` is set, returns only that many rows.
    /// Afterwards, the plan returns to the pool.
    pub(crate) async fn collect(&self, prepared: Prepared, first_rows: Option<usize>) -> Result<Rows, Error> {
        let plan = Arc::clone(&prepared.plan);
        // Creating a context copies the names of all functions.
        let context = Arc::clone(self.task_context.get_or_init(|| self.context.task_ctx()));
        let schema = plan.schema();
        let (batches, available) = collect_first(plan, first_rows, context).await?;
        self.prepared.put_back(prepared);
        Ok(Rows::new(schema, batches, available))
    }

    /// Parses a statement that a user or a model wrote.
    ///
    /// # Errors
    /// Fails if the text isn't SQL.
    pub(crate) fn parse(&self, sql: &str) -> Result<ParsedStatement> {
        // `state()` would copy the whole state, which parsing doesn't need.
        let state = self.context.state_ref();
        let state = state.read();
        state.sql_to_statement(sql, &state.config_options().sql_parser.dialect)
    }

    /// Whether plans of users' statements can be cached. Plans for an export can't be cached, because planning already
    /// chooses which files of the export to read.
    pub(crate) fn can_cache_statements(&self) -> bool {
        self.history.is_some()
    }

    /// Removes the plan of a statement from the cache, and returns it.
    pub(crate) fn take_cached_statement(&self, key: &StatementKey) -> Option<PlannedStatement> {
        let mut kept = self.statement_cache.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        Some(kept.remove(place).1)
    }

    /// Removes the plan of a statement that differs only in its times from the cache. Sets the times, and returns the
    /// plan.
    pub(crate) fn take_similar_statement(
        &self,
        key: &StatementKey,
        open: &LogicalPlan,
        times: &[ScalarValue],
    ) -> Option<PlannedStatement> {
        let mut kept = self.statement_cache.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, plan)| known.has_same_limits(key) && plan.rebind(open, times))?;
        Some(kept.remove(place).1)
    }

    /// Caches the plan of a statement. The plan must not contain rows.
    pub(crate) fn cache_statement(&self, key: StatementKey, planned: PlannedStatement) {
        let mut kept = self.statement_cache.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_CACHED_STATEMENTS {
            kept.remove(0);
        }
        kept.push((key, planned));
    }

    /// Returns a schema of the catalog.
    pub(crate) fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        self.context.catalog(CATALOG).and_then(|catalog| catalog.schema(name))
    }

    /// Returns the error for a statement that couldn't be planned. It contains the position, and a suggestion if a name
    /// is unknown.
    pub(crate) fn explain_error(&self, error: DataFusionError, sql: &str) -> Error {
        let root = error.find_root();
        let (meant, at_fault) = (self.explain_unknown_name(root, sql), messages::function_at_fault(root));
        let position = position::find_error(&error).or_else(|| position::find_call(sql, &at_fault?));
        match (meant, Error::from(error)) {
            (Some(message), _) | (None, Error::Query { message, .. }) => Error::Query { message, position },
            (None, other) => other,
        }
    }

    /// Returns the message if the error is about an unknown name. Otherwise, returns `None`.
    fn explain_unknown_name(&self, root: &DataFusionError, sql: &str) -> Option<String> {
        if let Some(wanted) = messages::missing_table(root) {
            if let Some(reason) = self.model.missing.get(&wanted) {
                return Some(reason.clone());
            }
            if let Some(function) = self.model.functions.iter().find(|function| function.name == wanted) {
                return Some(messages::function_used_as_table(function));
            }
            if let Some((source, _)) = &self.history
                && !source.privacy().is_empty()
                && wanted.split_once('.').is_some_and(|(schema, _)| schema == source.name())
            {
                return Some(messages::RAW_TABLES_HIDDEN.to_owned());
            }
            let names = [MODEL_SCHEMA].into_iter().chain(self.own_schema()).flat_map(|schema| {
                let tables = self.schema(schema).map(|schema| schema.table_names()).unwrap_or_default().into_iter();
                tables.map(move |table| if schema == MODEL_SCHEMA { table } else { format!("{schema}.{table}") })
            });
            return Some(messages::unknown_name(&wanted, "table or view", &names.collect::<Vec<_>>()));
        }
        if let Some(column) = messages::missing_column(root) {
            let reason = self.model.missing_columns.get(column).cloned();
            return reason.or_else(|| messages::unknown_quoted_column(root, sql));
        }
        let state = self.context.state();
        if let Some(wanted) = messages::missing_function(root) {
            if let Some(reason) = self.model.missing.get(&wanted) {
                return Some(reason.clone());
            }
            let names: Vec<_> = state.table_functions().keys().cloned().collect();
            return Some(messages::unknown_name(&wanted, "table function", &names));
        }
        let wanted = messages::missing_value_function(root)?;
        let names = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
        let names: Vec<_> = names.chain(state.window_functions().keys()).cloned().collect();
        Some(messages::unknown_name(&wanted, "function", &names))
    }
}

/// The schemas of a session. DataFusion's own catalog lists schemas in random order. With it, `SHOW TABLES` would list
/// tables in random order.
#[derive(Debug)]
struct Catalog {
    model: Arc<dyn SchemaProvider>,
    /// The history's own tables, in a schema that has the name of the time tracker's source.
    own: Option<(&'static str, Arc<dyn SchemaProvider>)>,
}

impl CatalogProvider for Catalog {
    fn schema_names(&self) -> Vec<String> {
        [MODEL_SCHEMA].into_iter().chain(self.own.as_ref().map(|(name, _)| *name)).map(str::to_owned).collect()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        if name == MODEL_SCHEMA {
            return Some(Arc::clone(&self.model));
        }
        self.own.as_ref().filter(|(own, _)| *own == name).map(|(_, tables)| Arc::clone(tables))
    }
}

/// The table of a view, after the view was planned.
type PlannedView = OnceLock<Arc<dyn TableProvider>>;

/// The schema of the model: the history's tables, and views that are planned on first use.
#[derive(Default)]
struct ModelSchema {
    tables: BTreeMap<String, Arc<dyn TableProvider>>,
    /// Tables that statements can use, but that lists of tables don't contain.
    unlisted_tables: BTreeMap<&'static str, Arc<dyn TableProvider>>,
    views: BTreeMap<&'static str, (View, PlannedView)>,
    /// A function that returns the state of this schema's session. It returns `None` after the session was dropped.
    state: OnceLock<Box<dyn Fn() -> Option<SessionState> + Send + Sync>>,
}

impl ModelSchema {
    fn new(history: Option<&History>, model: &Model) -> Self {
        // If there is no history, the tables have all columns that views need.
        let can = |need| history.is_none_or(|(_, contents)| contents.has_capability(need));
        let of_history = history.into_iter().flat_map(|(source, _)| HistoryTable::model_tables(source));
        let own_tables = model.tables.iter().map(|(name, table)| (name.clone(), Arc::clone(table)));
        let tables: BTreeMap<_, _> = of_history.chain(own_tables).collect();
        let mut views = BTreeMap::new();
        for view in model.views.iter().filter(|view| view.needs.iter().all(|need| can(*need))) {
            if !tables.contains_key(view.name) {
                views.entry(view.name).or_insert_with(|| (*view, OnceLock::new()));
            }
        }
        Self { tables, unlisted_tables: model.unlisted_tables.clone(), views, state: OnceLock::new() }
    }

    fn attach_session(&self, context: &SessionContext) {
        // The session owns this schema, so the reference to the session is weak. A strong reference would keep the
        // schema and the session in memory forever.
        let state = context.state_weak_ref();
        // `set` can't fail, because this function is called only once for each schema.
        let _ = self.state.set(Box::new(move || state.upgrade().map(|state| state.read().clone())));
    }

    fn view(&self, view: &View, planned: &PlannedView) -> Result<Arc<dyn TableProvider>> {
        if let Some(table) = planned.get() {
            return Ok(Arc::clone(table));
        }
        let state = self.state.get().and_then(|state| state());
        let state = state.ok_or_else(|| plan_datafusion_err!("the session of `{}` has ended", view.name))?;
        let plan = plan_open(&state, view.name, [], view.sql)?;
        let table: Arc<dyn TableProvider> = Arc::new(ViewTable::new(plan, Some(view.sql.to_owned())));
        Ok(Arc::clone(planned.get_or_init(|| table)))
    }
}

impl fmt::Debug for ModelSchema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ModelSchema").field("tables", &self.table_names()).finish_non_exhaustive()
    }
}

#[async_trait]
impl SchemaProvider for ModelSchema {
    fn table_names(&self) -> Vec<String> {
        self.tables.keys().cloned().chain(self.views.keys().map(|name| (*name).to_owned())).collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if let Some(table) = self.tables.get(name).or_else(|| self.unlisted_tables.get(name)) {
            return Ok(Some(Arc::clone(table)));
        }
        self.views.get(name).map(|(view, planned)| self.view(view, planned)).transpose()
    }

    fn table_exist(&self, name: &str) -> bool {
        self.tables.contains_key(name) || self.unlisted_tables.contains_key(name) || self.views.contains_key(name)
    }
}
