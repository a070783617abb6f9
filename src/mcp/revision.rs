//! What the revision of the protocol that a client speaks knows, and how an answer looks that keeps to it.
//!
//! Most clients pass over what they do not know, and the others should not have to: what a revision lacks becomes the
//! next best thing, or goes.

use rmcp::{
    RoleServer,
    model::{Annotations, CallToolResult, ContentBlock, Prompt, ProtocolVersion, Resource, ResourceTemplate, Tool},
    service::RequestContext,
};

/// The revision of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Revision(ProtocolVersion);

impl Revision {
    /// The revision of the request of `context`: the one that its client and the server agreed on.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self(context.protocol_version().unwrap_or(ProtocolVersion::LATEST))
    }

    /// Whether a list may say for how long it may be kept: where there is no handshake.
    pub(super) fn knows_cache_hints(&self) -> bool {
        !self.0.has_initialize()
    }

    /// Whether a tool has an output schema, and its result the structure that fits it.
    pub(super) fn knows_structured_content(&self) -> bool {
        self.0 >= ProtocolVersion::V_2025_06_18
    }

    /// Whether a result may point to a resource.
    pub(super) fn knows_resource_links(&self) -> bool {
        self.0 >= ProtocolVersion::V_2025_06_18
    }

    /// Whether tools, resources and prompts have a name for a person, and resources the time of their last change.
    pub(super) fn knows_titles(&self) -> bool {
        self.0 >= ProtocolVersion::V_2025_06_18
    }

    /// Whether a tool says of itself what it may change.
    pub(super) fn knows_tool_annotations(&self) -> bool {
        self.0 >= ProtocolVersion::V_2025_03_26
    }

    /// `tool` as this revision lists it. Annotations had a title before tools did.
    pub(super) fn tool(&self, mut tool: Tool) -> Tool {
        if !self.knows_titles()
            && let Some(title) = tool.title.take()
        {
            tool.annotations.get_or_insert_default().title = Some(title);
        }
        if !self.knows_tool_annotations() {
            tool.annotations = None;
        }
        if !self.knows_structured_content() {
            tool.output_schema = None;
        }
        tool
    }

    /// `resource` as this revision lists it.
    pub(super) fn resource(&self, mut resource: Resource) -> Resource {
        if !self.knows_titles() {
            resource.title = None;
            undated(resource.annotations.as_mut());
        }
        resource
    }

    /// `template` as this revision lists it.
    pub(super) fn template(&self, mut template: ResourceTemplate) -> ResourceTemplate {
        if !self.knows_titles() {
            template.title = None;
        }
        template
    }

    /// `prompt` as this revision lists it.
    pub(super) fn prompt(&self, mut prompt: Prompt) -> Prompt {
        if !self.knows_titles() {
            prompt.title = None;
            prompt.arguments.iter_mut().flatten().for_each(|argument| argument.title = None);
        }
        prompt
    }

    /// `result` as this revision returns it. Its text says what the structure does; a link becomes its words and its
    /// address.
    pub(super) fn result(&self, mut result: CallToolResult) -> CallToolResult {
        if !self.knows_structured_content() {
            result.structured_content = None;
        }
        if !self.knows_resource_links() {
            result.content = result.content.into_iter().map(unlinked).collect();
        }
        result
    }
}

fn undated(annotations: Option<&mut Annotations>) {
    if let Some(annotations) = annotations {
        annotations.last_modified = None;
    }
}

fn unlinked(block: ContentBlock) -> ContentBlock {
    let ContentBlock::ResourceLink(link) = block else { return block };
    let text = format!("{}: {}", link.title.as_ref().unwrap_or(&link.name), link.uri);
    let mut text = ContentBlock::text(text);
    if let ContentBlock::Text(content) = &mut text {
        content.annotations = link.annotations;
        undated(content.annotations.as_mut());
    }
    text
}

#[cfg(test)]
mod tests {
    use rmcp::model::Role;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_link_becomes_text_for_revisions_without_links() {
        let annotations = Annotations::default().with_audience(vec![Role::User]);
        let link =
            Resource::new("manictime://config", "config").with_title("Configuration").with_annotations(annotations);
        let result = CallToolResult::success(vec![ContentBlock::text("words"), ContentBlock::resource_link(link)]);
        let content = |version| serde_json::to_value(Revision(version).result(result.clone()).content).expect("JSON");
        assert_eq!(
            content(ProtocolVersion::V_2025_03_26),
            json!([{"type": "text", "text": "words"}, {"type": "text", "text": "Configuration: manictime://config",
                "annotations": {"audience": ["user"]}}])
        );
        assert_eq!(content(ProtocolVersion::V_2025_06_18), serde_json::to_value(&result.content).expect("JSON"));
    }
}
