//! Starts and stops the timer. The time of a timer is logged when it stops.

use chrono::{DateTime, Days, Local, SubsecRound, TimeDelta, TimeZone, Utc};
use dayledger_timesheet::draft::{ProjectNames, RecordedTime, recorded_times};
use dayledger_timesheet::local_store::RunningTimer;
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::rules::entry::check_new;
use dayledger_timesheet::rules::overlap::check_overlaps;
use dayledger_timesheet::{Day, Hours, IdempotencyKey, NewEntry, ProjectFilter, Refusal, TimeEntry};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::codes;
use super::drafts::with_draft_input;
use super::service::TimesheetService;
use dayledger_core::local_days::LocalDays;
use dayledger_engine as engine;
use dayledger_engine::local_today;
use dayledger_request::{Error, format_iso};

/// The work of a timer that is running or was stopped.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningWork {
    /// The project's code.
    pub project_code: String,
    /// The name of the task.
    pub task: String,
    /// Description of the work.
    pub description: Option<String>,
    /// The local start time.
    pub since: String,
    /// The hours from the start until now, or until the timer stopped.
    pub hours: Hours,
}

/// What to do if a timer is running when another timer is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfRunning {
    /// Refuse to start the new timer. The running timer continues.
    Refuse,
    /// Stop the running timer and log its time before the new timer starts.
    Replace,
}

/// Hints for errors about the timer. They name the commands of the terminal or the tools of a client.
#[derive(Debug)]
pub(super) struct TimerHints {
    start: &'static str,
    fewer_hours: &'static str,
    discard: &'static str,
}

const COMMAND_HINTS: TimerHints = TimerHints {
    start: "start one with `dayledger timesheet start PROJECT TASK`",
    fewer_hours: "log fewer hours with `dayledger timesheet stop --hours HOURS`, or none with `stop --discard`",
    discard: "stop without logging: `dayledger timesheet stop --discard`",
};

pub(super) const TOOL_HINTS: TimerHints = TimerHints {
    start: "start one with `start_timer`",
    fewer_hours: "ask the user, then call `stop_timer` with `hours` or with `discard`",
    discard: "call `stop_timer` with `discard` to log nothing",
};

/// What to do with the time of a timer that is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoppedTime {
    /// Log the time, unless it is longer than 16 hours.
    Logged,
    /// Log only this many hours, counted from the start.
    Hours(Hours),
    /// Don't log the time, for example because the user forgot to stop the timer.
    Discarded,
}

/// Work that was started or stopped, and the entries that were logged for stopped work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedWork {
    /// The work that was started or stopped.
    pub work: RunningWork,
    /// The entries of the stopped work, one for each local day. Empty if no work stopped, if its time was discarded, or
    /// if its hours round to zero.
    pub logged: Vec<TimeEntry>,
}

impl RunningWork {
    /// Converts a timer to its work. The hours are counted until `now`.
    pub(super) fn at(work: &RunningTimer, now: DateTime<Utc>) -> Self {
        Self {
            project_code: work.project_code.clone(),
            task: work.task.clone(),
            description: work.description.clone(),
            since: format_iso(work.since.with_timezone(&Local).naive_local()),
            hours: Hours::between(work.since, now),
        }
    }
}

impl TimesheetService {
    /// Starts work on a task. If other work is running, it is stopped and logged first. `project` is the code, name or
    /// alias of a project, in any case. `task` is optional if the project has only one task.
    ///
    /// # Errors
    /// Fails if the project or the task is unknown or doesn't accept hours, or if the running work can't be logged.
    pub async fn start(
        &self,
        project: &str,
        task: Option<&str>,
        description: Option<String>,
    ) -> Result<TrackedWork, Error> {
        start_work(self, (project, task), description, IfRunning::Replace, &COMMAND_HINTS).await
    }

