//! The timesheet: hours booked on the tasks of projects.
//!
//! Owns: what an entry and a project are, the rules that hold for them, the ledger that keeps entries on this machine,
//! the way to the API of a company, what a session of work remembers, how a history becomes hours, files of entries for
//! other tools, and files of projects from them. Does not own: the history itself, tools and commands.
//!
//! [`Timesheet`] is the one way to entries, wherever they are kept. Read in this order: [`entry`], [`project`],
//! [`query`], [`timesheet`], [`rules`], [`book`], [`ledger`], [`graphql`], [`context`], [`draft`], [`export`],
//! [`import`].
//!
//! Invariants: hours are exact; an entry that was acknowledged is not lost; the same [`IdempotencyKey`] never books twice; no
//! description, tag or name of a project goes into a log.

mod apportion;
pub mod context;
pub mod day;
pub mod demo;
pub mod draft;
pub mod entry;
pub mod evidence;
pub mod export;
pub mod graphql;
pub mod hours;
pub mod id;
pub mod import;
pub mod ledger;
pub mod local_store;
pub mod logged;
pub mod project;
pub mod query;
pub mod refusal;
pub mod rules;
mod sanitize;
mod schema;
mod span;
pub mod status;
pub mod tag;
pub mod timesheet;
pub mod used_item;

pub use day::{Day, Week};
pub use entry::{Changes, NewEntry, TimeEntry, User};
pub use evidence::Evidence;
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
pub use used_item::{ItemKind, UsedItem};
