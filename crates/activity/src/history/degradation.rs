//! Lists the data that a history lacks, with the effect on responses and a remedy. The reason codes are the same as in
//! the `diagnostics` of affected responses (docs/spec/time.md#diagnostics).

use std::collections::BTreeSet;

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::hourly::HourlyCoverage;
use crate::{ReasonCode, Role, TimelineRange};
use dayledger_engine as engine;
use dayledger_engine::Rows;
use dayledger_source::{Capability, Contents, MissingData, Privacy, UnreadData};

/// Data that the history lacks.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Degradation {
    /// The missing data, such as `hourly_applications` or `computer_usage`.
    pub missing: String,
    /// Reason code of the affected responses. Absent if no response is degraded.
    pub reason_code: Option<ReasonCode>,
    /// The effect on responses.
    pub effect: String,
    /// A remedy for the user.
    pub remedy: String,
}

impl Degradation {
    fn new(
        missing: &str,
        reason_code: Option<ReasonCode>,
        effect: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { missing: missing.to_owned(), reason_code, effect: effect.into(), remedy: remedy.into() }
    }
}

/// Returns a degradation for each optional table that the history lacks.
pub(super) fn missing_tables(missing: &[MissingData]) -> impl Iterator<Item = Degradation> {
    missing.iter().map(|MissingData { capability, effect, remedy }| {
        let name = serde_json::to_value(capability).unwrap_or_default();
        Degradation::new(name.as_str().unwrap_or_default(), reason(*capability), *effect, *remedy)
    })
}

fn reason(capability: Capability) -> Option<ReasonCode> {
    match capability {
        Capability::CommonGroups
        | Capability::HourlyApplications
        | Capability::HourlyWebsites
        | Capability::HourlyDocuments
        | Capability::HourlyTags => Some(ReasonCode::FallbackComputation),
        Capability::Devices | Capability::TagLists | Capability::LinkedTags => None,
    }
}

/// Returns a degradation if the history is an export, and the tracker recorded later activities. In this case,
/// `missing_from` is the local end of the export. Otherwise, it is `None`.
pub(super) fn missing_end(missing_from: Option<NaiveDateTime>) -> Option<Degradation> {
    let end = missing_from?.format("%Y-%m-%d %H:%M");
    let effect = format!("the export ends at {end}, but the tracker had recorded later activities");
    let remedy = "export the months since then to the same folder";
    Some(Degradation::new("activities", Some(ReasonCode::HistoryEndsEarlier), effect, remedy))
}

/// Returns a degradation for each missing timeline of a device that records applications or computer usage
/// (docs/spec/time.md#missing-data).
pub(super) fn missing_timelines(timelines: &[TimelineRange]) -> Vec<Degradation> {
    let devices = |roles: &[Role]| -> BTreeSet<&String> {
        timelines.iter().filter(|timeline| roles.contains(&timeline.role)).map(|timeline| &timeline.device).collect()
    };
    let (used, named) = (devices(&[Role::ComputerUsage]), devices(&[Role::Applications]));
    let (documented, with_sites) = (devices(&[Role::Documents]), devices(&[Role::Documents, Role::Websites]));
    let degradation = |missing: &str, reason, effect: String, data: &str| {
        let remedy = format!("let the tracker record {data} on that device");
        Degradation::new(missing, Some(reason), effect, remedy)
    };
    let unclipped = named.difference(&used).map(|device| {
        let effect = format!("`{device}` has no computer-usage timeline, so time away from it counts as active");
        degradation("computer_usage", ReasonCode::NoComputerUsage, effect, "computer usage")
    });
    let unnamed = used.difference(&named).map(|device| {
        let effect = format!("`{device}` has no applications timeline, so its time does not count as active");
        degradation("applications", ReasonCode::NoApplications, effect, "applications")
    });
    let undocumented = named.difference(&documented).map(|device| {
        let lost = if with_sites.contains(device) { "documents" } else { "documents and websites" };
        let effect = format!("`{device}` has no Documents timeline, so its {lost} are missing");
        degradation("documents", ReasonCode::NoDocuments, effect, "documents")
    });
    unclipped.chain(unnamed).chain(undocumented).collect()
}

