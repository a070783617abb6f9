//! Finds the folder of the workspace.

use std::path::{Path, PathBuf};

use crate::refusal::{Code, Refusal};

/// The folders that can be the workspace, in order of precedence. Empty paths are ignored.
#[derive(Debug, Clone, Copy, Default)]
pub struct WorkspaceCandidates<'v> {
    /// The setting `workspace` in the configuration of dayledger.
    pub setting: Option<&'v Path>,
    /// The value of the environment variable `CHRONICLE_WORKSPACE`.
    pub environment: Option<&'v Path>,
    /// The current directory. It is the workspace if it contains a folder `.chronicle`.
    pub current: Option<&'v Path>,
    /// The user's home directory. The default workspace is its subfolder `Documents/Chronicle`.
    pub home: Option<&'v Path>,
}

impl WorkspaceCandidates<'_> {
    /// Returns the folder of the workspace. `is_folder` checks whether a path is a folder. In the setting and in the
    /// variable, `~/` at the start means the home directory.
    ///
    /// # Errors
    ///
    /// `NO_WORKSPACE` if no workspace is found. A setting or variable that isn't a folder is also an error, and later
    /// candidates are then not tried.
    pub fn locate(&self, is_folder: impl Fn(&Path) -> bool) -> Result<PathBuf, Refusal> {
        let no_workspace = |why: String, advice: &str| Err(Refusal::new(Code::NoWorkspace, format!("{why}; {advice}")));
        let set = [
            (self.setting, "correct `workspace` in the configuration"),
            (self.environment, "correct CHRONICLE_WORKSPACE"),
        ];
        for (path, advice) in set {
            let Some(path) = path.filter(|path| !path.as_os_str().is_empty()) else { continue };
            let path = self.expand_home(path);
            if is_folder(&path) {
                return Ok(path);
            }
            return no_workspace(format!("the workspace `{}` is not a folder", path.display()), advice);
        }
        if let Some(current) = self.current
            && is_folder(&current.join(".chronicle"))
        {
            return Ok(current.to_owned());
        }
        let advice = "set the folder of your notes in CHRONICLE_WORKSPACE or in the configuration";
        match self.home.map(|home| home.join("Documents").join("Chronicle")) {
            Some(default) if is_folder(&default) => Ok(default),
            Some(default) => {
                no_workspace(format!("no workspace is set, and `{}` does not exist", default.display()), advice)
            }
            None => no_workspace("no workspace is set".to_owned(), advice),
        }
    }

    fn expand_home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.home) {
            (Ok(below), Some(home)) => home.join(below),
            _ => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(whereabouts: WorkspaceCandidates, folders: &[&str]) -> Result<PathBuf, Refusal> {
        whereabouts.locate(|path: &Path| folders.iter().any(|folder| Path::new(folder) == path))
    }

    #[test]
    fn first_named_workspace_is_used() {
        let all = ["/s", "/e", "/c/.chronicle", "/h/Documents/Chronicle"];
        let path = |path: &'static str| Some(Path::new(path));
        let mut variables =
            WorkspaceCandidates { setting: path("/s"), environment: path("/e"), current: path("/c"), home: path("/h") };
        assert_eq!(locate(variables, &all), Ok("/s".into()));
        variables.setting = path("");
        assert_eq!(locate(variables, &all), Ok("/e".into()));
        variables.environment = None;
        assert_eq!(locate(variables, &all), Ok("/c".into()));
        assert_eq!(locate(variables, &all[3..]), Ok("/h/Documents/Chronicle".into()));
        variables.environment = path("~/notes");
        assert_eq!(locate(variables, &["/h/notes"]), Ok("/h/notes".into()));
    }

    #[test]
    fn missing_workspace_error_explains_how_to_set_it() {
        let environment = Some(Path::new("/gone"));
        let none = [
            WorkspaceCandidates::default(),
            WorkspaceCandidates { home: Some(Path::new("/h")), ..WorkspaceCandidates::default() },
            WorkspaceCandidates { environment, home: Some(Path::new("/h")), ..WorkspaceCandidates::default() },
        ];
        for whereabouts in none {
            let refusal = locate(whereabouts, &[]).unwrap_err();
            assert_eq!(refusal.code, Code::NoWorkspace);
            assert!(refusal.message.contains("CHRONICLE_WORKSPACE"), "{refusal}");
        }
        let named = WorkspaceCandidates { environment, home: Some(Path::new("/h")), ..WorkspaceCandidates::default() };
        assert!(
            locate(named, &["/h/Documents/Chronicle"]).is_err(),
            "a configured workspace is never ignored silently"
        );
    }
}
