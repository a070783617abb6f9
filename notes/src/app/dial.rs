//! The way to the application, below the WebSocket.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// The port that the application listens on; the application's own is fixed, `CHRONICLE_WS_PORT` is for its clients.
pub const PORT: u16 = 9847;

/// Opens streams to the application.
pub trait Dial: Send + 'static {
    /// What is opened.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin;

    /// Opens one more.
    fn dial(&mut self) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Where to, as host and port.
    fn address(&self) -> SocketAddr;
}

/// A port of this machine, and of no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loopback {
    /// The port.
    pub port: u16,
}

impl Default for Loopback {
    /// That of the application.
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
