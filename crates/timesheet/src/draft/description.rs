//! One-line descriptions of rows, in words that a client may read. A description contains the last levels of tags,
//! meetings, tickets, branches, notes and files. Sites and applications are left out, because the work for different
//! clients often uses the same ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::names::Target;
use super::settings::{Patterns, TitleMatches};
use super::work::{ActiveTime, Origin, WorkLabel};
use crate::entry::{ItemKind, file_name};
use crate::rules::MaxLength;
use crate::span::Span;

/// The maximum number of items in a description.
const ITEMS: usize = 5;
/// The maximum number of files among the items of a description.
const FILES: usize = 2;
/// The maximum number of characters of an item.
const ITEM_LENGTH: usize = 60;
/// The divisor for tickets. A row gets a ticket if the ticket appears in window titles for at least the row's time
/// divided by this number.
const TICKET_PART: i64 = 2;

/// The description and the ticket of a row.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RowText {
    pub(super) description: Option<String>,
    pub(super) issue_id: Option<String>,
}

/// The items that can describe a row, with their seconds. A description lists them in the order of these fields.
#[derive(Default)]
struct RowItems {
    tag_levels: BTreeMap<String, i64>,
    meetings: BTreeMap<String, i64>,
    tickets: BTreeMap<String, i64>,
    branches: BTreeMap<String, i64>,
    notes: BTreeMap<String, i64>,
    files: BTreeMap<String, i64>,
}

/// Creates descriptions of rows. Each window title is searched for tickets and branches only once.
pub(super) struct Describer<'p, 's> {
    patterns: &'p Patterns,
    titles: HashMap<&'s str, TitleMatches>,
}

impl<'p, 's> Describer<'p, 's> {
    pub(super) fn new(patterns: &'p Patterns) -> Self {
        Self { patterns, titles: HashMap::new() }
    }

    /// Describes the time of these spans, which belong to `target`. Within each kind of item, the items with the most
    /// time come first. Items that differ only in case are merged, and the spelling with the most time is used. Ties
    /// are resolved alphabetically.
    pub(super) fn describe(&mut self, active: &ActiveTime<'s>, spans: &[Span], target: Option<&Target>) -> RowText {
        let items = self.collect_items(active, spans, target);
        let seconds: i64 = spans.iter().map(|span| span.seconds()).sum();
        let tickets = rank(&items.tickets);
        let issue = tickets.first().filter(|(_, most)| most * TICKET_PART >= seconds);
        RowText {
            issue_id: issue
                .map(|(ticket, _)| (*ticket).to_owned())
                .filter(|issue| issue.chars().count() <= MaxLength::ISSUE_ID.get()),
            description: items.to_description(),
        }
    }

    fn collect_items(&mut self, active: &ActiveTime<'s>, spans: &[Span], target: Option<&Target>) -> RowItems {
        let mut items = RowItems::default();
        for span in spans {
            let work = active.work(*span);
            let (period, origin) = (work.period, &work.origin);
            let add = |things: &mut BTreeMap<String, i64>, thing: &str| {
                *things.entry(thing.to_owned()).or_default() += span.seconds();
            };
            if let (Origin::Tag { .. }, WorkLabel::Tag(path)) = (origin, &period.label)
                && let Some(level) = last_level(path, target)
            {
                add(&mut items.tag_levels, level);
            }
            // True if the interval got its project from its own tag or rule, or has no project. Any other interval got
            // its project from the surrounding work, earlier entries or another label. Its meeting, title and file may
            // therefore belong to another client.
            let is_own = matches!(
                (origin, &period.label),
                (Origin::Tag { .. }, WorkLabel::Tag(_))
                    | (Origin::Rule { .. }, WorkLabel::Rule { .. })
                    | (Origin::Nothing, _)
            );
            if is_own {
                period.meeting.iter().for_each(|meeting| add(&mut items.meetings, meeting));
                period.note.iter().for_each(|note| add(&mut items.notes, note));
            }
            // If the file itself identified the project, the window title and the file name belong to the same client.
            let is_own_file = is_own || matches!(origin, Origin::Learned { from: ItemKind::Document, .. });
            if let Some(title) = period.title.as_deref().filter(|_| is_own_file) {
                let found = self.titles.entry(title).or_insert_with(|| self.patterns.find(title));
                found.tickets.iter().for_each(|ticket| add(&mut items.tickets, ticket));
                found.branches.iter().for_each(|branch| add(&mut items.branches, branch));
            }
            if let Some(document) = period.document.as_deref().filter(|_| is_own_file) {
                add(&mut items.files, &file_name(document));
            }
        }
        items
    }
}

impl RowItems {
    /// Returns the description, or `None` if there are no items. An item that occurs in several kinds is listed only
    /// once.
    fn to_description(&self) -> Option<String> {
        let kinds = [&self.tag_levels, &self.meetings, &self.tickets, &self.branches, &self.notes];
        let files = rank(&self.files).into_iter().take(FILES);
        let ranked = kinds.into_iter().flat_map(rank).chain(files).map(|(item, _)| item);
        let mut listed = BTreeSet::new();
        let items: Vec<_> = ranked.filter(|item| listed.insert(item.to_lowercase())).take(ITEMS).map(shorten).collect();
        (!items.is_empty()).then(|| items.join(", "))
    }
}

/// Returns the last level of a tag with several levels, unless the row's project or task already shows it.
fn last_level<'t>(path: &'t [String], target: Option<&Target>) -> Option<&'t str> {
    let [_, .., last] = path else { return None };
    let Some(Target { project, task }) = target else { return Some(last) };
    let (level, task) = (last.to_lowercase(), task.as_deref().unwrap_or_default().to_lowercase());
    let is_shown = project.to_lowercase() == level || task == level || task.ends_with(&format!(", {level}"));
    (!is_shown).then_some(last)
}

/// Merges items that differ only in case, and sorts them by time, longest first.
fn rank(things: &BTreeMap<String, i64>) -> Vec<(&str, i64)> {
    let mut folded: BTreeMap<String, (&str, i64, i64)> = BTreeMap::new();
    for (thing, seconds) in things {
        let text = thing.trim();
        if text.is_empty() {
            continue;
        }
        let (spelling, most, sum) = folded.entry(text.to_lowercase()).or_insert((text, *seconds, 0));
        *sum += seconds;
        if seconds > most {
            (*spelling, *most) = (text, *seconds);
        }
    }
    let mut ranked: Vec<_> = folded.into_values().map(|(spelling, _, sum)| (spelling, sum)).collect();
    ranked.sort_by(|(one, seconds), (other, more)| more.cmp(seconds).then_with(|| one.cmp(other)));
    ranked
}

/// Converts the item to one line and shortens it to [`ITEM_LENGTH`] characters.
fn shorten(item: &str) -> String {
    let line: String = item.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    match line.char_indices().nth(ITEM_LENGTH) {
        Some(_) => line.chars().take(ITEM_LENGTH - 1).chain(['…']).collect(),
        None => line,
    }
}
