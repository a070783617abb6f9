//! The tools that one server offers. They are a selection from the complete inventory.

use std::sync::Arc;

use super::tool::{RequestHandler, ToolEntry};
use super::toolset::Toolset;

/// The tools that a server offers, in the order in which the server lists them. Their descriptions mention no tools
/// that the server doesn't offer.
#[derive(Debug)]
pub struct ServedTools<R> {
    tools: Vec<ToolEntry<R>>,
    absent: Arc<[&'static str]>,
}

impl<R: RequestHandler> ServedTools<R> {
    /// Returns those tools of `inventory` whose names `is_served` accepts.
    pub fn new(inventory: Vec<ToolEntry<R>>, is_served: impl Fn(&str) -> bool) -> Self {
        let (tools, absent): (Vec<_>, Vec<_>) = inventory.into_iter().partition(|entry| is_served(entry.name()));
        let absent: Arc<[&'static str]> = absent.iter().map(ToolEntry::name).collect();
        Self { tools: tools.into_iter().map(|entry| entry.with_absent_tools(&absent)).collect(), absent }
    }

    /// Returns the tools in the order of the list.
    pub fn entries(&self) -> std::slice::Iter<'_, ToolEntry<R>> {
        self.tools.iter()
    }

    /// Returns the tool with this name, or `None` if the tool isn't served.
    pub fn find(&self, name: &str) -> Option<&ToolEntry<R>> {
        self.entries().find(|entry| entry.name() == name)
    }

    /// Returns the names of the tools.
    pub fn names(&self) -> Vec<&'static str> {
        self.entries().map(ToolEntry::name).collect()
    }

    /// Returns the names of the tools that exist but aren't served.
    pub fn absent(&self) -> &[&'static str] {
        &self.absent
    }

    /// Whether the server offers a tool of this toolset.
    pub fn has_toolset(&self, toolset: Toolset) -> bool {
        self.entries().any(|entry| entry.toolset() == toolset)
    }
}
