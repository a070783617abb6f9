//! The workers that run statements, and the detection of workers that no longer respond.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DataFusionError, Result};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{ChannelResolver, DistributedExec, GetWorkerInfoRequest, WorkerResolver};
use dayledger_engine::{LostProcess, RemoteProcesses};
use futures::future::join_all;
use tokio::time::timeout;
use url::Url;

use crate::channels::{Channels, VERSION, unreachable, worker_version};
use crate::credentials::Credentials;

/// The timeout for a worker's first response. A worker without a response counts as unreachable after this time.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The workers that run statements. Cloning is cheap.
#[derive(Clone)]
pub struct Workers {
    urls: Arc<[Url]>,
    /// The workers that didn't respond when they were checked after a failed statement.
    lost: Arc<Mutex<HashSet<Url>>>,
    pub(crate) channels: Channels,
}

impl fmt::Debug for Workers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workers").field("urls", &self.urls).field("gone", &self.lost).finish_non_exhaustive()
    }
}

/// The reason why workers can't be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The list of workers is empty.
    #[error("cannot connect to workers: the list is empty")]
    NoWorkers,
    /// The URL of a worker doesn't use `https`.
    #[error("cannot connect to the worker {0}: its URL does not start with `https://`")]
    Plain(Url),
    /// A worker doesn't respond.
    #[error("{}: {}", unreachable(.0), .1)]
    Unreachable(Url, String),
    /// All workers respond, but a connection between two workers failed during a statement.
    #[error("workers lost the connection to each other: {0}")]
    Broken(String),
    /// A worker runs another version of dayledger.
    #[error("cannot use the worker {url}: it runs dayledger {version}, but this is dayledger {VERSION}")]
    Version {
        /// The URL of the worker.
        url: Url,
        /// The version of the worker.
        version: String,
    },
}

impl Error {
    /// Returns a hint for the user, on one line.
    pub fn hint(&self) -> String {
        match self {
            Self::NoWorkers | Self::Plain { .. } => "pass workers with `--workers`, such as https://10.0.0.1:7171",
            Self::Unreachable { .. } => {
                "check that `dayledger-fleet worker` is running there, and that both certificates are from the same authority"
            }
            Self::Broken { .. } => "try again; if the error remains, check that the workers can reach each other",
            Self::Version { .. } => "use the same version everywhere",
        }
        .to_owned()
    }
}

impl Workers {
    /// Connects to every worker. Returns all workers, and an error for each worker that doesn't respond. Workers that
    /// don't respond aren't used.
    ///
    /// # Errors
    /// Fails if no worker responds, if a worker has another version, or if a URL doesn't use `https`.
    pub async fn connect(urls: Vec<Url>, credentials: Credentials) -> Result<(Self, Vec<Error>), Error> {
        if let Some(url) = urls.iter().find(|url| url.scheme() != "https") {
            return Err(Error::Plain(url.clone()));
        }
        let workers = Self { urls: urls.into(), lost: Arc::default(), channels: Channels::new(credentials) };
        let mut absent = Vec::new();
        for (url, met) in workers.urls.iter().zip(workers.check_all().await) {
            match met {
                Ok(()) => {}
                Err(error @ Error::Unreachable { .. }) => {
                    workers.unreachable_urls().insert(url.clone());
                    absent.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        if absent.len() == workers.urls.len() {
            return Err(absent.pop().unwrap_or(Error::NoWorkers));
        }
        Ok((workers, absent))
    }

    /// Checks whether each worker responds. The results have the order of the URLs.
    async fn check_all(&self) -> Vec<Result<(), Error>> {
        join_all(self.urls.iter().map(|url| self.check_one(url))).await
    }

    async fn check_one(&self, url: &Url) -> Result<(), Error> {
        let request_info = || async {
            let mut worker = self.channels.get_worker_client_for_url(url).await?;
            worker.get_worker_info(GetWorkerInfoRequest {}).await
        };
        let unreachable = |reason: String| Error::Unreachable(url.clone(), reason);
        let info = match timeout(HANDSHAKE_TIMEOUT, request_info()).await {
            // After a worker restarts, the old connection stays broken, so the check is repeated with a new connection.
            // A worker that rejects the version did respond, so the check isn't repeated.
            Ok(Err(error)) if worker_version(&error).is_none() && self.channels.forget(url) => {
                timeout(HANDSHAKE_TIMEOUT, request_info()).await
            }
            info => info,
        };
        let info = info.map_err(|_| unreachable("it does not respond".to_owned()))?;
        let info = info.map_err(|error| match worker_version(&error) {
            Some(version) => Error::Version { url: url.clone(), version: version.to_owned() },
            None => unreachable(error.find_root().to_string()),
        })?;
        if info.version == VERSION { Ok(()) } else { Err(Error::Version { url: url.clone(), version: info.version }) }
    }

    /// Returns the number of workers, including workers that don't respond.
    pub(crate) fn len(&self) -> usize {
        self.urls.len()
    }

    fn unreachable_urls(&self) -> MutexGuard<'_, HashSet<Url>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl RemoteProcesses for Workers {
    fn executes(&self, plan: &Arc<dyn ExecutionPlan>) -> bool {
        plan.exists(|part| Ok(part.is::<DistributedExec>())).unwrap_or(true)
    }

    /// Finds the worker that caused a statement to fail. The error doesn't show its origin if it passed through other
    /// workers, so each worker is checked.
    async fn find_lost(&self, error: &DataFusionError) -> Option<LostProcess> {
        let met = self.check_all().await;
        let absent = self.urls.iter().zip(met).filter_map(|(url, met)| Some((url.clone(), met.err()?)));
        let absent: HashMap<Url, Error> = absent.collect();
        let has_remaining = absent.len() < self.urls.len();
        let known = std::mem::replace(&mut *self.unreachable_urls(), absent.keys().cloned().collect());
        let is_of_connection = matches!(error.find_root(), DataFusionError::External(_));
        let broken = Error::Broken(error.find_root().to_string());
        // Another statement may have already detected the lost worker. Then only the kind of the error shows that a
        // lost worker is the reason.
        let found = absent.iter().find(|(url, _)| !known.contains(*url)).map(|(_, error)| error);
        let found = found.or_else(|| is_of_connection.then(|| absent.values().next().unwrap_or(&broken)))?;
        Some(LostProcess { message: found.to_string(), hint: found.hint(), has_remaining })
    }
}

impl WorkerResolver for Workers {
    fn get_urls(&self) -> Result<Vec<Url>> {
        let gone = self.unreachable_urls();
        let left: Vec<_> = self.urls.iter().filter(|url| !gone.contains(*url)).cloned().collect();
        // If all workers are lost, all of them are tried, because one of them may respond again.
        Ok(if left.is_empty() { self.urls.to_vec() } else { left })
    }
}
