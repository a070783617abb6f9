//! A program that is killed while it writes: notes are whole, and originals are not lost.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use chrono::DateTime;
use dayledger_notes::Workspace;
use dayledger_notes::writing::{Replacement, write_processed};

use crate::folder::{Folder, note};

const KILLS: usize = 32;
const NOTES: usize = 8;
const WRITTEN: &str = "written";

fn name(place: usize) -> String {
    format!("{place}.md")
}

fn original(place: usize) -> String {
    format!("> before {place}\n").repeat(5_000)
}

fn processed(place: usize) -> String {
    format!("## TL;DR\n{}", format!("after {place}\n").repeat(5_000))
}

/// The program: writes one note after the other, and tells of each.
#[test]
#[ignore = "a program for the test below"]
fn writes_all_notes() {
    let mut root = String::new();
    std::io::stdin().read_to_string(&mut root).unwrap();
    let workspace = Workspace::open(Path::new(&root)).unwrap();
    let mut output = std::io::stdout();
    for place in 0..NOTES {
        let content = processed(place);
        let replacement = Replacement { content: &content, ..Replacement::default() };
        write_processed(&workspace, &note(&name(place)), replacement, DateTime::UNIX_EPOCH).unwrap();
        writeln!(output, "{WRITTEN}").unwrap();
        output.flush().unwrap();
    }
}

#[test]
fn a_killed_program_leaves_notes_whole_and_their_originals_untouched() {
    let mut between = 0;
    for round in 0..KILLS {
        let folder = Folder::empty();
        for place in 0..NOTES {
            folder.write(&name(place), original(place));
        }
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kills::writes_all_notes", "--ignored", "--nocapture"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let root = folder.root().to_str().unwrap().to_owned();
        child.stdin.take().unwrap().write_all(root.as_bytes()).unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.ends_with(WRITTEN));
        // It goes on with the next note while it is killed.
        let before = told.by_ref().take(round % NOTES).count();
        child.kill().unwrap();
        let acknowledged = before + told.count();
        child.wait().unwrap();
        for place in 0..NOTES {
            let text = folder.read(&name(place));
            let is_new = text == processed(place);
            assert!(is_new || text == original(place), "note {place} is neither the old one nor the new one");
            assert!(is_new || place >= acknowledged, "note {place} was acknowledged");
            let raw = folder.path(&format!(".raw/{place}.raw.md"));
            assert!(raw.exists() || !is_new, "the original of note {place} is lost");
            if raw.exists() {
                assert_eq!(std::fs::read_to_string(raw).unwrap(), original(place));
                between += usize::from(!is_new);
            }
            let meta = folder.path(&format!(".meta/{place}.json"));
            assert!(meta.exists() || place >= acknowledged);
            if meta.exists() {
                serde_json::from_slice::<serde_json::Value>(&std::fs::read(meta).unwrap()).unwrap();
            }
        }
        // What was cut off is done by the next one.
        let workspace = folder.open();
        let content = processed(acknowledged.min(NOTES - 1));
        let replacement = Replacement { content: &content, ..Replacement::default() };
        let path = note(&name(acknowledged.min(NOTES - 1)));
        write_processed(&workspace, &path, replacement, DateTime::UNIX_EPOCH).unwrap();
        assert_eq!(folder.read(&format!(".raw/{}.raw.md", path.stem())), original(acknowledged.min(NOTES - 1)));
    }
    // Not asserted: where a kill falls is up to the system.
    writeln!(std::io::stderr(), "{between} notes were left between original and replacement").unwrap();
}
