//! The transport to the application, below the WebSocket, and its timeouts.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// The port of the application. It is fixed; `CHRONICLE_WS_PORT` only changes the port that clients use.
pub const PORT: u16 = 9847;

/// Opens streams to the application.
pub trait Dial: Send + 'static {
    /// The type of the stream.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin;

    /// Opens a stream.
    fn dial(&mut self) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Returns the host and port.
    fn address(&self) -> SocketAddr;
}

/// A port of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loopback {
    /// The port.
    pub port: u16,
}

impl Default for Loopback {
    /// Returns the port of the application.
    fn default() -> Self {
        Self { port: PORT }
    }
}

impl Dial for Loopback {
    type Stream = TcpStream;

    async fn dial(&mut self) -> io::Result<TcpStream> {
        TcpStream::connect(self.address()).await
    }

    fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }
}

/// Timeouts of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time for a response, from the request on.
    pub request: Duration,
    /// The time to connect, including the handshake.
    pub connect: Duration,
    /// The longest time without any frame. The application pings every 30 seconds.
    pub silence: Duration,
}

impl Default for Timeouts {
    /// 30, 10 and 60 seconds.
    fn default() -> Self {
        Self { request: Duration::from_secs(30), connect: Duration::from_secs(10), silence: Duration::from_mins(1) }
    }
}
