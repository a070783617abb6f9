//! `note://file/{path}`.

use percent_encoding::percent_decode_str;
use rmcp::model::{Annotations, ResourceTemplate, Role};

use super::resource::ReadContext;
use crate::{mcp::tool::HistoryHandler, notes::FileRequest, request::Error};

/// The MIME type of a note.
pub(super) const MARKDOWN: &str = "text/markdown";

const PREFIX: &str = "note://file/";

/// Returns its entry in `resources/templates/list`.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new("note://file/{path}", "note")
        .with_title("One note")
        .with_description("A note by its path in the workspace, percent-encoded.")
        .with_mime_type(MARKDOWN)
        .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]).with_priority(0.25))
}

/// Returns the path in `uri`, or `None` if it is the URI of another resource.
pub(in crate::mcp) fn path(uri: &str) -> Option<String> {
    let path = uri.strip_prefix(PREFIX)?;
    percent_decode_str(path).decode_utf8().ok().map(std::borrow::Cow::into_owned).filter(|path| !path.is_empty())
}

/// Reads the note.
pub(super) async fn read<R: HistoryHandler>(context: &ReadContext<'_, R>, path: String) -> Result<String, Error> {
    Ok(context.handler.handle(FileRequest(path)).await?.text.into_string())
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_note_uri_contains_a_path() {
        assert_eq!(path("note://file/2024-12-10-kickoff.md").as_deref(), Some("2024-12-10-kickoff.md"));
        assert_eq!(path("note://file/clients/a%20b%C3%A9.md").as_deref(), Some("clients/a bé.md"));
        for uri in ["note://file/", "note://today", "note://file/%FF"] {
            assert_eq!(path(uri), None, "{uri}");
        }
    }
}
