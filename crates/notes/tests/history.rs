//! Tests histories of notes by comparing them with the output of git.

use std::fs;

use chrono::DateTime;
use dayledger_notes::history::{History, limit};
use dayledger_notes::{Code, Refusal};

use crate::folder::{Folder, note};
use crate::git::{Commits, git};

const HOUR: u64 = 3600;

fn history(folder: &Folder) -> History {
    History::new(&folder.open())
}

/// Creates a history in which commits change the notes n and o alternately.
fn alternating_history() -> Folder {
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let first = commits.commit("Initial commit: Chronicle workspace", 0, &[], &[("n.md", Some("# N\none\n"))]);
    let second = commits.commit("session: O (5m)", HOUR, &[first], &[("o.md", Some("# O\n"))]);
    let third =
        commits.commit("session: N | more (32m)\n\nBody.", 2 * HOUR, &[second], &[("n.md", Some("# N\ntwo\n"))]);
    commits.commit("session: O (6m)", 3 * HOUR, &[third], &[("o.md", Some("# O\n```\n"))]);
    commits.make(&folder);
    folder
}

#[test]
fn note_history_is_listed_with_hashes() {
    let folder = alternating_history();
    let now = DateTime::from_timestamp(i64::try_from(5 * HOUR).unwrap(), 0).unwrap();
    let log = history(&folder).log(&note("n.md"), 10).unwrap();
    let hashes = git(&folder, &["log", "--format=%h", "--", "n.md"]);
    let hashes: Vec<&str> = hashes.lines().collect();
    let expected = format!(
        "History for n.md:\n\n1. session: N | more (32m) — 3h ago ({})\n\
         2. Initial commit: Chronicle workspace — 5h ago ({})\n\nUse get_version to view a specific version.",
        hashes[0], hashes[1]
    );
    assert_eq!(log.to_text(&now), expected);
    assert_eq!(history(&folder).log(&note("n.md"), 1).unwrap().commits.len(), 1);
    let mut hostile = log;
    hostile.commits[0].subject.push_str("\u{1b}[2J");
    assert!(hostile.to_text(&now).contains("(32m)\u{fffd}[2J — 3h ago"), "{}", hostile.to_text(&now));
    let none = history(&folder).log(&note("gone.md"), 10).unwrap().to_text(&now);
    assert_eq!(none, "No git history found for gone.md. The file may not have been committed yet.");
    for (requested, limited) in [(None, 10), (Some(0), 10), (Some(500), 100), (Some(-3), 1)] {
        assert_eq!(limit(requested), limited);
    }
}

#[test]
fn version_is_the_note_at_that_commit() {
    let folder = alternating_history();
    let version = |commit: &str| history(&folder).version(&note("n.md"), commit);
    let text = version("HEAD").unwrap().to_text();
    assert_eq!(text, "Version from commit HEAD (session: O (6m)):\n\n# N\ntwo\n");
    assert_eq!(version("HEAD~2").unwrap().text.text(), "# N\none\n");
    git(&folder, &["tag", "-a", "-m", "x", "v1.0.0", "HEAD~1"]);
    git(&folder, &["branch", "feature/x", "HEAD~2"]);
    let hash = git(&folder, &["rev-parse", "HEAD~1"]);
    for name in [hash.trim(), &hash[..7], "v1.0.0", "HEAD^"] {
        assert_eq!(version(name).unwrap().text.text(), "# N\ntwo\n", "{name}");
    }
    assert_eq!(version("feature/x").unwrap().text.text(), "# N\none\n");
    let code = |path: &str, commit: &str| history(&folder).version(&note(path), commit).unwrap_err().code;
    let tree = git(&folder, &["rev-parse", "HEAD^{tree}"]);
    for unknown in ["HEAD~9", "no", "0000000", "--all", "HEAD:n.md", "HEAD~2..HEAD", tree.trim()] {
        assert_eq!(code("n.md", unknown), Code::InvalidArgument, "{unknown}");
    }
    assert_eq!(code("o.md", "HEAD~3"), Code::FileNotFound);
}

