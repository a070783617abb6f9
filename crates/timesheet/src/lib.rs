//! Timesheet entries: hours logged on the tasks of projects. Also the rules and storage of entries, and drafts from
//! recorded activity.
//!
//! This crate stores entries in a ledger on this machine or behind a company's GraphQL API. It also keeps the context
//! of a session, turns activity into drafts, exports entries, pushes them to other trackers, and imports projects and
//! entries. The crate doesn't read the history, and doesn't define tools or commands.
//!
//! All access to entries goes through [`Timesheet`], regardless of the storage. Read the modules in this order:
//! [`entry`], [`project`], [`query`], [`timesheet`], [`rules`], [`local_store`], [`ledger`], [`graphql`], [`context`],
//! [`draft`], [`export`], [`push`], [`billing`], [`import`].
//!
//! Invariants: sums of hours are exact. An entry whose storage was confirmed is never lost. Logging twice with the same
//! [`IdempotencyKey`] stores the hours once. A row is never pushed twice. The log file never contains descriptions,
//! tags or project names.

mod apportion;
pub mod billing;
pub mod codes;
pub mod confirmation;
pub mod context;
pub mod day;
pub mod demo;
pub mod draft;
pub mod entry;
mod errors;
pub mod export;
pub mod graphql;
pub mod hours;
mod http;
pub mod id;
pub mod import;
pub mod ledger;
pub mod local_store;
pub mod logged;
pub mod project;
pub mod push;
pub mod query;
pub mod refusal;
pub mod rules;
mod sanitize;
mod schema;
pub mod span;
pub mod status;
pub mod tag;
pub mod timesheet;

pub use day::{Day, Week};
pub use entry::{Changes, Evidence, ItemKind, NewEntry, TimeEntry, UsedItem, User};
pub use graphql::GraphQl;
pub use hours::Hours;
pub use id::{DraftId, EntryId, IdempotencyKey};
pub use ledger::Ledger;
pub use local_store::{LocalStore, StoreError};
pub use logged::{LoggedEntries, LoggedEntry};
pub use project::{Project, ProjectFilter, ProjectTag, ProjectTask};
pub use query::{EntryPage, EntryQuery, Limit, Order, Sort, SortBy};
pub use refusal::{Code, Refusal};
pub use rules::OverlapPolicy;
pub use status::Status;
pub use tag::{Tag, TagsInput};
pub use timesheet::Timesheet;
