//! Versions of a note, and the differences between two versions.

use std::time::Duration;

use similar::TextDiff;

use super::log::{Commit, commits};
use super::repository::{History, OpenRepository, Revision};
use crate::display_text::replace_control_characters;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::text::NoteText;

/// The time limit for computing a minimal diff. After this time, the diff is still correct, but can have more lines
/// than necessary.
const TIME_TO_COMPARE: Duration = Duration::from_secs(2);

/// A note at a certain commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The commit, as written in the request.
    pub commit: String,
    /// The subject of the commit's message. The commit may have changed only other files.
    pub subject: String,
    /// The text of the note.
    pub text: NoteText,
}

impl Version {
    /// Formats the version for the response of the tool.
    pub fn to_text(&self) -> String {
        format!(
            "Version from commit {} ({}):\n\n{}",
            self.commit,
            replace_control_characters(&self.subject),
            self.text.text()
        )
    }
}

/// The differences between two versions of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The note.
    pub path: NotePath,
    /// The older commit, as written in the request.
    pub from: String,
    /// The newer commit, as written in the request.
    pub to: String,
    /// The unified diff, or `None` if the versions are equal.
    pub diff: Option<String>,
    /// The last commits that changed the note, at most two, newest first. Empty if there is a diff.
    pub last: Vec<Commit>,
}

impl Comparison {
    /// Formats the comparison for the response of the tool. If the versions are equal, the text lists the commits that
    /// changed the note last.
    pub fn to_text(&self) -> String {
        let Self { path, from, to, diff, last } = self;
        let path = replace_control_characters(path.as_str());
        if let Some(diff) = diff {
            // A line with as many backticks as the code fence would close the fence. So the fence has to be longer than
            // every run of backticks in the diff.
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
    /// Returns a note at a commit. `commit` is a full or abbreviated hash, a branch, a tag, or an expression such as
    /// `HEAD~1`.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the commit doesn't exist, `PARSE_ERROR` if the repository is damaged. `FILE_NOT_FOUND` if
    /// the commit doesn't contain the note, or the workspace has no history.
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
    /// `FILE_NOT_FOUND` if neither commit contains the note. Otherwise the errors of [`History::version`].
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
    // Two files with different bytes can have the same text, because invalid bytes are replaced.
    if text.is_empty() { "(only bytes that are no text differ)\n".to_owned() } else { text }
}

fn longest_run(text: &str, sought: char) -> usize {
    text.split(|letter| letter != sought).map(str::len).max().unwrap_or(0)
}
