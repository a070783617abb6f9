//! Tests of the ledger: the common suite, and tests of the local file.

mod attempts;
mod crash;
mod file;
mod import;
mod projects;
mod queries;
mod running;
mod sessions;

use dayledger_timesheet::{EntryId, Ledger, LocalStore, Status, Timesheet, demo};
use tempfile::TempDir;

use crate::suite::{Harness, every_case};

/// A ledger with the sample projects, in a separate folder.
struct LedgerHarness {
    ledger: Ledger,
    folder: TempDir,
}

async fn start() -> LedgerHarness {
    let folder = TempDir::new().unwrap();
    let ledger = Ledger::open(&folder.path().join("timesheet.db")).unwrap();
    ledger.put_projects(demo::projects()).await.unwrap();
    LedgerHarness { ledger, folder }
}

impl Harness for LedgerHarness {
    fn timesheet(&self) -> &dyn Timesheet {
        &self.ledger
    }

    fn store(&self) -> &LocalStore {
        self.ledger.store()
    }

    fn deletes_declined(&self) -> bool {
        false
    }

    fn decide(&self, id: EntryId, status: Status, comment: Option<&str>) {
        let file = rusqlite::Connection::open(self.folder.path().join("timesheet.db")).unwrap();
        let decision = "UPDATE entries SET status = ?1, decline_comment = coalesce(?2, decline_comment) WHERE id = ?3";
        let changed = file.execute(decision, (status.as_str(), comment, id.to_string())).unwrap();
        assert_eq!(changed, 1);
    }
}

every_case!(start);
