//! The identity of the server for clients: name, version, icon and website.

use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::model::{Icon, Implementation};

/// The icon as a PNG file. Every client that shows icons supports PNG, but not every client supports SVG. The file is
/// small, because clients get it with each connection.
const ICON: &[u8] = include_bytes!("../../release/icon-64.png");
const ICON_SIZE: &str = "64x64";

/// The end of a host name that can't belong to anyone (RFC 2606).
const PLACEHOLDER: &str = ".example";

/// Returns the identity of the server.
pub(super) fn implementation() -> Implementation {
    let icon = Icon::new(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(ICON)))
        .with_mime_type("image/png")
        .with_sizes(vec![ICON_SIZE.to_owned()]);
    let server = Implementation::new("dayledger", env!("CARGO_PKG_VERSION"))
        .with_title("dayledger: what did I do?")
        .with_icons(vec![icon]);
    match website(env!("CARGO_PKG_REPOSITORY")) {
        Some(url) => server.with_website_url(url),
        None => server,
    }
}

/// Returns the URL of the project, or `None` if `repository` is a placeholder.
fn website(repository: &str) -> Option<&str> {
    let host = repository.strip_prefix("https://")?.split('/').next()?;
    (!host.ends_with(PLACEHOLDER)).then_some(repository)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_a_small_png_of_its_stated_size() {
        let server = serde_json::to_value(implementation()).unwrap();
        let icon = &server["icons"][0];
        let data = icon["src"].as_str().unwrap().strip_prefix("data:image/png;base64,").unwrap();
        assert!(data.len() < 4096, "{}", data.len());
        let picture = image::load_from_memory(&BASE64_STANDARD.decode(data).unwrap()).unwrap();
        assert_eq!(icon["sizes"][0], format!("{}x{}", picture.width(), picture.height()));
    }

    #[test]
    fn a_placeholder_is_not_sent_as_the_website() {
        assert_eq!(website("https://repository.example/dayledger"), None);
        assert_eq!(website("https://example.com/a/dayledger"), Some("https://example.com/a/dayledger"));
    }
}
