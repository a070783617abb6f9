//! Pages that a client shows in its chat with the response of a tool (MCP Apps, 2026-01-26).
//!
//! This module lists the pages and their files, and decides which clients learn about them. It also links each tool to
//! the page that the tool declares. A page shows only the tool's response, and the response is the same for every
//! client.
//!
//! Invariants: a client that doesn't declare support for pages never learns about them, and the lists that it receives
//! don't get longer. A page loads no files, and makes no requests except tool calls through the client. A page inserts
//! data as text, never as markup. A page writes only when the user presses a button whose label announces the change.
//! It uses only tools that the server offers.
//!
//! Each page is one document. All pages share `page.css`, `host.js` and `page.js`. Each page adds its own style and
//! script.

use rmcp::model::{ClientCapabilities, JsonObject, MetaObject, ResourceContents, Tool};
use serde_json::{Value, json};

/// The name of the MCP Apps extension in a client's capabilities.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The MIME type of a page.
const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The placeholder in a page for the names of the served tools.
const TOOLS: &str = "{tools}";

/// A page that a client shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum McpApp {
    /// The timeline of one or more days, or the list of the days of a period.
    Time,
    /// The draft of a timesheet, which the user corrects and logs.
    Draft,
}

/// The document of a page. It contains the version of dayledger, and a placeholder for the served tools.
macro_rules! page {
    ($title:literal, $style:literal, $script:literal) => {
        concat!(
            "<!doctype html>\n<html lang=\"en\" data-version=\"",
            env!("CARGO_PKG_VERSION"),
            "\" data-tools=\"{tools}\">\n<head>\n<meta charset=\"utf-8\">\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
            $title,
            "</title>\n<style>\n",
            include_str!("page.css"),
            include_str!($style),
            "</style>\n</head>\n<body>\n<main><p class=\"waiting\" role=\"status\">Loading …</p></main>\n",
            "<script>\n",
            include_str!("host.js"),
            include_str!("page.js"),
            include_str!($script),
            "</script>\n</body>\n</html>\n"
        )
    };
}

impl McpApp {
    const ALL: [Self; 2] = [Self::Time, Self::Draft];

    /// Returns the page at `uri`.
    pub(super) fn from_uri(uri: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|app| app.uri() == uri)
    }

    /// Returns the URI of the page.
    pub(super) const fn uri(self) -> &'static str {
        match self {
            Self::Time => "ui://dayledger/time",
            Self::Draft => "ui://dayledger/draft",
        }
    }

    fn document(self) -> &'static str {
        match self {
            Self::Time => page!("Activity", "time.css", "time.js"),
            Self::Draft => page!("Draft of a timesheet", "draft.css", "draft.js"),
        }
    }

    /// Returns the definition of `tool` for clients that show pages. The definition contains a link to this page.
    pub(super) fn attach_to(self, mut tool: Tool) -> Tool {
        tool.meta.get_or_insert_default().0.extend(extension_meta(json!({ "resourceUri": self.uri() })));
        tool
    }

    /// Returns the page for a server that offers `tools`. The page declares no origins, so clients apply the strictest
    /// content security policy.
    pub(super) fn contents(self, tools: &[&str]) -> ResourceContents {
        let text = self.document().replacen(TOOLS, &tools.join(" "), 1);
        let meta = MetaObject(extension_meta(json!({ "prefersBorder": true })));
        ResourceContents::text(text, self.uri()).with_mime_type(MIME_TYPE).with_meta(meta)
    }
}

/// Returns the MCP Apps metadata of a tool or a page.
fn extension_meta(content: Value) -> JsonObject {
    JsonObject::from_iter([("ui".to_owned(), content)])
}

/// Whether a client with these `capabilities` shows pages.
pub(super) fn is_supported_by(capabilities: Option<&ClientCapabilities>) -> bool {
    let settings = capabilities.and_then(|capabilities| capabilities.extensions.as_ref()?.get(EXTENSION));
    let types = settings.and_then(|settings| settings.get("mimeTypes")?.as_array());
    types.is_some_and(|types| types.iter().any(|one| one.as_str() == Some(MIME_TYPE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_complete_and_contains_its_tool_names() {
        for app in McpApp::ALL {
            let contents = serde_json::to_value(app.contents(&["get_version", "log_time"])).expect("JSON");
            let text = contents["text"].as_str().expect("a text");
            assert!(text.contains("data-tools=\"get_version log_time\""), "{app:?}");
            assert_eq!((text.matches("</script").count(), text.matches("</style").count()), (1, 1), "{app:?}");
            assert_eq!(McpApp::from_uri(app.uri()), Some(app));
        }
    }

    #[test]
    fn a_page_loads_no_resources() {
        for app in McpApp::ALL {
            for loading in ["src=", "href=", "url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML", "eval("] {
                assert!(!app.document().contains(loading), "{app:?} has `{loading}`");
            }
        }
    }
}
