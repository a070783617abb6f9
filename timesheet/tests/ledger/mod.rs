//! The ledger: the suite, and what holds for a file of this machine alone.

mod book;
mod crash;
mod file;
mod projects;
mod questions;
mod running;
mod sessions;

use async_trait::async_trait;
use dayledger_timesheet::rules::Keeper;
use dayledger_timesheet::{EntryId, Ledger, Others, Timesheet, demo};
use tempfile::TempDir;

use crate::suite::{Harness, every_case};

/// A ledger with the projects of the demo, in a folder of its own.
struct OnDisk {
    ledger: Ledger,
    _folder: TempDir,
}

async fn start() -> OnDisk {
    let folder = TempDir::new().unwrap();
    let ledger = Ledger::open(&folder.path().join("timesheet.db")).unwrap();
    ledger.put_projects(demo::projects(), Others::Deactivate).await.unwrap();
    OnDisk { ledger, _folder: folder }
}

#[async_trait]
impl Harness for OnDisk {
    fn timesheet(&self) -> &dyn Timesheet {
        &self.ledger
    }

    fn keeper(&self) -> Keeper {
        Keeper::Ledger
    }

    async fn approve(&self, id: EntryId) {
        self.ledger.approve(id).await.unwrap();
    }

    async fn decline(&self, id: EntryId, comment: &str) {
        self.ledger.decline(id, comment).await.unwrap();
    }
}

every_case!(start);
