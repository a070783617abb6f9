//! Tests writing records into notes.

use std::fs;

use chrono::{DateTime, Utc};
use dayledger_notes::document::Document;
use dayledger_notes::writing::{NewRecord, WrittenRecord, is_unchanged, write_processed};
use dayledger_notes::{Code, Refusal};
use serde_json::{Map, Value, json};

use crate::folder::{Folder, at_hour, note, utf_16};

const NEW: &str =
    "# Kickoff\n## TL;DR\nShort.\n## Action Items\n- [ ] Do — @alice\n- [x] Done\n## Open Questions\n- why?\n";

fn now() -> DateTime<Utc> {
    at_hour(15, 0).to_utc()
}

fn keys(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn write(folder: &Folder, path: &str, content: &str) -> Result<WrittenRecord, Refusal> {
    write_processed(&folder.open(), &note(path), NewRecord { content, ..NewRecord::default() }, now())
}

/// Returns the text of the note `original` after a record is written into it.
fn with_record(original: &str, record: &str) -> String {
    Document::parse(original).with_record(&format!("{}\n\n## Raw Notes\n", record.trim_end()))
}

fn meta(folder: &Folder, path: &str) -> Value {
    serde_json::from_str(&folder.read(path)).unwrap()
}

/// Returns the paths and contents of all files.
fn everything(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let mut open = vec![folder.root().to_owned()];
    let mut files = Vec::new();
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                files.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn original_is_saved_once_and_unknown_metadata_is_kept() {
    let folder = Folder::empty();
    let original = "# Kickoff\r\n> café\r\n";
    let bytes = format!("\u{feff}{original}").into_bytes();
    folder.write("a.md", &bytes);
    folder.write(".meta/a.json", r#"{"id": "own", "own": {"deep": [1]}, "session": {"duration_minutes": 32, "x": 1}}"#);
    let replacement = NewRecord {
        content: NEW,
        meta: keys(&json!({"processing": {"style": "brief"}, "session": {"x": 2}})),
        handle: None,
    };
    let written = write_processed(&folder.open(), &note("a.md"), replacement, now()).unwrap();
    assert_eq!((written.title.as_str(), written.raw_path.as_str()), ("Kickoff", ".raw/a.raw.md"));
    let first = format!("\u{feff}{}", with_record(original, NEW));
    assert_eq!(folder.read("a.md"), first);
    assert_eq!(fs::read(folder.path(".raw/a.raw.md")).unwrap(), bytes);
    let file = json!({"name": "a.md", "raw_path": ".raw/a.raw.md", "created_at": "2024-12-10T14:00:00Z",
                      "updated_at": "2024-12-10T14:00:00Z"});
    let action = |id: &str, text: &str, owner: Value, status: &str| {
        json!({"id": id, "text": text, "owner": owner, "status": status, "urgent": false, "due": null,
               "created_at": "2024-12-10T14:00:00Z"})
    };
    let extracted = json!({
        "title": "Kickoff",
        "summary": "Short.",
        "questions": ["why?"],
        "action_items": [action("action-001", "Do", json!("alice"), "open"), action("action-002", "Done", json!(null), "done")],
    });
    let expected = json!({
        "id": "own", "version": 1, "file": file, "own": {"deep": [1]}, "session": {"duration_minutes": 32, "x": 2},
        "processing": {"processed_at": "2024-12-10T14:00:00Z", "style": "brief"}, "extracted": extracted,
    });
    assert_eq!(meta(&folder, ".meta/a.json"), expected);

    write(&folder, "a.md", "## TL;DR\nAgain.").unwrap();
    assert_eq!(folder.read("a.md"), format!("\u{feff}{}", with_record(original, "## TL;DR\nAgain.")));
    assert_eq!(fs::read(folder.path(".raw/a.raw.md")).unwrap(), bytes, "the first original is never overwritten");
    assert_eq!(meta(&folder, ".meta/a.json")["own"], json!({"deep": [1]}));
    let names: Vec<String> = everything(&folder).into_iter().map(|(path, _)| path).collect();
    assert_eq!(folder.read(".raw/a.raw.2.md"), first, "the replaced text is saved too");
    assert_eq!(names.len(), 4, "nothing is left over: {names:?}");
}

#[test]
fn note_that_changed_since_its_handle_was_issued_is_refused() {
    let folder = Folder::with_files(&[("a.md", "one"), ("b.md", "one")]);
    let workspace = folder.open();
    let handle = workspace.read(&note("a.md")).unwrap().handle(&note("a.md"));
    let write = |path: &str| {
        let replacement = NewRecord { content: NEW, handle: Some(&handle), ..NewRecord::default() };
        write_processed(&workspace, &note(path), replacement, now())
    };
    let before = everything(&folder);
    assert_eq!(write("b.md").unwrap_err().code, Code::Conflict, "the handle belongs to another note");
    assert_eq!(everything(&folder), before);
    folder.write("a.md", "two");
    let before = everything(&folder);
    assert_eq!(write("a.md").unwrap_err().code, Code::Conflict);
    assert_eq!(everything(&folder), before, "nothing is written");
    folder.write("a.md", "one");
    write("a.md").unwrap();
    assert_eq!(write("a.md").unwrap_err().code, Code::Conflict, "a handle can be used once");
}

/// A note that isn't UTF-8 must not be replaced by a text with replacement characters.
#[test]
fn note_that_is_not_utf_8_is_refused_and_stays() {
    for original in [
        utf_16("# Größe\r\n> x\r\n"),
        b"# Gr\xf6\xdfe\n".to_vec(),
        b"#\0 \0A\0\n\0".to_vec(),
        b"\0\0\0#\0\0\0\n".to_vec(),
        b"# \x1b$B%N!<%H\x1b(B\n".to_vec(),
    ] {
        let folder = Folder::empty();
        folder.write("a.md", &original);
        let before = everything(&folder);
        let refusal = write(&folder, "a.md", NEW).unwrap_err();
        assert_eq!(refusal.code, Code::ParseError);
        assert!(refusal.message.starts_with("`a.md` is not UTF-8"), "{refusal}");
        assert_eq!(everything(&folder), before);
    }
}

/// If a line of the record is an end marker, the lines below it would become part of the author's text. Such a record
/// is refused.
#[test]
fn record_with_a_marker_is_refused() {
    let folder = Folder::with_files(&[("a.md", "# Mine\n\nown words\n")]);
    for line_end in ["\n", "\r\n", "\r\r\n", " \n"] {
        let content = format!("# T\n\n## TL;DR\n\nshort\n\n<!-- /dayledger:record -->{line_end}LEFT OVER\n");
        assert_eq!(write(&folder, "a.md", &content).unwrap_err().code, Code::ParseError, "{line_end:?}");
        assert_eq!(folder.read("a.md"), "# Mine\n\nown words\n");
    }
}

/// Without the check, a second record would be added, and the incomplete record would become part of the author's text.
#[test]
fn note_with_half_a_record_is_refused() {
    let folder = Folder::with_files(&[("a.md", "own\n")]);
    write(&folder, "a.md", NEW).unwrap();
    folder.write("a.md", folder.read("a.md").replace("<!-- /dayledger:record -->\n", ""));
    let before = everything(&folder);
    let refusal = write(&folder, "a.md", NEW).unwrap_err();
    assert_eq!(refusal.code, Code::ParseError);
    assert!(refusal.message.contains("does not belong to its record"), "{refusal}");
    assert_eq!(everything(&folder), before);
}

/// A model must get the whole note, even if the author's headings look like the headings of a record.
#[test]
fn headings_of_the_author_are_not_a_record() {
    use dayledger_notes::extract::source;
    use dayledger_notes::survey::Survey;

    let own = "# Retro\n\nImportant intro words.\n\n## TL;DR\n\nmy own summary\n\n## Raw notes\n\nbelow words\n";
    let folder = Folder::with_files(&[("a.md", own), ("b.md", own), (".raw/b.raw.md", "below words\n")]);
    let read = |path: &str| {
        let text = folder.read(path);
        let is_processed = Survey::new(&folder.open()).is_processed_elsewhere(&note(path), &text);
        source(&text, is_processed).into_owned()
    };
    assert_eq!((read("a.md").as_str(), read("b.md").as_str()), (own, "below words\n"));
    write(&folder, "a.md", NEW).unwrap();
    assert_eq!(read("a.md"), own, "the second run keeps the text too");
}

#[test]
fn failed_check_writes_nothing() {
    let folder = Folder::with_files(&[("a.md", "one"), ("b.md", "one"), (".meta/b.json", "{,}")]);
    let before = everything(&folder);
    for record in ["# Kickoff\nNo sections.", "## TL;DR\n```\nnever closed", "## TL;DR\n<!-- dayledger:record -->\nx"] {
        assert_eq!(write(&folder, "a.md", record).unwrap_err().code, Code::ParseError, "{record}");
    }
    assert_eq!(write(&folder, "b.md", NEW).unwrap_err().code, Code::ParseError);
    assert_eq!(write(&folder, "c.md", NEW).unwrap_err().code, Code::FileNotFound);
    assert_eq!(everything(&folder), before);
    folder.write(".raw", "in the place of the folder");
    let refusal = write(&folder, "a.md", NEW).unwrap_err();
    assert_eq!(refusal.code, Code::IoError);
    assert!(refusal.message.ends_with("the note `a.md` is as it was"), "{refusal}");
    assert_eq!(folder.read("a.md"), "one");
}

#[test]
fn note_stays_if_a_folder_has_the_name_of_its_original() {
    let folder = Folder::with_files(&[("a.md", "one"), (".raw/a.raw.md/x", "")]);
    assert_eq!(write(&folder, "a.md", NEW).unwrap_err().code, Code::IoError);
    assert_eq!(folder.read("a.md"), "one");
}

#[cfg(unix)] // On Windows, most users are not allowed to create a link.
#[test]
fn links_are_refused_and_copies_get_the_permissions_of_the_note() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::with_files(&[("a.md", "one"), ("../outside/x", "")]);
    let outside = folder.root().with_file_name("outside");
    symlink(&outside, folder.path(".raw")).unwrap();
    assert_eq!(write(&folder, "a.md", NEW).unwrap_err().code, Code::IoError);
    assert_eq!((folder.read("a.md").as_str(), fs::read_dir(&outside).unwrap().count()), ("one", 1));
    fs::remove_file(folder.path(".raw")).unwrap();
    fs::create_dir(folder.path(".raw")).unwrap();
    symlink(outside.join("gone"), folder.path(".raw/a.raw.md")).unwrap();
    assert_eq!(write(&folder, "a.md", NEW).unwrap_err().code, Code::IoError);
    assert_eq!(folder.read("a.md"), "one");
    fs::remove_file(folder.path(".raw/a.raw.md")).unwrap();

    let allow = |mode| fs::set_permissions(folder.path("a.md"), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o444);
    assert_eq!(write(&folder, "a.md", NEW).unwrap_err().code, Code::IoError);
    allow(0o600);
    write(&folder, "a.md", NEW).unwrap();
    for path in ["a.md", ".raw/a.raw.md", ".meta/a.json"] {
        assert_eq!(fs::metadata(folder.path(path)).unwrap().permissions().mode() & 0o777, 0o600, "{path}");
    }
}

/// Files behind a link are ignored when notes are read, so writing through a link would lose their content.
#[cfg(unix)] // On Windows, most users are not allowed to create a link.
#[test]
fn links_inside_the_workspace_are_refused() {
    use std::os::unix::fs::symlink;

    for (link, leads_to, place, why) in [
        (".meta", "kept", ".meta", "it is a link, through which nothing is written"),
        (".raw", "kept", ".raw", "it is a link, through which nothing is written"),
        (".meta/a.json", "../kept/a.json", ".meta/a.json", "something other than a file is in its place"),
    ] {
        let folder = Folder::with_files(&[("a.md", "one"), ("kept/a.json", r#"{"own": 1}"#)]);
        fs::create_dir_all(folder.path(link).parent().unwrap()).unwrap();
        symlink(leads_to, folder.path(link)).unwrap();
        let refusal = write(&folder, "a.md", NEW).unwrap_err();
        let message = format!("`{place}` cannot be written: {why}; the note `a.md` is as it was");
        assert_eq!((refusal.code, refusal.message), (Code::IoError, message));
        assert_eq!((folder.read("a.md").as_str(), folder.read("kept/a.json").as_str()), ("one", r#"{"own": 1}"#));
        assert_eq!(fs::read_dir(folder.path("kept")).unwrap().count(), 1, "{link}");
    }
}

/// Opening a pipe waits for a program at its other end, possibly forever.
#[cfg(unix)] // Only Unix has pipes among the files of a folder.
#[test]
fn pipe_in_place_of_a_file_does_not_block() {
    use dayledger_notes::action_list::{ActionFilter, ActionList, Page};
    use dayledger_notes::chronicle::{CurrentNote, current_note, guidance};
    use dayledger_notes::history::{History, Sessions};
    use dayledger_notes::listing::{Filter, Listing};
    use dayledger_notes::survey::Survey;

    let pipe = |folder: &Folder, path: &str| {
        fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path(path)).status().unwrap();
        assert!(made.success(), "{path}");
    };
    let folder = Folder::with_files(&[("a.md", "# A")]);
    let beside = [".meta/a.json", ".raw/a.raw.md", ".chronicle/processed/a.json", ".chronicle/actions.json"];
    for path in beside.into_iter().chain([".chronicle/state.json", ".chronicle/prompt.md", ".git", "b.md"]) {
        pipe(&folder, path);
    }
    let workspace = folder.open();
    let survey = Survey::new(&workspace);
    let listing = Listing::collect(&survey, &Filter::default(), 20, &Sessions::default(), &Utc).unwrap();
    assert_eq!(listing.to_text(), "Found 1 note:\n\n1. a.md - A");
    let agreed = ActionList::collect(&survey, &ActionFilter::default(), &Utc);
    assert_eq!(agreed.to_text(&now(), Page::new(None, None)), "Open action items (0 total).");
    assert_eq!((current_note(&workspace), guidance(&workspace)), (Ok(CurrentNote::Unknown), None));
    assert_eq!(workspace.resolve("b.md").unwrap_err().code, Code::FileNotFound);
    assert_eq!(workspace.read(&note("b.md")).unwrap_err().code, Code::FileNotFound);
    assert_eq!(History::new(&workspace).log(&note("a.md"), 1).unwrap_err().code, Code::FileNotFound);
    for in_the_way in [".meta/a.json", ".raw/a.raw.md"] {
        let refusal = write(&folder, "a.md", NEW).unwrap_err();
        assert!(
            refusal.message.starts_with(&format!("`{in_the_way}` cannot be written: something other than a file")),
            "{refusal}"
        );
        assert_eq!(folder.read("a.md"), "# A");
        fs::remove_file(folder.path(in_the_way)).unwrap();
    }
    write(&folder, "a.md", NEW).unwrap();
}

/// Does nothing if the user who runs the tests can read every file, as root can.
#[cfg(unix)] // Only Unix has permissions of owner, group and others.
#[test]
fn folders_that_may_not_be_read_lose_nothing() {
    use std::os::unix::fs::PermissionsExt;

    const META: &str = r#"{"own": 1}"#;
    for kind in [".meta", ".raw"] {
        for mode in [0o000, 0o300, 0o100] {
            let folder = Folder::with_files(&[("a.md", "one"), (".meta/a.json", META), (".raw/a.raw.md", "zero")]);
            let allow = |mode| fs::set_permissions(folder.path(kind), fs::Permissions::from_mode(mode)).unwrap();
            allow(mode);
            if fs::read_dir(folder.path(kind)).is_ok() {
                return;
            }
            let written = write(&folder, "a.md", NEW);
            allow(0o700);
            assert!(folder.read(".meta/a.json").contains("\"own\": 1"), "{kind} {mode:o}");
            assert_eq!(folder.read(".raw/a.raw.md"), "zero", "{kind} {mode:o}");
            let is_old = written.is_err_and(|refusal| !refusal.message.ends_with("the note `a.md` is the new one"));
            assert_eq!(folder.read("a.md") == "one", is_old, "{kind} {mode:o}");
        }
    }
}

#[test]
fn notes_with_the_same_name_have_separate_files() {
    // On other systems, file names may ignore case, so `a.md` and `a.MD` could be the same file.
    let notes = [
        "a.md",
        "one/a.md",
        "two/a.md",
        #[cfg(target_os = "linux")]
        "a.MD",
        "a.MD.md",
    ];
    let folder = Folder::empty();
    for path in notes {
        folder.write(path, path);
    }
    // Metadata at the top of the workspace, for the note `a.md` at the top.
    folder.write(".meta/a.json", r#"{"own": "a.md"}"#);
    let before = everything(&folder).len();
    let mut raw = Vec::new();
    for path in notes {
        let replacement = NewRecord { content: NEW, meta: keys(&json!({"written": path})), ..NewRecord::default() };
        raw.push(write_processed(&folder.open(), &note(path), replacement, now()).unwrap().raw_path);
    }
    for (path, raw) in notes.iter().zip(&raw) {
        assert_eq!(folder.read(raw), *path, "{raw}");
    }
    assert_eq!(everything(&folder).len(), before + 2 * notes.len() - 1);
    for (path, place) in notes.iter().zip([".meta/a.json", "one/.meta/a.json", "two/.meta/a.json"]) {
        assert_eq!(meta(&folder, place)["written"], *path);
        assert_eq!(meta(&folder, place).get("own").is_some(), *path == "a.md", "{place}");
    }
}

#[test]
fn metadata_of_an_older_program_is_copied_next_to_the_note() {
    let folder =
        Folder::with_files(&[("one/a.md", "x"), (".meta/a.json", r#"{"processing": {"style": "brief"}, "own": 1}"#)]);
    write(&folder, "one/a.md", NEW).unwrap();
    let own = meta(&folder, "one/.meta/a.json");
    assert_eq!((&own["own"], &own["processing"]["style"]), (&json!(1), &json!("brief")));
    assert_eq!(own["file"]["raw_path"], "one/.raw/a.raw.md");
}

/// With `model = "none"`, processing a note again must not reopen actions that the user ticked in the record.
#[test]
fn ticks_in_the_record_stay_when_it_is_replaced() {
    let folder = Folder::with_files(&[("a.md", "first")]);
    write(&folder, "a.md", NEW).unwrap();
    folder.write("a.md", folder.read("a.md").replace("- [ ] Do", "- [x] Do"));
    let ticked = folder.read("a.md");
    let written = write(&folder, "a.md", NEW).unwrap();
    assert_eq!(folder.read("a.md"), ticked);
    assert!(written.sections.actions.iter().all(|action| !action.is_open()));
}

/// Processing a note again must not reopen an action with a relative due date.
#[test]
fn tick_of_action_with_relative_due_date_stays() {
    let record = "## Action Items\n\n- [ ] send figures @Marit (due Friday)\n";
    let folder = Folder::with_files(&[("2026-11-18-a.md", "# A\n\n- [ ] send figures @Marit (due Friday)\n")]);
    write(&folder, "2026-11-18-a.md", record).unwrap();
    let ticked = folder.read("2026-11-18-a.md").replacen("- [ ]", "- [x]", 1);
    folder.write("2026-11-18-a.md", &ticked);
    write(&folder, "2026-11-18-a.md", record).unwrap();
    assert_eq!(folder.read("2026-11-18-a.md"), ticked);
}

/// Text must be kept in two cases: a copy with the note's name already exists, or the author edited the note after it
/// was processed.
#[test]
fn no_text_is_lost_if_its_backup_name_is_taken() {
    let folder = Folder::with_files(&[("a.md", "first"), (".raw/b.raw.md", ""), ("b.md", "precious")]);
    assert_eq!(write(&folder, "a.md", NEW).unwrap().raw_path, ".raw/a.raw.md");
    let edited = format!("{}\nand one more\n", folder.read("a.md").replace("Short.", "Edited."));
    folder.write("a.md", &edited);
    assert_eq!(write(&folder, "a.md", NEW).unwrap().raw_path, ".raw/a.raw.2.md");
    assert_eq!(folder.read("a.md"), with_record("first\nand one more\n", NEW));
    assert_eq!(write(&folder, "a.md", NEW).unwrap().raw_path, ".raw/a.raw.3.md");
    assert_eq!(write(&folder, "a.md", NEW).unwrap().raw_path, ".raw/a.raw.3.md", "a text is saved only once");
    assert_eq!(folder.read(".raw/a.raw.md"), "first");
    assert_eq!(folder.read(".raw/a.raw.2.md"), edited);
    assert_eq!(write(&folder, "b.md", NEW).unwrap().raw_path, ".raw/b.raw.2.md");
    assert_eq!((folder.read(".raw/b.raw.md"), folder.read(".raw/b.raw.2.md")), (String::new(), "precious".to_owned()));
}

/// Each writer opens the workspace separately, as two programs would.
#[cfg(unix)] // Only Unix can lock a folder. Other systems notice the later writer in nearly all cases.
#[test]
fn one_of_two_simultaneous_writers_is_refused() {
    for _ in 0..20 {
        let folder = Folder::with_files(&[("a.md", "one")]);
        let handle = folder.open().read(&note("a.md")).unwrap().handle(&note("a.md"));
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let write = |name: &'static str| {
                let (workspace, handle) = (folder.open(), handle.clone());
                scope.spawn(move || {
                    let content = format!("{NEW}- by {name}\n");
                    let replacement = NewRecord { content: &content, handle: Some(&handle), ..NewRecord::default() };
                    write_processed(&workspace, &note("a.md"), replacement, now()).map(|_| content)
                })
            };
            let both = ["one", "two"].map(write);
            both.into_iter().map(|running| running.join().unwrap()).collect()
        });
        let (done, refused): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!((done.len(), refused.len()), (1, 1));
        assert_eq!(refused[0].as_ref().unwrap_err().code, Code::Conflict);
        assert_eq!(folder.read("a.md"), with_record("one", done[0].as_ref().unwrap()));
    }
}

#[test]
fn note_is_unchanged_until_the_author_edits_the_text_below_its_record() {
    let folder = Folder::with_files(&[("sub/a.md", "# Kickoff\n> thought\n")]);
    let path = note("sub/a.md");
    let unchanged = || {
        let workspace = folder.open();
        is_unchanged(&workspace, &path, &workspace.read(&path).unwrap(), false).unwrap()
    };
    let edit = |from: &str, to: &str| folder.write("sub/a.md", folder.read("sub/a.md").replace(from, to));
    assert!(!unchanged(), "it was never processed");
    for (run, word) in ["second", "third", "fourth"].into_iter().enumerate() {
        write(&folder, "sub/a.md", NEW).unwrap();
        assert!(unchanged(), "run {run}");
        edit("- [ ] Do", "- [x] Do");
        folder.write("sub/.meta/a.json", "{}");
        assert!(unchanged(), "run {run}: an action was ticked, and the application replaced the metadata");
        edit("> thought", &format!("> {word}\n> thought"));
        assert!(!unchanged(), "run {run}: the author added a line");
    }
    folder.write("sub/a.md", "# Kickoff\n> thought\n");
    assert!(!unchanged(), "the author removed the record");
}
