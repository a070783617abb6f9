//! Device names, and whether a response has to state its device.

use std::collections::BTreeSet;

use super::codes;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Parameter, Rows, Statement, statement, suggestion};
use dayledger_request::Error;

/// The maximum number of devices in a hint.
const MAX_HINT_DEVICES: usize = 3;

/// The parameters of a statement about a range.
pub(super) const RANGE: &[Parameter] = &[Parameter::instant("start"), Parameter::instant("end")];

/// The parameters of a statement about a range, for one device, or for all if it is null.
pub(super) const RANGE_OF_DEVICE: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("device")];

pub(super) static DEVICES: Statement = statement!(queries / "devices");

/// Returns the statement for the names of all devices.
pub(super) fn statement() -> (&'static Statement, Arguments) {
    (&DEVICES, Arguments::new())
}

/// Checks that the history contains the device `wanted`. `devices` are the rows of [`statement`].
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

/// Whether the rows of a response are from several devices, so that each row must state its device.
pub(super) fn has_several(rows: &Rows) -> Result<bool, engine::Error> {
    let devices: BTreeSet<String> = rows.read(|row| row.get("device"))?.into_iter().collect();
    Ok(devices.len() > 1)
}
