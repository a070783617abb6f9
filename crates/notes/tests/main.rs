//! Tests the public API for notes. The workspaces contain files such as people and other programs create. Histories are
//! created with git, Chronicle is simulated, and models are replaced by a local server.

#![cfg(test)]

mod agreed;
mod app;
mod author_text;
mod control_files;
mod days;
mod folder;
mod git;
mod history;
mod kills;
mod listing;
mod model;
mod prompt;
mod sessions;
mod watch;
mod workspace;
mod writing;
