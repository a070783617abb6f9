//! The TCP connection to Chronicle, and its timeouts. The WebSocket runs over this connection.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// The port on which Chronicle always listens. `CHRONICLE_WS_PORT` changes only the port to which clients connect.
pub const PORT: u16 = 9847;

/// A transport that opens streams to Chronicle. Tests use another transport.
pub trait Dial: Send + 'static {
    /// The type of the stream.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin;

    /// Opens a stream to Chronicle.
    fn dial(&mut self) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Returns the address of Chronicle.
    fn address(&self) -> SocketAddr;
}

/// A connection to a port of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loopback {
    /// The port.
    pub port: u16,
}

impl Default for Loopback {
    /// Returns a connection to Chronicle's port.
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

/// Timeouts of the connection to Chronicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The maximum time from a request to its response.
    pub request: Duration,
    /// The maximum time to connect, including the WebSocket handshake.
    pub connect: Duration,
    /// The maximum time without a frame from Chronicle. Chronicle sends a ping every 30 seconds.
    pub silence: Duration,
}

impl Default for Timeouts {
    /// Returns 30 seconds for a request, 10 seconds to connect, and 60 seconds of silence.
    fn default() -> Self {
        Self { request: Duration::from_secs(30), connect: Duration::from_secs(10), silence: Duration::from_mins(1) }
    }
}