#[test]
fn versions_are_compared_and_equal_ones_suggest_others() {
    let folder = alternating_history();
    let compare = |path: &str, from: &str, to: &str| history(&folder).compare(&note(path), from, to).unwrap().to_text();
    let hashes = git(&folder, &["log", "--format=%h", "--", "n.md"]);
    let (newer, older) = hashes.trim().split_once('\n').unwrap();
    assert_eq!(
        compare("n.md", "HEAD~1", "HEAD"),
        format!(
            "No differences between HEAD~1 and HEAD for n.md\n\nThe note was last changed by {newer} and {older}; compare \
             those: from_commit {older}, to_commit {newer}."
        )
    );
    let expected =
        "Diff for n.md (HEAD~2..HEAD):\n\n```diff\n--- a/n.md\n+++ b/n.md\n@@ -1,2 +1,2 @@\n # N\n-one\n+two\n```";
    assert_eq!(compare("n.md", "HEAD~2", "HEAD"), expected);
    let fenced = compare("o.md", "HEAD~1", "HEAD");
    assert!(fenced.contains("\n\n````diff\n") && fenced.ends_with("+```\n````"), "{fenced}");
    assert!(compare("o.md", "HEAD~3", "HEAD~2").contains("\n+# O\n"), "a commit without the note counts as empty");
    let nowhere = history(&folder).compare(&note("gone.md"), "HEAD~1", "HEAD").unwrap_err();
    assert_eq!(nowhere.code, Code::FileNotFound);
}

/// Deletes a read-only file. On Windows, the file must be made writable first.
#[expect(clippy::permissions_set_readonly_false, reason = "the next line deletes the file")]
fn remove_read_only(file: &std::path::Path) {
    let mut permissions = fs::metadata(file).unwrap().permissions();
    permissions.set_readonly(false);
    fs::set_permissions(file, permissions).unwrap();
    fs::remove_file(file).unwrap();
}

