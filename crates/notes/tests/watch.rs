//! Tests the reports of changes in a workspace.

use std::fs;
use std::sync::mpsc::{Receiver, channel};

use dayledger_notes::watch::{Changes, Watch};

use crate::folder::{Folder, note};

fn start_watch(folder: &Folder) -> (Watch, Receiver<Changes>) {
    let (sender, changes) = channel();
    let watch = Watch::start(&folder.open(), move |changes| {
        let _ = sender.send(changes);
    });
    (watch.unwrap(), changes)
}

#[test]
fn only_written_and_removed_notes_are_reported() {
    let folder = Folder::with_files(&[("sub/a.md", ""), (".git/HEAD", ""), (".chronicle/x", "")]);
    let (watch, receiver) = start_watch(&folder);
    folder.write(".git/HEAD", "x");
    folder.write("notes.txt", "x");
    folder.write("sub/a.md", "x");
    let mut notes = Vec::new();
    let mut read = |until: &str| {
        while !notes.contains(&note(until)) {
            let changes = receiver.recv().unwrap();
            assert!(!changes.is_current_changed);
            notes.extend(changes.notes);
        }
        std::mem::take(&mut notes)
    };
    assert_eq!(read("sub/a.md"), [note("sub/a.md")]);
    fs::remove_file(folder.path("sub/a.md")).unwrap();
    assert_eq!(read("sub/a.md"), [note("sub/a.md")]);
    folder.write(".chronicle/state.json", "{}");
    assert!(receiver.recv().unwrap().is_current_changed);
    drop(watch);
    assert!(receiver.iter().all(|changes| changes.notes.is_empty()), "the channel closes when the watch is dropped");
}

#[cfg(unix)] // Other systems can't remove an open folder.
#[test]
fn unwatchable_workspace_is_an_error() {
    let folder = Folder::with_files(&[("a.md", "")]);
    let workspace = folder.open();
    fs::remove_dir_all(folder.root()).unwrap();
    assert_eq!(Watch::start(&workspace, |_| {}).unwrap_err().code, dayledger_notes::Code::IoError);
}
