//! The devices that recorded the history.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::devices;
use dayledger_engine::Engine;
use dayledger_request::{Error, Request, run_statements};

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

/// One device; versions as the tracker wrote them, name `;` version.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentDevice {
    /// Display name.
    pub device: String,
    /// Operating system, such as `linux;4.8.0.36`.
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
        let [rows] = run_statements(engine, [devices::statement()]).await?;
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
