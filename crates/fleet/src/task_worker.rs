//! A process that runs the tasks of one statement for the worker machine that started it.
//!
//! It serves datafusion-distributed over one HTTP/2 connection on its standard input and output. So it doesn't listen
//! on a port, and ends with its parent.
//!
//! This module creates the session of the statement's tasks, and sets the process's own limits. `task_processes`
//! selects the statement and ends the process.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion_distributed::{DistributedExt, Worker, WorkerQueryContext};
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use dayledger_engine::worker::{self, Launch, OwnLimit};
use dayledger_engine::{Engine, Model, STACK_BYTES};
use futures::{StreamExt, stream};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, Stdout};
use tokio::sync::OnceCell;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tonic::transport::Server;
use tonic::transport::server::Connected;

use crate::channels::{Channels, VERSION, memory_limit};
use crate::codec::Codec;
use crate::credentials::{CredentialFiles, Credentials};
use crate::statements::{self, OpenError};
use crate::team::Team;

/// The hidden command that calls [`work`].
pub const COMMAND: &str = "task-worker";

/// The buffer size for standard input.
const READ_BYTES: usize = 64 << 10;

/// The setup of a process.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    /// The folder with the exports.
    folder: OsString,
    /// The credentials for connections to other worker machines.
    files: CredentialFiles,
}

/// Returns how to start a process for the exports in `folder`: `program` is dayledger-fleet itself.
///
/// # Errors
/// A path that can't be passed to another process.
pub(crate) fn launch(program: PathBuf, folder: &Path, files: CredentialFiles) -> io::Result<Launch> {
    statements::launch(program, COMMAND, &Setup { folder: std::path::absolute(folder)?.into(), files })
}

/// Runs the tasks of one statement, until standard input ends.
///
/// # Errors
/// Standard input that isn't from a process of this program, and certificates that can't be read.
pub async fn work() -> anyhow::Result<()> {
    let setup: Setup = worker::read_setup()?.map_err(OpenError::Replaced)?;
    let credentials = setup.files.read()?;
    // Plans are deeply nested, and they are decoded recursively.
    let threads = tokio::runtime::Builder::new_multi_thread().thread_stack_size(STACK_BYTES).enable_all().build()?;
    let served = threads.spawn(serve(setup.folder.into(), credentials)).await;
    threads.shutdown_background();
    served?
}

async fn serve(folder: PathBuf, credentials: Credentials) -> anyhow::Result<()> {
    let (engine, channels) = (Engine::from_tables(Model::default())?, Channels::new(credentials));
    let tasks = Arc::new(Tasks { folder, engine, limit: OwnLimit::detect(), statement: OnceCell::new() });
    let session = move |asked: WorkerQueryContext| {
        let (tasks, channels) = (Arc::clone(&tasks), channels.clone());
        async move {
            let statement = tasks.statement(&asked.headers).await?;
            let session = asked.builder.with_runtime_env(Arc::clone(&statement.runtime));
            let session = session.with_distributed_channel_resolver(channels);
            let session = session.with_distributed_user_codec_arc(Arc::clone(&statement.codec));
            statement.engine.with_functions(session).map_err(|error| DataFusionError::External(Box::new(error)))
        }
    };
    // The server stops when it can accept no more connections, so the stream of connections never ends.
    let connection = stream::once(async { Pipes::open() }).chain(stream::pending());
    Server::builder()
        .max_concurrent_streams(u32::MAX)
        .add_service(Worker::from_session_builder(session).with_version(VERSION).into_worker_server())
        .serve_with_incoming(connection)
        .await?;
    Ok(())
}

/// The tasks of one statement.
struct Tasks {
    folder: PathBuf,
    /// The engine whose threads all engines over one export share.
    engine: Engine,
    limit: OwnLimit,
    statement: OnceCell<Statement>,
}

/// The state that the tasks of a statement share.
struct Statement {
    /// An engine with the functions of the model.
    engine: Engine,
    codec: Arc<dyn PhysicalExtensionCodec>,
    runtime: Arc<RuntimeEnv>,
}

impl Tasks {
    /// Returns the statement, which is created with the limit of its first request.
    async fn statement(&self, headers: &HeaderMap) -> Result<&Statement> {
        self.statement.get_or_try_init(|| self.begin(headers)).await
    }

    async fn begin(&self, headers: &HeaderMap) -> Result<Statement> {
        let memory_bytes =
            memory_limit(headers).ok_or_else(|| exec_datafusion_err!("a request has no memory limit"))?;
        self.limit.set(memory_bytes);
        // Data about people must not be written to a disk.
        let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled);
        let pool = GreedyMemoryPool::new(usize::try_from(memory_bytes).unwrap_or(usize::MAX));
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).with_disk_manager_builder(disk);
        let folder = self.folder.clone();
        let open = move || Team::open(&folder).and_then(|team| Ok((team.model()?, team.members.clone())));
        let opened = self.engine.run_blocking(open).await.map_err(|error| exec_datafusion_err!("{error}"))?;
        let (model, members) = opened.map_err(|error| exec_datafusion_err!("{error}"))?;
        Ok(Statement {
            engine: self.engine.with_model(|_| model),
            codec: Arc::new(Codec::new(members, self.engine.clone())),
            runtime: runtime.build_arc()?,
        })
    }
}

/// Standard input and output as a connection.
struct Pipes {
    input: UnboundedReceiver<Bytes>,
    /// Bytes that were received but not read yet.
    unread: Bytes,
    output: Stdout,
}

impl Pipes {
    fn open() -> io::Result<Self> {
        // The sender respects the HTTP/2 windows, so that only a few bytes are buffered here.
        let (sender, input) = unbounded_channel();
        std::thread::Builder::new().name("dayledger-input".to_owned()).spawn(move || read_all(&sender))?;
        Ok(Self { input, unread: Bytes::new(), output: tokio::io::stdout() })
    }
}

/// Forwards standard input, and ends the process when it is closed. The thread does nothing else, so that this works
/// even while other threads compute.
fn read_all(sender: &UnboundedSender<Bytes>) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(length @ 1..) = io::stdin().read(&mut buffer) {
        let read = buffer.get(..length).map(Bytes::copy_from_slice).unwrap_or_default();
        if sender.send(read).is_err() {
            break;
        }
    }
    std::process::exit(0);
}

impl Connected for Pipes {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Pipes {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.unread.is_empty() {
            self.unread = ready!(self.input.poll_recv(context)).unwrap_or_default();
        }
        let length = self.unread.len().min(out.remaining());
        out.put_slice(&self.unread.split_to(length));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pipes {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.output).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_shutdown(context)
    }
}