    /// Stops the running work.
    ///
    /// # Errors
    /// Fails if no work is running, or if the work can't be logged. Work that can't be logged keeps running.
    pub async fn stop(&self, time: StoppedTime) -> Result<TrackedWork, Error> {
        stop_work(self, time, &COMMAND_HINTS).await
    }
}

/// Starts work on a task of a project. See [`TimesheetService::start`].
///
/// # Errors
/// Fails like [`TimesheetService::start`]. Also fails if work is running and `if_running` is [`IfRunning::Refuse`].
pub(super) async fn start_work(
    service: &TimesheetService,
    (project, task): (&str, Option<&str>),
    description: Option<String>,
    if_running: IfRunning,
    hints: &TimerHints,
) -> Result<TrackedWork, Error> {
    let (project_code, task) = resolve_target(service, project, task).await?;
    let since = Utc::now().trunc_subsecs(3);
    let before = service.store().await?.running_timer().await?;
    let mut logged = match (&before, if_running) {
        (Some(before), IfRunning::Refuse) => return Err(already_running_error(before, since)),
        (Some(before), IfRunning::Replace) => {
            check_length(before, since, hints)?;
            log_work(service, before, since, hints).await?
        }
        (None, _) => Vec::new(),
    };
    let work = RunningTimer { project_code, task, description, since };
    let stopped = service.store().await?.start_timer(work.clone()).await?;
    // Another process started the timer in `stopped` after `before` was read.
    if let Some(stopped) = stopped.filter(|stopped| before.as_ref() != Some(&stopped.work)) {
        logged.extend(log_work(service, &stopped.work, stopped.until, hints).await?);
    }
    Ok(TrackedWork { work: RunningWork::at(&work, since), logged })
}

/// Stops the running work. See [`TimesheetService::stop`].
pub(super) async fn stop_work(
    service: &TimesheetService,
    time: StoppedTime,
    hints: &TimerHints,
) -> Result<TrackedWork, Error> {
    let until = Utc::now().trunc_subsecs(3);
    let running = service.store().await?.running_timer().await?;
    let work = running.ok_or_else(|| Error::new(codes::NOT_FOUND, "no timer is running", hints.start))?;
    let until = match time {
        StoppedTime::Hours(hours) => end_after_hours(&work, hours, until)?,
        StoppedTime::Logged => check_length(&work, until, hints).map(|()| until)?,
        StoppedTime::Discarded => until,
    };
    // The work is logged before the timer is stopped. Otherwise the work would be lost if the program ended between the
    // two steps.
    let mut logged = match time {
        StoppedTime::Logged | StoppedTime::Hours(_) => log_work(service, &work, until, hints).await?,
        StoppedTime::Discarded => Vec::new(),
    };
    let stopped = service.store().await?.stop_timer(until).await?;
    // Another process stopped `work` and started other work in the meantime. This call has now stopped that other work.
    if let Some(stopped) = stopped.filter(|stopped| stopped.work != work) {
        logged.extend(log_work(service, &stopped.work, stopped.until, hints).await?);
    }
    Ok(TrackedWork { work: RunningWork::at(&work, until), logged })
}

/// Returns the running work, and the hours of its recorded activity that no entry covers. These hours are `None` if the
/// history can't be read. They are also `None` if the timer has run for more than [`MAX_WORK_LENGTH`], which usually
/// means that the user forgot to stop the timer.
///
/// # Errors
/// Fails if the store can't be read.
pub(super) async fn running_work(
    service: &TimesheetService,
    now: DateTime<Utc>,
) -> Result<Option<(RunningWork, Option<Hours>)>, Error> {
    let Some(work) = service.store().await?.running_timer().await? else { return Ok(None) };
    let mut seconds = Some(0).filter(|_| now - work.since <= MAX_WORK_LENGTH);
    for part in split_by_day(work.since, now, &Local) {
        let Some(sum) = seconds else { break };
        seconds = read_evidence(service, &part).await.ok().map(|recorded| sum + recorded.seconds());
    }
    Ok(Some((RunningWork::at(&work, now), seconds.map(Hours::from_seconds))))
}