#[test]
fn missing_and_damaged_histories_are_errors() {
    let folder = Folder::with_files(&[("n.md", "# N")]);
    let ask = || -> [Refusal; 3] {
        let history = history(&folder);
        let path = note("n.md");
        [
            history.log(&path, 10).unwrap_err(),
            history.version(&path, "HEAD").unwrap_err(),
            history.compare(&path, "HEAD~1", "HEAD").unwrap_err(),
        ]
    };
    for refusal in ask() {
        assert_eq!(refusal.code, Code::FileNotFound);
        assert!(refusal.message.contains("no repository"), "{refusal}");
    }
    git(&folder, &["init", "--quiet"]);
    for refusal in ask() {
        assert_eq!(refusal.code, Code::FileNotFound);
        assert!(refusal.message.contains("nothing was committed"), "{refusal}");
    }
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "x"]);
    fs::write(folder.path(".git/HEAD"), "ref: refs/heads/\u{1}").unwrap();
    assert!(ask().iter().all(|refusal| refusal.code == Code::ParseError));
    fs::write(folder.path(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    assert!(history(&folder).log(&note("n.md"), 10).is_ok());
    for (path, place) in [("HEAD^{tree}", 0), ("HEAD:n.md", 1), ("HEAD", 2)] {
        let id = git(&folder, &["rev-parse", path]);
        let object = folder.path(&format!(".git/objects/{}/{}", &id[..2], id[2..].trim()));
        let sound = fs::read(&object).unwrap();
        for broken in [&b""[..], b"no zlib", &sound[..sound.len() / 2]] {
            remove_read_only(&object);
            fs::write(&object, broken).unwrap();
            let history = history(&folder);
            let result = history.log(&note("n.md"), 10).and_then(|_| history.version(&note("n.md"), "HEAD"));
            assert_eq!(result.unwrap_err().code, Code::ParseError, "{path} {place}");
        }
        remove_read_only(&object);
        assert!(history(&folder).version(&note("n.md"), "HEAD").is_err());
        fs::write(&object, sound).unwrap();
    }
}

#[cfg(unix)] // On Windows, most users are not allowed to create a link.
#[test]
fn the_repository_of_another_folder_is_not_read() {
    let folder = Folder::with_files(&[("n.md", "# N")]);
    let other = alternating_history();
    std::os::unix::fs::symlink(other.path(".git"), folder.path(".git")).unwrap();
    let refusal = || history(&folder).log(&note("n.md"), 10).unwrap_err();
    assert_eq!(refusal().code, Code::FileNotFound);
    assert!(refusal().message.contains("`.git` is a link, which is not followed"), "{}", refusal());
    fs::remove_file(folder.path(".git")).unwrap();
    fs::write(folder.path(".git"), format!("gitdir: {}\n", other.path(".git").display())).unwrap();
    assert_eq!(refusal().code, Code::FileNotFound);
    let why = "`.git` is a file that refers to another repository, which is not read";
    assert!(refusal().message.contains(why), "{}", refusal());
}

/// Creates a random history with branches, merges, deleted and renamed notes, and commits with wrong dates.
pub(crate) fn random_history(seed: u64) -> Folder {
    let mut state = seed;
    let mut below = move |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let names = ["a.md", "b.md", "sub/a.md", "sub.md", "sub-x.md", ".meta/a.json", "sub/.meta/a.json", "c.txt"];
    let mut made = vec![commits.commit("init: Chronicle workspace", 1_000, &[], &[("a.md", Some("0"))])];
    for number in 0..60_u64 {
        let any = |below: &mut dyn FnMut(u64) -> u64| {
            let recent = below(6).min(made.len() as u64 - 1);
            made[made.len() - 1 - usize::try_from(recent).unwrap()]
        };
        let mut parents = vec![any(&mut below)];
        while below(4) == 0 {
            let parent = any(&mut below);
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let mut changes = Vec::new();
        let texts = ["0", "1", "2"];
        for _ in 0..below(4) {
            let name = names[usize::try_from(below(names.len() as u64)).unwrap()];
            let text = texts.get(usize::try_from(below(4)).unwrap()).copied();
            changes.push((name, text));
        }
        let subject = format!("{}: A ({}m)", ["session", "process"][usize::try_from(below(2)).unwrap()], below(100));
        let seconds = 1_000 + (number / 2 + below(3)) * 10;
        made.push(commits.commit(&subject, seconds, &parents, &changes));
    }
    commits.make(&folder);
    folder
}

#[test]
fn commits_of_a_note_match_git_log() {
    let mut compared = 0;
    for seed in 0..25 {
        let folder = random_history(seed);
        for path in ["a.md", "b.md", "sub/a.md", "sub.md", "sub-x.md"] {
            let expected = git(&folder, &["log", "--format=%H", "--", path]);
            let log = history(&folder).log(&note(path), 1000).unwrap();
            let found: Vec<&str> = log.commits.iter().map(|commit| commit.id.as_str()).collect();
            assert_eq!(found, expected.lines().collect::<Vec<_>>(), "{path} of {seed}");
            compared += found.len();
        }
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn shallow_history_ends_at_its_oldest_commit() {
    let origin = alternating_history();
    let folder = Folder::empty();
    git(&folder, &["clone", "--quiet", "--no-local", "--depth", "3", origin.root().to_str().unwrap(), "."]);
    let log = history(&folder).log(&note("n.md"), 10).unwrap();
    let expected = git(&folder, &["log", "--format=%h", "--", "n.md"]);
    let found: Vec<&str> = log.commits.iter().map(|commit| commit.short_id.as_str()).collect();
    assert_eq!(found, expected.lines().collect::<Vec<_>>());
}
