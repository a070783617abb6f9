//! Connections to workers. They are encrypted, both sides have certificates, and both sides run the same version.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arrow::array::RecordBatch;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    SetPlanRequest, WorkerChannel, WorkerToCoordinatorMsg, grpc,
};
use futures::stream::BoxStream;
use http::{HeaderMap, HeaderName, HeaderValue};
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Request, Status};
use tower::ServiceExt;
use url::Url;

use crate::credentials::Credentials;

/// The version of this program. Machines with different versions don't connect, because the same plan may have a
/// different meaning in another version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The header that contains the caller's version.
const HEADER: &str = "x-dayledger-version";
/// The header that contains the memory limit of a statement on each machine, in bytes.
pub(crate) const MEMORY: HeaderName = HeaderName::from_static("x-dayledger-memory");
/// The timeout for connecting to a worker.
const CONNECT: Duration = Duration::from_secs(5);
/// The interval of keepalive pings. It is also the timeout for the response to a ping.
pub(crate) const ALIVE: Duration = Duration::from_secs(10);

/// Connections to workers. A connection is opened on first use. Cloning is cheap, and clones share the connections.
#[derive(Clone)]
pub(crate) struct Channels {
    credentials: Credentials,
    open: Arc<Mutex<HashMap<Url, grpc::BoxCloneSyncChannel>>>,
}

impl Channels {
    pub(crate) fn new(credentials: Credentials) -> Self {
        Self { credentials, open: Arc::default() }
    }

    /// Drops the connection to a worker, so that the next call opens a new one. Returns whether a connection existed.
    pub(crate) fn forget(&self, url: &Url) -> bool {
        self.open().remove(url).is_some()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Url, grpc::BoxCloneSyncChannel>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn channel(&self, url: &Url) -> Result<grpc::BoxCloneSyncChannel> {
        let known = self.open().get(url).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let unreached =
            |error: tonic::transport::Error| DataFusionError::External(Box::new(error)).context(unreachable(url));
        let channel = Channel::from_shared(url.to_string())
            .map_err(|error| DataFusionError::External(Box::new(error)))?
            .tls_config(self.credentials.client_tls())
            .map_err(unreached)?
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(ALIVE)
            .keep_alive_timeout(ALIVE)
            .keep_alive_while_idle(true)
            .connect()
            .await
            .map_err(unreached)?;
        let channel = channel.map_request(|mut request: http::Request<tonic::body::Body>| {
            request.headers_mut().insert(HEADER, HeaderValue::from_static(VERSION));
            request
        });
        let channel = grpc::BoxCloneSyncChannel::new(channel);
        // The lock isn't held while connecting, so simultaneous first calls can open two connections. The connection
        // that was opened last is kept.
        self.open().insert(url.clone(), channel.clone());
        Ok(channel)
    }
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let channel = self.channel(url).await.map(grpc::create_worker_client)?;
        Ok(Box::new(MemoryLimitedChannel(channel)))
    }
}

/// A connection that sends the statement's memory limit with each plan.
struct MemoryLimitedChannel(Box<dyn WorkerChannel>);

#[async_trait]
impl WorkerChannel for MemoryLimitedChannel {
    async fn coordinator_channel(
        &mut self,
        mut headers: HeaderMap,
        plan: SetPlanRequest,
        messages: BoxStream<'static, CoordinatorToWorkerMsg>,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<BoxStream<'static, Result<WorkerToCoordinatorMsg>>> {
        if let MemoryLimit::Finite(bytes) = context.memory_pool().memory_limit() {
            headers.insert(MEMORY, HeaderValue::from(bytes));
        }
        self.0.coordinator_channel(headers, plan, messages, metrics, context).await
    }

    async fn execute_task(
        &mut self,
        headers: HeaderMap,
        request: ExecuteTaskRequest,
        metrics: ExecutionPlanMetricsSet,
        context: &Arc<TaskContext>,
    ) -> Result<Vec<BoxStream<'static, Result<RecordBatch>>>> {
        self.0.execute_task(headers, request, metrics, context).await
    }

    async fn get_worker_info(&mut self, request: GetWorkerInfoRequest) -> Result<GetWorkerInfoResponse> {
        self.0.get_worker_info(request).await
    }
}

/// Returns the statement's memory limit in bytes, if the headers of the request contain it.
pub(crate) fn memory_limit(headers: &HeaderMap) -> Option<u64> {
    headers.get(MEMORY)?.to_str().ok()?.parse().ok()
}

/// Returns the error message for a worker that can't be reached.
pub(crate) fn unreachable(url: &Url) -> String {
    format!("cannot connect to the worker {url}")
}

/// Rejects requests from callers with another version.
pub(crate) fn check_version(request: Request<()>) -> Result<Request<()>, Status> {
    let version = request.metadata().get(HEADER).and_then(|version| version.to_str().ok());
    if version == Some(VERSION) {
        return Ok(request);
    }
    let other = version.unwrap_or("of an unknown version");
    let mut refused =
        Status::failed_precondition(format!("this worker runs dayledger {VERSION}, but the caller runs {other}"));
    refused.metadata_mut().insert(HEADER, MetadataValue::from_static(VERSION));
    Err(refused)
}

/// Returns the version of a worker, if the error means that the worker rejected a request because of the caller's
/// version.
pub(crate) fn worker_version(refused: &DataFusionError) -> Option<&str> {
    let DataFusionError::External(refused) = refused.find_root() else { return None };
    refused.downcast_ref::<Status>()?.metadata().get(HEADER)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_another_version_are_refused() {
        let asked_by = |version: Option<&'static str>| {
            let mut request = Request::new(());
            if let Some(version) = version {
                request.metadata_mut().insert(HEADER, version.parse().expect("a version"));
            }
            check_version(request).map(drop).map_err(|refused| refused.message().to_owned())
        };
        assert_eq!(asked_by(Some(VERSION)), Ok(()));
        for (version, expected) in [(Some("0.0.1"), "0.0.1"), (None, "an unknown version")] {
            let refused = asked_by(version).expect_err("refused");
            assert!(refused.contains(VERSION) && refused.contains(expected), "{refused}");
        }
    }
}
