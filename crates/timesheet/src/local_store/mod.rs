//! The store: the local file for entries and for data that exists only on this machine.
//!
//! Owns: the file, its schema, permissions and transactions; local keys of attempts to log ([`Attempt`]) and the
//! evidence of entries, regardless of the place of the entries; drafts and sessions of clients, temporarily; the
//! running work. Does not own: entries and projects, which belong to the ledger.
//!
//! Invariants: committed data survives a crash of the program and of the machine (write-ahead log, `synchronous =
//! FULL`). Each change is one immediate transaction, so that nothing it has read can change before it writes. The file
//! and the files that `SQLite` creates with it are accessible only by the user. Values are never part of the text of a
//! statement.

mod attempt;
mod drafts;
mod evidence;
mod file;
mod session;
mod timer;
mod transactions;
mod value;

pub use attempt::{Attempt, PendingAttempt, SentAttempt};
pub(crate) use attempt::{attempt, settle};
pub use drafts::DRAFTS;
pub(crate) use evidence::{delete_evidence, insert_evidence, read_evidence, read_evidence_in};
pub use file::StoreError;
pub use session::SESSIONS;
pub use timer::{RunningTimer, StoppedTimer};
pub(crate) use transactions::Failure;
pub use transactions::LocalStore;
pub(crate) use value::to_json_list;
