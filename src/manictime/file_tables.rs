//! The file's own tables and views as a schema of DataFusion. Nothing tells what their columns hold, so there are none
//! where anything is withheld.
//!
//! Tables are known from the file's shape. A view is asked for its columns when somebody names it, or lists everything;
//! one that cannot be read is in no list, and who names it is told why.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result, internal_datafusion_err, plan_err};

use super::provider::HistoryTable;
use super::shape::Shape;
use super::source::Source;
use super::sqlite::VIEW_PATIENCE;

/// A view that was asked for its columns, or why it cannot be read.
type Asked = std::result::Result<Arc<dyn TableProvider>, String>;

/// The tables and views of one shape of the file.
pub struct FileTables(Arc<State>);

struct State {
    source: Source,
    shape: Arc<Shape>,
    tables: BTreeMap<String, Arc<dyn TableProvider>>,
    /// Views that were asked, by lower-case name, or why they cannot be read.
    asked: Mutex<HashMap<String, Asked>>,
}

impl FileTables {
    /// Those of `source`, whose file has that shape; nothing where anything is withheld.
    pub fn new(source: &Source, shape: Arc<Shape>) -> Option<Self> {
        if !source.privacy().is_empty() {
            return None;
        }
        let tables = HistoryTable::raw(source, &shape).into_iter().collect();
        Some(Self(Arc::new(State { source: source.clone(), shape, tables, asked: Mutex::default() })))
    }
}

impl State {
    /// A view by its lower-case name; nothing where there is none. Blocks on the file where it was not asked yet.
    fn view(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if let Some(lost) = self.shape.unreadable(name) {
            return plan_err!("{lost}");
        }
        let Some(exact) = self.shape.view_name(name) else { return Ok(None) };
        let known = self.asked.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let view = if let Some(known) = known {
            known
        } else {
            // What is wrong with the whole file is wrong now and perhaps not the next time.
            let asked =
                self.source.view(&self.shape, exact).map_err(|error| DataFusionError::Plan(error.to_string()))?;
            let asked = asked
                .map(|columns| HistoryTable::raw_table(&self.source, name, &columns))
                .map_err(|lost| lost.to_string());
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), asked.clone());
            asked
        };
        view.map(Some).map_err(DataFusionError::Plan)
    }
}

impl fmt::Debug for FileTables {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FileTables").field("shape", &self.0.shape).finish_non_exhaustive()
    }
}

#[async_trait]
impl SchemaProvider for FileTables {
    fn table_names(&self) -> Vec<String> {
        let views = self.0.shape.views().map(str::to_ascii_lowercase);
        // Views that multiply each other take long to ask: what there is no time for is in no list either.
        let started = Instant::now();
        let views = views.filter(|name| started.elapsed() < VIEW_PATIENCE && matches!(self.0.view(name), Ok(Some(_))));
        self.0.tables.keys().cloned().chain(views).collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if let Some(table) = self.0.tables.get(name) {
            return Ok(Some(Arc::clone(table)));
        }
        let (state, name) = (Arc::clone(&self.0), name.to_owned());
        let asked = tokio::task::spawn_blocking(move || state.view(&name)).await;
        asked.map_err(|_| internal_datafusion_err!("a view could not be asked for its columns"))?
    }

    fn table_exist(&self, name: &str) -> bool {
        self.0.tables.contains_key(name) || self.0.shape.view_name(name).is_some()
    }
}
