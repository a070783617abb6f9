//! The notes: meetings in a workspace of Chronicle, a folder of Markdown files with their history.
//!
//! Owns: where a workspace is and which files of it are notes, what a note says, what was agreed in it, its versions, how
//! processed text is written into it; how the application is talked to ([`app`]), what a language model is asked
//! ([`prompt`]) and how ([`model`]), and what becomes of notes without one ([`extract`]). Does not own: tools, resources
//! and commands.
//!
//! Read in this order: [`location`], [`workspace`], [`path`], [`text`], [`survey`], [`note`], [`listing`], [`agreed`],
//! [`days`], [`document`], [`markers`], [`sections`], [`session`], [`meta`], [`writing`], [`history`], [`watch`].
//!
//! Invariants: nothing outside of the workspace is read or written, whatever links are in it; a note is replaced atomically,
//! its earlier file is kept, and the author's text in it never changes; what cannot be read of a note is no error of
//! another; nothing of a note, and no key, goes into a log above debug; a note goes nowhere but where [`model::Way::told`]
//! says.

pub mod action;
pub mod action_list;
pub mod app;
mod atomic_files;
pub mod author;
pub mod chronicle;
mod companion;
pub mod config;
pub mod days;
mod display_text;
pub mod document;
mod due;
pub mod extract;
pub mod history;
mod limits;
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
