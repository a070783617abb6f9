//! Writing pictures: where it is allowed, what a file may be called, and that it appears whole or not at all.
//!
//! **Owns** the allowed directories, the check of a wanted path, the write. **Does not own** which picture is written,
//! nor who allowed what: the roots of a client and the user's own settings come in.
//!
//! This is the one place where a model says what a file of the user's is called. A path is checked as text first, the
//! same on every platform. Then links are resolved, and the result has to be inside the allowed directory and outside
//! `ManicTime`'s.

mod allowed;
mod error;
mod request;
mod roots;
mod target;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

pub use self::allowed::{AllowedBy, AllowedDirectory};
pub use self::error::SaveError;
use self::request::Request;
pub use self::roots::folder_of_root;
pub use self::target::{Saved, Target};
pub use crate::files::IfPresent;
use crate::files::OffLimits;

/// The directories in which pictures may be saved.
#[derive(Debug, Clone, Default)]
pub struct Destinations {
    allowed: Vec<AllowedDirectory>,
    forbidden: OffLimits,
}

impl Destinations {
    /// Returns destinations below the `allowed` directories, tried in that order, but at or below none of the
    /// `forbidden` ones, wherever those lie.
    pub fn new(allowed: Vec<AllowedDirectory>, forbidden: Vec<PathBuf>) -> Self {
        Self { allowed, forbidden: OffLimits::new(forbidden) }
    }

    /// Returns the file that `output_path` names, in the first directory in which it can be; nothing is written yet.
    ///
    /// The path is relative, or absolute inside an allowed directory; `/` and `\` both part it. Without one,
    /// `default_name` is taken. A name without extension gets `.jpg`; `jpg`, `jpeg` and `png`, in any case, tell the
    /// format.
    ///
    /// # Errors
    /// `NothingAllowed`, what is wrong with the path, or why the first allowed directory cannot take it.
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
                None => Err(SaveError::Outside { path: wanted.to_owned() }),
            };
            match tried {
                Ok(target) => return Ok(target),
                // That an absolute path lies elsewhere says less than why the directory that holds it fails.
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
