//! One local query engine: the session, the model in `sql/`, and how a question is run.
//!
//! **Owns** the DataFusion session (catalog, views and table functions from SQL files, functions), binding of
//! parameters, limits, and the runtime on which queries run. **Does not own** the questions (`activity`), the rows'
//! source (`manictime`) or any protocol or terminal.
//!
//! A question is one or more statements answered from one consistent read: all are planned, their scans are read in one
//! transaction, and only then do they run. Statements of the project's own files are planned once,
//! with their parameters open, and bound at each question.
//!
//! Invariants: queries run on the engine's own runtime, so that a caller's loop stays awake; a panic inside a query is
//! an error of that question; a history that is missing or broken is an error of each question until it is repaired; a
//! question whose future is dropped stops, its read of the file included; only a few questions run at once; a statement
//! that somebody wrote costs no more than its limits say (`worker`).

mod analysis;
mod clock;
pub(crate) mod columns;
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
mod source_table;
mod span;
mod statement;
mod stream;
mod table;
pub mod worker;

pub(crate) use clock::local_now;
pub(crate) use describe::type_name;
pub use describe::{ColumnDescription, FunctionDescription, ModelDescription, TableDescription};
pub use error::{Error, codes};
pub use handle::Engine;
pub use lexer::{KEYWORDS, Lexeme, LexemeKind, lexemes};
pub use limits::{CutBy, QueryLimits};
pub use members::{LostProcess, Members, Relation, RemoteExecution, RemoteProcesses, Scan};
pub(crate) use messages::{most_similar_names, suggestion};
pub use model::{Coverage, FilteredFunctions, Function, Model, PartitionPolicy, PartitionScheme, View};
pub use parameter::Parameter;
pub use position::Position;
pub use progress::{Progress, Stage};
pub use reservation::ReservationNode;
pub use rows::{Row, Rows, Value};
pub(crate) use runtime::{AbortOnDrop, Threads};
pub use runtime::{ENGINE_THREADS, QUESTIONS_AT_ONCE, STACK_BYTES, STATEMENTS_AT_ONCE, cores};
pub use source_table::{SourceTable, TableRows, rows_from_blocking, rows_from_future};
pub(crate) use span::{ExpectedInput, Span};
pub(crate) use statement::statement;
pub use statement::{Arguments, Statement};
pub use stream::TableStream;
pub use table::Table;
