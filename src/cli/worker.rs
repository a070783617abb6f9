//! `dayledger worker`: runs statements for another dayledger process. That process starts the worker and sends it the
//! data source. The command is hidden, because users don't run it.

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<()> {
    crate::run_worker().await.context("dayledger starts this command itself")
}
