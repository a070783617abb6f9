//! What was agreed, over all notes.

use std::collections::HashMap;
use std::fmt::Write;

use chrono::{DateTime, Datelike, NaiveDate, TimeZone};

use crate::action::{Action, SELF};
use crate::chronicle::{self, KeptAction};
use crate::meta::Meta;
use crate::naming::{self, UNTITLED};
use crate::path::NotePath;
use crate::plain::{one_line, short};
use crate::refusal::{Code, Refusal, tell_problems};
use crate::sections::Sections;
use crate::survey::{Found, Survey};
use crate::text::NoteText;
use crate::workspace::Workspace;

/// As long as an action is told, in characters.
const LONGEST_ACTION: usize = 1000;

/// Which actions are asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Of that owner; `me` and `self` are the writer. What nobody owns is then left out.
    pub owner: Option<String>,
    /// Of notes from that day on.
    pub from: Option<NaiveDate>,
    /// With what is done.
    pub include_done: bool,
}

/// What was agreed in a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The note.
    pub path: NotePath,
    /// Its title, or [`UNTITLED`].
    pub title: String,
    /// Its day.
    pub day: NaiveDate,
    /// What was agreed, in the order of the note; at least one.
    pub actions: Vec<Action>,
}

/// What was agreed in notes, the newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreed {
    /// By note.
    pub groups: Vec<Group>,
    /// Why some of it could not be read.
    pub problems: Vec<Refusal>,
    includes_done: bool,
}

impl Agreed {
    /// Collects the actions that are asked for.
    ///
    /// For each note those of its metadata count, else those that the application keeps for the workspace, else, where the
    /// note was processed, those of its section `Action Items`. What stands in the metadata is done where it is ticked in
    /// that section. What is gone before it is read, or cannot be read, is no error of the others.
    pub fn of<Z: TimeZone>(survey: &Survey, asked: &Asked, zone: &Z) -> Self {
        let mut agreed = Self { groups: Vec::new(), problems: Vec::new(), includes_done: asked.include_done };
        let kept = chronicle::kept_actions(survey.workspace()).unwrap_or_else(|refusal| {
            agreed.problems.push(refusal);
            Vec::new()
        });
        let kept = by_note(survey, kept);
        let dated = survey.notes().iter().map(|found| (naming::day(&found.path, found.modified, zone), found));
        let mut dated: Vec<_> = dated.filter(|(day, _)| asked.from.is_none_or(|from| from <= *day)).collect();
        dated.sort_by(|(day, note), (other_day, other)| {
            other_day.cmp(day).then(other.modified.cmp(&note.modified)).then(note.path.cmp(&other.path))
        });
        for (day, found) in dated {
            let (text, mut actions) = match actions(survey, found, &kept) {
                Ok(Some(agreed)) => agreed,
                Ok(None) => continue,
                Err(gone) if gone.code == Code::FileNotFound => continue,
                Err(refusal) => {
                    agreed.problems.push(refusal);
                    continue;
                }
            };
            actions.retain(|action| asked.include_done || !action.done);
            if actions.is_empty() {
                continue;
            }
            let title = naming::title(text.text()).unwrap_or(UNTITLED).to_owned();
            agreed.groups.push(Group { path: found.path.clone(), title, day, actions });
        }
        if let Some(owner) = &asked.owner {
            agreed.of_owner(owner);
        }
        agreed
    }

    /// Leaves those of that owner, as [`Asked::owner`] has it.
    pub fn of_owner(&mut self, owner: &str) {
        for group in &mut self.groups {
            group.actions.retain(|action| action.is_of(owner));
        }
        self.groups.retain(|group| !group.actions.is_empty());
    }

    /// How many actions there are.
    pub fn total(&self) -> usize {
        self.groups.iter().map(|group| group.actions.len()).sum()
    }

    /// The actions as the contract has them: `- [ ] text (urgent)` below `From <title> (Dec 10):`, with the year where it
    /// is not that of `now`, and with ` — @owner` where somebody else than the writer has to do it.
    pub fn to_text<Z: TimeZone>(&self, now: &DateTime<Z>) -> String {
        let kind = if self.includes_done { "Action items" } else { "Open action items" };
        let mut text = format!("{kind} ({} total){}", self.total(), if self.groups.is_empty() { "." } else { ":" });
        for group in &self.groups {
            let day = group.day.format(if group.day.year() == now.year() { "%b %-d" } else { "%b %-d, %Y" });
            let _ = write!(text, "\n\nFrom {} ({day}):", short(&group.title));
            for action in &group.actions {
                let owner = action.owner.as_deref().filter(|owner| *owner != SELF);
                let owner = owner.map(|owner| format!(" — @{}", short(owner))).unwrap_or_default();
                let urgent = if action.urgent { " (urgent)" } else { "" };
                let (tick, what) = (if action.done { 'x' } else { ' ' }, one_line(&action.text, LONGEST_ACTION));
                let _ = write!(text, "\n- [{tick}] {what}{urgent}{owner}");
            }
        }
        tell_problems(&mut text, &self.problems);
        text
    }
}

/// What the application keeps, by the note that it comes from: one of that path, else the only one of that name.
fn by_note(survey: &Survey, kept: Vec<KeptAction>) -> HashMap<NotePath, Vec<Action>> {
    let mut by_note: HashMap<NotePath, Vec<Action>> = HashMap::new();
    for KeptAction { action, source } in kept {
        let Ok(named) = survey.workspace().name(&source) else { continue };
        let is_there = survey.notes().binary_search_by(|note| note.path.cmp(&named)).is_ok();
        let note = if is_there { Some(named) } else { survey.only_named(named.file_name()).cloned() };
        if let Some(note) = note {
            by_note.entry(note).or_default().push(action);
        }
    }
    by_note
}

/// The text of a note and what was agreed in it; none for a note that nobody has processed.
fn actions(
    survey: &Survey,
    found: &Found,
    kept: &HashMap<NotePath, Vec<Action>>,
) -> Result<Option<(NoteText, Vec<Action>)>, Refusal> {
    let meta = survey.meta(&found.path)?;
    let of_meta = meta.as_ref().and_then(Meta::actions);
    let kept = kept.get(&found.path);
    let made = survey.processed(&found.path);
    if of_meta.is_none() && kept.is_none() && !survey.is_processed(&found.path, meta.as_ref()) {
        return Ok(None);
    }
    let text = survey.workspace().read(&found.path)?;
    let of_text = || Sections::read(text.text()).ok().map(|sections| sections.actions);
    let actions = if let Some(mut actions) = of_meta {
        // Boxes are ticked in the note; the metadata stays as it was when the note was processed.
        let boxes = of_text().unwrap_or_default();
        for action in &mut actions {
            if let Some(ticked) = boxes.iter().find(|ticked| ticked.text == action.text) {
                action.done = ticked.done;
            }
        }
        actions
    } else if let Some(kept) = kept {
        kept.clone()
    } else {
        match (of_text(), made) {
            (Some(actions), _) => actions,
            (None, Some(place)) => made_actions(survey.workspace(), &place)?,
            (None, None) => Vec::new(),
        }
    };
    Ok(Some((text, actions)))
}

fn made_actions(workspace: &Workspace, place: &str) -> Result<Vec<Action>, Refusal> {
    Ok(chronicle::Processed::read(workspace, place)?.map(|made| made.actions).unwrap_or_default())
}
