//! The query engine: a DataFusion session with the views and functions of `sql/`, on its own threads.
//!
//! A request runs one or more statements over one consistent read. The engine plans all statements of the request,
//! reads the rows for their scans in one transaction, and then runs the statements. The project's own statements are
//! planned only once, without values for their parameters. Each request sets these values.
//!
//! Invariants:
//!
//! - Queries run on the engine's own runtime, so the caller's event loop stays responsive.
//! - A panic in a query becomes an error of its request.
//! - If a history is missing or broken, each request returns an error until the history is repaired.
//! - Dropping the future of a request stops the request and its read of the database.
//! - The number of requests that run simultaneously is limited.
//! - A statement that a user or a model wrote stays within its limits (`worker`).
//!
//! The modules, in the order of a request:
//!
//! - `model`: the tables, views and functions that SQL can use, and their descriptions
//! - `running`: [`Engine`], its threads, and the rows that it returns; start here
//! - `planning`: the session, and the plans of the statements in `sql/`
//! - `partition`: splits the long range of a table function into parts, and computes each part separately
//! - `query`: checks, limits, error messages and row streams for statements that users and models write
//! - [`worker`]: the processes that run the statements of users and models
//! - `dates`: dates and times in text

mod dates;
mod error;
mod model;
mod partition;
mod planning;
mod query;
mod running;
pub mod worker;

pub use dates::span::{ExpectedInput, Span};
pub use dayledger_core::Position;
pub use error::{Error, codes};
pub use model::columns;
pub use model::describe::{ColumnDescription, FunctionDescription, ModelDescription, TableDescription, type_name};
pub use model::members::{LostProcess, Members, Relation, RemoteExecution, RemoteProcesses, Scan};
pub use model::parameter::Parameter;
pub use model::virtual_table::{TableRows, VirtualTable, rows_from_blocking, rows_from_future};
pub use model::{Coverage, FilteredFunctions, Function, Model, PartitionPolicy, PartitionScheme, View};
pub use planning::clock::{local_now, local_today};
pub use planning::statement::{Arguments, Statement, statement};
pub use query::lexer::{KEYWORDS, Lexeme, LexemeKind, lexemes};
pub use query::limits::{CutBy, QueryLimits};
pub use query::messages::{most_similar_names, suggestion};
pub use query::stream::TableStream;
pub use query::user_statement::UserStatement;
pub use running::engine::Engine;
pub use running::progress::{Progress, Stage};
pub use running::reservation::ReservationNode;
pub use running::rows::{Row, Rows, Table, Value};
pub use running::runtime::{
    ENGINE_THREADS, MAX_PARALLEL_REQUESTS, MAX_PARALLEL_STATEMENTS, STACK_BYTES, Threads, cores,
};
