//! Tests the connection to Chronicle. Chronicle is simulated in memory with a paused clock, or over a real socket.

mod answers;
mod connection;
mod fake_application;
mod loopback;
mod pushes;
