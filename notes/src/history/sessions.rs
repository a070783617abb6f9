//! When notes were taken, and how long it took: their `session:` commits.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::DateTime;
use gix::ObjectId;
use gix::bstr::{BStr, ByteSlice};

use super::repository::{CommitFacts, History, Opened, damaged};
use crate::companion::META;
use crate::path::{NotePath, is_note_name};
use crate::refusal::Refusal;
use crate::session::Session;

/// The sessions of each note that has any.
#[derive(Debug, Clone, Default)]
pub struct Sessions(HashMap<String, Taken>);

/// When a note was taken.
#[derive(Debug, Clone, Default)]
struct Taken {
    /// As the commits say it.
    minutes: u64,
    /// In no order.
    sessions: Vec<Session>,
}

impl Taken {
    fn add(&mut self, more: Self) {
        self.minutes = self.minutes.saturating_add(more.minutes);
        self.sessions.extend(more.sessions);
    }
}

impl Sessions {
    /// The minutes of all sessions of a note, or nothing if it has none.
    pub fn minutes(&self, note: &NotePath) -> Option<u64> {
        Some(self.0.get(note.as_str())?.minutes)
    }

    /// The sessions of a note, the first first. Each ended when it was committed.
    pub fn of(&self, note: &NotePath) -> Vec<Session> {
        let mut sessions = self.0.get(note.as_str()).map(|taken| taken.sessions.clone()).unwrap_or_default();
        sessions.sort_unstable();
        sessions
    }
}

/// The sessions up to a commit.
#[derive(Debug, Default)]
struct Counted {
    head: Option<ObjectId>,
    commits: HashSet<ObjectId>,
    sessions: Arc<Sessions>,
}

/// The sessions of a workspace, counted once for each commit: while the history goes on, only what is new is read.
///
/// Counting reads two trees for each session, so that the first time takes as long as the history is: whoever must not
/// wait takes [`SessionCache::known`], and counts elsewhere.
#[derive(Debug, Default)]
pub struct SessionCache(Mutex<Counted>);

impl SessionCache {
    /// What was counted before, whatever was committed since.
    pub fn known(&self) -> Arc<Sessions> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner).sessions)
    }

    /// Counts what is new. Of a commit `session: Title (32m)`, the minutes are those of the notes that it has changed
    /// itself or whose metadata it has changed. Merges are not counted. A workspace without history has no sessions.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the repository is damaged; nothing new is counted then.
    pub fn count(&self, history: &History) -> Result<Arc<Sessions>, Refusal> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = match history.open() {
            Ok(opened) => opened,
            Err(refusal) if refusal.code == crate::refusal::Code::FileNotFound => {
                *counted = Counted::default();
                return Ok(Arc::clone(&counted.sessions));
            }
            Err(refusal) => return Err(refusal),
        };
        let head = opened.head()?;
        if counted.head != head {
            *counted = match head {
                None => Counted::default(),
                Some(head) => counted.up_to(&opened, head)?,
            };
        }
        Ok(Arc::clone(&counted.sessions))
    }
}

