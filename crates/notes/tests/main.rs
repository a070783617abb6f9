//! Tests notes through the public API, with workspaces as people and other programs create them, histories from git, a
//! simulated application, and models on a local server.

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
