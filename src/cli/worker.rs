//! `dayledger worker`: runs statements for another dayledger process, which starts it and sends it the data source. It
//! is hidden, because people don't run it.

use std::path::PathBuf;

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<()> {
    crate::run_worker().await.context("dayledger starts this command itself")
}

/// Returns the path of this executable. On Linux, the path works even after the file was replaced.
///
/// # Errors
/// Fails if the path can't be found.
pub fn program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe().context("cannot find the path of the dayledger executable")
}
