//! `dayledger worker`: carries out statements for another process of this program, which starts it and tells it what to
//! ask. Not for people: it is listed nowhere.

use std::path::PathBuf;

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<()> {
    crate::run_worker().await.context("dayledger starts this command itself")
}

/// Returns the file of this program; on Linux also after it was replaced.
///
/// # Errors
/// Fails if the program does not find its own file.
pub fn program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe().context("cannot find the path of the dayledger executable")
}
