//! The supported MCP clients: their names, and the location and format of their configuration.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dayledger_terminal::user_folders;

use super::Error;
use crate::cli::config;

/// An MCP client that keeps its servers in a file of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    /// Claude Desktop
    ClaudeDesktop,
    /// Claude Code, for all projects
    ClaudeCode,
    /// Visual Studio Code, for all workspaces
    Vscode,
    /// Cursor, for all projects
    Cursor,
    /// Codex: command line, app and editor extension
    Codex,
    /// Gemini CLI, for all projects
    GeminiCli,
    /// GitHub Copilot CLI
    CopilotCli,
    /// Windsurf
    Windsurf,
    /// Zed, for all projects
    Zed,
    /// opencode, for all projects
    Opencode,
}

/// The properties in which clients differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    /// The client's display name.
    pub(super) title: &'static str,
    /// The folder that contains the client's own folder.
    base: Base,
    /// The client's own folder. The client creates this folder when it first runs.
    folder: &'static str,
    /// The environment variable that sets another path for the client's own folder.
    variable: Option<&'static str>,
    /// The possible names of the configuration file in the client's own folder. The first name is the default.
    files: &'static [&'static str],
    pub(super) format: Format,
    /// The possible paths of the list of servers in the configuration, as keys. The last path is the default.
    pub(super) lists: &'static [&'static [&'static str]],
    /// The members of a server's entry, in the order in which they are written.
    pub(super) entry: &'static [Member],
    /// The step that the user has to take after the installation.
    pub(super) next_step: &'static str,
}

/// A folder in which clients create their own folder.
#[derive(Debug, Clone, Copy)]
enum Base {
    /// The home folder.
    Home,
    /// The folder for settings of all programs.
    Settings,
    /// `~/.config`, also on macOS and Windows.
    DotConfig,
}

/// The format of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON. If the configuration contains comments or trailing commas, the client doesn't start.
    Json,
    /// JSON that may contain comments and trailing commas.
    JsonWithComments,
    /// TOML.
    Toml,
}

/// A member of a server's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    /// `type`, with this name of the transport.
    Type(&'static str),
    /// `command`: the path of the program.
    Command,
    /// `args`: the arguments of the program.
    Args,
    /// `command`: a list that contains the path of the program and its arguments.
    CommandLine,
    /// `tools`: the tools that the client offers to its model. An existing value is kept, because it is the user's
    /// choice.
    AllTools,
}

const PLAIN_ENTRY: &[Member] = &[Member::Command, Member::Args];
const STDIO_ENTRY: &[Member] = &[Member::Type("stdio"), Member::Command, Member::Args];

/// The properties that most clients share.
const COMMON: Profile = Profile {
    title: "",
    base: Base::Home,
    folder: "",
    variable: None,
    files: &["mcp.json"],
    format: Format::Json,
    lists: &[&["mcpServers"]],
    entry: PLAIN_ENTRY,
    next_step: "",
};

impl Client {
    /// Returns the properties of this client.
    pub(super) fn profile(self) -> Profile {
        match self {
            Self::ClaudeDesktop => Profile {
                title: "Claude Desktop",
                base: Base::Settings,
                folder: "Claude",
                files: &["claude_desktop_config.json"],
                next_step: "quit Claude Desktop, start it again",
                ..COMMON
            },
            Self::ClaudeCode => Profile {
                title: "Claude Code",
                folder: ".claude",
                variable: Some("CLAUDE_CONFIG_DIR"),
                files: &[".claude.json"],
                entry: STDIO_ENTRY,
                next_step: "start a new session of Claude Code",
                ..COMMON
            },
            Self::Vscode => Profile {
                title: "VS Code",
                base: Base::Settings,
                folder: "Code",
                files: &["User/mcp.json"],
                format: Format::JsonWithComments,
                lists: &[&["servers"]],
                entry: STDIO_ENTRY,
                next_step: "reload the window of VS Code, trust the server when it asks, open the chat in agent mode",
                ..COMMON
            },
            Self::Cursor => Profile {
                title: "Cursor",
                folder: ".cursor",
                format: Format::JsonWithComments,
                next_step: "restart Cursor, enable the server in its MCP settings",
                ..COMMON
            },
            Self::Codex => Profile {
                title: "Codex",
                folder: ".codex",
                variable: Some("CODEX_HOME"),
                files: &["config.toml"],
                format: Format::Toml,
                lists: &[&["mcp_servers"]],
                next_step: "start a new session of Codex",
                ..COMMON
            },
            Self::GeminiCli => Profile {
                title: "Gemini CLI",
                folder: ".gemini",
                files: &["settings.json"],
                format: Format::JsonWithComments,
                next_step: "start a new session of Gemini CLI",
                ..COMMON
            },
            Self::CopilotCli => Profile {
                title: "Copilot CLI",
                folder: ".copilot",
                variable: Some("COPILOT_HOME"),
                files: &["mcp-config.json"],
                entry: &[Member::Type("local"), Member::Command, Member::Args, Member::AllTools],
                next_step: "start a new session of Copilot CLI",
                ..COMMON
            },
            Self::Windsurf => Profile {
                title: "Windsurf",
                folder: ".codeium/windsurf",
                files: &["mcp_config.json"],
                next_step: "restart Windsurf",
                ..COMMON
            },
            Self::Zed => Profile {
                title: "Zed",
                base: if cfg!(windows) { Base::Settings } else { Base::DotConfig },
                folder: if cfg!(windows) { "Zed" } else { "zed" },
                files: &["settings.json"],
                format: Format::JsonWithComments,
                lists: &[&["context_servers"]],
                next_step: "open the agent panel of Zed",
                ..COMMON
            },
            // Both versions of opencode read entries in `mcp`. Version 2 can also list the servers in `mcp.servers`.
            Self::Opencode => Profile {
                title: "opencode",
                base: Base::DotConfig,
                folder: "opencode",
                files: &["opencode.json", "opencode.jsonc"],
                format: Format::JsonWithComments,
                lists: &[&["mcp", "servers"], &["mcp"]],
                entry: &[Member::Type("local"), Member::CommandLine],
                next_step: "start a new session of opencode",
                ..COMMON
            },
        }
    }

