//! Names of commits in a request.

use crate::refusal::{Code, Refusal};

/// The name of a commit: a full or abbreviated hash, a branch, a tag, or an expression such as `HEAD~1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision<'a>(&'a str);

impl<'a> Revision<'a> {
    /// Checks that a text has 1 to 256 allowed characters and isn't an option of git.
    pub(super) fn parse(asked: &'a str) -> Result<Self, Refusal> {
        let is_known = |letter: char| letter.is_ascii_alphanumeric() || "._-/~^".contains(letter);
        let is_range = asked.contains("..") || asked.starts_with('^');
        // gix reads these as files of this or another worktree.
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

    /// Returns the file of the repository that gix reads for a name in capitals such as `FETCH_HEAD`. All other names
    /// are files below `refs`.
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
