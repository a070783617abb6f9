//! Tests the recognition of notes among other files, and the reading of notes.

use std::fs;

use dayledger_notes::chronicle::{CurrentNote, current_note};
use dayledger_notes::survey::Survey;
use dayledger_notes::{Code, Workspace};

use crate::folder::{Folder, note, utf_16};

fn note_paths(folder: &Folder) -> Vec<String> {
    let workspace = folder.open();
    Survey::new(&workspace).notes().iter().map(|found| found.path.to_string()).collect()
}

#[test]
fn notes_are_found_in_every_folder_that_is_not_ignored() {
    let folder = Folder::with_files(&[
        ("b.md", ""),
        ("A.MD", ""),
        ("deep/er/c.md", ""),
        ("a.txt", ""),
        ("md", ""),
        (".hidden.md", ""),
        (".raw/b.raw.md", ""),
        (".chronicle/processed/b.md", ""),
        ("deep/node_modules/d.md", ""),
    ]);
    fs::create_dir(folder.path("folder.md")).unwrap();
    assert_eq!(note_paths(&folder), ["A.MD", "b.md", "deep/er/c.md"]);
}

#[test]
fn a_path_is_a_note_only_inside_of_the_workspace() {
    let folder =
        Folder::with_files(&[("a.md", "x"), ("sub/b.md", "x"), ("../ws-evil/a.md", "x"), (".raw/a.raw.md", "x")]);
    fs::create_dir(folder.path("folder.md")).unwrap();
    let workspace = folder.open();
    let resolve = |name: &str| workspace.resolve(name).map(|path| path.to_string()).map_err(|refusal| refusal.code);
    for (name, path) in
        [("a.md", "a.md"), ("./sub//b.md", "sub/b.md"), ("notes/../a.md", "a.md"), ("sub/../a.md", "a.md")]
    {
        assert_eq!(resolve(name), Ok(path.to_owned()), "{name}");
    }
    assert_eq!(resolve(folder.path("sub/b.md").to_str().unwrap()), Ok("sub/b.md".to_owned()));
    let evil = folder.root().with_file_name("ws-evil").join("a.md");
    let long = format!("{}a.md", "a/".repeat(2048));
    for name in [
        "../x.md",
        "sub/../../x.md",
        "/etc/passwd",
        evil.to_str().unwrap(),
        "../ws-evil/a.md",
        ".raw/a.raw.md",
        "",
        "a",
        "a\0.md",
        &long,
    ] {
        assert_eq!(resolve(name), Err(Code::InvalidArgument), "{name}");
    }
    for name in ["c.md", "a.md/b.md", "folder.md", "nowhere/a.md"] {
        assert_eq!(resolve(name), Err(Code::FileNotFound), "{name}");
    }
}

#[test]
fn a_workspace_may_be_named_with_a_slash_at_its_end_and_must_be_a_folder() {
    let folder = Folder::with_files(&[("a.md", "x")]);
    let slashed = format!("{}/", folder.root().display());
    let workspace = Workspace::open(slashed.as_ref()).unwrap();
    assert_eq!(workspace.resolve("a.md").unwrap(), note("a.md"));
    assert_eq!(workspace.resolve(&format!("{slashed}a.md")).unwrap(), note("a.md"));
    for no_folder in ["a.md", "gone"] {
        assert_eq!(Workspace::open(&folder.path(no_folder)).unwrap_err().code, Code::NoWorkspace);
    }
}

#[cfg(windows)]
#[test]
fn alternate_data_streams_are_refused() {
    let folder = Folder::with_files(&[("a.md", "x"), ("sub/a.md", "x")]);
    for name in ["a.md:b.md", "sub/a.md:b.md", "sub:x/a.md"] {
        assert_eq!(folder.open().resolve(name).unwrap_err().code, Code::InvalidArgument, "{name}");
    }
}

