//! The handle of the connection to the application.

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

/// How many triggers can be queued. The application gives up on a trigger after ten seconds.
const MAX_TRIGGERS: usize = 8;

/// How many messages and requests can be queued for the task, which can spend a minute on sending.
const MAX_COMMANDS: usize = 512;

/// A handle of the application. Clones share the connection, which opens with the first request, message or
/// [`App::start`] and closes with the last handle.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    address: SocketAddr,
    timeouts: Timeouts,
    commands: Sender<Command>,
    /// The task, until it is started.
    unstarted: Mutex<Option<Task>>,
}

/// The task that maintains the connection.
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The requests that come from the application. If this is dropped, they are ignored.
#[derive(Debug)]
pub struct Triggers(mpsc::Receiver<Trigger>);

impl Triggers {
    /// Returns the next trigger, or `None` once the last [`App`] is dropped. The receiver has to send
    /// [`Push::Started`] immediately.
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

    /// Connects in the background. A server calls this to receive triggers. Further calls do nothing, and neither does
    /// a call outside of a runtime.
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
    /// `FILE_NOT_FOUND` if no note is open, `APP_NOT_CONNECTED` if the application doesn't respond, `API_ERROR` for an
    /// error of the application, `PARSE_ERROR` for an invalid response.
    pub async fn current_file(&self) -> Result<PathBuf, Refusal> {
        current_file(&self.request().await?)
    }

    /// Sends a message to the application, now or after it connects. If more than 256 messages are queued, the oldest
    /// is dropped.
    pub fn send(&self, push: &Push) {
        self.start();
        if self.inner.commands.try_send(Command::Send(push.message())).is_err() {
            // The task stops with the runtime.
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
