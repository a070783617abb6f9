//! The versions of notes: the commits that the application makes in the repository of the workspace.
//!
//! The repository is only read, and without a git program. It is the folder `.git` of the workspace itself. The user's
//! own git configuration is ignored.

mod compare;
mod control_files;
mod log;
mod repository;
mod sessions;
mod tree_diff;

pub use compare::{Comparison, Version};
pub use log::{Commit, Log, limit};
pub use repository::History;
pub use sessions::{SessionCache, Sessions};
