//! The versions of a note, and the differences between them.

use chrono::Local;
use dayledger_notes::history::{Comparison, Log, Version, limit};
use dayledger_notes::text::NoteText;

use super::note_ref::NoteRef;
use super::notebook::Notebook;
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

/// A request for the commits that changed a note.
#[derive(Debug, Clone)]
pub struct HistoryRequest {
    /// The note.
    pub note: NoteRef,
    /// The maximum number of commits to return: 1 to 100. If unset or 0, it is 10.
    pub limit: Option<i64>,
}

impl Request for HistoryRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let path = note_path(notebook, self.note).await?;
        let most = limit(self.limit);
        let log = notebook.with_workspace(move |opened| opened.history().log(&path, most)).await?;
        Ok(RedactedText::new(notebook, log, |log| log.to_text(&Local::now())))
    }
}

/// A request for an earlier version of a note.
#[derive(Debug, Clone)]
pub struct VersionRequest {
    /// The note.
    pub note: NoteRef,
    /// The commit: a hash, a branch, a tag, or an expression such as `HEAD~1`.
    pub commit: String,
}

impl Request for VersionRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let path = note_path(notebook, self.note).await?;
        let version = notebook.with_workspace(move |opened| opened.history().version(&path, &self.commit)).await?;
        Ok(RedactedText::new(notebook, version, |version| version.to_text()))
    }
}

/// A request for the differences between two versions of a note.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// The note.
    pub note: NoteRef,
    /// The older commit.
    pub from: String,
    /// The newer commit.
    pub to: String,
}

impl Request for CompareRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let path = note_path(notebook, self.note).await?;
        let comparison =
            notebook.with_workspace(move |opened| opened.history().compare(&path, &self.from, &self.to)).await?;
        Ok(RedactedText::new(notebook, comparison, |comparison| comparison.to_text()))
    }
}

impl Redact for Log {
    fn redact(&mut self, notebook: &Notebook) {
        self.commits.iter_mut().for_each(|commit| commit.subject.redact(notebook));
    }
}

impl Redact for Version {
    fn redact(&mut self, notebook: &Notebook) {
        self.subject.redact(notebook);
        self.text = NoteText::from_bytes(notebook.redact(self.text.text()).into_bytes());
    }
}

impl Redact for Comparison {
    fn redact(&mut self, notebook: &Notebook) {
        self.diff = self.diff.take().map(|diff| redact_diff(&diff, notebook));
    }
}

/// Redacts a diff. Its first two lines stay, because they contain only the path of the note. The first character of
/// each other line stays too, because it marks the line as added or removed.
fn redact_diff(diff: &str, notebook: &Notebook) -> String {
    let header = diff.split_inclusive('\n').take(if diff.starts_with("--- ") { 2 } else { 0 });
    let (header, lines) = diff.split_at(header.map(str::len).sum());
    // A line of a note can also end with a single carriage return.
    let redacted = lines.split_inclusive(['\n', '\r']).map(|line| {
        let is_place = |letter: char| letter.is_ascii_digit() || " ,+-@\r\n".contains(letter);
        let is_hunk = line.starts_with("@@ ") && line.chars().all(is_place);
        let mark = if is_hunk { line.len() } else { line.chars().next().map_or(0, char::len_utf8) };
        let (mark, words) = line.split_at(mark);
        format!("{mark}{}", notebook.redact(words))
    });
    format!("{header}{}", redacted.collect::<String>())
}

/// Returns the path of a note. A note that was deleted is accepted too, because its earlier versions can be read.
async fn note_path(notebook: &Notebook, note: NoteRef) -> Result<dayledger_notes::NotePath, Error> {
    match note {
        NoteRef::Current => note.resolve(notebook).await,
        NoteRef::At(path) => notebook.with_workspace(move |opened| opened.workspace.note_path(&path)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Setup, WorkspaceLocations};
    use dayledger_source::{Pattern, Privacy, Redaction};

    /// The `+` or `-` at the start of a line in a diff isn't part of a URL.
    #[test]
    fn a_diff_keeps_its_marks_and_the_path() {
        let site = Pattern::parse("*.bank.example").unwrap();
        let privacy = Privacy::new([Redaction::Urls, Redaction::Paths], [], [site]);
        let notebook = Notebook::new(Setup::read_only(WorkspaceLocations::default()), privacy);
        let diff = "--- a/clients/b.md\n+++ b/clients/b.md\n@@ -1,2 +1,3 @@\n-portal.example/a\n+portal.example/b\r+/home/ada/x.txt\n \
                    login.bank.example\r\n\\ No newline at end of file\n";
        assert_eq!(
            redact_diff(diff, &notebook),
            "--- a/clients/b.md\n+++ b/clients/b.md\n@@ -1,2 +1,3 @@\n-(redacted)\n+(redacted)\r+(redacted)\n \
             (hidden)\r\n\\ No newline at end of file\n"
        );
        let bytes = "(only bytes that are no text differ)\n";
        assert_eq!(redact_diff(bytes, &notebook), bytes);
    }
}