/// Returns the error for a new timer that can't be started, because `work` is running.
fn already_running_error(work: &RunningTimer, now: DateTime<Utc>) -> Error {
    let RunningWork { since, hours, project_code, task, .. } = RunningWork::at(work, now);
    let message = format_args!("a timer is running: {project_code} / {task} for {hours} h, since {since}");
    let mut error = Error::from(Refusal::invalid("replace", message));
    "ask the user, then call `stop_timer`, or pass `replace` to log it and start the new one"
        .clone_into(&mut error.hint);
    error
}

/// Finds the codes of the project and the task, and checks that they accept hours.
async fn resolve_target(
    service: &TimesheetService,
    project: &str,
    task: Option<&str>,
) -> Result<(String, String), Error> {
    let projects = service.timesheet().await?.projects(ProjectFilter::All).await?;
    let can_import = service.ledger().await?.is_some();
    let target = ProjectNames::new(&projects, &service.setup()?.aliases).resolve_rule(project, task);
    let known = projects.iter().find(|known| known.code == target.project);
    let task = target.task.unwrap_or_default();
    let today = Day::try_from(local_today()).map_err(|_| engine::Error::Internal)?;
    let entry = NewEntry::new(&target.project, &task, Hours::ZERO, today, today);
    check_new(known, &entry).map_err(|refusal| {
        let allowed: Vec<_> = match refusal.field.as_deref() {
            Some("projectCode") => {
                projects.iter().filter(|project| project.is_active).map(|known| &*known.code).collect()
            }
            _ => known.iter().flat_map(|known| known.active_tasks()).collect(),
        };
        let hint = match allowed[..] {
            [] if can_import => "import projects with `dayledger timesheet projects import --from-tags`".to_owned(),
            [] => "ask for a project or a task on the timesheet server".to_owned(),
            _ => format!("use one of `{}`", allowed.join("`, `")),
        };
        let lacks_task = task.is_empty() && refusal.field.as_deref() == Some("task");
        let mut error = Error::from(refusal);
        error.hint = hint;
        if lacks_task {
            error.message = format!("project `{}` needs a task", target.project);
        }
        error
    })?;
    Ok((target.project, task))
}

/// Returns the time at which `hours` of the work had passed. Fails if the work hasn't run for that long, or if `hours`
/// is zero.
fn end_after_hours(work: &RunningTimer, hours: Hours, now: DateTime<Utc>) -> Result<DateTime<Utc>, Error> {
    let end = TimeDelta::try_seconds(hours.hundredths() * 36).and_then(|length| work.since.checked_add_signed(length));
    let end = end.filter(|end| hours > Hours::ZERO && *end <= now);
    end.ok_or_else(|| {
        let most = Hours::between(work.since, now);
        Refusal::invalid("hours", format_args!("cannot log {hours} h: the timer has only run for {most} h")).into()
    })
}

/// The maximum length of work that is logged without confirmation. For longer work the user must state the hours,
/// because the user has probably forgotten to stop the timer.
const MAX_WORK_LENGTH: TimeDelta = TimeDelta::hours(16);

/// Refuses work that is longer than [`MAX_WORK_LENGTH`].
///
/// # Errors
/// `VALIDATION_ERROR` with the length of the work, and a hint that explains how to log fewer hours or discard the work.
fn check_length(work: &RunningTimer, until: DateTime<Utc>, hints: &TimerHints) -> Result<(), Error> {
    if until - work.since <= MAX_WORK_LENGTH {
        return Ok(());
    }
    let RunningWork { since, hours, project_code, task, .. } = RunningWork::at(work, until);
    let message =
        format!("nothing was logged: the timer of {project_code} / {task} has run for {hours} h, since {since}");
    Err(Error::new(codes::VALIDATION_ERROR, message, hints.fewer_hours))
}

