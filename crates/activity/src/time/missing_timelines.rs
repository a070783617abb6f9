//! Finds the timelines that a device lacks. Missing timelines explain an incomplete response
//! (docs/spec/time.md#missing-data).

use crate::{Diagnostics, ReasonCode, Role, devices};
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};

/// The statement for the devices with applications in a range, and for the timelines of these devices.
pub(super) static MISSING_TIMELINES: Statement = statement!(queries / "missing_timelines", devices::RANGE_OF_DEVICE);

/// The devices that have applications in a range, but lack another timeline.
#[derive(Debug, Default)]
pub(super) struct MissingTimelines {
    /// Devices without a computer-usage timeline.
    computer_usage: Vec<String>,
    /// Devices without a Documents timeline.
    documents: Vec<String>,
    /// Devices with neither a Documents timeline nor a websites timeline.
    websites: Vec<String>,
}

impl MissingTimelines {
    /// Reads the rows of [`MISSING_TIMELINES`].
    pub(super) fn from_rows(rows: &Rows) -> Result<Self, engine::Error> {
        let mut missing = Self::default();
        for row in rows.iter() {
            let device: String = row.get("device")?;
            for (column, devices) in [
                ("has_computer_usage", &mut missing.computer_usage),
                ("has_documents", &mut missing.documents),
                ("has_websites", &mut missing.websites),
            ] {
                if !row.get::<bool>(column)? {
                    devices.push(device.clone());
                }
            }
        }
        Ok(missing)
    }

    /// Returns the diagnostics of a response with data of `role`. If a device lacks the timeline of `role`, the result
    /// is a degradation with this reason. If `diagnostics` already has a more important reason, or if no timeline is
    /// missing, the result is `diagnostics`.
    pub(super) fn explain(&self, role: Role, diagnostics: Diagnostics) -> Diagnostics {
        let (devices, reason) = match role {
            Role::ComputerUsage => (&self.computer_usage, ReasonCode::NoComputerUsage),
            Role::Documents => (&self.documents, ReasonCode::NoDocuments),
            Role::Websites => (&self.websites, ReasonCode::NoDocuments),
            Role::Applications | Role::Tags | Role::Other => return diagnostics,
        };
        if devices.is_empty() || diagnostics.reason_code.is_some_and(|known| known.outweighs(reason)) {
            return diagnostics;
        }
        Diagnostics::without_timeline(reason, devices)
    }
}
