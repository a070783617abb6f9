//! When the process starts, selects by name the tools that the server offers.
//!
//! The rules are the same as in other MCP servers. If both toolsets and single tools are selected, the server offers
//! both. If only single tools are selected, the server offers only these. A selection never adds an excluded tool or,
//! in read-only mode, a tool that writes. The selection doesn't change while the process runs, because lists must not
//! differ between connections.

use std::fmt::Display;

use dayledger_mcp::{ServedTools, ToolEntry, Toolset};

use super::history_handler::HistoryHandler;
use super::tools::inventory_with;
use crate::App;
use crate::engine::suggestion;
use crate::questions::Questions;
use crate::request::Error;
use crate::screenshots::AllowedDirectory;

/// The tools that flags and settings select, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolChoice {
    /// The toolsets to serve. If neither `toolsets` nor `tools` is set, [`Toolset::DEFAULT`] is served.
    pub toolsets: Option<Vec<String>>,
    /// Single tools to serve. They are added to `toolsets`. Without `toolsets`, only these tools are served.
    pub tools: Option<Vec<String>>,
    /// More toolsets to serve, in addition to `toolsets` and `tools`.
    pub more_toolsets: Vec<String>,
    /// Tools to exclude, even if another setting includes them.
    pub exclude_tools: Vec<String>,
    /// Whether to exclude tools that write, even if another setting includes them.
    pub read_only: bool,
    /// The saved questions, which are the tools of the toolset `questions`.
    pub questions: Questions,
}

/// The tools of a server, and the folders in which they may write. A selection contains at least one tool, and only
/// existing tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    tools: Vec<&'static str>,
    toolsets: Vec<Toolset>,
    questions: Questions,
    writable: Vec<AllowedDirectory>,
}

impl Selection {
    /// Resolves the names in `choice`.
    ///
    /// # Errors
    /// Fails if a name doesn't exist, or if the selection is empty.
    pub fn from_choice(choice: &ToolChoice) -> Result<Self, Error> {
        let inventory = inventory_with::<App>(&choice.questions);
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
            let toolsets = list(&Toolset::ALL.map(Toolset::as_str));
            let hint = format!("add a toolset: {toolsets}");
            return Err(Error::for_command("invalid options: they exclude every tool", hint));
        }
        Ok(Self {
            tools: selected.iter().map(|entry| entry.name()).collect(),
            toolsets: selected.iter().map(|entry| entry.toolset()).collect(),
            questions: choice.questions.clone(),
            writable: Vec::new(),
        })
    }

    /// Lets the tools write in these folders and their subfolders, in addition to the client's roots.
    #[must_use]
    pub fn with_writable(self, folders: Vec<AllowedDirectory>) -> Self {
        Self { writable: folders, ..self }
    }

    /// Returns the selected tools, in the order of the inventory.
    pub(super) fn served_tools<R: HistoryHandler>(&self) -> ServedTools<R> {
        ServedTools::new(inventory_with(&self.questions), |name| self.contains(name))
    }

    /// Whether the tool `name` is selected.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// Returns whether the selection contains a tool of `toolset`.
    pub fn has_toolset(&self, toolset: Toolset) -> bool {
        self.toolsets.contains(&toolset)
    }

    /// Returns the folders in which tools may write, in addition to the client's roots.
    pub(super) fn writable(&self) -> &[AllowedDirectory] {
        &self.writable
    }
}

/// Returns the names of all tools, including the tools of `questions`.
pub fn tool_names(questions: &Questions) -> Vec<&'static str> {
    inventory_with::<App>(questions).iter().map(ToolEntry::name).collect()
}

fn parse_toolset(name: &str) -> Result<Toolset, Error> {
    let find = || Toolset::ALL.into_iter().find(|toolset| toolset.as_str() == name);
    find().ok_or_else(|| unknown("toolset", name, &Toolset::ALL.map(Toolset::as_str)))
}

fn find_tools(inventory: &[ToolEntry<App>], names: &[String]) -> Result<Vec<&'static str>, Error> {
    let known: Vec<_> = inventory.iter().map(ToolEntry::name).collect();
    let find = |name: &String| known.iter().copied().find(|known| known == name);
    names.iter().map(|name| find(name).ok_or_else(|| unknown("tool", name, &known))).collect()
}

/// Returns the error for an unknown toolset or tool.
fn unknown(kind: &str, name: &str, known: &[&str]) -> Error {
    let message = format!("unknown {kind} `{name}`{}", suggestion(name, known.iter().copied()));
    Error::for_command(message, format!("the {kind}s are {}", list(known)))
}

fn list<T: Display>(names: &[T]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
