//! Creates repositories with the program git, for the other tests.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::folder::Folder;

/// Runs git in a workspace without the user's configuration. Returns the output of git.
pub(crate) fn git(folder: &Folder, arguments: &[&str]) -> String {
    run(folder, arguments, "")
}

fn run(folder: &Folder, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new("git")
        .args(["-c", "user.name=Chronicle", "-c", "user.email=chronicle@localhost", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(folder.root())
        .env("HOME", folder.root())
        .env("XDG_CONFIG_HOME", folder.root())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        // git sets these variables for the programs that it starts, such as hooks.
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Commits that `git fast-import` creates together.
#[derive(Default)]
pub(crate) struct Commits {
    stream: String,
    made: usize,
}

impl Commits {
    /// Adds a commit and returns its index. `seconds` is the commit time since 1970-01-01 UTC. `parents` are indices of
    /// earlier commits. In `changes`, `None` deletes a file. All other files are the same as in the first parent.
    pub(crate) fn commit(
        &mut self,
        subject: &str,
        seconds: u64,
        parents: &[usize],
        changes: &[(&str, Option<&str>)],
    ) -> usize {
        let stream = &mut self.stream;
        let who = format!("Chronicle <chronicle@localhost> {seconds} +0000");
        self.made += 1;
        // Without a reset, a commit without a parent would continue from the current state of the branch.
        if parents.is_empty() {
            stream.push_str("reset refs/heads/main\n\n");
        }
        writeln!(stream, "commit refs/heads/main\nmark :{}\nauthor {who}\ncommitter {who}", self.made).unwrap();
        writeln!(stream, "data {}\n{subject}", subject.len()).unwrap();
        for (place, parent) in parents.iter().enumerate() {
            writeln!(stream, "{} :{parent}", if place == 0 { "from" } else { "merge" }).unwrap();
        }
        for (path, text) in changes {
            match text {
                Some(text) => writeln!(stream, "M 100644 inline {path}\ndata {}\n{text}", text.len()).unwrap(),
                None => writeln!(stream, "D {path}").unwrap(),
            }
        }
        stream.push('\n');
        self.made
    }

    /// Creates the commits, in a new repository if necessary. The commit that was added last becomes the head of the
    /// branch.
    pub(crate) fn make(&self, folder: &Folder) {
        git(folder, &["init", "--quiet"]);
        run(folder, &["fast-import", "--quiet", "--force"], &self.stream);
    }
}
