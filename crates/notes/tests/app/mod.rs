//! The application, simulated in memory with the tests' own clock, and over a real socket.

mod answers;
mod connection;
mod fake_application;
mod loopback;
mod pushes;
