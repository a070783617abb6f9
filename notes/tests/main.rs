//! The notes from outside: workspaces as people and programs leave them, and histories as git has them.

#![cfg(test)]

mod agreed;
mod days;
mod folder;
mod git;
mod history;
mod kills;
mod listing;
mod sessions;
mod watch;
mod workspace;
mod writing;
