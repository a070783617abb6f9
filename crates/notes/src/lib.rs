//! Reads and writes meeting notes in a Chronicle workspace, a folder of Markdown files with their versions.
//!
//! This crate finds the workspace and its notes, reads notes, action items and versions, and writes processed text into
//! notes. It calls the Chronicle application ([`app`]) and language models ([`prompt`], [`model`]), and creates records
//! without a model ([`extract`]). It defines no tools, resources or commands.
//!
//! Read the modules in this order: [`location`], [`workspace`], [`path`], [`text`], [`survey`], [`note`], [`listing`],
//! [`action_list`], [`days`], [`document`], [`markers`], [`sections`], [`session`], [`meta`], [`writing`], [`history`],
//! [`watch`].
//!
//! Invariants: nothing outside the workspace is read or written, even through links. Notes are written atomically, the
//! previous file is kept, and the author's text never changes. A part of a note that can't be read doesn't affect other
//! notes. The content of notes and API keys are never logged above debug level. A note is sent only to the destination
//! of the selected [`model::Processor`].

pub mod action;
pub mod action_list;
pub mod app;
pub mod author;
pub mod chronicle;
mod companion;
pub mod days;
mod display_text;
pub mod document;
mod due;
pub mod extract;
pub mod history;
pub mod listing;
pub mod location;
pub mod markers;
pub mod meta;
pub mod model;
pub mod naming;
pub mod note;
pub mod path;
pub mod prompt;
pub mod refusal;
pub mod sections;
pub mod session;
pub mod setting;
pub mod survey;
pub mod text;
pub mod watch;
pub mod workspace;
pub mod writing;

pub use path::NotePath;
pub use refusal::{Code, Refusal};
pub use workspace::Workspace;
