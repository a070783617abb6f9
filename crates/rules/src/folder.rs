//! Finds a folder that identifies files in a rule.

use std::collections::{BTreeMap, HashSet};

/// Folders that contain all kinds of files, so that they don't identify a kind of work.
const COMMON_FOLDERS: [&str; 4] = ["desktop", "documents", "downloads", "onedrive"];

/// A folder, by its own name and the name of its parent, if the parent helps to identify it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Folder<'p>(Vec<&'p str>);

impl<'p> Folder<'p> {
    /// Returns the pattern of a rule that matches the files in the folder.
    pub fn pattern(&self) -> String {
        format!("*/{}/*", self.0.join("/"))
    }

    /// Returns the folder's own name.
    pub fn name(&self) -> &'p str {
        self.0.last().copied().unwrap_or_default()
    }

    /// Whether `other` is a folder in this one.
    pub fn contains(&self, other: &Folder<'_>) -> bool {
        other.0.len() > self.0.len() && other.0.starts_with(&self.0)
    }
}

/// Returns the folder of a path that identifies a project: the second one, without drives, servers, homes and folders
/// such as `Documents`. The first one usually contains all projects. If there is only one, it is that one.
pub fn project_folder(path: &str) -> Option<Folder<'_>> {
    let folders = folders(path);
    (!folders.is_empty()).then(|| Folder(folders.into_iter().take(2).collect()))
}

/// Returns the innermost folder whose files have enough seconds, as `is_most` decides. A folder directly on a drive,
/// in a server's share or in a user's home counts only for the files directly in it, because it may contain all kinds
/// of work.
pub fn common_folder<'p>(
    paths: impl IntoIterator<Item = (&'p str, i64)>,
    is_most: impl Fn(i64) -> bool,
) -> Option<Folder<'p>> {
    let mut seconds: BTreeMap<Vec<&str>, i64> = BTreeMap::new();
    for (path, of_path) in paths {
        let folders = folders(path);
        let least = if folders.len() > 1 { 2 } else { 1 };
        for depth in least..=folders.len() {
            *seconds.entry(folders[..depth].to_vec()).or_default() += of_path;
        }
    }
    let fitting = seconds.into_iter().filter(|(_, of_folder)| is_most(*of_folder));
    let (innermost, _) = fitting.max_by_key(|(folders, of_folder)| (folders.len(), *of_folder))?;
    let outermost = innermost.len().saturating_sub(2);
    Some(Folder(innermost[outermost..].to_vec()))
}

/// Returns the folders of a path, without those that don't identify a kind of work.
fn folders(path: &str) -> Vec<&str> {
    if path.contains("://") {
        return Vec::new();
    }
    let mut parts: Vec<_> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    parts.pop();
    let is_home = |part: Option<&&str>| part.is_some_and(|part| ["users", "home"].contains(&&*part.to_lowercase()));
    let is_drive = parts.first().is_some_and(|part| part.ends_with(':'));
    let root = match usize::from(is_drive) {
        _ if path.starts_with(r"\\") => 2,
        drive if is_home(parts.get(drive)) => drive + 2,
        drive => drive,
    };
    let common: HashSet<_> = COMMON_FOLDERS.into();
    let folders = parts.into_iter().skip(root);
    folders.skip_while(|part| common.contains(&*part.to_lowercase())).collect()
}
