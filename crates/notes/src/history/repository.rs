//! Read access to the git repository, limited to the data that the history of notes needs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryMode;
use gix::odb::pack::cache::lru::MemoryCappedHashmap;
use gix::{ObjectId, Repository};

use super::control_files;
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::workspace::{MAX_BYTES, Workspace};

/// The size of the object cache of a request, in bytes.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// The maximum size of an object in bytes. Unpacking a note of [`MAX_BYTES`] that git stored as a delta needs almost
/// this much memory.
const MAX_OBJECT_BYTES: u64 = 4 * MAX_BYTES;

/// The maximum length of a subject in characters. The subjects of a whole history are in memory simultaneously.
const MAX_SUBJECT_LENGTH: usize = 4096;

/// The history of a workspace. Each request reads the repository again.
#[derive(Debug)]
pub struct History {
    root: PathBuf,
}

impl History {
    /// Creates the history of a workspace without opening the repository.
    pub fn new(workspace: &Workspace) -> Self {
        Self { root: workspace.root().to_owned() }
    }

    /// Checks that the workspace has a history.
    ///
    /// # Errors
    ///
    /// `FILE_NOT_FOUND` with the reason if there is no history, `PARSE_ERROR` if the repository is damaged.
    pub fn check(&self) -> Result<(), Refusal> {
        self.open()?.head()?.map(|_| ()).ok_or_else(no_commits)
    }

    /// Opens the repository.
    pub(super) fn open(&self) -> Result<OpenRepository, Refusal> {
        let git = self.root.join(".git");
        // If `.git` is a link, or a file that refers to another folder, it isn't followed. That other folder isn't the
        // history of these notes.
        let why = match std::fs::symlink_metadata(&git).map(|metadata| metadata.file_type()) {
            Ok(kind) if kind.is_dir() => return OpenRepository::open(&git),
            Ok(kind) if kind.is_file() => "`.git` is a file that refers to another repository, which is not read",
            Ok(kind) if kind.is_symlink() => "`.git` is a link, which is not followed",
            _ => {
                "there is no repository of git in it, such as the application or `git init` creates; how long notes took is known from its \
                  commits"
            }
        };
        Err(Refusal::new(Code::FileNotFound, format!("the workspace has no history: {why}")))
    }
}

/// The fields of a commit that the history needs.
#[derive(Debug, Clone)]
pub(super) struct CommitFacts {
    pub(super) id: ObjectId,
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    /// The commit time, in seconds since 1970-01-01 UTC.
    pub(super) seconds: i64,
    /// The first paragraph of the commit message, on one line of at most [`MAX_SUBJECT_LENGTH`] characters.
    pub(super) subject: String,
}

/// The mode and the hash of a tree's entry for a path, or `None` if the tree doesn't contain the path.
pub(super) type Entry = Option<(EntryMode, ObjectId)>;

/// An open repository.
pub(super) struct OpenRepository {
    pub(super) repository: Repository,
    /// The commits whose parents are missing because the repository is a shallow clone.
    cut_off: HashSet<ObjectId>,
}

impl OpenRepository {
    fn open(git: &Path) -> Result<Self, Refusal> {
        control_files::check(git)?;
        let options = gix::open::Options::isolated()
            .open_path_as_is(true)
            // The repository's own settings could raise limits and make gix read other files.
            .filter_config_section(|section| section.source.kind() != gix::config::source::Kind::Repository)
            .config_overrides([
                format!("gitoxide.objects.allocLimit={MAX_OBJECT_BYTES}"),
                // The commit graph is a copy of the commits, in files that would also need a check.
                "core.commitGraph=false".to_owned(),
            ]);
        let mut repository = gix::open_opts(git, options).map_err(corrupt_history)?;
        repository.object_cache_size_if_unset(CACHE_BYTES);
        // Trees are packed as deltas. Without a cache, gix would unpack the same base again for each tree.
        repository.objects.set_pack_cache(|| Box::new(MemoryCappedHashmap::new(CACHE_BYTES)));
        let shallow = repository.shallow_commits().map_err(corrupt_history)?;
        let cut_off = shallow.map(|commits| commits.iter().copied().collect()).unwrap_or_default();
        Ok(Self { repository, cut_off })
    }

    /// Returns the newest commit, or `None` if the repository is empty.
    pub(super) fn head(&self) -> Result<Option<ObjectId>, Refusal> {
        let mut head = self.repository.head().map_err(corrupt_history)?;
        if head.is_unborn() {
            return Ok(None);
        }
        head.peel_to_commit().map(|commit| Some(commit.id)).map_err(corrupt_history)
    }

    /// Returns the ID of the commit that a revision refers to.
    pub(super) fn resolve(&self, revision: Revision) -> Result<ObjectId, Refusal> {
        if self.head()?.is_none() {
            return Err(no_commits());
        }
        let unknown = || {
            let name = revision.as_str();
            Refusal::new(
                Code::InvalidArgument,
                format!("unknown commit `{name}`; use `get_history` to list the commits"),
            )
        };
        if let Some(file) = revision.file() {
            control_files::check_reference(self.repository.git_dir(), Path::new(file))?;
        }
        let id = self.repository.rev_parse_single(revision.as_str().as_bytes().as_bstr()).map_err(|_| unknown())?;
        let object = id.object().map_err(corrupt_history)?.peel_tags_to_end().map_err(corrupt_history)?;
        object.try_into_commit().map(|commit| commit.id).map_err(|_| unknown())
    }

