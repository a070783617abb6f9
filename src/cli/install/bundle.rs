//! The other way into a client: the bundle of a release, which the client installs itself.

use std::fmt::Write as _;
use std::path::Path;

use super::client::Client;

/// What is told where a client may not read the file that was written.
pub(super) const FALLBACK_HINT: &str =
    "should it not appear there, `dayledger install claude-desktop --bundle` tells how to use the bundle instead";

/// What the user does for `client` to start the server of the bundle, over the history in `place`.
pub(super) fn steps(client: Client, place: Option<&Path>) -> anyhow::Result<String> {
    if client != Client::ClaudeDesktop {
        anyhow::bail!(
            "{} takes no bundles; without `--bundle` the server is added to its configuration",
            client.title()
        );
    }
    let mut steps = format!(
        "1. take `dayledger.mcpb` from the release of version {}\n\
         2. open it with Claude Desktop, or choose it there in Settings, Extensions, Advanced settings, Install Extension\n",
        env!("CARGO_PKG_VERSION"),
    );
    let _ = match place {
        Some(place) => writeln!(steps, "3. as the folder of the history choose `{}`", place.display()),
        None => writeln!(steps, "3. leave the folder of the history empty, for ManicTime's usual place"),
    };
    steps.push_str(
        "It brings a program of its own. Where `dayledger` stands in Claude Desktop's configuration too, take it out there: \
         dayledger uninstall claude-desktop\n",
    );
    Ok(steps)
}
