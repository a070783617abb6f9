//! A process that runs the tasks of a single statement for a worker machine. The worker machine starts the process.
//!
//! The process serves datafusion-distributed over one HTTP/2 connection on its standard input and output. So it doesn't
//! listen on a port, and it ends when its parent ends.
//!
//! This module creates the session for the tasks, and sets the memory limit of the process. The module `task_processes`
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

/// The name of the hidden command that calls [`work`].
pub const COMMAND: &str = "task-worker";

/// The size of the buffer for standard input, in bytes.
const READ_BYTES: usize = 64 << 10;

/// The setup that the parent sends to the process.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    /// The folder with the exports.
    folder: OsString,
    /// The credentials for connecting to other worker machines.
    files: CredentialFiles,
}

/// Returns the settings for starting a process for the exports in `folder`. `program` is dayledger-fleet itself.
///
/// # Errors
/// Fails if a path can't be passed to another process.
pub(crate) fn launch(program: PathBuf, folder: &Path, files: CredentialFiles) -> io::Result<Launch> {
    statements::launch(program, COMMAND, &Setup { folder: std::path::absolute(folder)?.into(), files })
}

/// Runs the tasks of a statement until standard input is closed.
///
/// # Errors
/// Fails if standard input doesn't come from a process of this program, or if a certificate can't be read.
pub async fn work() -> anyhow::Result<()> {
    let setup: Setup = worker::read_setup()?.map_err(OpenError::Replaced)?;
    let credentials = setup.files.read()?;
    // Plans are deeply nested and are decoded recursively, so the threads need a large stack.
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
    // The server stops when the stream of connections ends. So the stream stays open after its only connection.
    let connection = stream::once(async { Pipes::open() }).chain(stream::pending());
    Server::builder()
        .max_concurrent_streams(u32::MAX)
        .add_service(Worker::from_session_builder(session).with_version(VERSION).into_worker_server())
        .serve_with_incoming(connection)
        .await?;
    Ok(())
}

/// The tasks of a statement.
struct Tasks {
    folder: PathBuf,
    /// An engine whose threads are shared by the engines of all exports.
    engine: Engine,
    limit: OwnLimit,
    statement: OnceCell<Statement>,
}

/// The values that all tasks of a statement share.
struct Statement {
    /// An engine that knows the functions of the model.
    engine: Engine,
    codec: Arc<dyn PhysicalExtensionCodec>,
    runtime: Arc<RuntimeEnv>,
}

impl Tasks {
    /// Returns the shared values of the statement. The first request creates these values, with the memory limit in its
    /// `headers`.
    async fn statement(&self, headers: &HeaderMap) -> Result<&Statement> {
        self.statement.get_or_try_init(|| self.begin(headers)).await
    }

    async fn begin(&self, headers: &HeaderMap) -> Result<Statement> {
        let memory_bytes =
            memory_limit(headers).ok_or_else(|| exec_datafusion_err!("a request has no memory limit"))?;
        self.limit.set(memory_bytes);
        // Data about people must not be written to a disk, so spilling is disabled.
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

/// Standard input and output, used as a connection.
struct Pipes {
    input: UnboundedReceiver<Bytes>,
    /// Bytes that were received but not yet read.
    unread: Bytes,
    output: Stdout,
}

impl Pipes {
    fn open() -> io::Result<Self> {
        // The channel is unbounded, but the sender respects the windows of HTTP/2. So only a few bytes are buffered.
        let (sender, input) = unbounded_channel();
        std::thread::Builder::new().name("dayledger-input".to_owned()).spawn(move || read_all(&sender))?;
        Ok(Self { input, unread: Bytes::new(), output: tokio::io::stdout() })
    }
}

/// Forwards standard input, and ends the process when standard input is closed. The function runs on its own thread, so
/// that it works even while all other threads compute.
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
