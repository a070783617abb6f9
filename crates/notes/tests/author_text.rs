//! Tests that processing never changes the author's text. The notes and records are random.

use dayledger_notes::document::{Document, END, START};
use dayledger_notes::extract;
use dayledger_notes::markers::Markers;
use dayledger_notes::naming;
use dayledger_notes::writing::{NewRecord, write_processed};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::string::string_regex;
use sha2::{Digest, Sha256};

use crate::folder::{Folder, at_hour, note};

/// Lines with a special meaning in Markdown, as markers of the author, or in the files that this program writes.
const LINES: &[&str] = &[
    "",
    "# Kickoff",
    "## Action Items",
    "## Raw Notes",
    "## TL;DR",
    "### Deeper ###",
    "Title\n=====",
    "Title\n---",
    "---",
    "...",
    "+++",
    "```",
    "```sh\n# comment\n- [ ] code\n```",
    "~~~~",
    "    indented code",
    "> a thought",
    "> - [ ] quoted",
    ">> nested\n> ```",
    "! important",
    "? question",
    "[] action",
    "- [ ] send figures @bo (due Friday)",
    "- [x] done — me",
    "* [-] cancelled\n  1. [/] nested",
    "@sarah: said it",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "<!-- remark -->",
    "<!-- not closed",
    "<details>\n<summary>x</summary>",
    "<script>",
    "[link]: http://a.example 'title'",
    "emoji 👩‍👩‍👧 📅 2026-12-01",
    "עברית — العربية \u{202e}rtl",
    "tab\there \u{a0}\u{2028}\u{feff}end",
    "bare\rreturn",
    "trailing  ",
    "\u{1}\u{7f}",
    START,
    END,
    "<!-- dayledger:record -->\n## TL;DR\n\nmine\n<!-- /dayledger:record -->",
];

const FRONT_MATTER: &[&str] = &[
    "",
    "---\ntitle: A\ntags:\n  - meeting\n---\n",
    "---\n---\n",
    "---\ntitle: never closed\n",
    "---\ntitle: at the end\n---",
    "--- \ndate: 2026-11-02\n...\n",
    "+++\ntitle = 'T'\n+++\n",
    "---\n\n---\n\n",
    "\n---\na: b\n---\n",
];

fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![6 => select(LINES).prop_map(str::to_owned), 1 => string_regex("\\PC{0,20}").unwrap()];
    prop::collection::vec(line, 0..10).prop_map(|lines| lines.join("\n"))
}

/// Generates the contents of notes.
fn notes() -> impl Strategy<Value = String> {
    let line_end = select(&["\n", "\r\n"][..]);
    let end = select(&["", "\n", "\n\n"][..]);
    (select(FRONT_MATTER), lines(), end, line_end, any::<bool>()).prop_map(|(front, body, end, line_end, has_mark)| {
        let text = format!("{front}{body}{end}").replace('\n', line_end);
        format!("{}{text}", if has_mark { "\u{feff}" } else { "" })
    })
}

/// One of the methods that make a record.
#[derive(Debug, Clone)]
enum ProcessingMethod {
    Markers,
    /// A model, which returned this text.
    Model(String),
    /// The client, which returned this record.
    Host(String),
    /// The client, which returned the whole file including this record.
    HostWithNotes(String),
    /// A request from Chronicle while no model is configured.
    Application,
}

fn processing_methods() -> impl Strategy<Value = ProcessingMethod> {
    let record = || {
        let sections = "## TL;DR\n\nShort.\n\n## Action Items\n\n- [ ] send figures — @bo\n\n";
        (any::<bool>(), lines())
            .prop_map(move |(is_titled, more)| format!("{}{sections}{more}", if is_titled { "# T\n\n" } else { "" }))
    };
    prop_oneof![
        Just(ProcessingMethod::Markers),
        record().prop_map(ProcessingMethod::Model),
        record().prop_map(|record| ProcessingMethod::Model(format!("```markdown\n{record}\n```"))),
        record().prop_map(ProcessingMethod::Host),
        record().prop_map(ProcessingMethod::HostWithNotes),
        Just(ProcessingMethod::Application),
    ]
}

impl ProcessingMethod {
    /// Returns the record that the method makes for a note.
    fn record(&self, text: &str) -> Option<String> {
        let title = naming::title(&note("a.md"), text);
        let by_markers = || extract::record(&title, &Markers::read(&extract::source(text, false)));
        match self {
            Self::Markers => Some(by_markers()),
            Self::Model(output) => Some(extract::with_title(&title, output)),
            Self::Host(content) => Some(content.clone()),
            Self::HostWithNotes(content) => Some(Document::parse(text).with_record(content)),
            Self::Application => (!extract::has_record(text, false)).then(by_markers),
        }
    }
}

fn hash(text: &str) -> Vec<u8> {
    Sha256::digest(text).to_vec()
}

/// Returns the author's text with the byte order mark of the file.
fn author_text(file: &str) -> String {
    let text = file.strip_prefix('\u{feff}').unwrap_or(file);
    format!("{}{}", &file[..file.len() - text.len()], Document::parse(text).author_text())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn removing_the_record_gives_the_original_bytes(original in notes(), runs in prop::collection::vec(processing_methods(), 2)) {
        let folder = Folder::with_files(&[("a.md", &original)]);
        let workspace = folder.open();
        let expected = author_text(&original);
        prop_assert!(expected == original || original.contains(START), "{expected:?}");
        for way in runs {
            let before = folder.read("a.md");
            let Some(content) = way.record(before.trim_start_matches('\u{feff}')) else { continue };
            let replacement = NewRecord { content: &content, ..NewRecord::default() };
            let written = write_processed(&workspace, &note("a.md"), replacement, at_hour(15, 0).to_utc());
            let after = folder.read("a.md");
            if let Err(refusal) = written {
                prop_assert_eq!(&after, &before, "{}", refusal);
                let is_marked = original.contains(START) || original.contains(END);
                prop_assert!(is_marked || !matches!(way, ProcessingMethod::Markers | ProcessingMethod::Application), "{}", refusal);
                continue;
            }
            prop_assert_eq!(hash(&author_text(&after)), hash(&expected), "{:?}\n{:?}\n{:?}", way, before, after);
            prop_assert_eq!(after.matches("\r\n").count() > 0, before.matches("\r\n").count() > 0);
        }
    }

    #[test]
    fn a_second_run_by_markers_changes_nothing(original in notes()) {
        // A note that contains markers of a record is rejected, so the markers are removed.
        let original = original.replace(START, "<!-- record -->").replace(END, "<!-- /record -->");
        let folder = Folder::with_files(&[("a.md", &original)]);
        let run = || {
            let text = folder.read("a.md");
            let content = ProcessingMethod::Markers.record(text.trim_start_matches('\u{feff}')).unwrap();
            let replacement = NewRecord { content: &content, ..NewRecord::default() };
            write_processed(&folder.open(), &note("a.md"), replacement, at_hour(15, 0).to_utc()).unwrap();
            folder.read("a.md")
        };
        prop_assert_eq!(run(), run());
    }
}
