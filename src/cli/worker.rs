//! `dayledger worker`: runs statements for another dayledger process, which starts it and sends it the data source. It
//! is hidden, because people don't run it.

use anyhow::Context;

pub(super) async fn run() -> anyhow::Result<()> {
    crate::run_worker().await.context("dayledger starts this command itself")
}
