//! A handle to the connection to Chronicle.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Sender};
use tokio::sync::oneshot;

use crate::display_text::format_duration;
use crate::refusal::{Code, Refusal};

use super::dial::{Dial, Timeouts};
use super::link::{Link, task};
use super::message::{Push, Trigger, current_file};
use super::request_queue::{Command, RequestQueue};

/// The maximum number of queued triggers. Chronicle gives up on a trigger after ten seconds, so a longer queue would be
/// useless.
const MAX_TRIGGERS: usize = 8;

/// The maximum number of messages and requests that can wait for the task of the connection. While the task sends,
/// which can take a minute, it doesn't read the queue.
const MAX_COMMANDS: usize = 512;

/// A handle to Chronicle. All clones share one connection. The connection opens with the first request, message or
/// [`App::start`], and closes when the last handle is dropped.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    address: SocketAddr,
    timeouts: Timeouts,
    commands: Sender<Command>,
    /// The task, or `None` after it was started.
    unstarted: Mutex<Option<Task>>,
}

/// The future that maintains the connection.
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Chronicle's requests to process a note. If this receiver is dropped, these requests are ignored.
#[derive(Debug)]
pub struct Triggers(mpsc::Receiver<Trigger>);

impl Triggers {
    /// Returns the next trigger, or `None` after the last [`App`] is dropped. The caller has to send [`Push::Started`]
    /// immediately.
    pub async fn next(&mut self) -> Option<Trigger> {
        self.0.recv().await
    }
}

impl App {
    /// Creates a handle without connecting.
    pub fn new(dial: impl Dial, timeouts: Timeouts) -> (Self, Triggers) {
        let (commands, received) = mpsc::channel(MAX_COMMANDS);
        let (triggers, triggered) = mpsc::channel(MAX_TRIGGERS);
        let address = dial.address();
        let unstarted = Mutex::new(Some(task(Link::new(dial, timeouts, received, RequestQueue::new(triggers)))));
        let inner = Inner { address, timeouts, commands, unstarted };
        (Self { inner: Arc::new(inner) }, Triggers(triggered))
    }

    /// Connects in the background, so that a server receives triggers. Does nothing if the connection was already
    /// started, or outside of an async runtime.
    pub fn start(&self) {
        let Ok(runtime) = Handle::try_current() else { return };
        let unstarted = self.inner.unstarted.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = unstarted {
            runtime.spawn(task);
        }
    }

    /// Returns the absolute path of the open note.
    ///
    /// # Errors
    ///
    /// `FILE_NOT_FOUND` if no note is open, `APP_NOT_CONNECTED` if Chronicle doesn't respond, `API_ERROR` for an error
    /// of Chronicle, `PARSE_ERROR` for an invalid response.
    pub async fn current_file(&self) -> Result<PathBuf, Refusal> {
        current_file(&self.request().await?)
    }

    /// Sends a message to Chronicle, or queues it until the connection is open. If more than 256 messages are queued,
    /// the oldest is dropped.
    pub fn send(&self, push: &Push) {
        self.start();
        if self.inner.commands.try_send(Command::Send(push.message())).is_err() {
            // Sending also fails if the runtime has stopped the task.
            tracing::debug!("a message to the application is dropped: it takes none, or this program ends");
        }
    }

    async fn request(&self) -> Result<Value, Refusal> {
        self.start();
        let (reply, answer) = oneshot::channel();
        let refused = |why: String| Refusal::new(Code::AppNotConnected, why);
        if let Err(TrySendError::Full(_)) = self.inner.commands.try_send(Command::Request(reply)) {
            return Err(refused(format!("Chronicle at {} does not accept messages: restart it", self.inner.address)));
        }
        match tokio::time::timeout(self.inner.timeouts.request, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(refused("the connection to Chronicle has ended with this program".to_owned())),
            Err(_) => {
                let (address, request) = (self.inner.address, format_duration(self.inner.timeouts.request));
                Err(refused(format!("Chronicle at {address} did not respond within {request}: try again")))
            }
        }
    }
}

impl fmt::Debug for App {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "App({})", self.inner.address)
    }
}
