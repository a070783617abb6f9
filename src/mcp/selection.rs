//! Which tools a server offers, chosen by name when the process starts.
//!
//! The rules are those of the servers that people know: toolsets and single tools add up, single tools alone are a
//! list of their own, and neither brings back what is excluded or what writes under read-only. The choice holds for
//! the life of the process, since lists must not differ between connections.

use std::fmt::Display;

use super::{served::Served, tool::Respondent, tools::inventory, toolset::Toolset};
use crate::House;
use crate::engine::meant;
use crate::screenshots::Allowed;

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
    #[error("there is no toolset `{name}`{}", meant(.name, .known.iter().copied()))]
    UnknownToolset {
        /// The name as it was given.
        name: String,
        /// The toolsets that exist.
        known: Vec<&'static str>,
    },
    /// A name that no tool has.
    #[error("there is no tool `{name}`{}", meant(.name, .known.iter().copied()))]
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
    shows_screenshots: bool,
    books_hours: bool,
    reads_notes: bool,
    writable: Vec<Allowed>,
}

impl Selection {
    /// Finds the tools that `choice` names.
    ///
    /// # Errors
    /// A name that does not exist, or a choice that leaves no tool.
    pub fn of(choice: &ToolChoice) -> Result<Self, SelectionError> {
        let offers: Vec<_> = inventory::<House>()
            .iter()
            .map(|entry| Offer { name: entry.name(), toolset: entry.toolset(), only_reads: entry.only_reads() })
            .collect();
        select(&offers, choice)
    }

    /// The same, whose tools may write below these folders too, beside the roots of the client.
    #[must_use]
    pub fn writing_in(self, folders: Vec<Allowed>) -> Self {
        Self { writable: folders, ..self }
    }

    /// The tools themselves, in the order of the inventory.
    pub(super) fn served<R: Respondent>(&self) -> Served<R> {
        Served::of(inventory(), |name| self.holds(name))
    }

    /// Whether the tool `name` is among them.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.tools.contains(&name)
    }

    /// Whether any tool among them shows screenshots. Where none does, nobody could look at those that answers name.
    pub fn shows_screenshots(&self) -> bool {
        self.shows_screenshots
    }

    /// Whether any tool among them is of the timesheet.
    pub fn books_hours(&self) -> bool {
        self.books_hours
    }

    /// Whether any tool among them is of the notes.
    pub fn reads_notes(&self) -> bool {
        self.reads_notes
    }

    /// Where tools may write, beside the roots of the client.
    pub(super) fn writable(&self) -> &[Allowed] {
        &self.writable
    }
}

/// What a choice can go by.
#[derive(Debug, Clone, Copy)]
struct Offer {
    name: &'static str,
    toolset: Toolset,
    only_reads: bool,
}

fn select(offers: &[Offer], choice: &ToolChoice) -> Result<Selection, SelectionError> {
    let sets = |names: &[String]| names.iter().map(|name| toolset(name)).collect::<Result<Vec<_>, _>>();
    let mut toolsets = match (&choice.toolsets, &choice.tools) {
        (Some(names), _) => sets(names)?,
        (None, Some(_)) => Vec::new(),
        (None, None) => Toolset::UNASKED.to_vec(),
    };
    toolsets.extend(sets(&choice.more_toolsets)?);
    let included = tools(offers, choice.tools.as_deref().unwrap_or_default())?;
    let excluded = tools(offers, &choice.exclude_tools)?;
    let selected: Vec<_> = offers
        .iter()
        .filter(|offer| toolsets.contains(&offer.toolset) || included.contains(&offer.name))
        .filter(|offer| offer.only_reads || !choice.read_only)
        .filter(|offer| !excluded.contains(&offer.name))
        .collect();
    if selected.is_empty() {
        return Err(SelectionError::NoTool);
    }
    Ok(Selection {
        tools: selected.iter().map(|offer| offer.name).collect(),
        shows_screenshots: selected.iter().any(|offer| offer.toolset == Toolset::Screenshots),
        books_hours: selected.iter().any(|offer| offer.toolset == Toolset::Timesheet),
        reads_notes: selected.iter().any(|offer| offer.toolset == Toolset::Notes),
        writable: Vec::new(),
    })
}

fn toolset(name: &str) -> Result<Toolset, SelectionError> {
    Toolset::ALL.into_iter().find(|toolset| toolset.as_str() == name).ok_or_else(|| SelectionError::UnknownToolset {
        name: name.to_owned(),
        known: Toolset::ALL.map(Toolset::as_str).to_vec(),
    })
}

fn tools(offers: &[Offer], names: &[String]) -> Result<Vec<&'static str>, SelectionError> {
    let known = || offers.iter().map(|offer| offer.name);
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

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERS: [Offer; 3] = [
        Offer { name: "read_days", toolset: Toolset::Activity, only_reads: true },
        Offer { name: "ask", toolset: Toolset::Sql, only_reads: true },
        Offer { name: "save", toolset: Toolset::Sql, only_reads: false },
    ];

    fn selected(choice: &ToolChoice) -> Vec<&'static str> {
        select(&OFFERS, choice).expect("a selection").tools
    }

    #[test]
    fn read_only_and_exclusion_win_over_every_inclusion() {
        let save = || Some(vec!["save".to_owned()]);
        let sql = || Some(vec!["sql".to_owned()]);
        let choice = ToolChoice { toolsets: sql(), ..ToolChoice::default() };
        assert_eq!(selected(&choice), ["ask", "save"]);
        let choice = ToolChoice { toolsets: sql(), tools: save(), read_only: true, ..ToolChoice::default() };
        assert_eq!(selected(&choice), ["ask"]);
        let choice = ToolChoice { tools: save(), read_only: true, ..ToolChoice::default() };
        assert!(select(&OFFERS, &choice).is_err());
        let choice = ToolChoice { tools: save(), exclude_tools: vec!["save".to_owned()], ..ToolChoice::default() };
        assert!(select(&OFFERS, &choice).is_err());
        assert_eq!(selected(&ToolChoice { read_only: true, ..ToolChoice::default() }), ["read_days", "ask"]);
    }

    #[test]
    fn more_toolsets_are_beside_whatever_else_is_chosen() {
        let offers = [OFFERS[0], Offer { name: "book", toolset: Toolset::Timesheet, only_reads: false }];
        let selected = |choice: &ToolChoice| select(&offers, choice).expect("a selection").tools;
        let more_toolsets = vec!["timesheet".to_owned()];
        let unasked = ToolChoice { more_toolsets, ..ToolChoice::default() };
        assert_eq!(selected(&unasked), ["read_days", "book"]);
        let alone = ToolChoice { tools: Some(Vec::new()), ..unasked.clone() };
        assert_eq!(selected(&alone), ["book"]);
        assert_eq!(selected(&ToolChoice { read_only: true, ..unasked }), ["read_days"]);
    }
}
