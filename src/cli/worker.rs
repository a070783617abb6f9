//! `dayledger worker`: carries out statements for another process of this program, which starts it and tells it what to
//! ask. Not for people: it is listed nowhere.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<ExitCode> {
    crate::work().await.context("a worker is started by dayledger itself")?;
    Ok(ExitCode::SUCCESS)
}

/// The file of this program, also after it was replaced.
///
/// # Errors
/// On other systems than Linux, if the program does not find its own file.
#[cfg(target_os = "linux")]
pub fn program() -> anyhow::Result<PathBuf> {
    Ok("/proc/self/exe".into())
}

/// The file of this program.
///
/// # Errors
/// If the program does not find its own file.
#[cfg(not(target_os = "linux"))]
pub fn program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the program does not find its own file")
}