#[cfg(unix)] // On Windows, most users are not allowed to create a link.
#[test]
fn links_out_of_the_workspace_are_refused() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with_files(&[("a.md", "inside"), ("../outside/secret.md", "outside"), (".raw/a.raw.md", "x")]);
    let outside = folder.root().with_file_name("outside");
    symlink(outside.join("secret.md"), folder.path("file.md")).unwrap();
    symlink("../outside/secret.md", folder.path("relative.md")).unwrap();
    symlink(&outside, folder.path("folder")).unwrap();
    symlink("a.md", folder.path("same.md")).unwrap();
    symlink(".raw/a.raw.md", folder.path("raw.md")).unwrap();
    symlink("loop.md", folder.path("loop.md")).unwrap();
    symlink(".", folder.path("again")).unwrap();
    assert_eq!(note_paths(&folder), ["a.md"], "links are not followed");
    let workspace = folder.open();
    for link in ["file.md", "relative.md", "folder/secret.md", "raw.md"] {
        assert_eq!(workspace.resolve(link).unwrap_err().code, Code::InvalidArgument, "{link}");
        assert!(link == "raw.md" || workspace.read(&note(link)).is_err(), "{link}");
    }
    assert!(workspace.resolve("loop.md").is_err());
    fs::create_dir(folder.path(".chronicle")).unwrap();
    symlink(outside.join("secret.md"), folder.path(".chronicle/state.json")).unwrap();
    let refusal = current_note(&workspace).unwrap_err();
    assert_eq!(refusal.message, "`.chronicle/state.json` cannot be read: a link leads out of the workspace");
    fs::remove_file(folder.path(".chronicle/state.json")).unwrap();
    folder.create_too_large(".chronicle/state.json");
    let refusal = current_note(&workspace).unwrap_err();
    assert_eq!(refusal.message, "`.chronicle/state.json` cannot be read: it has more than 50 MB");
    assert_eq!(workspace.resolve("same.md").unwrap(), note("a.md"), "a link resolves to its target");
    let linked = outside.with_file_name("linked");
    symlink(folder.root(), &linked).unwrap();
    let workspace = Workspace::open(&linked).unwrap();
    for root in [&linked, folder.root()] {
        assert_eq!(workspace.resolve(root.join("a.md").to_str().unwrap()).unwrap(), note("a.md"));
    }
}

#[test]
fn a_note_is_read_as_it_is() {
    let folder = Folder::with_files(&[("crlf.md", "# T\r\nx\r\n"), ("bom.md", "\u{feff}# T"), ("empty.md", "")]);
    folder.write("bytes.md", b"# T\n\xff\xfe");
    let workspace = folder.open();
    let read = |path: &str| workspace.read(&note(path)).unwrap();
    assert_eq!(read("crlf.md").text(), "# T\r\nx\r\n");
    assert_eq!(read("bom.md").text(), "# T");
    assert_eq!(read("bom.md").bytes(), "\u{feff}# T".as_bytes());
    assert_eq!(read("empty.md").text(), "");
    assert_eq!(read("bytes.md").text(), "# T\n\u{fffd}\u{fffd}");
    let text = "# T\r\n> é 🙂\r\n";
    let little = utf_16(text);
    let big: Vec<u8> = little.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
    for bytes in [&little, &big] {
        folder.write("wide.md", bytes);
        assert_eq!((read("wide.md").text(), read("wide.md").bytes()), (text, bytes.as_slice()));
        assert!(!read("wide.md").is_lossy());
    }
    folder.write("wide.md", b"\xff\xfea\0\x3d\xd8b\0c");
    assert_eq!(read("wide.md").text(), "a\u{fffd}b\u{fffd}");
    assert!(read("wide.md").is_lossy());
    assert!(read("bytes.md").is_lossy() && !read("crlf.md").is_lossy() && !read("bom.md").is_lossy());
}

#[test]
fn a_note_of_more_than_50_mb_is_refused_and_one_of_10_is_read() {
    let folder = Folder::with_files(&[("long.md", &"long ".repeat(2 * 1024 * 1024))]);
    folder.create_too_large("large.md");
    let workspace = folder.open();
    let refusal = workspace.read(&note("large.md")).unwrap_err();
    assert_eq!(refusal.code, Code::ParseError);
    assert!(refusal.message.contains("50 MB"), "{refusal}");
    assert_eq!(workspace.read(&note("long.md")).unwrap().bytes().len(), 10 * 1024 * 1024);
}

#[test]
fn open_note_is_read_from_the_state_file() {
    let folder = Folder::with_files(&[("sub/a.md", "")]);
    let workspace = folder.open();
    let open_note = |state: &str| {
        folder.write(".chronicle/state.json", state);
        current_note(&workspace)
    };
    assert_eq!(current_note(&workspace), Ok(CurrentNote::Unknown), "there is no such file");
    let absolute = serde_json::json!({"workspacePath": folder.root(), "currentFile": folder.path("sub/a.md")});
    assert_eq!(open_note(&absolute.to_string()), Ok(CurrentNote::Note(note("sub/a.md"))));
    assert_eq!(open_note(r#"{"currentFile": "sub/a.md", "noteCount": 1}"#), Ok(CurrentNote::Note(note("sub/a.md"))));
    assert_eq!(open_note("\u{feff}{\"currentFile\": \"sub/a.md\"}"), Ok(CurrentNote::Note(note("sub/a.md"))));
    assert_eq!(open_note(r#"{"currentFile": null}"#), Ok(CurrentNote::NoneOpen));
    assert_eq!(open_note(r#"{"window": {"width": 800}, "panes": []}"#), Ok(CurrentNote::Unknown));
    assert_eq!(open_note("[1]"), Ok(CurrentNote::Unknown));
    assert_eq!(open_note(r#"{"currentFile": "/etc/hosts"}"#).unwrap_err().code, Code::InvalidArgument);
    assert_eq!(open_note("{").unwrap_err().code, Code::ParseError);
}