    /// Whether the parents of a commit are missing because the repository is a shallow clone.
    pub(super) fn is_cut_off(&self, id: ObjectId) -> bool {
        self.cut_off.contains(&id)
    }

    pub(super) fn commit(&self, id: ObjectId) -> Result<CommitFacts, Refusal> {
        let commit = self.repository.find_commit(id).map_err(corrupt_history)?;
        let decoded = commit.decode().map_err(corrupt_history)?;
        let parents = if self.is_cut_off(id) { Vec::new() } else { decoded.parents().collect() };
        Ok(CommitFacts {
            id,
            tree: decoded.tree(),
            parents,
            seconds: decoded.committer().map_err(corrupt_history)?.time().map_err(corrupt_history)?.seconds,
            subject: decoded.message().summary().to_str_lossy().chars().take(MAX_SUBJECT_LENGTH).collect(),
        })
    }

    /// Returns the shortest unique prefix of a commit's hash.
    pub(super) fn short_id(&self, id: ObjectId) -> String {
        gix::prelude::ObjectIdExt::attach(id, &self.repository).shorten_or_id().to_string()
    }

    /// Returns the entry of a tree for the path of a note.
    pub(super) fn entry(&self, tree: ObjectId, path: &NotePath) -> Result<Entry, Refusal> {
        let tree = self.repository.find_tree(tree).map_err(corrupt_history)?;
        let entry = tree.lookup_entry(path.as_str().split('/').map(str::as_bytes)).map_err(corrupt_history)?;
        Ok(entry.map(|entry| (entry.mode(), entry.object_id())))
    }

    /// Returns the bytes of a file, or `None` if the entry is missing or isn't a file.
    pub(super) fn file(&self, entry: Entry) -> Result<Option<Vec<u8>>, Refusal> {
        let Some((_, id)) = entry.filter(|(mode, _)| mode.is_blob()) else { return Ok(None) };
        if self.repository.find_header(id).map_err(corrupt_history)?.size() > MAX_BYTES {
            return Err(Refusal::new(
                Code::ParseError,
                "that version has more than 50 MB, which is too large for a note",
            ));
        }
        Ok(Some(self.repository.find_blob(id).map_err(corrupt_history)?.take_data()))
    }
}

/// Creates the refusal for a damaged repository.
pub(super) fn corrupt_history(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(
        Code::ParseError,
        format!(
            "the history of the workspace is damaged: {error}; run `git fsck` in the workspace to list the missing objects"
        ),
    )
}

/// Creates the refusal for a repository without commits.
pub(super) fn no_commits() -> Refusal {
    Refusal::new(
        Code::FileNotFound,
        "the workspace has no history yet: nothing was committed; the application does so when a note is left",
    )
}

/// A reference to a commit: a full or abbreviated hash, a branch, a tag, or an expression such as `HEAD~1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision<'a>(&'a str);

impl<'a> Revision<'a> {
    /// Checks that a revision has 1 to 256 allowed characters and isn't a range or an option of git.
    pub(super) fn parse(asked: &'a str) -> Result<Self, Refusal> {
        let is_known = |letter: char| letter.is_ascii_alphanumeric() || "._-/~^".contains(letter);
        let is_range = asked.contains("..") || asked.starts_with('^');
        // gix would resolve these prefixes to files of the main worktree or of another worktree.
        let is_of_worktree = ["main-worktree/", "worktrees/"].iter().any(|prefix| asked.starts_with(prefix));
        let is_option = asked.starts_with('-');
        let is_other = is_option || is_range || is_of_worktree;
        if (1..=256).contains(&asked.len()) && asked.chars().all(is_known) && !is_other {
            return Ok(Self(asked));
        }
        let shown: String = asked.chars().take(100).collect();
        Err(Refusal::new(
            Code::InvalidArgument,
            format!("`{shown}` is not a commit; pass a hash from `get_history`, a branch, a tag, or `HEAD~1`"),
        ))
    }

    pub(super) fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the file of the repository that gix reads for a name in capitals, such as `FETCH_HEAD`. Returns `None`
    /// for other names, because gix looks for them below `refs`.
    pub(super) fn file(self) -> Option<&'a str> {
        let name = self.0.split(['~', '^']).next()?;
        let is_capitals = name.bytes().all(|letter| letter.is_ascii_uppercase() || letter == b'_');
        (is_capitals && !name.is_empty()).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_commit_names_are_refused() {
        for name in ["HEAD~1", "v1.0.0", "feature/x", "HEAD^2~3", &"a".repeat(256)] {
            assert!(Revision::parse(name).is_ok(), "{name}");
        }
        let long = "a".repeat(257);
        for other in
            ["a;b", "HEAD 1", "--all", "-p", "", &long, "HEAD:a.md", "a..b", "^a", "HEAD@{1}", "é", "worktrees/a/HEAD"]
        {
            assert_eq!(Revision::parse(other).unwrap_err().code, Code::InvalidArgument, "{other}");
        }
    }
}