impl Counted {
    fn up_to(&self, opened: &Opened, head: ObjectId) -> Result<Self, Refusal> {
        let more = Self::since(opened, head, &self.commits)?;
        // Where what was newest before is not behind what is newest now, history was rewritten.
        if let Some(before) = self.head
            && !more.ends.contains(&before)
        {
            let all = Self::since(opened, head, &HashSet::new())?;
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

    fn since(opened: &Opened, head: ObjectId, known: &HashSet<ObjectId>) -> Result<More, Refusal> {
        let mut more = More::default();
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
            if let Some(minutes) = session_minutes(&commit) {
                let ended = DateTime::from_timestamp(commit.seconds, 0);
                let sessions: Vec<_> = ended.map(|ended| Session::ended(ended, minutes)).into_iter().collect();
                for note in changed_notes(opened, &commit)? {
                    more.notes.entry(note).or_default().add(Taken { minutes, sessions: sessions.clone() });
                }
            }
            open.extend(commit.parents);
        }
        Ok(more)
    }
}

#[derive(Default)]
struct More {
    commits: HashSet<ObjectId>,
    /// The known commits at which it stops.
    ends: HashSet<ObjectId>,
    notes: HashMap<String, Taken>,
}

/// The minutes of a commit `session: Title (32m)` that is no merge.
fn session_minutes(commit: &CommitFacts) -> Option<u64> {
    let rest = commit.subject.strip_prefix("session: ").filter(|_| commit.parents.len() <= 1)?;
    let (_, minutes) = rest.strip_suffix("m)")?.rsplit_once('(')?;
    minutes.bytes().all(|digit| digit.is_ascii_digit()).then(|| minutes.parse().ok())?
}

fn changed_notes(opened: &Opened, commit: &CommitFacts) -> Result<HashSet<String>, Refusal> {
    let before = match commit.parents.first() {
        Some(parent) => Some(opened.commit(*parent)?.tree),
        None => None,
    };
    let mut notes = HashSet::new();
    collect_changed(opened, before, commit.tree, &Folder::default(), &mut notes)?;
    Ok(notes)
}

/// A folder of a tree.
#[derive(Default)]
struct Folder {
    path: String,
    /// Whether it is one of metadata, for the notes of the folder above.
    is_meta: bool,
    depth: usize,
}

impl Folder {
    fn below(&self, name: &str) -> Option<Self> {
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

    /// The note that a file of it is, or is about.
    fn note(&self, file: &str) -> Option<String> {
        if self.is_meta {
            return file.strip_suffix(".json").map(|stem| self.join(&format!("{stem}.md")));
        }
        is_note_name(file).then(|| self.join(file))
    }
}

/// Adds the notes that a tree has and that are new or different in it.
fn collect_changed(
    opened: &Opened,
    before: Option<ObjectId>,
    after: ObjectId,
    folder: &Folder,
    notes: &mut HashSet<String>,
) -> Result<(), Refusal> {
    if before == Some(after) {
        return Ok(());
    }
    let after = opened.repository.find_tree(after).map_err(damaged)?;
    let before = before.map(|before| opened.repository.find_tree(before).map_err(damaged)).transpose()?;
    let before = before.as_ref().map(|before| before.decode().map_err(damaged)).transpose()?;
    let mut earlier = before.iter().flat_map(|before| &before.entries).peekable();
    for entry in after.decode().map_err(damaged)?.entries {
        // Both are in one order, so that what comes before this entry is gone by now.
        while earlier.next_if(|earlier| order(earlier) < order(&entry)).is_some() {}
        let earlier = earlier.next_if(|earlier| order(earlier) == order(&entry));
        if earlier.is_some_and(|earlier| earlier.oid == entry.oid) {
            continue;
        }
        let Ok(name) = entry.filename.to_str() else { continue };
        if entry.mode.is_tree() {
            let before = earlier.map(|earlier| earlier.oid.to_owned());
            if let Some(below) = folder.below(name) {
                collect_changed(opened, before, entry.oid.to_owned(), &below, notes)?;
            }
        } else {
            notes.extend(folder.note(name));
        }
    }
    Ok(())
}

/// What entries of a tree are ordered by: their names, those of folders as if they ended in `/`.
fn order<'a>(entry: &gix::objs::tree::EntryRef<'a>) -> impl Ord + use<'a> {
    let name: &'a BStr = entry.filename;
    let slash: &[u8] = if entry.mode.is_tree() { b"/" } else { b"" };
    Ordered { name, slash }
}

#[derive(PartialEq, Eq)]
struct Ordered<'a> {
    name: &'a BStr,
    slash: &'static [u8],
}

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let bytes = |of: &Self| [of.name.as_bytes(), of.slash].concat();
        let common = self.name.len().min(other.name.len());
        // Nearly always the names differ before one of them ends.
        self.name[..common].cmp(&other.name[..common]).then_with(|| bytes(self).cmp(&bytes(other)))
    }
}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
