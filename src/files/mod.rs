//! Reading and writing files.
//!
//! **Owns** atomic writes ([`AtomicFile`]), what a new file may replace ([`check`]), the lock of a folder that one run at a
//! time writes ([`FolderLock`]), the folders that are never written ([`OffLimits`]), and bounded reads of regular files
//! ([`read_text`]). **Does not own** the contents of a file, nor the decision who may write where.
//!
//! Invariants: at every moment a name stands for the old file, for the whole new one, or for nothing. A new file replaces
//! nothing but a regular file that can be written. It doesn't overwrite that file's bytes, so other names of it and programs
//! that have it open keep the old content. Only its owner can read it.

mod atomic;
mod error;
mod lock;
mod off_limits;
mod read;
#[cfg(test)]
mod tests;

pub use atomic::{AtomicFile, IfPresent, check, is_temporary, write};
pub use error::Error;
pub use lock::FolderLock;
pub use off_limits::{OffLimits, make_folder, make_folder_below, resolve};
pub use read::{open, read_text, read_text_up_to, read_up_to, special_file_kind};
