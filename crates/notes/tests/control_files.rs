//! Tests repositories with control files that are too large or that refer to other folders.

use std::fs;

use dayledger_notes::history::History;
use dayledger_notes::{Code, Refusal};

use crate::folder::{Folder, note};
use crate::git::git;

const HASH: &str = "1111111111111111111111111111111111111111";

fn commit_note() -> Folder {
    let folder = Folder::with_files(&[("n.md", "# N\n")]);
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "session: N (5m)"]);
    folder
}

fn read_version(folder: &Folder, commit: &str) -> Result<String, Refusal> {
    let history = History::new(&folder.open());
    history.log(&note("n.md"), 10).and_then(|_| history.version(&note("n.md"), commit)).map(|version| version.subject)
}

fn assert_refused(folder: &Folder, commit: &str, why: &str) {
    let refusal = read_version(folder, commit).map(|subject| subject.len()).unwrap_err();
    assert_eq!(refusal.code, Code::ParseError, "{refusal}");
    assert!(refusal.message.contains(why), "{why}: {refusal}");
}

/// A file of exactly the maximum size is accepted. This shows that a larger file is refused because of its size.
#[test]
fn reference_or_list_of_references_that_is_too_large_is_refused() {
    let folder = commit_note();
    let main = fs::read(folder.path(".git/refs/heads/main")).unwrap();
    for (name, content, most_bytes) in [
        ("HEAD", b"ref: refs/heads/main\n".as_slice(), 64 << 10),
        ("refs/heads/main", &main, 64 << 10),
        ("refs/heads/feature/unused", &main, 64 << 10),
        ("refs/replace/unused", &main, 64 << 10),
        ("config", b"[core]\n", 256 << 10),
        ("config.worktree", b"[core]\n", 256 << 10),
        ("packed-refs", b"# pack-refs with: peeled fully-peeled sorted \n", 16 << 20),
        ("shallow", HASH.as_bytes(), 16 << 20),
    ] {
        let path = format!(".git/{name}");
        let before = fs::read(folder.path(&path)).ok();
        let mut padded = content.to_vec();
        padded.resize(most_bytes, b'\n');
        if name != "packed-refs" && name != "shallow" {
            folder.write(&path, &padded);
            assert_eq!(read_version(&folder, "main"), Ok("session: N (5m)".to_owned()), "{name}");
        }
        padded.push(b'\n');
        folder.write(&path, &padded);
        assert_refused(&folder, "HEAD", &format!("`{path}` has more than {} KB", most_bytes >> 10));
        match before {
            Some(before) => fs::write(folder.path(&path), before).unwrap(),
            None => fs::remove_file(folder.path(&path)).unwrap(),
        }
    }
    assert_eq!(read_version(&folder, "main"), Ok("session: N (5m)".to_owned()));
}

/// git writes the message of `git commit --verbose` into `COMMIT_EDITMSG`. The file can be large, but isn't read unless
/// a request names it.
#[test]
fn file_named_in_capitals_is_checked_only_if_requested() {
    let folder = commit_note();
    folder.write(".git/COMMIT_EDITMSG", vec![b'\n'; (64 << 10) + 1]);
    read_version(&folder, "HEAD").unwrap();
    assert_refused(&folder, "COMMIT_EDITMSG~1", "`.git/COMMIT_EDITMSG` has more than 64 KB");
    git(&folder, &["update-ref", "ORIG_HEAD", "HEAD"]);
    assert_eq!(read_version(&folder, "ORIG_HEAD"), Ok("session: N (5m)".to_owned()));
}

/// Without the check, gix would read the pack or the commit message as a reference.
#[test]
fn reference_that_names_another_file_is_refused() {
    let folder = commit_note();
    for name in ["HEAD", "refs/heads/main"] {
        let before = fs::read(folder.path(&format!(".git/{name}"))).unwrap();
        for target in ["objects/pack/pack-1.pack", "COMMIT_EDITMSG", "worktrees/a/HEAD"] {
            folder.write(&format!(".git/{name}"), format!("ref: {target}\n"));
            assert_refused(&folder, "HEAD", &format!("`.git/{name}` does not name a branch"));
        }
        fs::write(folder.path(&format!(".git/{name}")), before).unwrap();
    }
}

#[test]
fn repository_that_names_another_folder_is_refused() {
    let (folder, other) = (commit_note(), commit_note());
    for (name, target) in [("commondir", ".git"), ("objects/info/alternates", ".git/objects")] {
        let path = format!(".git/{name}");
        folder.write(&path, other.path(target).to_str().unwrap());
        assert_refused(&folder, "HEAD", &format!("`{path}` refers to another folder, which is not read"));
        fs::remove_file(folder.path(&path)).unwrap();
    }
}

/// With the setting `shallowFile`, a repository could make gix read any file of the machine, such as an endless device
/// file.
#[test]
fn settings_of_a_repository_name_no_file_to_read() {
    let folder = commit_note();
    git(&folder, &["config", "gitoxide.core.shallowFile", "../n.md"]);
    assert_eq!(read_version(&folder, "HEAD"), Ok("session: N (5m)".to_owned()));
}

#[test]
fn too_many_references_that_are_not_packed_are_refused() {
    let folder = commit_note();
    for number in 0..10_000 {
        folder.write(&format!(".git/refs/tags/{number}"), HASH);
    }
    assert_refused(&folder, "HEAD", "has more than 10000 references that are not packed; run `git pack-refs --all`");
}

#[cfg(unix)] // Windows has no named pipes or devices in folders.
#[test]
fn link_or_pipe_in_the_place_of_a_reference_is_refused() {
    let folder = commit_note();
    let path = folder.path(".git/refs/heads/main");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/null", &path).unwrap();
    assert_refused(&folder, "HEAD", "`.git/refs/heads/main` is not a file");
    fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_refused(&folder, "HEAD", "`.git/refs/heads/main` is not a file");
}

/// The commit needs 200 KB on disk, but more than 200 MB in memory.
#[test]
fn commit_that_is_too_large_in_memory_is_refused() {
    let folder = commit_note();
    folder.write("message", vec![b'x'; 201 << 20]);
    git(&folder, &["commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-F", "message"]);
    assert_refused(&folder, "HEAD", "the history of the workspace is damaged");
}

#[test]
fn long_subject_of_a_commit_is_cut() {
    let folder = commit_note();
    folder.write("message", "x".repeat(100_000));
    git(&folder, &["commit", "--quiet", "--allow-empty", "-F", "message"]);
    assert_eq!(read_version(&folder, "HEAD").unwrap().len(), 4096);
}
