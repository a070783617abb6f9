//! Lists the action items of all notes.

use std::collections::HashMap;
use std::fmt::Write;

use chrono::{DateTime, Datelike, NaiveDate, TimeZone};

use crate::action::{Action, Checkbox, SELF, State, states_in};
use crate::chronicle::{self, StoredAction};
use crate::display_text::{one_line, short_title};
use crate::document::Document;
use crate::listing::clamp_limit;
use crate::markers::Markers;
use crate::meta::Meta;
use crate::naming;
use crate::note;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal, write_problems};
use crate::sections::Sections;
use crate::survey::{FoundNote, Survey};
use crate::text::NoteText;

/// The maximum length of an action in a list, in characters.
const MAX_ACTION_LENGTH: usize = 1000;

/// The maximum size of a page in bytes. In every writing system, a page of this size has fewer than 20,000 tokens.
const MAX_PAGE_BYTES: usize = 25_000;

/// The number of actions on a page by default.
const DEFAULT_LIMIT: usize = 50;

/// A filter for actions.
#[derive(Debug, Clone, Default)]
pub struct ActionFilter {
    /// The owner. `me` and `self` mean the author. If an owner is set, actions without an owner are left out.
    pub owner: Option<String>,
    /// The names of the author, for the filter `owner`.
    pub names: Vec<String>,
    /// The first day. Notes of earlier days are left out.
    pub from: Option<NaiveDate>,
    /// Only actions that are due before this day are included. If a day is set, actions without a due date are left
    /// out.
    pub due_before: Option<NaiveDate>,
    /// Whether to include actions that are done or cancelled.
    pub include_done: bool,
}

/// The range of actions that a response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The number of actions to skip.
    offset: usize,
    /// The maximum number of actions on the page.
    limit: usize,
}

impl Page {
    /// Creates a page of `limit` actions (1 to 100, by default 50) that skips the first `offset` actions.
    pub fn new(limit: Option<i64>, offset: Option<i64>) -> Self {
        let offset = usize::try_from(offset.unwrap_or(0).max(0)).unwrap_or(usize::MAX);
        Self { offset, limit: clamp_limit(limit, DEFAULT_LIMIT) }
    }
}

/// The actions of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteActions {
    /// The note.
    pub path: NotePath,
    /// The note's title: see [`naming::title`].
    pub title: String,
    /// The note's day.
    pub day: NaiveDate,
    /// The actions in the order of the note. The list isn't empty.
    pub actions: Vec<Action>,
}

/// The actions of several notes, newest note first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionList {
    /// The actions, grouped by note.
    pub groups: Vec<NoteActions>,
    /// The reasons why some actions could not be read.
    pub problems: Vec<Refusal>,
    includes_done: bool,
    /// The number of actions that were left out because they lack an owner.
    unowned: usize,
}

impl ActionList {
    /// Collects the actions that match a filter.
    ///
    /// The actions of a note come from the first available source: the note's metadata, Chronicle's list for the
    /// workspace, or the note's record. An action is closed if its box is ticked in the record or in the author's text.
    /// A note that is missing or can't be read doesn't affect other notes.
    pub fn collect<Z: TimeZone>(survey: &Survey, asked: &ActionFilter, zone: &Z) -> Self {
        let mut agreed =
            Self { groups: Vec::new(), problems: Vec::new(), includes_done: asked.include_done, unowned: 0 };
        let kept = chronicle::read_actions(survey.workspace()).unwrap_or_else(|refusal| {
            agreed.problems.push(refusal);
            Vec::new()
        });
        let kept = group_by_note(survey, kept);
        let is_asked = |day: NaiveDate| asked.from.is_none_or(|from| from <= day);
        let mut dated = Vec::new();
        for found in survey.notes() {
            let (text, mut actions) = match actions(survey, found, &kept) {
                Ok(Some(agreed)) => agreed,
                Ok(None) => continue,
                Err(gone) if gone.code == Code::FileNotFound => continue,
                Err(refusal) => {
                    agreed.problems.extend(is_asked(survey.day(found, zone)).then_some(refusal));
                    continue;
                }
            };
            let day = naming::day(&found.path, text.text(), found.modified, zone);
            let is_due = |action: &Action| asked.due_before.is_none_or(|end| action.due.is_some_and(|due| due < end));
            actions.retain(|action| (asked.include_done || action.is_open()) && is_due(action));
            if is_asked(day) && !actions.is_empty() {
                let title = naming::title(&found.path, text.text());
                dated.push((found.modified, NoteActions { path: found.path.clone(), title, day, actions }));
            }
        }
        dated.sort_by(|(modified, group), (other_modified, other)| {
            other.day.cmp(&group.day).then(other_modified.cmp(modified)).then(group.path.cmp(&other.path))
        });
        agreed.groups = dated.into_iter().map(|(_, group)| group).collect();
        if let Some(owner) = &asked.owner {
            agreed.retain_owner(owner, &asked.names);
        }
        agreed
    }

