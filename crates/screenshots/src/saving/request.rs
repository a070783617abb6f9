//! Parses the requested path as text, before any file is accessed. Characters that Windows reserves
//! are rejected on every platform.

use std::path::{Path, PathBuf};

use super::error::SaveError;
use crate::pictures::Format;

/// The maximum length of a name in bytes. Common file systems have this limit.
const MAX_NAME_BYTES: usize = 255;
/// The maximum length of a path in bytes.
const MAX_PATH_BYTES: usize = 1024;

/// A path that consists of valid names and ends with the extension of a supported format.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// The original text.
    pub(super) text: String,
    /// Whether the path is absolute.
    absolute: bool,
    /// All names of the path except the last one.
    pub(super) folders: PathBuf,
    pub(super) name: String,
    pub(super) format: Format,
}

impl Request {
    /// Parses a path.
    pub(super) fn parse(text: &str) -> Result<Self, SaveError> {
        let invalid = |reason| Err(SaveError::InvalidName { part: sanitize(text), reason });
        if text.len() > MAX_PATH_BYTES {
            return invalid("it is too long");
        }
        let absolute = Path::new(text).is_absolute();
        let is_separator = |letter| matches!(letter, '/' | '\\');
        let (start, rest) = split_root(text, absolute);
        if !absolute && rest.starts_with(is_separator) {
            return Err(SaveError::Outside(sanitize(text)));
        }
        let mut folders = PathBuf::from(start);
        let (parents, name) = rest.rsplit_once(is_separator).unwrap_or(("", rest));
        for part in parents.split(is_separator).filter(|part| !matches!(*part, "" | ".")) {
            check_name(part)?;
            folders.push(part);
        }
        if matches!(name, "" | ".") {
            return invalid("the name of the file is missing");
        }
        check_name(name)?;
        let (name, format) = with_extension(name)?;
        if name.len() > MAX_NAME_BYTES {
            return invalid("it is too long");
        }
        Ok(Self { text: text.to_owned(), absolute, folders, name, format })
    }

    /// Returns the path relative to `directory`, or `None` for an absolute path that isn't inside
    /// `directory`.
    pub(super) fn relative_to(&self, directory: &Path) -> Option<Self> {
        if !self.absolute {
            return Some(self.clone());
        }
        let below = |directory: &Path| self.folders.strip_prefix(directory).ok().map(Path::to_owned);
        let folders = below(directory).or_else(|| below(&std::fs::canonicalize(directory).ok()?))?;
        Some(Self { folders, absolute: false, ..self.clone() })
    }
}

/// Splits an absolute path into its root and the remaining path.
fn split_root(text: &str, absolute: bool) -> (&str, &str) {
    if !absolute {
        return ("", text);
    }
    let root = Path::new(text)
        .components()
        .take_while(|part| !matches!(part, std::path::Component::Normal(_) | std::path::Component::ParentDir));
    let length = root.map(|part| part.as_os_str().len()).sum();
    text.split_at_checked(length).unwrap_or((text, ""))
}

fn check_name(part: &str) -> Result<(), SaveError> {
    let reason = if part == ".." {
        "it leads upwards"
    } else if part.len() > MAX_NAME_BYTES {
        "it is too long"
    } else if part.chars().any(|letter| letter.is_control() || "<>:\"|?*".contains(letter)) {
        "it contains a character that is not allowed in file names"
    } else if part.ends_with(['.', ' ']) || part.starts_with(' ') {
        "it begins with a space, or ends with a space or a dot"
    } else {
        return Ok(());
    };
    Err(SaveError::InvalidName { part: sanitize(part), reason })
}

fn with_extension(name: &str) -> Result<(String, Format), SaveError> {
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return Ok((format!("{name}.{}", Format::Jpeg.extension()), Format::Jpeg));
    };
    if stem.is_empty() {
        return Err(SaveError::InvalidName { part: sanitize(name), reason: "it has no name before the dot" });
    }
    let format = match extension.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => Format::Jpeg,
        "png" => Format::Png,
        _ => return Err(SaveError::WrongExtension(sanitize(extension))),
    };
    Ok((name.to_owned(), format))
}

/// Replaces control characters and limits the length, so that a message can contain the text.
fn sanitize(text: &str) -> String {
    const MAX_QUOTED_CHARS: usize = 80;
    text.chars().take(MAX_QUOTED_CHARS).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
