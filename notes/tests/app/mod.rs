//! The application, played by tests over pipes in memory, whose clock is the tests' own, and over a real socket.

mod answers;
mod connection;
mod fake_application;
mod loopback;
mod pushes;
