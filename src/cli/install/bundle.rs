//! Connects a client through the bundle of a release. The client installs the bundle itself.

use std::fmt::Write as _;
use std::path::Path;

use super::client::Client;

/// The hint for a user whose client may be unable to read the configuration file from dayledger.
pub(super) const FALLBACK_HINT: &str = "If the server doesn't appear there, install the bundle instead: `dayledger install claude-desktop --bundle` shows how.";

/// Returns the instructions for installing the bundle in `client`, for the history at `place`.
pub(super) fn steps(client: Client, place: Option<&Path>) -> anyhow::Result<String> {
    if client != Client::ClaudeDesktop {
        anyhow::bail!(
            "{} does not support bundles: leave out `--bundle` to add the server to its configuration",
            client.title()
        );
    }
    let mut steps = format!(
        "1. Download `dayledger.mcpb` from the release of version {}.\n\
         2. Open it with Claude Desktop, or choose it in Settings > Extensions > Advanced settings > Install Extension.\n",
        env!("CARGO_PKG_VERSION"),
    );
    let _ = match place {
        Some(place) => writeln!(steps, "3. Choose `{}` as the folder of the history.", place.display()),
        None => writeln!(steps, "3. Leave the folder of the history empty to use ManicTime's default folder."),
    };
    steps.push_str(
        "The bundle contains its own copy of dayledger. If you connected Claude Desktop before, run `dayledger uninstall \
         claude-desktop` first.\n",
    );
    Ok(steps)
}
