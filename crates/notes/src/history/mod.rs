//! The history of notes: the commits that Chronicle makes in the repository of the workspace.
//!
//! The repository is the folder `.git` of the workspace. This module only reads the repository. It uses the library
//! gix, not the program git. The user's own git configuration is ignored.

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
