//! `dayledger worker`: runs statements for another dayledger process. That process starts the worker and sends a
//! description of the data source to it. The command is hidden, because users don't run it.

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<()> {
    crate::run_worker().await.context("dayledger starts this command itself")
}
