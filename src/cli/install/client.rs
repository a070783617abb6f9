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
}

impl Client {
    /// Returns the client's display name.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Vscode => "VS Code",
            Self::Cursor => "Cursor",
        }
    }

    /// Returns the key of the JSON object that lists the servers in the configuration.
    pub(super) fn servers_key(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::ClaudeDesktop | Self::ClaudeCode | Self::Cursor => "mcpServers",
        }
    }

    /// Whether a server's entry in the configuration specifies the transport.
    pub(super) fn names_transport(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Vscode)
    }

    /// Whether the client accepts comments and trailing commas. Other clients don't start if their configuration
    /// contains comments or trailing commas.
    pub(super) fn takes_comments(self) -> bool {
        matches!(self, Self::Vscode | Self::Cursor)
    }

    /// Returns the step that the user has to take after the installation.
    pub(super) fn next_step(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Next: quit Claude Desktop, start it again and ask \"What did I do yesterday?\"",
            Self::ClaudeCode => "Next: start a new session of Claude Code and ask \"What did I do yesterday?\"",
            Self::Vscode => {
                "Next: reload the window of VS Code, trust the server when it asks, and ask the chat in agent mode \"What \
                 did I do yesterday?\""
            }
            Self::Cursor => {
                "Next: restart Cursor, enable the server in its MCP settings and ask \"What did I do yesterday?\""
            }
        }
    }

    /// Returns the location of this client's configuration file.
    ///
    /// # Errors
    /// Fails with [`Error::NotInstalled`] if the client has never run, and with [`Error::NoHome`] without a home
    /// directory.
    pub(super) fn config_location(self) -> Result<ConfigLocation, Error> {
        let folders = user_folders().ok_or(Error::NoHome)?;
        let (home, settings) = (folders.home.as_path(), folders.settings.as_path());
        let may_be_packaged = cfg!(windows) && self == Self::ClaudeDesktop;
        let package = may_be_packaged.then(|| package_data(&folders.local_data.join("Packages"))).flatten();
        // `own` is the folder that the client creates when it first runs, and `file` is its configuration file.
        let (own, file) = match self {
            Self::ClaudeDesktop => {
                let own = package.as_deref().unwrap_or(settings).join("Claude");
                (package.clone().unwrap_or_else(|| own.clone()), own.join("claude_desktop_config.json"))
            }
            Self::ClaudeCode => {
                let moved = config::claude_config_dir();
                let file = moved.as_deref().unwrap_or(home).join(".claude.json");
                (moved.unwrap_or_else(|| home.join(".claude")), file)
            }
            Self::Vscode => (settings.join("Code"), settings.join("Code").join("User").join("mcp.json")),
            Self::Cursor => (home.join(".cursor"), home.join(".cursor").join("mcp.json")),
        };
        if !file.exists() && !own.exists() {
            return Err(Error::NotInstalled { client: self.title(), missing: own });
        }
        Ok(ConfigLocation { file, is_packaged: package.is_some() })
    }
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
