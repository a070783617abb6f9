//! The user's folders, where programs keep what is set up, what the user would miss and what can be made anew.
//!
//! On Windows a variable that names a folder goes before what the system says, as it does for other programs, so that
//! whoever starts this one can give it other folders. The system is asked where there is no variable: clients start
//! their servers with few of them.

use std::ffi::OsString;
use std::path::PathBuf;

use directories::BaseDirs;

/// What this program is called in them.
const NAME: &str = "dayledger";

/// The folders of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folders {
    pub(super) home: PathBuf,
    /// For what programs are set up by; on Windows that which goes with the user from machine to machine.
    pub(super) settings: PathBuf,
    /// For the data of programs, on this machine.
    pub(super) local_data: PathBuf,
    /// For what this program is set up by.
    pub(super) own_settings: PathBuf,
    /// For what the user would miss.
    pub(super) own_data: PathBuf,
    /// For what can be made anew at any time.
    pub(super) own_cache: PathBuf,
    /// For what this program remembers of its use.
    pub(super) own_state: PathBuf,
}

impl Folders {
    /// The folders of the user, by the variables of the environment that `variable` gives and by the system; none
    /// without a home directory.
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
            // A packaged program, such as Claude Desktop, gets a copy of its own of all that it and its servers write to
            // `%APPDATA%` or `%LOCALAPPDATA%`: hours that an assistant logs would be nowhere for everybody else.
            own_data: home.join(".dayledger"),
            own_cache: local_data.join(NAME).join("cache"),
            own_state: local_data.join(NAME).join("data"),
            home,
            settings,
            local_data,
        })
    }

    /// The folders of the user, as the system names them by the environment; none without a home directory.
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
    fn a_variable_goes_before_the_system_where_it_names_a_folder() {
        let of_the_system = Folders::of(|_| None).unwrap();
        assert!(of_the_system.own_cache.starts_with(&of_the_system.local_data));
        let named = Folders::of(|name| Some(format!(r"D:\{name}").into())).unwrap();
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
        assert_eq!(Folders::of(|_| Some("somewhere".into())), Some(of_the_system));
    }
}
