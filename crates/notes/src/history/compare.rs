//! Versions of a note, and the differences between two of them.

use std::time::Duration;

use similar::TextDiff;

use super::log::{Commit, commits};
use super::repository::{History, OpenRepository, Revision};
use crate::display_text::replace_control_characters;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::text::NoteText;

/// The time limit for a minimal diff. After it, the diff can have more lines than necessary.
const TIME_TO_COMPARE: Duration = Duration::from_secs(2);

/// A note at a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The commit, in the form of the request.
    pub commit: String,
    /// The first line of its message. The commit may have changed other files only.
    pub subject: String,
    /// The note.
    pub text: NoteText,
}

impl Version {
    /// Formats the version as the contract defines.
    pub fn to_text(&self) -> String {
        format!(
            "Version from commit {} ({}):\n\n{}",
            self.commit,
            replace_control_characters(&self.subject),
            self.text.text()
        )
    }
}

/// Two versions of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The note.
    pub path: NotePath,
    /// The older commit, in the form of the request.
    pub from: String,
    /// The newer commit, in the form of the request.
    pub to: String,
    /// The difference as a unified diff, if there is any.
    pub diff: Option<String>,
    /// Without a difference: the last commits that changed the note, at most two, newest first.
    pub last: Vec<Commit>,
}

impl Comparison {
    /// Formats the comparison as the contract defines. Without a difference, it lists the commits that changed the
    /// note.
    pub fn to_text(&self) -> String {
        let Self { path, from, to, diff, last } = self;
        let path = replace_control_characters(path.as_str());
        if let Some(diff) = diff {
            // A fence ends only at as many backticks, so it has to be longer than every run of them in the notes.
            let fence = "`".repeat(longest_run(diff, '`').saturating_add(1).max(3));
            return format!("Diff for {path} ({from}..{to}):\n\n{fence}diff\n{diff}{fence}");
        }
        let none = format!("No differences between {from} and {to} for {path}");
        match last.as_slice() {
            [newer, older, ..] => format!(
                "{none}\n\nThe note was last changed by {} and {}; compare those: from_commit {}, to_commit {}.",
                newer.short_id, older.short_id, older.short_id, newer.short_id
            ),
            [only] => format!("{none}\n\nThe note was committed only once, by {}.", only.short_id),
            [] => format!("{none}\n\nThe note was never committed."),
        }
    }
}

impl History {
    /// Returns a note at a commit: a full or abbreviated hash, a branch, a tag, or an expression such as `HEAD~1`.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the commit doesn't exist, `FILE_NOT_FOUND` if it doesn't contain the note or the workspace lacks a
    /// history, `PARSE_ERROR` if the repository is damaged.
    pub fn version(&self, path: &NotePath, commit: &str) -> Result<Version, Refusal> {
        let revision = Revision::parse(commit)?;
        let opened = self.open()?;
        let facts = opened.commit(opened.resolve(revision)?)?;
        let Some(text) = opened.file(opened.entry(facts.tree, path)?)? else {
            return Err(Refusal::new(
                Code::FileNotFound,
                format!("`{path}` did not exist at commit {commit}; use `get_history` to list its commits"),
            ));
        };
        Ok(Version { commit: commit.to_owned(), subject: facts.subject, text: NoteText::from_bytes(text) })
    }

    /// Compares a note at two commits. A commit without the note counts as an empty note.
    ///
    /// # Errors
    ///
    /// As for [`History::version`]; `FILE_NOT_FOUND` if neither commit contains the note.
    pub fn compare(&self, path: &NotePath, from: &str, to: &str) -> Result<Comparison, Refusal> {
        let (older, newer) = (Revision::parse(from)?, Revision::parse(to)?);
        let opened = self.open()?;
        let (older, newer) = (text_at(&opened, path, older)?, text_at(&opened, path, newer)?);
        if older.is_none() && newer.is_none() {
            return Err(Refusal::new(
                Code::FileNotFound,
                format!("`{path}` did not exist at {from} or at {to}; use `get_history` to list its commits"),
            ));
        }
        let diff = (older != newer).then(|| {
            let read = |bytes: Option<Vec<u8>>| NoteText::from_bytes(bytes.unwrap_or_default());
            diff(path, &read(older), &read(newer))
        });
        let last = match (&diff, opened.head()?) {
            (None, Some(head)) => commits(&opened, head, path, 2)?,
            _ => Vec::new(),
        };
        Ok(Comparison { path: path.clone(), from: from.to_owned(), to: to.to_owned(), diff, last })
    }
}

fn text_at(opened: &OpenRepository, path: &NotePath, revision: Revision) -> Result<Option<Vec<u8>>, Refusal> {
    let commit = opened.commit(opened.resolve(revision)?)?;
    opened.file(opened.entry(commit.tree, path)?)
}

fn diff(path: &NotePath, older: &NoteText, newer: &NoteText) -> String {
    let diff = TextDiff::configure().timeout(TIME_TO_COMPARE).diff_lines(older.text(), newer.text());
    let text = diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string();
    // Different bytes can give the same text.
    if text.is_empty() { "(only bytes that are no text differ)\n".to_owned() } else { text }
}

fn longest_run(text: &str, sought: char) -> usize {
    text.split(|letter| letter != sought).map(str::len).max().unwrap_or(0)
}
