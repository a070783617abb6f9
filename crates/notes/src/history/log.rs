//! The commits that changed a note.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fmt::Write;

use chrono::{DateTime, TimeZone, Utc};
use gix::ObjectId;

use super::repository::{CommitFacts, Entry, History, OpenRepository, no_commits};
use crate::display_text::replace_control_characters;
use crate::listing::clamp_limit;
use crate::path::NotePath;
use crate::refusal::Refusal;

/// The number of commits in a list by default.
const DEFAULT_LIMIT: usize = 10;

/// Returns the number of commits to list: 1 to 100. If `asked` is unset or 0, returns 10.
pub fn limit(asked: Option<i64>) -> usize {
    clamp_limit(asked, DEFAULT_LIMIT)
}

/// A commit that changed a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The commit's full hash.
    pub id: String,
    /// The commit's shortest unique hash.
    pub short_id: String,
    /// The first paragraph of the commit message, on one line.
    pub subject: String,
    /// The commit time.
    pub time: DateTime<Utc>,
}

/// The commits that changed a note, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The note.
    pub path: NotePath,
    /// The newest commits that changed the note, up to the requested number.
    pub commits: Vec<Commit>,
}

impl History {
    /// Returns the newest commits that changed a note, at most `limit`. The order and the rules are those of `git log
    /// -- <path>`. A merge is included only if the note differs from the note in each parent. Renames aren't followed.
    ///
    /// # Errors
    ///
    /// `FILE_NOT_FOUND` if the repository is missing or empty, `PARSE_ERROR` if the repository is damaged.
    pub fn log(&self, path: &NotePath, limit: usize) -> Result<Log, Refusal> {
        let opened = self.open()?;
        let head = opened.head()?.ok_or_else(no_commits)?;
        Ok(Log { path: path.clone(), commits: commits(&opened, head, path, limit)? })
    }
}

impl Log {
    /// Formats the history for the response of the tool. Each line has the form
    /// `1. session: Title (32m) — 3h ago (abc1234)`. The hash in the line can be used to request a version.
    pub fn to_text<Z: TimeZone>(&self, now: &DateTime<Z>) -> String {
        let path = replace_control_characters(self.path.as_str());
        if self.commits.is_empty() {
            return format!("No git history found for {path}. The file may not have been committed yet.");
        }
        let mut text = format!("History for {path}:\n");
        for (place, Commit { subject, short_id, time, .. }) in self.commits.iter().enumerate() {
            let (ago, subject) = (format_ago(time.timestamp(), now.timestamp()), replace_control_characters(subject));
            let _ = write!(text, "\n{}. {subject} — {ago} ({short_id})", place + 1);
        }
        text.push_str("\n\nUse get_version to view a specific version.");
        text
    }
}

/// A queued commit. Newer commits come first. If two commits have the same second, the commit that was found first
/// comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    seconds: i64,
    met: Reverse<usize>,
    place: usize,
}

struct Walk<'o> {
    opened: &'o OpenRepository,
    path: &'o NotePath,
    visited: HashSet<ObjectId>,
    commits: Vec<(CommitFacts, Entry)>,
    turns: BinaryHeap<Turn>,
}

impl Walk<'_> {
    fn load(&self, id: ObjectId) -> Result<(CommitFacts, Entry), Refusal> {
        let commit = self.opened.commit(id)?;
        let entry = self.opened.entry(commit.tree, self.path)?;
        Ok((commit, entry))
    }

    fn meet(&mut self, commit: (CommitFacts, Entry)) {
        if self.visited.insert(commit.0.id) {
            let place = self.commits.len();
            self.turns.push(Turn { seconds: commit.0.seconds, met: Reverse(place), place });
            self.commits.push(commit);
        }
    }
}

/// Returns the newest commits that changed the note, at most `limit`. The walk begins at `head`.
pub(super) fn commits(
    opened: &OpenRepository,
    head: ObjectId,
    path: &NotePath,
    limit: usize,
) -> Result<Vec<Commit>, Refusal> {
    let mut walk = Walk { opened, path, visited: HashSet::new(), commits: Vec::new(), turns: BinaryHeap::new() };
    walk.meet(walk.load(head)?);
    let mut found = Vec::new();
    while let Some(Turn { place, .. }) = walk.turns.pop() {
        let (commit, entry) = walk.commits[place].clone();
        let mut parents = Vec::new();
        let mut same = None;
        for parent in &commit.parents {
            let parent = walk.load(*parent)?;
            if parent.1 == entry {
                same = Some(parent);
                break;
            }
            parents.push(parent);
        }
        if let Some(same) = same {
            // The note is the same in this parent, so the changes of the other parents aren't part of the note's
            // history.
            walk.meet(same);
            continue;
        }
        let is_changed = !parents.is_empty() || entry.is_some();
        for parent in parents {
            walk.meet(parent);
        }
        if is_changed {
            found.push(Commit {
                id: commit.id.to_string(),
                short_id: opened.short_id(commit.id),
                time: DateTime::from_timestamp(commit.seconds, 0).unwrap_or_default(),
                subject: commit.subject,
            });
            if found.len() >= limit {
                break;
            }
        }
    }
    Ok(found)
}

/// Formats the time from `then` to `now`, for example as `3h ago`. Both timestamps are in seconds. If `then` is in the
/// future, returns `just now`.
pub(super) fn format_ago(then: i64, now: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let seconds = now.saturating_sub(then);
    let steps = [(365 * DAY, "y"), (30 * DAY, "mo"), (7 * DAY, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m")];
    steps
        .into_iter()
        .find(|(length, _)| seconds >= *length)
        .map_or_else(|| "just now".to_owned(), |(length, unit)| format!("{}{unit} ago", seconds / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ago_uses_the_largest_whole_unit() {
        let now = 1_700_000_000;
        for (seconds, expected) in [
            (-5, "just now"),
            (59, "just now"),
            (60, "1m ago"),
            (3 * 3600 + 3599, "3h ago"),
            (86_400, "1d ago"),
            (15 * 86_400, "2w ago"),
            (40 * 86_400, "1mo ago"),
            (800 * 86_400, "2y ago"),
        ] {
            assert_eq!(format_ago(now - seconds, now), expected);
        }
        assert_eq!(format_ago(i64::MIN, i64::MAX).split_once(' ').unwrap().1, "ago");
    }
}
