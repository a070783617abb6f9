//! The versions of notes: the commits that the application makes in the repository of the workspace.
//!
//! Only read, and without a git program. The repository is the folder `.git` of the workspace itself; the user's own
//! configuration of git has no say.

mod compare;
mod control_files;
mod log;
mod relative_time;
mod repository;
mod revision;
mod sessions;
mod tree_diff;

pub use compare::{Comparison, Version};
pub use log::{Commit, Log, limit};
pub use repository::History;
pub use sessions::{SessionCache, Sessions};
