//! Which workers there are.

use std::sync::Arc;
use std::time::Duration;

use datafusion::common::Result;
use datafusion_distributed::{ChannelResolver, GetWorkerInfoRequest, WorkerResolver};
use futures::future::join_all;
use tokio::time::timeout;
use url::Url;

use crate::channels::{Channels, VERSION, unreachable};
use crate::credentials::Credentials;

/// How long a worker may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Workers that answered. Cheap to clone.
#[derive(Clone)]
pub struct Workers {
    urls: Arc<[Url]>,
    pub(crate) channels: Channels,
}

/// Why no worker is asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is none.
    #[error("no worker is named")]
    None,
    /// One does not answer.
    #[error("{}: {reason}", unreachable(.url))]
    Unreachable {
        /// Where it was looked for.
        url: Url,
        /// What was met.
        reason: String,
    },
    /// One is of another version.
    #[error("the worker {url} is dayledger {version}, and this is dayledger {VERSION}")]
    Version {
        /// Where it is.
        url: Url,
        /// Its version.
        version: String,
    },
}

impl Error {
    /// What the user can do, in one line.
    pub fn hint(&self) -> String {
        match self {
            Self::None => "name workers with `--workers`, such as https://10.0.0.1:7171",
            Self::Unreachable { .. } => {
                "see that `dayledger-fleet worker` runs there, and that both certificates are of one authority"
            }
            Self::Version { .. } => "run the same version everywhere",
        }
        .to_owned()
    }
}

impl Workers {
    /// Asks every worker who it is.
    ///
    /// # Errors
    /// The first that does not answer, or that has another version.
    pub async fn meet(urls: Vec<Url>, credentials: Credentials) -> Result<Self, Error> {
        if urls.is_empty() {
            return Err(Error::None);
        }
        let workers = Self { urls: urls.into(), channels: Channels::new(credentials) };
        for met in join_all(workers.urls.iter().map(|url| workers.meet_one(url))).await {
            met?;
        }
        Ok(workers)
    }

    async fn meet_one(&self, url: &Url) -> Result<(), Error> {
        let asked = async {
            let mut worker = self.channels.get_worker_client_for_url(url).await?;
            worker.get_worker_info(GetWorkerInfoRequest {}).await
        };
        let unreachable = |reason: String| Error::Unreachable { url: url.clone(), reason };
        let told = timeout(PATIENCE, asked).await.map_err(|_| unreachable("it does not answer".to_owned()))?;
        let told = told.map_err(|error| unreachable(error.find_root().to_string()))?;
        if told.version == VERSION { Ok(()) } else { Err(Error::Version { url: url.clone(), version: told.version }) }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.urls.len()
    }
}

impl WorkerResolver for Workers {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.urls.to_vec())
    }
}
