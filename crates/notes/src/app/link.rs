//! The task that maintains the connection to Chronicle.

use std::future::Future;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::dial::{Dial, Timeouts};
use super::request_queue::{Command, Outgoing, RequestQueue};

/// The maximum size of a message or a frame, in bytes. Chronicle has the same limit.
const MAX_BYTES: usize = 10 << 20;

/// The time limit for closing the connection with a handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The maximum pause between two attempts to connect, in seconds.
const MAX_PAUSE_SECONDS: u64 = 60;

/// Returns the pause after a number of consecutive failures. The first pause is one second. The pause doubles with each
/// failure, up to a minute.
fn pause(failures: u32) -> Duration {
    // The shift is limited, because it would overflow after 31 failures.
    Duration::from_secs((1 << failures.min(6)).min(MAX_PAUSE_SECONDS))
}

/// Signals that the last handle was dropped, so that the task has to stop.
struct HandlesDropped;

/// The connection, with its transport and queues.
pub(super) struct Link<D> {
    dial: D,
    timeouts: Timeouts,
    commands: Receiver<Command>,
    queue: RequestQueue,
}

impl<D: Dial> Link<D> {
    pub(super) fn new(dial: D, timeouts: Timeouts, commands: Receiver<Command>, queue: RequestQueue) -> Self {
        Self { dial, timeouts, commands, queue }
    }

    /// Connects, exchanges messages and reconnects, until the last handle is dropped.
    pub(super) async fn run(mut self) {
        let mut failures = 0_u32;
        let mut due = Instant::now();
        loop {
            let why = match self.connect().await {
                Err(HandlesDropped) => return,
                Ok(Err(why)) => why,
                Ok(Ok(socket)) => {
                    (failures, due) = (0, Instant::now());
                    match self.exchange_messages(socket).await {
                        Err(HandlesDropped) => return,
                        Ok(why) => why,
                    }
                }
            };
            tracing::debug!("the application is not connected: {why}");
            self.queue.fail_all(&why);
            // A request can cause an attempt before the scheduled time. Such an attempt doesn't change the schedule.
            if due <= Instant::now() {
                due = Instant::now() + pause(failures);
                failures = failures.saturating_add(1);
            }
            if let Err(HandlesDropped) = self.wait_for_retry(due).await {
                return;
            }
        }
    }

    /// Opens a connection. The inner error is the reason for a failure.
    async fn connect(&mut self) -> Result<Result<WebSocketStream<D::Stream>, String>, HandlesDropped> {
        let Self { dial, timeouts, commands, queue } = self;
        let address = dial.address();
        let opening = async {
            let stream = dial
                .dial()
                .await
                .map_err(|_| format!("Chronicle does not listen on {address}: start it, check CHRONICLE_WS_PORT, or pass the path of the note"))?;
            let config = WebSocketConfig::default().max_message_size(Some(MAX_BYTES)).max_frame_size(Some(MAX_BYTES));
            let opened = client_async_with_config(format!("ws://{address}/"), stream, Some(config)).await;
            let opened = opened.map(|(socket, _)| socket);
            opened
                .map_err(|_| format!("the program that listens on {address} is not Chronicle: check CHRONICLE_WS_PORT"))
        };
        let opening = timeout(timeouts.connect, opening);
        tokio::pin!(opening);
        loop {
            tokio::select! {
                opened = &mut opening => {
                    let late = || format!("the program that listens on {address} does not accept connections: check that Chronicle is running");
                    return Ok(opened.unwrap_or_else(|_| Err(late())));
                }
                // The task also receives commands while it connects, so that it notices when the last handle is
                // dropped.
                wish = commands.recv() => queue.handle_command(wish.ok_or(HandlesDropped)?),
            }
        }
    }

    /// Exchanges messages until the connection is lost. Returns the reason for the loss.
    async fn exchange_messages(&mut self, mut socket: WebSocketStream<D::Stream>) -> Result<String, HandlesDropped> {
        let address = self.dial.address();
        let lost = || format!("the connection to Chronicle at {address} was lost: try again");
        let mut heard = Instant::now();
        loop {
            if self.send_all(&mut socket).await.is_err() {
                return Ok(lost());
            }
            tokio::select! {
                wish = self.commands.recv() => {
                    let Some(wish) = wish else {
                        close(&mut socket).await;
                        return Err(HandlesDropped);
                    };
                    self.queue.handle_command(wish);
                }
                frame = socket.next() => {
                    heard = Instant::now();
                    match frame {
                        Some(Ok(Message::Text(text))) => self.queue.handle_message(text.as_str()),
                        // The library has queued a pong. The task reads the next message only after the pong is sent,
                        // so that the pongs for a flood of pings don't fill the memory.
                        Some(Ok(Message::Ping(_))) => {
                            if with_timeout(self.timeouts.silence, socket.flush()).await.is_err() {
                                return Ok(lost());
                            }
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(match frame {
                            Some(Err(Error::Capacity(_))) => too_large(),
                            _ => lost(),
                        }),
                        Some(Ok(_)) => {}
                    }
                }
                () = sleep_until(heard + self.timeouts.silence) => {
                    close(&mut socket).await;
                    return Ok(lost());
                }
            }
        }
    }

    /// Sends all queued messages. The connection counts as lost if Chronicle accepts no data during the silence
    /// timeout.
    async fn send_all<S: AsyncRead + AsyncWrite + Unpin>(&mut self, socket: &mut WebSocketStream<S>) -> Result<(), ()> {
        while let Some(next) = self.queue.next() {
            let (Outgoing::Push(text) | Outgoing::Question(text)) = &next;
            with_timeout(self.timeouts.silence, socket.send(Message::text(text.as_str()))).await?;
            if let Outgoing::Push(_) = next {
                self.queue.mark_sent();
            }
        }
        Ok(())
    }

    /// Waits until the next attempt is due, or until a request arrives. A request ends the wait, because the user may
    /// just have started Chronicle.
    async fn wait_for_retry(&mut self, due: Instant) -> Result<(), HandlesDropped> {
        while !self.queue.has_requests() {
            tokio::select! {
                () = sleep_until(due) => return Ok(()),
                wish = self.commands.recv() => self.queue.handle_command(wish.ok_or(HandlesDropped)?),
            }
        }
        Ok(())
    }
}

/// Waits until a message is sent. Fails after the time limit.
async fn with_timeout(limit: Duration, sending: impl Future<Output = Result<(), Error>>) -> Result<(), ()> {
    timeout(limit, sending).await.map_err(drop)?.map_err(drop)
}

fn too_large() -> String {
    format!(
        "Chronicle sent more than {} MB at once, and the connection was closed: pass the path of a note",
        MAX_BYTES >> 20
    )
}

/// Closes the connection with a handshake, if Chronicle responds in time.
async fn close<S: AsyncRead + AsyncWrite + Unpin>(socket: &mut WebSocketStream<S>) {
    let _unheard = timeout(CLOSE_TIMEOUT, socket.close(None)).await;
}

/// Boxes the future of a link, to hide the type of the link's transport.
pub(super) fn task<D: Dial>(link: Link<D>) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(link.run())
}
