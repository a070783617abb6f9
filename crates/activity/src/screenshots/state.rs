//! The state of a history's screenshots. If a range lacks screenshots, this module also finds the reason.

use std::ops::Range;

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::ScreenshotService;
use crate::{Diagnostics, ReasonCode};
use dayledger_request::format_iso;
use dayledger_screenshots::{Absence, Screenshot, Screenshots, Store};
use dayledger_source::{FoundBy, configuration_name};

/// State of the screenshots (docs/contract.md, resource `health`).
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotState {
    /// Whether screenshots exist.
    pub status: ScreenshotStatus,
    /// The first local day with screenshots, if they are in one folder per day.
    pub first_day: Option<String>,
    /// The last local day with screenshots, if they are in one folder per day.
    pub last_day: Option<String>,
    /// Reason code of a response without screenshots.
    pub reason_code: Option<ReasonCode>,
    /// A remedy for the user.
    pub remediation_hint: Option<String>,
}

/// Whether a history has screenshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScreenshotStatus {
    /// Screenshots exist.
    Available,
    /// Screenshots don't exist, or can't be shown.
    None,
    /// The screenshots can't be read.
    Unreadable,
}

impl ScreenshotState {
    /// Returns the current state, or `None` if responses must not mention screenshots.
    pub(crate) async fn read(pictures: Option<&ScreenshotService>) -> Option<Self> {
        let pictures = pictures?;
        Some(match pictures.run_on_engine(Screenshots::store).await.and_then(|store| Ok(store?)) {
            Ok(Store::Available(extent)) => Self {
                first_day: Some(extent.first.date().to_string()),
                last_day: Some(extent.last.date().to_string()),
                ..Self::new(ScreenshotStatus::Available, None)
            },
            Ok(Store::Missing) => Self {
                remediation_hint: pictures.absence_diagnostics(ReasonCode::DirectoryMissing).remediation_hint,
                ..Self::new(ScreenshotStatus::None, Some(ReasonCode::DirectoryMissing))
            },
            Ok(Store::Empty) => Self::new(ScreenshotStatus::None, Some(ReasonCode::CaptureDisabled)),
            Ok(Store::Hidden) => Self::new(ScreenshotStatus::None, Some(ReasonCode::ScreenshotsWithheld)),
            Err(_) => Self::new(ScreenshotStatus::Unreadable, Some(ReasonCode::Unknown)),
        })
    }

    fn new(status: ScreenshotStatus, reason: Option<ReasonCode>) -> Self {
        Self {
            status,
            first_day: None,
            last_day: None,
            reason_code: reason,
            remediation_hint: reason.map(|reason| reason.hint().to_owned()),
        }
    }
}

impl ScreenshotService {
    /// Examines the files to find the reason why a range has no screenshots.
    pub(super) async fn explain_absence(&self, window: Range<NaiveDateTime>) -> Diagnostics {
        self.absence_diagnostics(
            match self.run_on_engine(move |screenshots| screenshots.absence_reason(&window)).await {
                Ok(Ok(absence)) => reason(absence),
                Ok(Err(_)) | Err(_) => ReasonCode::Unknown,
            },
        )
    }

    /// Returns the diagnostics of a response without screenshots. If the configured folder does not exist, the hint
    /// contains the folder and the setting to correct.
    fn absence_diagnostics(&self, reason: ReasonCode) -> Diagnostics {
        let remark = Diagnostics::remark(reason);
        match self.describe_configured_folder().filter(|_| reason == ReasonCode::DirectoryMissing) {
            None => remark,
            Some((folder, named_by)) => {
                let setting = match named_by {
                    FoundBy::Flag => "`--screenshots-dir`".to_owned(),
                    _ => format!("`screenshots_dir` in {}", configuration_name()),
                };
                let hint = format!("the screenshots folder `{folder}` does not exist; correct {setting}");
                Diagnostics { remediation_hint: Some(hint), ..remark }
            }
        }
    }

    /// Describes the nearest screenshots before and after a range without screenshots. Returns `None` if the history
    /// has no screenshots at all.
    pub(super) async fn describe_nearest(&self, window: Range<NaiveDateTime>) -> Option<String> {
        let [before, after] =
            self.run_on_engine(move |screenshots| screenshots.find_neighbours(&window)).await.ok()?.ok()?;
        let named = |side: &str, found: Option<Screenshot>| {
            found.map(|one| format!("the nearest {side} is `{}` at {}", one.reference, format_iso(one.taken_at)))
        };
        let named = [named("before", before), named("after", after)];
        let named: Vec<_> = named.into_iter().flatten().collect();
        (!named.is_empty()).then(|| named.join("; "))
    }
}

fn reason(absence: Absence) -> ReasonCode {
    match absence {
        Absence::DirectoryMissing => ReasonCode::DirectoryMissing,
        Absence::CaptureDisabled => ReasonCode::CaptureDisabled,
        Absence::Retention => ReasonCode::Retention,
        Absence::NoneInRange => ReasonCode::NoScreenshotsInRange,
        Absence::Hidden => ReasonCode::ScreenshotsWithheld,
        Absence::Unknown => ReasonCode::Unknown,
    }
}
