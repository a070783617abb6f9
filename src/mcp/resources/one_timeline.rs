//! `manictime://timelines/{timelineId}`.

use rmcp::model::{Annotations, ResourceTemplate, Role};

use super::resource::{JSON, ReadContext};
use crate::{activity::TimelineRequest, mcp::tool::HistoryHandler, request::Error};

/// The template of the resource's URIs.
pub(in crate::mcp) const TEMPLATE: &str = "manictime://timelines/{timelineId}";

const PREFIX: &str = "manictime://timelines/";

/// Returns its entry in `resources/templates/list`.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(TEMPLATE, "timeline")
        .with_title("One timeline")
        .with_description("A timeline by ID: role, device, name, first and last local time, number of activities.")
        .with_mime_type(JSON)
        .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]).with_priority(0.25))
}

/// Returns the timeline in `uri`, or `None` if it is the URI of another resource.
pub(super) fn timeline_id(uri: &str) -> Option<i64> {
    let id = uri.strip_prefix(PREFIX)?;
    // Each timeline has exactly one URI.
    id.parse().ok().filter(|number: &i64| number.to_string() == id)
}

/// Reads the timeline.
pub(super) async fn read<R: HistoryHandler>(context: &ReadContext<'_, R>, timeline_id: i64) -> Result<String, Error> {
    context.answer(TimelineRequest { timeline_id }).await
}

#[cfg(test)]
mod tests {
    use super::timeline_id;

    #[test]
    fn a_timeline_has_exactly_one_uri() {
        assert_eq!(timeline_id("manictime://timelines/12"), Some(12));
        for uri in
            ["manictime://timelines/+12", "manictime://timelines/012", "manictime://timelines/", "manictime://x/1"]
        {
            assert_eq!(timeline_id(uri), None, "{uri}");
        }
    }
}
