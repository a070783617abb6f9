//! Saves images: checks the requested path, and writes the file atomically.
//!
//! This module checks paths against the allowed directories. The caller decides which image is
//! saved, and passes the allowed directories: the client's roots and the directories in the user's
//! settings. Start reading at [`Destinations`].
//!
//! This is the only module in which a model can choose the name of a file. A path is first checked
//! as text, in the same way on every platform. Then links are resolved. The resolved path must be
//! inside the allowed directory and outside of the tracker's folders.

mod error;
mod request;
mod roots;
mod target;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

pub use self::error::SaveError;
use self::request::Request;
pub use self::roots::folder_of_root;
pub use self::target::{Saved, Target};
pub use dayledger_core::files::IfPresent;
use dayledger_core::files::OffLimits;

/// The kind of setting that allows writing in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedBy {
    /// A root that the client declared.
    Root,
    /// `--allow-write`.
    Flag,
    /// `DAYLEDGER_ALLOW_WRITE`. A client sets this variable from the form in which the user enters
    /// settings.
    Form,
    /// `allow_write` in the configuration file.
    Configuration,
}

impl AllowedBy {
    /// Returns the setting's name for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Root => "a root of the client",
            Self::Flag => "`--allow-write`",
            Self::Form => "`DAYLEDGER_ALLOW_WRITE`",
            Self::Configuration => "`allow_write` in the configuration file",
        }
    }
}

/// A directory in which files may be saved, including its subdirectories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedDirectory {
    /// The absolute path. The directory doesn't have to exist.
    pub directory: PathBuf,
    /// The kind of setting that allows the directory.
    pub allowed_by: AllowedBy,
}

/// The directories in which images may be saved.
#[derive(Debug, Clone, Default)]
pub struct Destinations {
    allowed: Vec<AllowedDirectory>,
    forbidden: OffLimits,
}

impl Destinations {
    /// Creates destinations in the `allowed` directories. They are tried in this order. No image is
    /// saved in the `forbidden` directories or their subdirectories, even if they are inside an
    /// allowed directory.
    pub fn new(allowed: Vec<AllowedDirectory>, forbidden: Vec<PathBuf>) -> Self {
        Self { allowed, forbidden: OffLimits::new(forbidden) }
    }

    /// Returns the target file for `output_path`, in the first allowed directory that can be used.
    /// The file isn't written yet.
    ///
    /// The path is relative, or absolute inside an allowed directory. Both `/` and `\` separate the
    /// names in the path. If the path is `None`, `default_name` is used. The extension determines
    /// the format: `jpg`, `jpeg` or `png`, in lower or upper case. If the name has no extension,
    /// `.jpg` is added.
    ///
    /// # Errors
    /// Fails with `NothingAllowed`, with an error in the path, or with the reason why the first
    /// allowed directory can't be used.
    pub fn resolve(&self, output_path: Option<&str>, default_name: &str) -> Result<Target, SaveError> {
        if self.allowed.is_empty() {
            return Err(SaveError::NothingAllowed);
        }
        let wanted = output_path.unwrap_or(default_name);
        let request = Request::parse(wanted)?;
        let mut first_error = None;
        for allowed in &self.allowed {
            let tried = match request.relative_to(&allowed.directory) {
                Some(request) => self.target(allowed, request),
                None => Err(SaveError::Outside(wanted.to_owned())),
            };
            match tried {
                Ok(target) => return Ok(target),
                // If one directory fails because an absolute path isn't inside it, the error of
                // another directory is more helpful.
                Err(error) if matches!(first_error, None | Some(SaveError::Outside { .. })) => {
                    first_error = Some(error);
                }
                Err(_) => {}
            }
        }
        Err(first_error.unwrap_or(SaveError::NothingAllowed))
    }

    fn target(&self, allowed: &AllowedDirectory, request: Request) -> Result<Target, SaveError> {
        let unusable =
            |source| SaveError::Unusable { directory: allowed.directory.clone(), by: allowed.allowed_by, source };
        if !fs::metadata(&allowed.directory).map_err(unusable)?.is_dir() {
            return Err(unusable(ErrorKind::NotADirectory.into()));
        }
        let target = Target::new(&allowed.directory, request, self.forbidden.clone());
        target.folder()?;
        Ok(target)
    }
}
