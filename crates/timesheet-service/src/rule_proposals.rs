//! Proposes rules for time that the user logged differently than suggested.

use std::collections::HashSet;

use dayledger_timesheet::draft::{ActivePeriod, Correction, ProjectNames, corrections};
use dayledger_timesheet::{Day, ProjectFilter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::drafts::utc_seconds;
use super::entry_export::whole_days;
use super::service::TimesheetService;
use super::work::Work;
use dayledger_request::{DateRange, Error, Minutes, minutes};
use dayledger_rules::{Proposal, Word, common_folder};

/// The maximum number of days from which rules are proposed.
const MAX_DAYS: i64 = 92;
/// The maximum number of proposed rules.
const MAX_PROPOSALS: usize = 20;

/// Proposed rules. The user can add them above the existing rules.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRules {
    /// The first local day of the range.
    pub first: Day,
    /// The last local day of the range.
    pub last: Day,
    /// The rules, the rule with the most minutes first, at most 20.
    pub rules: Vec<ProposedRule>,
}

/// A proposed rule and its evidence.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRule {
    /// The rule, in the format of the configuration file.
    #[schemars(with = "String")]
    pub rule: Proposal,
    /// Minutes that match the condition and were logged on the rule's project and task, although this wasn't suggested.
    pub minutes: Minutes,
    /// The percentage of the logged time matching the condition that was logged on the rule's project and task.
    pub share: i64,
    /// The existing rule that suggested another project, if any.
    pub against: Option<String>,
}

impl TimesheetService {
    /// Proposes rules for time that was logged on another project or task than its tags and rules suggest. The range
    /// has at most 92 whole local days.
    ///
    /// # Errors
    /// Fails if the range is longer or doesn't consist of whole days, or if the history or the timesheet can't be read.
    pub async fn propose_rules(&self, range: DateRange) -> Result<ProposedRules, Error> {
        let (first, last) = whole_days(range.check_max_days(MAX_DAYS, "DAYS")?, ("DAYS", "DAYS"))?;
        let setup = self.setup()?;
        let timesheet = self.timesheet().await?;
        let projects = timesheet.projects(ProjectFilter::All).await?;
        let logged = timesheet.logged_entries(first..=last, utc_seconds(first.date(), last.date())).await?;
        let work = Work::load(self.engine(), first.date(), last.date(), &(first..=last)).await?;
        let names = ProjectNames::new(&projects, &setup.aliases);
        let distinctive = DistinctiveApplications::from_intervals(&work.intervals);
        let learned = corrections(&work.intervals, &logged.entries_with_evidence(), &names, |interval| {
            distinctive.rule_word(interval)
        });
        Ok(ProposedRules {
            first,
            last,
            rules: learned.into_iter().take(MAX_PROPOSALS).map(ProposedRule::from_correction).collect(),
        })
    }
}

/// Applications whose name can identify a project, because they never show a file or a site. A rule for a browser or an
/// editor would match all work in that application.
struct DistinctiveApplications<'s>(HashSet<&'s str>);

impl<'s> DistinctiveApplications<'s> {
    fn from_intervals(intervals: &'s [ActivePeriod]) -> Self {
        let application = |interval: &'s ActivePeriod| interval.application.as_deref();
        let shows = |interval: &&ActivePeriod| interval.document.is_some() || interval.site.is_some();
        let showing: HashSet<_> = intervals.iter().filter(shows).filter_map(application).collect();
        let all = intervals.iter().filter_map(application);
        Self(all.filter(|application| !showing.contains(application)).collect())
    }

    /// Returns the kind and the pattern of a rule that would match the interval. The pattern is the folder of the
    /// interval's file, the interval's site, or the name of a distinctive application.
    fn rule_word(&self, interval: &ActivePeriod) -> Option<(Word, String)> {
        match (&interval.document, &interval.site, interval.application.as_deref()) {
            (Some(path), _, _) => {
                let folder = common_folder([(path.as_str(), 1)], |of_it| of_it > 0)?;
                Some((Word::Path, folder.pattern()))
            }
            (None, Some(site), _) => Some((Word::Site, site.clone())),
            (None, None, Some(name)) if self.0.contains(name) => Some((Word::App, name.to_owned())),
            _ => None,
        }
    }
}

impl ProposedRule {
    fn from_correction(correction: Correction<(Word, String)>) -> Self {
        let Correction { word: (word, pattern), target, seconds, share, against } = correction;
        let rule = Proposal::new(word, &pattern, "");
        Self {
            rule: Proposal { category: None, project: Some(target.project), task: target.task, ..rule },
            minutes: minutes(seconds),
            share,
            against,
        }
    }
}