/// Logs work that stops at `until`, with one entry for each local day. Each entry gets the recorded activity of its day
/// as evidence. This function doesn't stop the timer in the store. Each day has its own idempotency key, so that a day
/// is logged only once, even if a crash interrupts the steps.
///
/// # Errors
/// Fails if an entry is refused. In this case, entries of earlier days may already be logged.
async fn log_work(
    service: &TimesheetService,
    work: &RunningTimer,
    until: DateTime<Utc>,
    hints: &TimerHints,
) -> Result<Vec<TimeEntry>, Error> {
    let timesheet = service.timesheet().await?;
    let mut days = Vec::new();
    for part in split_by_day(work.since, until, &Local) {
        let day = part.day;
        let mut entry = NewEntry {
            description: work.description.clone(),
            ..NewEntry::new(&work.project_code, &work.task, part.hours, day, day)
        };
        let key = IdempotencyKey::from_work(work.since, day);
        // For work over several days, every day is checked before the first one is logged. If one day would have too
        // many hours, nothing is logged.
        if service.store().await?.logged_entry(key).await?.is_none() {
            let logged = timesheet.logged_entries(day..=day, 0..0).await?;
            check_overlaps(&entry, &logged.entries_with_evidence())
                .map_err(|refusal| with_discard_hint(refusal, hints))?;
            // The entry is logged even if the history can't be read, because the user timed the work.
            let recorded = read_evidence(service, &part).await.unwrap_or_default();
            (entry.evidence, entry.known_by) = (recorded.evidence, recorded.known_by);
        }
        days.push((key, entry));
    }
    let mut logged = Vec::new();
    for (key, entry) in days {
        let hours = entry.standard_hours;
        let entry = timesheet
            .log(key, entry, OverlapPolicy::Refused)
            .await
            .map_err(|refusal| with_discard_hint(refusal, hints))?;
        // The entry has fewer hours than the work. An earlier call therefore stopped the work on this day, and was
        // interrupted before it stopped the timer. The following days don't belong to the work.
        let has_stopped = entry.total_hours() < hours;
        logged.push(entry);
        if has_stopped {
            break;
        }
    }
    Ok(logged)
}

/// Adds a hint that explains how to discard the work. The work keeps running, because it was refused.
fn with_discard_hint(refusal: Refusal, hints: &TimerHints) -> Error {
    let mut error = Error::from(refusal);
    error.hint = format!("{}, or {}", error.hint, hints.discard);
    error
}

/// The part of some work that is on one local day.
#[derive(Debug)]
pub(super) struct WorkDay {
    pub(super) day: Day,
    pub(super) hours: Hours,
    pub(super) start: DateTime<Utc>,
    pub(super) end: DateTime<Utc>,
}

/// Returns the recorded activity during a part of the work, except for activity that is already evidence of an entry.
///
/// # Errors
/// Fails if the history can't be read.
async fn read_evidence(service: &TimesheetService, part: &WorkDay) -> Result<RecordedTime, Error> {
    let time = part.start.timestamp()..part.end.timestamp();
    let (recorded, ..) =
        with_draft_input(service, part.day, part.day, |input| recorded_times(input, std::slice::from_ref(&time)))
            .await?;
    Ok(recorded.into_iter().next().unwrap_or_default())
}

/// Splits work by local day. The hours of the days add up to the rounded hours of the whole work. Days whose hours
/// round to zero are left out.
pub(super) fn split_by_day<Z: TimeZone>(since: DateTime<Utc>, until: DateTime<Utc>, zone: &Z) -> Vec<WorkDay> {
    split_by_days(LocalDays::current(), since, until, zone)
}

