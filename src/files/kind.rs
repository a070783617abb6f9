//! What can have a name where a file is wanted.

use std::fmt;

use cap_fs_ext::FileTypeExt;
use cap_std::fs::Metadata;

/// What has a name, where that is no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A link that is not followed.
    Link,
    /// A pipe with a name.
    Pipe,
    /// A socket.
    Socket,
    /// A terminal, a disk, `/dev/null`.
    Device,
    /// Something else that is no file.
    Other,
}

impl Kind {
    /// What was found, unless it is a file.
    pub fn other_than_file(found: &Metadata) -> Option<Self> {
        let kind = found.file_type();
        if found.is_file() {
            None
        } else if found.is_dir() {
            Some(Self::Folder)
        } else if found.is_symlink() {
            Some(Self::Link)
        } else if kind.is_fifo() {
            Some(Self::Pipe)
        } else if kind.is_socket() {
            Some(Self::Socket)
        } else if kind.is_char_device() || kind.is_block_device() {
            Some(Self::Device)
        } else {
            Some(Self::Other)
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "something else",
        })
    }
}
