//! The store: the local file for entries and for data that exists only on this machine.
//!
//! [`LocalStore`] defines the file's schema, permissions and transactions. It contains the local keys of attempts to
//! log ([`Attempt`]) and the evidence of entries, even if the entries are stored elsewhere. It also contains drafts and
//! sessions of clients for some time, the running work, and the rows that were pushed to other trackers. Entries and projects in the same file belong to the ledger.
//!
//! Invariants: committed data survives a crash of the program and of the machine (write-ahead log, `synchronous =
//! FULL`). Each change is one immediate transaction, so that nothing it has read can change before it writes. The file
//! and the files that `SQLite` creates with it are accessible only by the user. Values are never part of the text of a
//! statement.

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
pub(crate) use pushes::SentRow;
pub use session::SESSIONS;
pub use timer::{RunningTimer, StoppedTimer};
pub(crate) use transactions::Failure;
pub use transactions::LocalStore;
pub(crate) use value::to_json_list;
