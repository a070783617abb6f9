//! The notes from outside: the application as tests play it, and models behind a server of their own.

#![cfg(test)]

mod app;
mod model;
mod prompt;
