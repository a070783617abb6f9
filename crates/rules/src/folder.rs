//! Finds a folder that a proposed rule can match, for example the folder of a project.

use std::collections::{BTreeMap, HashSet};

/// Names of folders that don't identify a project, because they contain files of all kinds of work.
const COMMON_FOLDERS: [&str; 4] = ["desktop", "documents", "downloads", "onedrive"];

/// A folder, identified by the last one or two names in its path: only its own name, or its parent's name and its own
/// name.
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

    /// Whether `other` is inside this folder.
    pub fn contains(&self, other: &Folder<'_>) -> bool {
        other.0.len() > self.0.len() && other.0.starts_with(&self.0)
    }
}

/// Returns the folder of a path that identifies a project. Drives, servers, users' homes and folders such as
/// `Documents` at the start of the path are skipped. The first remaining folder usually contains all projects, so the
/// function returns the second remaining folder. If only one folder remains, the function returns this folder.
pub fn project_folder(path: &str) -> Option<Folder<'_>> {
    let folders = folders(path);
    (!folders.is_empty()).then(|| Folder(folders.into_iter().take(2).collect()))
}

/// Returns the innermost folder with files that have enough seconds in total. `paths` contains the seconds of each
/// file, and `is_most` decides whether the seconds of a folder are enough.
///
/// Some folders are directly on a drive, in a server's share or in a user's home. They may contain all kinds of work.
/// For such a folder, only the files that are directly in it count.
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

/// Returns the folders of a path. Skips drives, servers, users' homes and [`COMMON_FOLDERS`] at the start of the path.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_folder_has_at_least_half_of_the_time() {
        let pattern = |paths: &[(&str, i64)]| {
            let is_most = |seconds: i64| seconds * 2 >= 10;
            common_folder(paths.iter().copied(), is_most).map(|folder| folder.pattern())
        };
        for (paths, expected) in [
            (&[(r"C:\Work\Acme\plan\a.md", 3), (r"C:\Work\Acme\plan\b.md", 3)][..], "*/Acme/plan/*"),
            (&[(r"C:\Work\Acme\x\a.md", 3), (r"C:\Work\Acme\y\b.md", 3)], "*/Work/Acme/*"),
            (&[(r"\\server\share\Acme\a.md", 6)], "*/Acme/*"),
            (&[("/home/alex/acme/a.md", 6)], "*/acme/*"),
            (&[("/home/alex/acme/a.md", 6), ("/home/alex/acme/docs/b.md", 4)], "*/acme/*"),
            (&[(r"C:\Users\alex\Documents\Acme\a.md", 6)], "*/Acme/*"),
        ] {
            assert_eq!(pattern(paths).as_deref(), Some(expected));
        }
        assert_eq!(pattern(&[(r"C:\Work\Acme\a.md", 4), (r"C:\Work\Umbra\b.md", 4)]), None);
    }

    const WITHOUT_FOLDER: [&str; 6] = [
        "C:\\a.md",
        "/home/alex/a.md",
        r"\\server\share\a.md",
        r"C:\Users\alex\Downloads\a.md",
        "a.md",
        "https://a/b/c",
    ];

    #[test]
    fn drives_homes_and_addresses_are_no_folders_of_a_project() {
        for path in WITHOUT_FOLDER {
            assert_eq!(common_folder([(path, 10)], |_| true), None, "{path}");
            assert_eq!(project_folder(path), None, "{path}");
        }
    }

    #[test]
    fn project_folder_is_the_second_folder() {
        for (path, pattern) in [
            (r"C:\Work\Acme\plan\x\a.md", "*/Work/Acme/*"),
            (r"\\server\share\Clients\Acme\a.md", "*/Clients/Acme/*"),
            ("/home/alex/projects/acme/src/a.rs", "*/projects/acme/*"),
            (r"C:\Users\alex\Documents\Acme\a.md", "*/Acme/*"),
        ] {
            assert_eq!(project_folder(path).map(|folder| folder.pattern()).as_deref(), Some(pattern), "{path}");
        }
        let [outer, inner] = [r"C:\Work\a.md", r"C:\Work\Acme\a.md"].map(|path| project_folder(path).unwrap());
        assert!(outer.contains(&inner) && !inner.contains(&outer) && !outer.contains(&outer));
    }
}
