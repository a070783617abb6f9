//! Lists the devices that recorded the history, checks the device of a request, and decides whether the rows of a
//! response must state their device.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::codes;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Rows, Statement, statement, suggestion};
use dayledger_request::{Error, Request, run_statements};

/// The maximum number of devices in a hint.
const MAX_HINT_DEVICES: usize = 3;

/// The parameters of a statement about a range.
pub(super) const RANGE: &[Parameter] = &[Parameter::instant("start"), Parameter::instant("end")];

/// The parameters of a statement about a range. If `device` is null, the statement covers all devices.
pub(super) const RANGE_OF_DEVICE: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("device")];

pub(super) static DEVICES: Statement = statement!(queries / "devices");

/// Returns the statement that lists all devices, and the arguments of this statement.
pub(super) fn statement() -> (&'static Statement, Arguments) {
    (&DEVICES, Arguments::new())
}

/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device `wanted`. `devices` must be the result of
/// [`statement`].
pub(super) fn check(devices: &Rows, wanted: Option<&str>) -> Result<(), Error> {
    let Some(wanted) = wanted else { return Ok(()) };
    let known: Vec<String> = devices.read(|row| row.get("device"))?;
    if known.iter().any(|device| device == wanted) {
        return Ok(());
    }
    let shown: String = wanted.chars().take(40).collect();
    let hint =
        match known.iter().take(MAX_HINT_DEVICES).map(|device| format!("`{device}`")).collect::<Vec<_>>().as_slice() {
            [] => "omit the device".to_owned(),
            shown if shown.len() < known.len() => {
                format!("use {}, …, or omit it for all devices", shown.join(", "))
            }
            shown => format!("use {}, or omit it for all devices", shown.join(", ")),
        };
    let meant = suggestion(&shown, known.iter().map(String::as_str));
    let message = format!("unknown device `{shown}`{meant}");
    let error = Error::with_field(codes::UNKNOWN_DEVICE, "device", message, hint);
    Err(error.with_allowed(known))
}

/// Returns whether a response contains rows of several devices. If it does, each row must state its device.
pub(super) fn has_several(rows: &Rows) -> Result<bool, engine::Error> {
    let devices: BTreeSet<String> = rows.read(|row| row.get("device"))?.into_iter().collect();
    Ok(devices.len() > 1)
}

/// Requests the devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvironmentRequest;

/// The devices of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// One entry per device.
    pub devices: Vec<EnvironmentDevice>,
}

/// A device. The versions are as the tracker wrote them: a name, `;` and a version.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentDevice {
    /// Display name.
    pub device: String,
    /// Operating system and its version, such as `linux;4.8.0.36`.
    pub operating_system: Option<String>,
    /// The tracker's version.
    pub application: Option<String>,
    /// .NET runtime.
    pub dot_net: Option<String>,
}

impl Request for EnvironmentRequest {
    type Service = Engine;
    type Response = Environment;

    async fn execute(self, engine: &Engine) -> Result<Environment, Error> {
        let [rows] = run_statements(engine, [statement()]).await?;
        let devices = rows.read(|row| {
            Ok(EnvironmentDevice {
                device: row.get("device")?,
                operating_system: row.get_optional("operating_system")?,
                application: row.get_optional("application")?,
                dot_net: row.get_optional("dot_net")?,
            })
        })?;
        Ok(Environment { devices })
    }
}
