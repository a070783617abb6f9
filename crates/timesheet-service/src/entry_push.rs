//! Pushes entries to another tracker.

use std::path::Path;

use dayledger_timesheet::LoggedEntries;
use dayledger_timesheet::push::{ApiToken, Clock, Options, PushPlan, PushRow, PushTracker, Pushed, Pusher, plan, rows};

use super::entry_export::{find_billable, recorded_evidence, select_entries, tracker_error, whole_days};
use super::service::TimesheetService;
use super::setup::{Setup, StorageLocation};
use dayledger_request::{DateRange, Error};

impl Setup {
    /// Returns the path of the file that contains the token for a tracker, if the path is set.
    pub fn token_file(&self, tracker: PushTracker) -> Option<&Path> {
        self.push.token_file(tracker)
    }
}

impl TimesheetService {
    /// Returns the rows that [`Self::push`] would send. Sends no row. No MCP tool does this.
    ///
    /// With a token, asks the tracker for the user, because each user has their own pushed rows. Without a token, and
    /// for sample data, sends no request, and compares with the rows of the user who pushed last.
    ///
    /// # Errors
    /// Fails if the range begins or ends within a day, if the account or the name of a task isn't set, if the timesheet
    /// can't be read, or if the request fails.
    pub async fn plan_push(
        &self,
        range: DateRange,
        tracker: PushTracker,
        token: Option<ApiToken>,
        clock: &dyn Clock,
    ) -> Result<PushPlan, Error> {
        let setup = self.setup()?;
        let (account, rows) = (setup.push.account(tracker)?, push_rows(self, range, tracker).await?);
        let store = self.store().await?;
        let Some(token) = token.filter(|_| !is_sample(setup)) else { return Ok(plan(store, &account, &rows).await?) };
        let options = Options::default();
        let target = setup.push.connect(tracker, token, options)?;
        let pusher = Pusher { target: &*target, account: &account, store, clock, settle_time: options.settle_time };
        pusher.plan(&rows).await
    }

    /// Sends the user's own entries to a tracker: all entries that have a day in `range`, each with all of its days.
    /// The range must consist of whole days. Rows that were sent before are skipped. No MCP tool does this.
    ///
    /// # Errors
    /// Fails if the range begins or ends within a day, if the account or the name of a task isn't set, if the timesheet
    /// can't be read, and for sample data. If a request fails, the error is in the result.
    pub async fn push(
        &self,
        range: DateRange,
        tracker: PushTracker,
        token: ApiToken,
        clock: &dyn Clock,
    ) -> Result<Pushed, Error> {
        let setup = self.setup()?;
        if is_sample(setup) {
            let message = format!("cannot push to {tracker}: the entries are sample data");
            return Err(Error::for_command(message, "leave out `--demo` to push your own entries"));
        }
        let (account, rows) = (setup.push.account(tracker)?, push_rows(self, range, tracker).await?);
        let options = Options::default();
        let target = setup.push.connect(tracker, token, options)?;
        let store = self.store().await?;
        let pusher = Pusher { target: &*target, account: &account, store, clock, settle_time: options.settle_time };
        Ok(pusher.push(&rows).await)
    }
}

fn is_sample(setup: &Setup) -> bool {
    matches!(setup.place, StorageLocation::Demo(_))
}

/// Returns the rows of the entries in a range.
async fn push_rows(service: &TimesheetService, range: DateRange, tracker: PushTracker) -> Result<Vec<PushRow>, Error> {
    let entries = select_entries(service, Some(whole_days(range, ("WEEK", "WEEK"))?)).await?;
    let evidence = recorded_evidence(service, &entries).await?;
    let (setup, logged) = (service.setup()?, LoggedEntries { entries, evidence });
    let billable = find_billable(setup, &logged);
    rows(tracker, &logged.entries_with_evidence(), billable.as_ref().into(), &setup.trackers).map_err(tracker_error)
}