fn split_by_days<Z: TimeZone>(
    local_days: LocalDays,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    zone: &Z,
) -> Vec<WorkDay> {
    let (mut days, mut at) = (Vec::new(), since);
    while at < until {
        let date = local_days.day_of(at.with_timezone(zone).naive_local());
        let next = date.checked_add_days(Days::new(1)).and_then(|next| {
            let start = local_days.start_of(next);
            // If clocks go forward over the start of the day, the day starts at the first local time that exists.
            let mut after = (0..=3 * 60).map(|minutes| start + TimeDelta::minutes(minutes));
            after.find_map(|instant| zone.from_local_datetime(&instant).earliest())
        });
        let end = next.map_or(until, |next| next.to_utc()).clamp(at + TimeDelta::milliseconds(1), until);
        let hours = Hours::between(since, end) - Hours::between(since, at);
        if let Some(day) = Day::try_from(date).ok().filter(|_| hours > Hours::ZERO) {
            days.push(WorkDay { day, hours, start: at, end });
        }
        at = end;
    }
    days
}

#[cfg(test)]
mod tests {
    use arrow::array::timezone::Tz;

    use super::*;

    fn hours_by_day(since: &str, until: &str, zone: &str) -> Vec<(String, i64)> {
        hours_by_days("00:00", since, until, zone)
    }

    fn hours_by_days(day_start: &str, since: &str, until: &str, zone: &str) -> Vec<(String, i64)> {
        let utc = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        let days = LocalDays { day_start: day_start.parse().unwrap(), ..LocalDays::default() };
        let days = split_by_days(days, utc(since), utc(until), &zone.parse::<Tz>().unwrap());
        days.into_iter().map(|part| (part.day.to_string(), part.hours.hundredths())).collect()
    }

    #[test]
    fn work_is_split_at_local_midnights_and_its_hours_add_up() {
        let day = |day: &str, hundredths| (day.to_owned(), hundredths);
        // Work of 36 seconds around midnight is a hundredth of an hour. The two days together must get exactly this
        // hundredth.
        assert_eq!(
            hours_by_day("2025-10-22T21:59:42Z", "2025-10-22T22:00:18Z", "Europe/Berlin"),
            [day("2025-10-23", 1)]
        );
        assert_eq!(
            hours_by_day("2025-10-22T20:00:00Z", "2025-10-24T00:30:00Z", "Europe/Berlin"),
            [day("2025-10-22", 2_00), day("2025-10-23", 24_00), day("2025-10-24", 2_50)]
        );
        // A day of 25 hours, and a day that starts at 01:00 because midnight is skipped.
        assert_eq!(
            hours_by_day("2025-10-25T22:00:00Z", "2025-10-26T23:30:00Z", "Europe/Berlin"),
            [day("2025-10-26", 25_00), day("2025-10-27", 50)]
        );
        assert_eq!(
            hours_by_day("2017-10-15T02:00:00Z", "2017-10-15T04:00:00Z", "America/Sao_Paulo"),
            [day("2017-10-14", 1_00), day("2017-10-15", 1_00)]
        );
        assert_eq!(hours_by_day("2025-10-22T20:00:00Z", "2025-10-22T20:00:10Z", "Europe/Berlin"), []);
        assert_eq!(hours_by_day("2025-10-22T20:00:00Z", "2025-10-22T19:00:00Z", "Europe/Berlin"), []);
    }

    #[test]
    fn an_evening_past_midnight_is_one_day_until_the_set_start() {
        let day = |day: &str, hundredths| (day.to_owned(), hundredths);
        // From 22:00 to 02:00, and on to 05:00.
        assert_eq!(
            hours_by_days("04:00", "2025-10-22T20:00:00Z", "2025-10-23T00:00:00Z", "Europe/Berlin"),
            [day("2025-10-22", 4_00)]
        );
        assert_eq!(
            hours_by_days("04:00", "2025-10-22T20:00:00Z", "2025-10-23T03:00:00Z", "Europe/Berlin"),
            [day("2025-10-22", 6_00), day("2025-10-23", 1_00)]
        );
        // Clocks go forward from 02:00 to 03:00, so a day that starts at 02:30 begins at 03:00.
        assert_eq!(
            hours_by_days("02:30", "2025-03-30T00:30:00Z", "2025-03-30T01:30:00Z", "Europe/Berlin"),
            [day("2025-03-29", 50), day("2025-03-30", 50)]
        );
    }
}
