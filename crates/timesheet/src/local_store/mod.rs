//! The store: a local file with the data that exists only on this machine, and with the entries of the ledger.
//!
//! [`LocalStore`] defines the file's schema, permissions and transactions. The file contains the keys of attempts to
//! log an entry ([`Attempt`]) and the evidence of entries, even if the API stores the entries themselves. It also
//! contains the newest drafts, the last used sessions of clients, the running work, and the rows that were pushed to
//! other trackers. The entries and projects in the file belong to the ledger.
//!
//! Invariants: committed data survives a crash of the program and of the machine (write-ahead log,
//! `synchronous = FULL`). Each change is one immediate transaction, so that no other program can change data between
//! the reads and the writes of the change. Only the user can access the file and the files that `SQLite` creates with
//! it. Values are passed to statements as parameters, never as part of the SQL text.

mod attempt;
mod drafts;
mod evidence;
mod file;
mod pushes;
mod session;
mod timer;
mod transactions;
mod value;

pub use attempt::{Attempt, PendingAttempt, SentAttempt};
pub(crate) use attempt::{attempt, settle};
pub use drafts::DRAFTS;
pub(crate) use evidence::{delete_evidence, insert_evidence, read_evidence, read_evidence_in};
pub use file::StoreError;
pub(crate) use pushes::{AccountUser, SentRow};
pub use session::SESSIONS;
pub use timer::{RunningTimer, StoppedTimer};
pub(crate) use transactions::Failure;
pub use transactions::LocalStore;
pub(crate) use value::to_json_list;
