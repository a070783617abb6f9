//! The sessions of notes: the times at which a note was taken. The sessions are read from `session:` commits.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use gix::ObjectId;
use gix::bstr::ByteSlice;

use super::repository::{CommitFacts, History, OpenRepository, corrupt_history};
use super::tree_diff::{Difference, changed_entries};
use crate::companion::META;
use crate::path::{NotePath, is_note_name};
use crate::refusal::{Code, Refusal};
use crate::session::Session;

/// The sessions of each note, by the note's path.
#[derive(Debug, Clone, Default)]
pub struct Sessions(HashMap<String, NoteSessions>);

/// The sessions of a note.
#[derive(Debug, Clone, Default)]
struct NoteSessions {
    /// The sum of the minutes in the subjects of the commits.
    minutes: u64,
    /// The sessions in any order.
    sessions: Vec<Session>,
}

impl NoteSessions {
    /// Reads the session from a commit `session: Title (32m)`. Returns `None` for other commits and for merges.
    fn from_commit(commit: &CommitFacts) -> Option<Self> {
        let minutes = session_minutes(commit)?;
        let ended = DateTime::from_timestamp(commit.seconds, 0);
        Some(Self {
            minutes,
            sessions: ended.and_then(|ended| Session::from_end(ended, minutes)).into_iter().collect(),
        })
    }

    fn add(&mut self, more: Self) {
        self.minutes = self.minutes.saturating_add(more.minutes);
        self.sessions.extend(more.sessions);
    }
}

impl Sessions {
    /// Returns the total minutes of a note's sessions, or `None` if the note has no sessions.
    pub fn minutes(&self, note: &NotePath) -> Option<u64> {
        Some(self.0.get(note.as_str())?.minutes)
    }

    /// Returns the sessions of a note in time order. A session ends at the time of its commit.
    pub fn note_sessions(&self, note: &NotePath) -> Vec<Session> {
        let mut sessions = self.0.get(note.as_str()).map(|taken| taken.sessions.clone()).unwrap_or_default();
        sessions.sort_unstable();
        sessions
    }
}

/// The sessions in a history up to the commit `head`.
#[derive(Debug, Default)]
struct SessionCount {
    head: Option<ObjectId>,
    commits: HashSet<ObjectId>,
    sessions: Arc<Sessions>,
}

/// The sessions of a workspace. Each commit is counted once, and a later count reads only new commits.
///
/// Counting compares two trees for each session, so the first count of a long history is slow. A caller that can't wait
/// should use [`SessionCache::latest`], and count in another thread.
#[derive(Debug, Default)]
pub struct SessionCache {
    counted: Mutex<Arc<SessionCount>>,
    /// Locked during a count. Other threads can still read the result of the previous count.
    counting: Mutex<()>,
}

impl SessionCache {
    /// Returns the result of the last count. It doesn't include later commits.
    pub fn latest(&self) -> Arc<Sessions> {
        Arc::clone(&self.current_count().sessions)
    }

