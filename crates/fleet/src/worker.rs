//! A worker machine: accepts connections of callers, and runs the tasks of each statement in a process.

use datafusion_distributed::Worker;
use dayledger::engine::worker::Launch;
use tokio::net::TcpListener;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tower::util::BoxCloneSyncService;

use crate::channels::{ALIVE, VERSION, check_version};
use crate::credentials::Credentials;
use crate::forward::Forward;
use crate::task_processes::TaskProcesses;

/// Serves connections to `listener` until the process ends. Starts processes for statements with `launch`; together
/// they may use `memory_bytes`.
///
/// # Errors
/// Invalid certificates, and a connection that breaks.
pub async fn serve(
    listener: TcpListener,
    launch: Launch,
    credentials: Credentials,
    memory_bytes: u64,
) -> Result<(), tonic::transport::Error> {
    let processes = TaskProcesses::new(launch, memory_bytes);
    processes.refill().await;
    // It only reports its version.
    let own = BoxCloneSyncService::new(Worker::default().with_version(VERSION).into_worker_server());
    let service = InterceptedService::new(Forward::new(processes, own), check_version);
    let connections = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        // Rows wait for their reader while the caller is alive.
        .http2_keepalive_interval(Some(ALIVE))
        .http2_keepalive_timeout(Some(ALIVE))
        .tls_config(credentials.server_tls())?
        .add_service(service)
        .serve_with_incoming(connections)
        .await
}
