//! Tests that notes are complete, and that originals aren't lost, if the program is killed while it writes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use chrono::DateTime;
use dayledger_notes::Workspace;
use dayledger_notes::document::Document;
use dayledger_notes::writing::{NewRecord, write_processed};

use crate::folder::{Folder, note};

const KILLS: usize = 16;
const NOTES: usize = 4;
const WRITTEN: &str = "written";

fn name(place: usize) -> String {
    format!("{place}.md")
}

fn original(place: usize) -> String {
    format!("> before {place}\n").repeat(100_000)
}

fn record(place: usize) -> String {
    format!("## TL;DR\n{}", format!("after {place}\n").repeat(25_000))
}

fn processed_text(place: usize) -> String {
    Document::parse(&original(place)).with_record(&format!("{}\n\n## Raw Notes\n", record(place).trim_end()))
}

/// The program that the test kills: it writes a record into each note in order, and prints a line after each note.
#[test]
#[ignore = "the test below starts it as a program"]
fn writes_all_notes() {
    let mut root = String::new();
    std::io::stdin().read_to_string(&mut root).unwrap();
    let workspace = Workspace::open(Path::new(&root)).unwrap();
    let mut output = std::io::stdout();
    for place in 0..NOTES {
        let content = record(place);
        let replacement = NewRecord { content: &content, ..NewRecord::default() };
        write_processed(&workspace, &note(&name(place)), replacement, DateTime::UNIX_EPOCH).unwrap();
        writeln!(output, "{WRITTEN}").unwrap();
        output.flush().unwrap();
    }
}

#[test]
fn killed_program_leaves_complete_notes_and_their_originals() {
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
        let mut output = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.ends_with(WRITTEN));
        // The child process continues with the next note. It is killed at one of four moments: immediately, while the
        // original is saved, while the note is replaced, or while the metadata is written.
        let next = round % NOTES;
        let before = output.by_ref().take(next).count();
        let length = |path: &str| std::fs::metadata(folder.path(path)).map_or(0, |metadata| metadata.len());
        let was = length(&name(next));
        while child.try_wait().unwrap().is_none() {
            let is_seen = match round / NOTES % 4 {
                0 => true,
                1 => length(&format!(".raw/{next}.raw.md")) > 0 || length(&format!(".raw/.{next}.raw.md.new")) > 0,
                2 => length(&name(next)) != was,
                _ => length(&format!(".meta/{next}.json")) > 0,
            };
            if is_seen {
                break;
            }
        }
        child.kill().unwrap();
        let acknowledged = before + output.count();
        child.wait().unwrap();
        for place in 0..NOTES {
            let text = folder.read(&name(place));
            let is_new = text == processed_text(place);
            assert!(is_new || text == original(place), "note {place} is neither the old one nor the new one");
            assert!(Document::parse(&text).author_text() == original(place), "note {place} lost words of its author");
            assert!(is_new || place >= acknowledged, "note {place} was acknowledged");
            let raw = folder.path(&format!(".raw/{place}.raw.md"));
            assert!(raw.exists() || !is_new, "the original of note {place} is lost");
            if raw.exists() {
                assert!(std::fs::read_to_string(raw).unwrap() == original(place), "note {place} has another original");
            }
            let meta = folder.path(&format!(".meta/{place}.json"));
            assert!(meta.exists() || place >= acknowledged);
            if meta.exists() {
                serde_json::from_slice::<serde_json::Value>(&std::fs::read(meta).unwrap()).unwrap();
            }
        }
        // Processing the note again completes the interrupted change.
        let workspace = folder.open();
        let content = record(acknowledged.min(NOTES - 1));
        let replacement = NewRecord { content: &content, ..NewRecord::default() };
        let path = note(&name(acknowledged.min(NOTES - 1)));
        write_processed(&workspace, &path, replacement, DateTime::UNIX_EPOCH).unwrap();
        assert_eq!(folder.read(&format!(".raw/{}.raw.md", path.stem())), original(acknowledged.min(NOTES - 1)));
    }
}