    /// Returns the client's display name.
    pub(super) fn title(self) -> &'static str {
        self.profile().title
    }

    /// Returns the location of this client's configuration file.
    ///
    /// # Errors
    /// Fails with [`Error::NotInstalled`] if the client has never run, and with [`Error::NoHome`] without a home
    /// directory.
    pub(super) fn config_location(self) -> Result<ConfigLocation, Error> {
        let profile = self.profile();
        let folders = user_folders().ok_or(Error::NoHome)?;
        let may_be_packaged = cfg!(windows) && self == Self::ClaudeDesktop;
        let package = may_be_packaged.then(|| package_data(&folders.local_data.join("Packages"))).flatten();
        let base = match profile.base {
            Base::Home => folders.home.clone(),
            Base::Settings => package.clone().unwrap_or(folders.settings),
            Base::DotConfig => {
                config::folder_variable("XDG_CONFIG_HOME").unwrap_or_else(|| folders.home.join(".config"))
            }
        };
        let moved = profile.variable.and_then(config::folder_variable);
        let is_moved = moved.is_some();
        let folder = moved.unwrap_or_else(|| join(&base, profile.folder));
        // Claude Code's file is next to its own folder, unless the variable sets another path for the folder.
        let parent = if self == Self::ClaudeCode && !is_moved { &folders.home } else { &folder };
        let mut files = profile.files.iter().map(|name| join(parent, name));
        let default = files.next().unwrap_or_default();
        let file = if default.exists() { default } else { files.find(|file| file.exists()).unwrap_or(default) };
        // A Windows package doesn't create the client's own folder before the user changes a setting.
        let own = package.clone().unwrap_or(folder);
        if !file.exists() && !own.exists() {
            return Err(Error::NotInstalled { client: profile.title, missing: own });
        }
        Ok(ConfigLocation { file, is_packaged: package.is_some() })
    }
}

/// Appends `path`, which has slashes, with the separators of the system.
fn join(folder: &Path, path: &str) -> PathBuf {
    folder.join(path).components().collect()
}

/// The location of a client's configuration.
#[derive(Debug)]
pub(super) struct ConfigLocation {
    pub(super) file: PathBuf,
    /// Whether the client is installed as a Windows package. A package has its own copy of the user's folders.
    pub(super) is_packaged: bool,
}

/// Returns the folder that Windows uses as `%APPDATA%` for Claude Desktop's package. Since 2026, Claude Desktop's
/// installer creates a Windows package, and packages don't see the real `%APPDATA%`.
fn package_data(packages: &Path) -> Option<PathBuf> {
    let mut found = fs::read_dir(packages).ok()?.flatten();
    let package = found.find(|package| package.file_name().to_string_lossy().starts_with("Claude_"))?;
    Some(package.path().join("LocalCache").join("Roaming"))
}

/// Checks a server name. Only letters, digits, `-` and `_` are allowed, because every client accepts them.
pub(super) fn name(text: &str) -> Result<String, String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if text.is_empty() || !text.chars().all(plain) {
        return Err("use only letters, digits, `-` and `_`".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_on_windows_keeps_its_data_in_its_own_folder() {
        let packages = tempfile::tempdir().unwrap();
        assert_eq!(package_data(&packages.path().join("nowhere")), None);
        fs::create_dir(packages.path().join("ClaudeLike_x")).unwrap();
        assert_eq!(package_data(packages.path()), None);
        let package = packages.path().join("Claude_pzs8sxrjxfjjc");
        fs::create_dir(&package).unwrap();
        assert_eq!(package_data(packages.path()), Some(package.join("LocalCache").join("Roaming")));
    }
}
