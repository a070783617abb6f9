//! Reads and writes meeting notes in a Chronicle workspace: a folder of Markdown files, with their versions in git.
//!
//! This crate finds the workspace and reads its notes, action items and versions. It writes records into notes. A
//! record contains the summary, key points, actions and questions of a note. The crate sends requests to the Chronicle
//! application ([`app`]) and to language models ([`prompt`], [`model`]), and can create records without a model
//! ([`extract`]). It doesn't define tools, resources or commands.
//!
//! To understand this crate, read its modules in this order: [`location`], [`workspace`], [`path`], [`text`],
//! [`survey`], [`note`], [`listing`], [`action_list`], [`days`], [`document`], [`markers`], [`sections`], [`session`],
//! [`meta`], [`writing`], [`history`], [`watch`].
//!
//! Invariants: files outside of the workspace are never read or written, even through links. Notes are written
//! atomically, the previous file is kept, and the author's text never changes. If the files of one note can't be read,
//! the other notes can still be read. The content of notes is never logged at a level above debug. API keys are never
//! logged. A note is sent only to the destination of the selected [`model::Processor`].

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
