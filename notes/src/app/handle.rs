//! The handle of the connection.

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

use super::answer;
use super::dial::Dial;
use super::link::{Link, task};
use super::message::{Push, Trigger};
use super::request_queue::{Command, RequestQueue};
use super::timeouts::Timeouts;

/// As many triggers wait for whoever serves them; the application gives one up after ten seconds anyway.
const MAX_TRIGGERS: usize = 8;

/// As many messages and questions wait for the task, which can be sending for a minute.
const MAX_COMMANDS: usize = 512;

/// The application. Clones are the same connection, which is opened by the first that asks, tells or starts, and closed
/// with the last.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    address: SocketAddr,
    timeouts: Timeouts,
    commands: Sender<Command>,
    /// The task, until it runs.
    unstarted: Mutex<Option<Task>>,
}

/// What keeps the connection.
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What the application asks for by itself. Where it is dropped, nobody does what the application asks for.
#[derive(Debug)]
pub struct Triggers(mpsc::Receiver<Trigger>);

impl Triggers {
    /// The next; none once the last [`App`] is gone. Whoever serves it tells [`Push::Started`] at once.
    pub async fn next(&mut self) -> Option<Trigger> {
        self.0.recv().await
    }
}

impl App {
    /// The application at the end of that way, to which nothing connects yet.
    pub fn new(dial: impl Dial, timeouts: Timeouts) -> (Self, Triggers) {
        let (commands, received) = mpsc::channel(MAX_COMMANDS);
        let (triggers, triggered) = mpsc::channel(MAX_TRIGGERS);
        let address = dial.address();
        let unstarted = Mutex::new(Some(task(Link::new(dial, timeouts, received, RequestQueue::new(triggers)))));
        let inner = Inner { address, timeouts, commands, unstarted };
        (Self { inner: Arc::new(inner) }, Triggers(triggered))
    }

    /// Connects in the background from now on, as a server does that is to hear of triggers. Once is enough; outside of a
    /// runtime nothing happens.
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
    /// `FILE_NOT_FOUND` where none is open, `APP_NOT_CONNECTED` where nobody answers, `API_ERROR` for an error of the
    /// application, `PARSE_ERROR` for an answer that cannot be used.
    pub async fn current_file(&self) -> Result<PathBuf, Refusal> {
        answer::current_file(&self.request().await?)
    }

    /// Tells the application, now or once it is there. The oldest of 256 that wait is given up.
    pub fn send(&self, push: &Push) {
        self.start();
        if self.inner.commands.try_send(Command::Send(push.message())).is_err() {
            // The task ends with the runtime.
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
