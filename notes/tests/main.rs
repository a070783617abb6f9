//! The notes from outside: workspaces as people and programs leave them, histories as git has them, the application as
//! tests play it, and models behind a server of their own.

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
