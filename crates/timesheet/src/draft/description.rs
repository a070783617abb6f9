//! One-line descriptions of rows: notes, tickets, branches, files and sites, longest time first.

use std::collections::{BTreeMap, HashMap};

use percent_encoding::percent_decode_str;

use super::settings::{Patterns, TitleMatches};
use super::work::ActiveTime;
use crate::rules::MaxLength;
use crate::span::Span;

/// The maximum number of items in a description.
const ITEMS: usize = 5;
/// The maximum number of characters of an item.
const ITEM_LENGTH: usize = 60;
/// A row gets a ticket if the titles of at least half of its time (1 / this number) contain it.
const TICKET_PART: i64 = 2;

/// The description and the ticket of a row.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RowText {
    pub(super) description: Option<String>,
    pub(super) issue_id: Option<String>,
}

/// Describes rows. Searches each title only once.
pub(super) struct Describer<'p, 's> {
    patterns: &'p Patterns,
    titles: HashMap<&'s str, TitleMatches>,
}

impl<'p, 's> Describer<'p, 's> {
    pub(super) fn new(patterns: &'p Patterns) -> Self {
        Self { patterns, titles: HashMap::new() }
    }

    /// Describes the time of these spans. Items that differ only in case count as one, in the spelling with the most
    /// time. Ties are resolved alphabetically.
    pub(super) fn describe(&mut self, active: &ActiveTime<'s>, spans: &[Span]) -> RowText {
        let mut tickets: BTreeMap<String, i64> = BTreeMap::new();
        let mut others: BTreeMap<String, i64> = BTreeMap::new();
        for span in spans {
            let interval = active.work(*span).period;
            let add = |things: &mut BTreeMap<String, i64>, thing: &str| {
                *things.entry(thing.to_owned()).or_default() += span.seconds();
            };
            if let Some(title) = interval.title.as_deref() {
                let found = self.titles.entry(title).or_insert_with(|| self.patterns.find(title));
                found.tickets.iter().for_each(|ticket| add(&mut tickets, ticket));
                found.branches.iter().for_each(|branch| add(&mut others, branch));
            }
            if let Some(note) = interval.note.as_deref() {
                add(&mut others, note);
            }
            if let Some(document) = interval.document.as_deref() {
                add(&mut others, &file_name(document));
            }
            if let Some(site) = interval.site.as_deref() {
                add(&mut others, site);
            }
        }
        let seconds: i64 = spans.iter().map(|span| span.seconds()).sum();
        let issue = rank(&tickets).into_iter().next().filter(|(_, most)| most * TICKET_PART >= seconds);
        let issue = issue.map(|(ticket, _)| ticket.to_owned());
        for (ticket, seconds) in tickets {
            *others.entry(ticket).or_default() += seconds;
        }
        let items: Vec<_> = rank(&others).into_iter().take(ITEMS).map(|(item, _)| shorten(item)).collect();
        RowText {
            description: (!items.is_empty()).then(|| items.join(", ")),
            issue_id: issue.filter(|issue| issue.chars().count() <= MaxLength::ISSUE_ID.get()),
        }
    }
}

/// Sorts by time, longest first. Merges items that differ only in case.
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

/// Returns the name of a file without its folders, because folders describe the machine rather than the work.
fn file_name(document: &str) -> String {
    let name = document.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(document);
    if document.starts_with("file:") {
        percent_decode_str(name).decode_utf8_lossy().into_owned()
    } else {
        name.to_owned()
    }
}

/// Puts the item on one line and shortens it to the maximum length.
fn shorten(item: &str) -> String {
    let line: String = item.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    match line.char_indices().nth(ITEM_LENGTH) {
        Some(_) => line.chars().take(ITEM_LENGTH - 1).chain(['…']).collect(),
        None => line,
    }
}
