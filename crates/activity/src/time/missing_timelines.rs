//! Finds timelines that a device lacks, to explain an incomplete response (docs/spec/time.md#missing-data).

use crate::{Diagnostics, ReasonCode, Role, devices};
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};

/// The devices with applications in a range, and which timelines they have.
pub(super) static MISSING_TIMELINES: Statement = statement!(queries / "missing_timelines", devices::RANGE_OF_DEVICE);

/// The devices that have applications in a range but lack a timeline.
#[derive(Debug, Default)]
pub(super) struct MissingTimelines {
    /// Devices without computer usage.
    computer_usage: Vec<String>,
    /// Devices without documents.
    documents: Vec<String>,
    /// Devices without documents and websites.
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

    /// Returns the diagnostics of a response with data of `role`: `diagnostics`, unless a device lacks its timeline and
    /// `diagnostics` has no weightier reason.
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
