//! A worker: carries out the parts of statements that others plan, over the exports that it can read.

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion_distributed::{DistributedExt, Worker, WorkerQueryContext};
use tokio::net::TcpListener;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::channels::{ALIVE, Channels, VERSION, same_version};
use crate::credentials::Credentials;
use crate::team::{self, Team};
use crate::wire::Codec;

/// Why a worker does not work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing to read.
    #[error(transparent)]
    Team(#[from] team::Error),
    /// There is no memory to count.
    #[error(transparent)]
    Session(#[from] DataFusionError),
    /// The certificates are none, or the connection broke.
    #[error("cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Answers who connects to `listener` until the process ends, from the exports of `team`, with `memory_bytes` for what all
/// statements compute together.
///
/// # Errors
/// Exports that cannot be read, and certificates that are none.
pub async fn serve(
    listener: TcpListener,
    team: Team,
    credentials: Credentials,
    memory_bytes: usize,
) -> Result<(), Error> {
    let pool = GreedyMemoryPool::new(memory_bytes);
    // What somebody did is not written where it stays.
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled);
    let runtime =
        RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).with_disk_manager_builder(disk).build_arc()?;
    let engine = team.engine()?;
    let codec = Arc::new(Codec::new(team.members().clone(), engine.clone()));
    let channels = Channels::new(credentials.clone());
    let session = move |asked: WorkerQueryContext| {
        let (engine, codec, channels) = (engine.clone(), Arc::clone(&codec), channels.clone());
        async move {
            let session = asked.builder.with_distributed_channel_resolver(channels);
            let session = session.with_distributed_user_codec_arc(codec);
            engine.with_functions(session).map_err(|error| DataFusionError::External(Box::new(error)))
        }
    };
    let worker = Worker::from_session_builder(session).with_runtime_env(runtime).with_version(VERSION);
    let service = InterceptedService::new(worker.into_worker_server(), same_version);
    let connections = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        // Rows wait for who asked until she takes them; who has gone is not waited for.
        .http2_keepalive_interval(Some(ALIVE))
        .http2_keepalive_timeout(Some(ALIVE))
        .tls_config(credentials.of_worker())?
        .add_service(service)
        .serve_with_incoming(connections)
        .await?;
    Ok(())
}