    fn current_count(&self) -> Arc<SessionCount> {
        Arc::clone(&self.counted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts new commits. The minutes of a commit `session: Title (32m)` belong to each note that the commit changed,
    /// and to each note whose metadata it changed. Merges aren't counted. If the workspace has no history, the result
    /// is empty.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the repository is damaged. The cached result then stays unchanged.
    pub fn count(&self, history: &History) -> Result<Arc<Sessions>, Refusal> {
        let _counting = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.current_count();
        let opened = history.open_if_exists()?;
        let head = opened.as_ref().map(OpenRepository::head).transpose()?.flatten();
        if known.head == head {
            return Ok(Arc::clone(&known.sessions));
        }
        let counted = match (opened, head) {
            (Some(opened), Some(head)) => known.extend_to(&opened, head)?,
            _ => SessionCount::default(),
        };
        let sessions = Arc::clone(&counted.sessions);
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(counted);
        Ok(sessions)
    }
}

impl SessionCount {
    fn extend_to(&self, opened: &OpenRepository, head: ObjectId) -> Result<Self, Refusal> {
        let more = Self::collect_since(opened, head, &self.commits)?;
        // If the walk didn't reach the previous head, the history was rewritten, and all commits are counted again.
        if let Some(before) = self.head
            && !more.ends.contains(&before)
        {
            let all = Self::collect_since(opened, head, &HashSet::new())?;
            return Ok(Self { head: Some(head), commits: all.commits, sessions: Arc::new(Sessions(all.notes)) });
        }
        let mut commits = more.commits;
        commits.extend(&self.commits);
        let mut notes = self.sessions.0.clone();
        for (note, more) in more.notes {
            notes.entry(note).or_default().add(more);
        }
        Ok(Self { head: Some(head), commits, sessions: Arc::new(Sessions(notes)) })
    }

    fn collect_since(
        opened: &OpenRepository,
        head: ObjectId,
        known: &HashSet<ObjectId>,
    ) -> Result<NewSessions, Refusal> {
        let mut more = NewSessions::default();
        let mut open = vec![head];
        while let Some(id) = open.pop() {
            if known.contains(&id) {
                more.ends.insert(id);
                continue;
            }
            if !more.commits.insert(id) {
                continue;
            }
            let commit = opened.commit(id)?;
            if let Some(taken) = NoteSessions::from_commit(&commit) {
                add_to_changed(&mut more.notes, opened, &commit, &taken)?;
            }
            open.extend(commit.parents);
        }
        Ok(more)
    }
}

impl History {
    /// Returns the sessions that overlap a time range. Reads the dates of all commits, because commits may not be in
    /// time order if a clock was wrong. Compares trees only for sessions in the range, so that the call is fast even
    /// for a long history.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the repository is damaged. A missing history isn't an error: the result is then empty.
    pub fn sessions_between(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Sessions, Refusal> {
        let mut sessions = Sessions::default();
        let Some(opened) = self.open_if_exists()? else { return Ok(sessions) };
        let mut met = HashSet::new();
        let mut open: Vec<_> = opened.head()?.into_iter().collect();
        while let Some(id) = open.pop() {
            let commit = opened.commit(id)?;
            let reaches = |session: &Session| session.start < to && session.end >= from;
            if let Some(taken) = NoteSessions::from_commit(&commit).filter(|taken| taken.sessions.iter().any(reaches)) {
                add_to_changed(&mut sessions.0, &opened, &commit, &taken)?;
            }
            open.extend(commit.parents.into_iter().filter(|parent| met.insert(*parent)));
        }
        Ok(sessions)
    }

    /// Opens the repository, or returns `None` if it doesn't exist.
    fn open_if_exists(&self) -> Result<Option<OpenRepository>, Refusal> {
        match self.open() {
            Err(refusal) if refusal.code == Code::FileNotFound => Ok(None),
            opened => opened.map(Some),
        }
    }
}

/// Adds the session of a commit to each note that the commit changed.
fn add_to_changed(
    notes: &mut HashMap<String, NoteSessions>,
    opened: &OpenRepository,
    commit: &CommitFacts,
    taken: &NoteSessions,
) -> Result<(), Refusal> {
    for note in changed_notes(opened, commit)? {
        notes.entry(note).or_default().add(taken.clone());
    }
    Ok(())
}

#[derive(Default)]
struct NewSessions {
    commits: HashSet<ObjectId>,
    /// The known commits at which the walk over the history stopped.
    ends: HashSet<ObjectId>,
    notes: HashMap<String, NoteSessions>,
}

fn session_minutes(commit: &CommitFacts) -> Option<u64> {
    let rest = commit.subject.strip_prefix("session: ").filter(|_| commit.parents.len() <= 1)?;
    // The title can contain brackets, so the minutes are read from the last pair of brackets.
    let (_, minutes) = rest.strip_suffix("m)")?.rsplit_once('(')?;
    minutes.bytes().all(|digit| digit.is_ascii_digit()).then(|| minutes.parse().ok())?
}

fn changed_notes(opened: &OpenRepository, commit: &CommitFacts) -> Result<HashSet<String>, Refusal> {
    // If the parents are missing, the changes of the commit are unknown.
    if opened.is_cut_off(commit.id) {
        return Ok(HashSet::new());
    }
    let before = match commit.parents.first() {
        Some(parent) => Some(opened.commit(*parent)?.tree),
        None => None,
    };
    let mut notes = HashSet::new();
    collect_changed(opened, before, commit.tree, &Folder::default(), &mut notes)?;
    Ok(notes)
}

/// A folder in the tree of a commit.
#[derive(Default)]
struct Folder {
    path: String,
    /// Whether this is a folder `.meta`, with the metadata of the notes in its parent folder.
    is_meta: bool,
    depth: usize,
}

impl Folder {
    fn subfolder(&self, name: &str) -> Option<Self> {
        let is_meta = name == META;
        let is_passed_over = (name.starts_with('.') && !is_meta) || self.is_meta || self.depth > 64;
        (!is_passed_over).then(|| Self {
            path: if is_meta { self.path.clone() } else { self.join(name) },
            is_meta,
            depth: self.depth + 1,
        })
    }

    fn join(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }

    /// Returns the note to which a file in this folder belongs. The file is the note itself or its metadata.
    fn note(&self, file: &str) -> Option<String> {
        if self.is_meta {
            return file.strip_suffix(".json").map(|stem| self.join(&format!("{stem}.md")));
        }
        is_note_name(file).then(|| self.join(file))
    }
}

/// Adds the notes that were created or changed between two trees.
fn collect_changed(
    opened: &OpenRepository,
    before: Option<ObjectId>,
    after: ObjectId,
    folder: &Folder,
    notes: &mut HashSet<String>,
) -> Result<(), Refusal> {
    // Folders with equal hashes have equal content, so they aren't read.
    if before == Some(after) {
        return Ok(());
    }
    let after = opened.repository.find_tree(after).map_err(corrupt_history)?;
    let before = before.map(|before| opened.repository.find_tree(before).map_err(corrupt_history)).transpose()?;
    let before = before.as_ref().map(|before| before.data.as_slice()).unwrap_or_default();
    for Difference { before, after } in changed_entries(before, &after.data, opened.repository.object_hash())? {
        let Ok(name) = after.filename.to_str() else { continue };
        if after.mode.is_tree() {
            let before = before.map(|before| before.oid.to_owned());
            if let Some(below) = folder.subfolder(name) {
                collect_changed(opened, before, after.oid.to_owned(), &below, notes)?;
            }
        } else {
            notes.extend(folder.note(name));
        }
    }
    Ok(())
}
