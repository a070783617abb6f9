//! Files that this program writes: whole or not there, their owner's alone, and in the place of nothing but a file.
//!
//! **Owns** how a file comes to its name and what it may take the place of ([`Place`], [`Draft`]), what becomes of the
//! drafts of a run that was killed, how one run at a time writes a folder ([`FolderLock`]), how folders are known
//! that are never written ([`OffLimits`]), and how a file is read whole ([`read_text`]). **Does not own**
//! what is in a file, nor who allowed to write where.
//!
//! Invariants: a folder is opened once, and looked at and written through that handle, so that a path that comes to mean
//! another folder in the meantime changes nothing; a file that is there is never opened in a way that waits, nor
//! emptied: what takes its place is another file, so other names of it and who has it open keep what they had.

mod draft;
mod error;
mod kind;
mod lock;
mod off_limits;
mod place;
mod read;
#[cfg(test)]
mod tests;

pub use draft::{Draft, is_draft};
pub use error::Error;
pub use kind::Kind;
pub use lock::FolderLock;
pub use off_limits::OffLimits;
pub use place::{IfPresent, Place, make_folder, make_folder_at, make_own_folder, read_text};
pub use read::{read_up_to, text_up_to};
