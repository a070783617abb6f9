//! The reasons why an event, or a date of an event, can't be used.

use std::collections::BTreeMap;

use serde::Serialize;

/// The maximum length of a zone's name in a message, in characters.
const MAX_ZONE_LENGTH: usize = 60;

/// A kind of problem in a calendar, with the number of its occurrences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CalendarProblem {
    /// The affected part of the calendar: `event`, `excluded date`, `additional date` or `change of following dates`.
    pub subject: &'static str,
    /// The reason in words. It never contains the name of a meeting.
    pub reason: String,
    /// The number of occurrences of the problem.
    pub count: usize,
}

/// The reason why an event, or a date of an event, can't be used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub(super) enum Problem {
    #[error("unknown time zone `{0}`")]
    UnknownZone(String),
    #[error("{0} is missing or not a date")]
    InvalidTime(&'static str),
    #[error("DURATION is not a length of time")]
    InvalidLength,
    #[error("it ends before it starts")]
    EndsBeforeStart,
    #[error("RRULE is invalid or recurs more often than every hour")]
    InvalidRule,
    #[error("its time zone or time is unknown, so it excludes the same local time or otherwise the whole day")]
    UnclearException,
    #[error("it is not a date, so meetings may be listed that were cancelled")]
    InvalidException,
    #[error("it is not a date, or in an unknown time zone")]
    InvalidAddition,
    #[error("RANGE=THISANDFUTURE is not supported, so only the meeting on its own date was changed")]
    FollowingChange,
}

impl Problem {
    /// Creates the problem for an unknown zone. Shortens the name of the zone.
    pub(super) fn unknown_zone(name: &str) -> Self {
        Self::UnknownZone(name.chars().take(MAX_ZONE_LENGTH).collect())
    }

    fn subject(&self) -> &'static str {
        match self {
            Self::UnclearException | Self::InvalidException => "excluded date",
            Self::InvalidAddition => "additional date",
            Self::FollowingChange => "change of following dates",
            _ => "event",
        }
    }
}

/// The number of occurrences of each problem.
#[derive(Debug, Clone, Default)]
pub(super) struct Problems(BTreeMap<Problem, usize>);

impl Problems {
    pub(super) fn add(&mut self, problem: Problem) {
        *self.0.entry(problem).or_default() += 1;
    }

    /// Adds the problems of another list, with their numbers of occurrences.
    pub(super) fn extend(&mut self, others: &Self) {
        for (problem, count) in &others.0 {
            *self.0.entry(problem.clone()).or_default() += count;
        }
    }

    /// Returns the number of events that are left out because of a problem.
    pub(super) fn skipped_events(&self) -> usize {
        self.0.iter().filter(|(problem, _)| problem.subject() == "event").map(|(_, count)| count).sum()
    }

    /// Returns the problems, sorted by number of occurrences. The most frequent problem comes first.
    pub(super) fn list(&self) -> Vec<CalendarProblem> {
        let problems = self.0.iter().map(|(problem, count)| CalendarProblem {
            subject: problem.subject(),
            reason: problem.to_string(),
            count: *count,
        });
        let mut problems: Vec<_> = problems.collect();
        problems.sort_by_key(|problem| std::cmp::Reverse(problem.count));
        problems
    }
}
