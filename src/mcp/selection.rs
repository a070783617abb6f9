//! Which tools a server offers, chosen by name when the process starts.
//!
//! The rules are those of the servers that people know: toolsets and single tools add up, single tools alone are a
//! list of their own, and neither brings back what is excluded or what writes under read-only. The choice holds for
//! the life of the process, since lists must not differ between connections.

use std::fmt::Display;

use super::{
    served_tools::ServedTools,
    tool::{HistoryHandler, ToolEntry},
    tools::inventory,
    toolset::Toolset,
};
use crate::App;
use crate::engine::suggestion;
use crate::screenshots::AllowedDirectory;

/// What flags and settings ask for, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolChoice {
    /// The toolsets to offer; with neither these nor `tools`, [`Toolset::UNASKED`].
    pub toolsets: Option<Vec<String>>,
    /// Single tools to offer, beside those of `toolsets`; without `toolsets`, these alone.
    pub tools: Option<Vec<String>>,
    /// Toolsets to offer beside what the others choose.
    pub more_toolsets: Vec<String>,
    /// Tools to leave out, whatever includes them.
    pub exclude_tools: Vec<String>,
    /// Whether tools that write are left out, whatever includes them.
    pub read_only: bool,
}

/// Why a choice of tools cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// A name that no toolset has.
    #[error("there is no toolset `{name}`{}", suggestion(.name, .known.iter().copied()))]
    UnknownToolset {
        /// The name as it was given.
        name: String,
        /// The toolsets that exist.
        known: Vec<&'static str>,
    },
    /// A name that no tool has.
    #[error("there is no tool `{name}`{}", suggestion(.name, .known.iter().copied()))]
    UnknownTool {
        /// The name as it was given.
        name: String,
        /// The tools that exist.
        known: Vec<&'static str>,
    },
    /// Nothing is left to offer.
    #[error("this choice leaves no tool to offer")]
    NoTool,
}

impl SelectionError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownToolset { known, .. } => format!("the toolsets are {}", list(known)),
            Self::UnknownTool { known, .. } => format!("the tools are {}", list(known)),
            Self::NoTool => {
                format!("choose more or exclude less; the toolsets are {}", list(&Toolset::ALL.map(Toolset::as_str)))
            }
        }
    }
}

/// The tools that a server offers, never none and only such as exist, and where those that write may do so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    tools: Vec<&'static str>,
    toolsets: Vec<Toolset>,
    writable: Vec<AllowedDirectory>,
}

impl Selection {
    /// Finds the tools that `choice` names.
    ///
    /// # Errors
    /// A name that does not exist, or a choice that leaves no tool.
    pub fn from_choice(choice: &ToolChoice) -> Result<Self, SelectionError> {
        let inventory = inventory::<App>();
        let sets = |names: &[String]| names.iter().map(|name| parse_toolset(name)).collect::<Result<Vec<_>, _>>();
        let mut toolsets = match (&choice.toolsets, &choice.tools) {
            (Some(names), _) => sets(names)?,
            (None, Some(_)) => Vec::new(),
            (None, None) => Toolset::DEFAULT.to_vec(),
        };
        toolsets.extend(sets(&choice.more_toolsets)?);
        let included = find_tools(&inventory, choice.tools.as_deref().unwrap_or_default())?;
        let excluded = find_tools(&inventory, &choice.exclude_tools)?;
        let selected: Vec<_> = inventory
            .iter()
            .filter(|entry| toolsets.contains(&entry.toolset()) || included.contains(&entry.name()))
            .filter(|entry| entry.is_read_only() || !choice.read_only)
            .filter(|entry| !excluded.contains(&entry.name()))
            .collect();
        if selected.is_empty() {
            return Err(SelectionError::NoTool);
        }
        Ok(Self {
            tools: selected.iter().map(|entry| entry.name()).collect(),
            toolsets: selected.iter().map(|entry| entry.toolset()).collect(),
            writable: Vec::new(),
        })
    }

    /// The same, whose tools may write below these folders too, beside the roots of the client.
    #[must_use]
    pub fn with_writable(self, folders: Vec<AllowedDirectory>) -> Self {
        Self { writable: folders, ..self }
    }

    /// The tools themselves, in the order of the inventory.
    pub(super) fn served_tools<R: HistoryHandler>(&self) -> ServedTools<R> {
        ServedTools::new(inventory(), |name| self.contains(name))
    }

    /// Whether the tool `name` is among them.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// Returns whether any of the tools is in `toolset`.
    pub fn has_toolset(&self, toolset: Toolset) -> bool {
        self.toolsets.contains(&toolset)
    }

    /// Where tools may write, beside the roots of the client.
    pub(super) fn writable(&self) -> &[AllowedDirectory] {
        &self.writable
    }
}

fn parse_toolset(name: &str) -> Result<Toolset, SelectionError> {
    Toolset::ALL.into_iter().find(|toolset| toolset.as_str() == name).ok_or_else(|| SelectionError::UnknownToolset {
        name: name.to_owned(),
        known: Toolset::ALL.map(Toolset::as_str).to_vec(),
    })
}

fn find_tools(inventory: &[ToolEntry<App>], names: &[String]) -> Result<Vec<&'static str>, SelectionError> {
    let known = || inventory.iter().map(ToolEntry::name);
    names
        .iter()
        .map(|name| {
            known()
                .find(|known| known == name)
                .ok_or_else(|| SelectionError::UnknownTool { name: name.clone(), known: known().collect() })
        })
        .collect()
}

fn list<T: Display>(names: &[T]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
