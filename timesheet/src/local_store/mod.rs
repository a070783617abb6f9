//! The store: the file on this machine that entries are written into, and what only this machine knows of them.
//!
//! Owns: the file, its shape, who may read it, transactions; the local keys of attempts to log ([`Attempt`]) and the
//! evidence of entries, wherever the entries themselves are kept; drafts and sessions of clients, for a while; the work that
//! goes on. Does not own: entries and projects, which are the ledger's.
//!
//! Invariants: what was committed survives a crash of the program and of the machine (write-ahead log, `synchronous =
//! FULL`); every change is one immediate transaction, so that what it has read stays true until it is written, whoever
//! else writes; the file and what `SQLite` lays beside it are the user's alone; no statement holds a value.

mod attempt;
mod drafts;
mod evidence;
mod file;
mod sent_attempt;
mod session;
mod timer;
mod transactions;
mod value;

pub use attempt::{Attempt, PendingAttempt};
pub(crate) use attempt::{attempt, settle};
pub use drafts::DRAFTS;
pub(crate) use evidence::{delete_evidence, insert_evidence, read_evidence, read_evidence_in};
pub use file::StoreError;
pub use sent_attempt::SentAttempt;
pub use session::SESSIONS;
pub use timer::{RunningTimer, StoppedTimer};
pub(crate) use transactions::Failure;
pub use transactions::LocalStore;
pub(crate) use value::to_json_list;