    /// Removes the actions of other owners. See [`ActionFilter::owner`] for the meaning of `owner`.
    pub fn retain_owner(&mut self, owner: &str, names: &[String]) {
        self.unowned = self.count_unowned();
        for group in &mut self.groups {
            group.actions.retain(|action| action.is_owned_by(owner, names));
        }
        self.groups.retain(|group| !group.actions.is_empty());
    }

    /// Returns the number of actions.
    pub fn total(&self) -> usize {
        self.groups.iter().map(|group| group.actions.len()).sum()
    }

    /// Returns the actions of a page, each with its note.
    pub fn page(&self, page: Page) -> impl Iterator<Item = (&NoteActions, &Action)> {
        let all = self.groups.iter().flat_map(|group| group.actions.iter().map(move |action| (group, action)));
        all.skip(page.offset).take(page.limit)
    }

    fn count_unowned(&self) -> usize {
        self.groups.iter().flat_map(|group| &group.actions).filter(|action| action.owner.is_none()).count()
    }

    /// Formats a page of actions for the response of the tool. Each action is a line such as
    /// `- [ ] text (due 2026-12-01) (urgent) — @owner`, below a heading such as `From <title> (Dec 10):`. The heading
    /// contains the year only if it differs from the year of `now`. The owner is left out if the owner is the author.
    pub fn to_text<Z: TimeZone>(&self, now: &DateTime<Z>, page: Page) -> String {
        let kind = if self.includes_done { "Action items" } else { "Open action items" };
        let mut text = format!("{kind} ({} total){}", self.total(), if self.groups.is_empty() { "." } else { ":" });
        let (mut shown, mut last) = (0, None);
        for (group, action) in self.page(page) {
            let heading = if last == Some(&group.path) { String::new() } else { group.heading(now) };
            let line = action_line(action);
            // A page shows at least one action, even if this action is longer than the maximum. Otherwise, the list
            // could not continue after the action.
            if shown > 0 && text.len() + heading.len() + line.len() > MAX_PAGE_BYTES {
                break;
            }
            text.push_str(&heading);
            text.push_str(&line);
            (shown, last) = (shown + 1, Some(&group.path));
        }
        self.write_rest(&mut text, page.offset, shown);
        write_problems(&mut text, &self.problems);
        text
    }

    /// Appends the range of the list that is shown, and the number of actions without an owner.
    fn write_rest(&self, text: &mut String, offset: usize, shown: usize) {
        let (total, end) = (self.total(), offset.saturating_add(shown));
        if shown == 0 && total > 0 {
            let _infallible = write!(text, "\n\nNone after the first {offset}.");
        } else if shown < total {
            let _infallible = write!(text, "\n\nShowing {} to {end}.", offset + 1);
        }
        if end < total {
            let _infallible = write!(text, " Pass offset {end} for the next ones.");
        }
        let unowned = match (self.count_unowned(), self.unowned) {
            (0, 0) => return,
            (0, elsewhere) => format!("{elsewhere} more without an owner: leave out owner to list them."),
            (unowned, _) => format!("{unowned} of them without an owner."),
        };
        let _infallible = write!(text, "\n\n{unowned}");
    }
}

