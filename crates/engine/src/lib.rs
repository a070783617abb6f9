//! The query engine: a DataFusion session with the views and functions of `sql/`, on its own threads.
//!
//! A request runs one or more statements over one consistent read. The engine plans all of them, reads their scans in
//! one transaction, and then runs them. Statements from the project's own files are planned once, with open parameters,
//! and bound for each request.
//!
//! Invariants: queries run on the engine's own runtime, so the caller's event loop stays responsive. A panic in a query
//! becomes an error of its request. If a history is missing or broken, each request returns an error until it is
//! repaired. If the future of a request is dropped, the request stops, and so does its read of the database. The number
//! of requests that run simultaneously is limited. A statement that a user or a model wrote stays within its limits
//! (`worker`).

mod analysis;
mod clock;
mod column_names;
pub mod columns;
mod describe;
mod error;
mod event;
mod exact_cast;
mod first_rows;
mod function;
mod guard;
mod handle;
mod impossible_filters;
mod instant;
mod lexer;
mod limits;
mod members;
mod members_function;
mod messages;
mod minutes;
mod model;
mod outdated_zones;
mod parameter;
mod partition;
mod pass_through;
mod planned_statement;
mod position;
mod prepared;
mod progress;
mod query;
mod read_only;
mod reservation;
mod rows;
mod runtime;
mod scan;
mod session;
mod span;
mod statement;
mod stream;
mod table;
mod virtual_table;
pub mod worker;

pub use clock::local_now;
pub use dayledger_core::Position;
pub use describe::type_name;
pub use describe::{ColumnDescription, FunctionDescription, ModelDescription, TableDescription};
pub use error::{Error, codes};
pub use handle::Engine;
pub use lexer::{KEYWORDS, Lexeme, LexemeKind, lexemes};
pub use limits::{CutBy, QueryLimits};
pub use members::{LostProcess, Members, Relation, RemoteExecution, RemoteProcesses, Scan};
pub use messages::{most_similar_names, suggestion};
pub use model::{Coverage, FilteredFunctions, Function, Model, PartitionPolicy, PartitionScheme, View};
pub use parameter::Parameter;
pub use progress::{Progress, Stage};
pub use reservation::ReservationNode;
pub use rows::{Row, Rows, Value};
pub use runtime::{AbortOnDrop, Threads};
pub use runtime::{ENGINE_THREADS, MAX_PARALLEL_REQUESTS, MAX_PARALLEL_STATEMENTS, STACK_BYTES, cores};
pub use span::{ExpectedInput, Span};
pub use statement::statement;
pub use statement::{Arguments, Statement};
pub use stream::TableStream;
pub use table::Table;
pub use virtual_table::{TableRows, VirtualTable, rows_from_blocking, rows_from_future};
