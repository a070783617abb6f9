//! The user's folders for settings, data, caches and state.
//!
//! On Windows, an environment variable such as `APPDATA` takes precedence over the folder that the system returns, as
//! in other programs. A program that starts dayledger can therefore choose dayledger's folders. Without the variable,
//! the system's folder is used, because MCP clients start their servers with few variables.

use std::ffi::OsString;
use std::path::PathBuf;

use directories::BaseDirs;

/// The name of dayledger's own folders.
const NAME: &str = "dayledger";

/// The folders of one user. They don't have to exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The home folder.
    pub home: PathBuf,
    /// The folder for settings of all programs. On Windows, this folder follows the user to other machines.
    pub settings: PathBuf,
    /// The folder for data of all programs on this machine.
    pub local_data: PathBuf,
    /// The folder for dayledger's settings.
    pub own_settings: PathBuf,
    /// The folder for dayledger's data that can't be generated again.
    pub own_data: PathBuf,
    /// The folder for dayledger's files that can be generated again at any time.
    pub own_cache: PathBuf,
    /// The folder for dayledger's state, such as the history of the SQL prompt.
    pub own_state: PathBuf,
}

impl Folders {
    /// Returns the user's folders, from environment variables and from the system. `variable` reads an environment
    /// variable. Returns `None` without a home directory.
    #[cfg(windows)]
    pub(super) fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let base = BaseDirs::new();
        let folder = |name, known: fn(&BaseDirs) -> &std::path::Path| {
            let named = variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
            named.or_else(|| base.as_ref().map(|base| known(base).to_owned()))
        };
        let home = folder("USERPROFILE", BaseDirs::home_dir)?;
        let settings = folder("APPDATA", BaseDirs::config_dir)?;
        let local_data = folder("LOCALAPPDATA", BaseDirs::data_local_dir)?;
        Some(Self {
            own_settings: settings.join(NAME).join("config"),
            // The home folder is used, because Windows gives a packaged program, such as Claude Desktop, its own copies
            // of `%APPDATA%` and `%LOCALAPPDATA%`. Hours that an assistant logs there would be invisible to other
            // programs.
            own_data: home.join(".dayledger"),
            own_cache: local_data.join(NAME).join("cache"),
            own_state: local_data.join(NAME).join("data"),
            home,
            settings,
            local_data,
        })
    }

    /// Returns the user's folders from the system. The system reads the environment itself. Returns `None` without a
    /// home directory.
    #[cfg(not(windows))]
    pub(super) fn from_environment(_variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let base = BaseDirs::new()?;
        let own = directories::ProjectDirs::from("", "", NAME)?;
        Some(Self {
            home: base.home_dir().to_owned(),
            settings: base.config_dir().to_owned(),
            local_data: base.data_local_dir().to_owned(),
            own_settings: own.config_dir().to_owned(),
            own_data: own.data_dir().to_owned(),
            own_cache: own.cache_dir().to_owned(),
            own_state: own.state_dir().unwrap_or_else(|| own.data_local_dir()).to_owned(),
        })
    }
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn a_variable_with_an_absolute_path_overrides_the_system() {
        let of_the_system = Folders::from_environment(|_| None).unwrap();
        assert!(of_the_system.own_cache.starts_with(&of_the_system.local_data));
        let named = Folders::from_environment(|name| Some(format!(r"D:\{name}").into())).unwrap();
        let folders = [&named.home, &named.settings, &named.local_data, &named.own_state, &named.own_data];
        let shown = folders.map(|folder| folder.to_str().unwrap());
        assert_eq!(
            shown,
            [
                r"D:\USERPROFILE",
                r"D:\APPDATA",
                r"D:\LOCALAPPDATA",
                r"D:\LOCALAPPDATA\dayledger\data",
                r"D:\USERPROFILE\.dayledger"
            ]
        );
        assert_eq!(Folders::from_environment(|_| Some("somewhere".into())), Some(of_the_system));
    }
}