impl NoteActions {
    fn heading<Z: TimeZone>(&self, now: &DateTime<Z>) -> String {
        let day = self.day.format(if self.day.year() == now.year() { "%b %-d" } else { "%b %-d, %Y" });
        format!("\n\nFrom {} ({day}):", short_title(&self.title))
    }
}

/// Formats an action as a list item with a checkbox.
fn action_line(action: &Action) -> String {
    let owner = action.owner.as_deref().filter(|owner| *owner != SELF);
    let owner = owner.map(|owner| format!(" — @{}", short_title(owner))).unwrap_or_default();
    let urgent = if action.urgent { " (urgent)" } else { "" };
    let due = action.due.map(|due| format!(" (due {due})")).unwrap_or_default();
    format!("\n- {} {}{due}{urgent}{owner}", Checkbox::from(action.state), one_line(&action.text, MAX_ACTION_LENGTH))
}

/// Groups Chronicle's actions by note. The source of an action is the path of a note, or a name that only one note has.
fn group_by_note(survey: &Survey, kept: Vec<StoredAction>) -> HashMap<NotePath, Vec<StoredAction>> {
    let mut by_note: HashMap<NotePath, Vec<StoredAction>> = HashMap::new();
    for action in kept {
        let Ok(named) = survey.workspace().note_path(&action.source) else { continue };
        let is_there = survey.notes().binary_search_by(|note| note.path.cmp(&named)).is_ok();
        let note = if is_there { Some(named) } else { survey.find_unique(named.file_name()).cloned() };
        if let Some(note) = note {
            by_note.entry(note).or_default().push(action);
        }
    }
    by_note
}

/// Returns the text and the actions of a note, or `None` for a note that was not processed.
fn actions(
    survey: &Survey,
    found: &FoundNote,
    kept: &HashMap<NotePath, Vec<StoredAction>>,
) -> Result<Option<(NoteText, Vec<Action>)>, Refusal> {
    let meta = survey.meta(&found.path)?;
    let of_meta = meta.as_ref().and_then(Meta::actions);
    let kept = kept.get(&found.path);
    if of_meta.is_none() && kept.is_none() && !survey.is_processed(&found.path, meta.as_ref()) {
        return Ok(None);
    }
    let text = survey.workspace().read(&found.path)?;
    let day = naming::stated_day(&found.path, text.text());
    let of_record = || Ok(note::record(survey, &found.path, &text, true, None)?.unwrap_or_default().actions);
    let mut actions = match (of_meta, kept) {
        (Some(actions), _) => actions,
        (None, Some(kept)) => kept.iter().filter_map(|kept| kept.action(day)).collect(),
        (None, None) => of_record()?,
    };
    apply_ticks(&mut actions, &text, day);
    Ok(Some((text, actions)))
}

/// Updates the state of actions from the checkboxes in the note, because the metadata doesn't change after the
/// processing. An action is closed if it is ticked in the record or in the author's text. A closed action becomes open
/// again if the record contains it without a tick.
fn apply_ticks(actions: &mut [Action], text: &NoteText, day: Option<NaiveDate>) {
    let document = Document::parse(text.text());
    let read = |text| Sections::read(text, day).unwrap_or_default().actions;
    let of_record = document.record().map(read).unwrap_or_default();
    let of_sections = if document.record().is_none() { read(&document.body()) } else { Vec::new() };
    let marked = Markers::read(&document.body()).actions;
    let marked = marked.iter().map(|marked| Action::read(&marked.text, marked.checkbox, day));
    let lists = [of_record, of_sections, marked.collect()];
    let [in_record, in_sections, in_text] = lists.map(|list| states_in(actions, &list));
    for (((action, in_record), in_sections), in_text) in actions.iter_mut().zip(in_record).zip(in_sections).zip(in_text)
    {
        let mut boxes = [in_record, in_sections, in_text].into_iter().flatten();
        action.state = boxes.find(|state| *state != State::Open).or(in_record).unwrap_or(action.state);
    }
}