/// Returns a degradation for each device and role with whole days that lack hourly totals. Roles for which the history
/// can't contain hourly totals are left out. The described effect is different if privacy rules make the totals
/// unusable (docs/spec/time.md#fallback-to-activities).
pub(super) fn days_without_totals(
    hourly: &[HourlyCoverage],
    contents: &Contents,
    remedy: &str,
    privacy: &Privacy,
) -> Vec<Degradation> {
    let of_role = |role| match role {
        Role::Applications => Some((Capability::HourlyApplications, "hourly_applications", "application")),
        Role::Websites => Some((Capability::HourlyWebsites, "hourly_websites", "website")),
        Role::Documents => Some((Capability::HourlyDocuments, "hourly_documents", "document")),
        Role::Tags => Some((Capability::HourlyTags, "hourly_tags", "tag")),
        Role::ComputerUsage | Role::Other => None,
    };
    let degradation = |coverage: &HourlyCoverage| {
        let (capability, missing, usage) = of_role(coverage.role)?;
        if coverage.days_without_totals == 0 || !contents.has_capability(capability) {
            return None;
        }
        let device = &coverage.device;
        if !privacy.shows_hourly_totals(coverage.role.name()) {
            let effect = format!(
                "rules hide applications, and hourly totals are not linked to them, so {usage} usage of `{device}` is \
                 computed from activities"
            );
            let remedy = "no action needed; without rules for applications, the tracker's own totals are used";
            return Some(Degradation::new(missing, reason(capability), effect, remedy));
        }
        let effect = match coverage.days_without_totals {
            1 => {
                format!("one day of `{device}` has no hourly totals, so its {usage} usage is computed from activities")
            }
            days => {
                format!(
                    "{days} days of `{device}` have no hourly totals, so their {usage} usage is computed from activities"
                )
            }
        };
        Some(Degradation::new(missing, reason(capability), effect, remedy))
    };
    hourly.iter().filter_map(degradation).collect()
}

/// Returns degradations for data that is not read. This data is the end of every text that is too long, and every total
/// that is impossible for an hour.
pub(super) fn unread_data(unread: &UnreadData) -> Vec<Degradation> {
    let [name, text] = unread.max_lengths.map(format_thousands);
    let subject = match unread.truncated_texts {
        0 => None,
        1 => Some("one text is too long".to_owned()),
        count => Some(format!("{count} texts are too long")),
    };
    let texts = subject.map(|subject| {
        let effect = format!("{subject}; names are cut at {name} characters, other texts at {text}");
        let remedy = "find them with `dayledger sql`, and shorten them in the tracker";
        Degradation::new("whole_texts", None, effect, remedy)
    });
    let subject = match unread.wrong_totals {
        0 => None,
        1 => Some("one hourly total is impossible for an hour; every sum ignores it".to_owned()),
        count => Some(format!("{count} hourly totals are impossible for an hour; every sum ignores them")),
    };
    let totals = subject.map(|effect| {
        let remedy = "days without other totals are computed from activities; to fix the rest, restore a backup";
        Degradation::new("hourly_totals", None, effect, remedy)
    });
    texts.into_iter().chain(totals).collect()
}

/// Formats a number below a million with a comma as thousands separator.
fn format_thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// Returns a degradation for each device with deleted activities. For the time of these activities, only hourly totals
/// are left (docs/spec/time.md#retention). `devices` are the rows of `totals_only.sql`.
pub(super) fn expired_activities(devices: &Rows) -> Result<Vec<Degradation>, engine::Error> {
    let time = |instant: NaiveDateTime| instant.format("%Y-%m-%d %H:%M");
    devices.read(|row| {
        let (device, first_total): (String, _) = (row.get("device")?, time(row.get("first_total")?));
        let (reason_code, effect) = match row.get_optional("first_kept")?.map(time) {
            Some(first_kept) => (
                ReasonCode::ActivitiesPartlyKept,
                format!(
                    "`{device}` has only hourly totals from {first_total} to {first_kept}, so summaries of that time \
                     show recorded time or omit it"
                ),
            ),
            None => (
                ReasonCode::NoActivities,
                format!("`{device}` has only hourly totals, from {first_total} on, so summaries show recorded time"),
            ),
        };
        let remedy = "keep activities longer in the tracker's settings";
        Ok(Degradation::new("activities", Some(reason_code), effect, remedy))
    })
}
