//! Pictures of the screen: their names, where they lie, which of them show a stretch of time best, and their pixels.
//!
//! **Owns** how a file's name is read, the references that stand for files, which files are looked at, how pictures are
//! decoded, cut out and written. **Does not own** what was done at the time (`activity` tells it), SQL, the protocol, or
//! where a history keeps its pictures (`manictime`).
//!
//! Invariants: only regular files below the history's own folder are read, and nothing is written there; a reference is
//! never used as a path before it was checked; what privacy switches withhold does not exist here.

pub mod pictures;
pub mod saving;
