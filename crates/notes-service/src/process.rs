//! Writes a record into a note, at the request of a client or of Chronicle. The record comes from a configured model,
//! from the client's own model, or from the markers in the note.

use std::borrow::Cow;

use chrono::Utc;
use dayledger_notes::app::{Complete, Push, Triggers};
use dayledger_notes::document::Document;
use dayledger_notes::markers::Markers;
use dayledger_notes::model::{Completion, Model, Timeouts, Tokens};
use dayledger_notes::prompt::{Note, Prompt, Style, prompt};
use dayledger_notes::survey::Survey;
use dayledger_notes::text::{Handle, NoteText};
use dayledger_notes::writing::{NewRecord, WrittenRecord, is_unchanged, write_processed};
use dayledger_notes::{Code, NotePath, Refusal, chronicle, extract, naming};
use serde_json::{Map, Value, json};

use super::note_ref::NoteRef;
use super::notebook::{Notebook, OpenWorkspace, WeakNotebook};
use super::redacted_text::{Redact, RedactedText};
use dayledger_request::{Error, Request};

/// A request to write a record into a note. A record has a summary, key points, action items and open questions.
#[derive(Debug, Clone)]
pub struct ProcessRequest {
    /// The note.
    pub note: NoteRef,
    /// The style of the record.
    pub style: Style,
    /// The topic on which the record should focus.
    pub focus: Option<String>,
}

impl Request for ProcessRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let Self { note, style, focus } = self;
        let path = note.resolve(notebook).await?;
        let read = read_note(notebook, path.clone()).await?;
        match model(notebook)? {
            None if notebook.setup()?.uses_client_model() => client_prompt(notebook, read, style, focus.as_deref()),
            None => write_record(notebook, read, style, None).await,
            Some(model) => {
                let done = match model.complete(&read.prompt(style, focus.as_deref())).await {
                    Ok(completion) => write_record(notebook, read, style, Some(completion)).await,
                    Err(refusal) => Err(notebook.to_error(refusal)),
                };
                if let Err(error) = &done {
                    let path = Some(path.to_string());
                    notebook.app()?.send(&Push::Error { path, error: error.message.clone() });
                }
                done
            }
        }
    }
}

/// Returns the configured model, or `None` if no model is configured.
fn model(notebook: &Notebook) -> Result<Option<Model>, Error> {
    notebook.setup()?.processor.model(Timeouts::default()).map_err(|refusal| notebook.to_error(refusal))
}

/// Makes a record of a note at Chronicle's request. The record comes from the configured model. If no model is
/// configured, the record is made from the markers.
///
/// Fails if the text was already processed. Any program on this machine can listen on Chronicle's port and send
/// requests, and repeated requests must not send the same text to a model again.
pub(super) async fn process_triggered(notebook: &Notebook, path: NotePath, style: Style) -> Result<(), Error> {
    let read = read_note(notebook, path).await?;
    let (path, text, elsewhere) = (read.path.clone(), read.text.clone(), read.is_processed_elsewhere);
    if notebook.with_workspace(move |opened| is_unchanged(&opened.workspace, &path, &text, elsewhere)).await? {
        let message = "the note has not changed since it was processed: change it, or call process_meeting";
        return Err(notebook.to_error(Refusal::new(Code::InvalidArgument, message)));
    }
    let completion = match model(notebook)? {
        Some(model) => {
            let completed = model.complete(&read.prompt(style, None)).await;
            Some(completed.map_err(|refusal| notebook.to_error(refusal))?)
        }
        // A record from the markers alone would not improve an existing record.
        None if extract::has_record(read.text.text(), read.is_processed_elsewhere) => {
            let message = "the note already has a record, and no model is set up to make another one";
            return Err(notebook.to_error(Refusal::new(Code::ApiError, message)));
        }
        None => None,
    };
    write_record(notebook, read, style, completion).await.map(|_| ())
}

/// The maximum length of a prompt for the client's own model, in characters. Clients truncate longer responses.
const MAX_PROMPT_CHARS: usize = 350_000;

/// A note that will be processed.
struct SourceNote {
    path: NotePath,
    text: NoteText,
    /// Whether another program may have replaced the text of the note with a record: see
    /// [`Survey::is_processed_elsewhere`].
    is_processed_elsewhere: bool,
    title: String,
    markers: Markers,
    minutes: Option<u32>,
    guidance: Option<String>,
}

async fn read_note(notebook: &Notebook, path: NotePath) -> Result<SourceNote, Error> {
    let read = notebook.with_workspace(move |opened: &OpenWorkspace| {
        let text = opened.workspace.read(&path)?;
        Document::parse(text.utf_8(&path)?.without_mark).check(&path)?;
        let survey = Survey::new(&opened.workspace);
        let is_processed_elsewhere = survey.is_processed_elsewhere(&path, text.text());
        let minutes = minutes(opened, &survey, &path).and_then(|minutes| u32::try_from(minutes).ok());
        Ok(SourceNote {
            title: naming::title(&path, text.text()),
            markers: Markers::read(&extract::source(text.text(), is_processed_elsewhere)),
            is_processed_elsewhere,
            minutes,
            guidance: chronicle::guidance(&opened.workspace),
            text,
            path,
        })
    });
    read.await
}

/// Returns the duration of the note's sessions in minutes. The duration comes from the metadata. If the metadata has no
/// session, it comes from the history.
fn minutes(opened: &OpenWorkspace, survey: &Survey<'_>, path: &NotePath) -> Option<u64> {
    let meta = survey.meta(path).ok().flatten();
    meta.and_then(|meta| meta.session_minutes()).or_else(|| opened.count_sessions().ok()?.minutes(path))
}

impl SourceNote {
    /// Returns the author's text, without the record.
    fn notes(&self) -> Cow<'_, str> {
        extract::source(self.text.text(), self.is_processed_elsewhere)
    }

    /// Returns the prompt for a configured model.
    fn prompt(&self, style: Style, focus: Option<&str>) -> Prompt {
        self.prompt_over(&self.notes(), style, focus)
    }

    fn prompt_over(&self, notes: &str, style: Style, focus: Option<&str>) -> Prompt {
        let note = Note {
            title: &self.title,
            text: notes,
            markers: &self.markers,
            duration_minutes: self.minutes,
            focus,
            guidance: self.guidance.as_deref(),
        };
        prompt(&note, style)
    }

    fn marker_counts(&self) -> Value {
        let markers = &self.markers;
        json!({
            "thoughts": markers.thoughts.len(),
            "important": markers.important.len(),
            "questions": markers.questions.len(),
            "actions": markers.actions.len(),
            "attributions": markers.attributions.len(),
        })
    }
}

/// Returns the prompt for the client's own model, and instructions for submitting the result.
fn client_prompt(
    notebook: &Notebook,
    read: SourceNote,
    style: Style,
    focus: Option<&str>,
) -> Result<RedactedText, Error> {
    let handle = read.text.handle(&read.path);
    let content = (read.notes().into_owned(), read);
    let response = RedactedText::new(notebook, content, |(notes, read)| {
        let prompt = read.prompt_over(&notes, style, focus).to_single_text();
        format!(
            "No model is set up here, and nothing was sent anywhere: process the note yourself. Then call write_processed \
             with path \"{}\", handle \"{handle}\" and your record as content.\n\n{prompt}",
            read.path
        )
    });
    let length = response.as_str().chars().count();
    if length > MAX_PROMPT_CHARS {
        let message = format!(
            "the prompt has {length} characters, but at most {MAX_PROMPT_CHARS} can be returned: split the note"
        );
        return Err(notebook.to_error(Refusal::new(Code::InvalidArgument, message)));
    }
    Ok(response)
}

/// The author's text in the prompt for the client's own model, and the note that contains the text.
impl Redact for (String, SourceNote) {
    fn redact(&mut self, notebook: &Notebook) {
        let (notes, read) = self;
        notes.redact(notebook);
        read.title.redact(notebook);
        read.guidance.iter_mut().for_each(|guidance| guidance.redact(notebook));
        // Markers contain texts and people's names from the note, so they are read again from the redacted text.
        read.markers = Markers::read(notes);
    }
}

/// Writes the record of a note and notifies Chronicle. Returns a report of the written record and of the sent data.
async fn write_record(
    notebook: &Notebook,
    read: SourceNote,
    style: Style,
    completion: Option<Completion>,
) -> Result<RedactedText, Error> {
    let content = match &completion {
        Some(model) => extract::with_title(&read.title, &model.text),
        None => extract::record(&read.title, &read.markers),
    };
    let tokens = completion.as_ref().map_or_else(Tokens::default, |model| model.tokens);
    let mut processing = json!({
        "style": style,
        "model": completion.as_ref().map(|model| model.model.as_str()),
        "markers_found": read.marker_counts(),
    });
    if completion.is_some() {
        processing["tokens_used"] = json!(tokens);
    }
    let meta: Map<String, Value> = [("processing".to_owned(), processing)].into_iter().collect();
    let (path, handle) = (read.path.clone(), read.text.handle(&read.path));
    let written = notebook.with_workspace(move |opened| {
        let replacement = NewRecord { content: &content, meta, handle: Some(&handle) };
        write_processed(&opened.workspace, &path, replacement, Utc::now())
    });
    let written = written.await?;
    let sent = match &completion {
        Some(model) => {
            format!("Sent to {} ({}): {} tokens in, {} out.", model.sent_to, model.model, tokens.input, tokens.output)
        }
        None => "No model was used: the record is made of the markers alone, and nothing was sent anywhere.".to_owned(),
    };
    notebook.app()?.send(&Push::Complete(Complete::from_written(&written, style, tokens)));
    Ok(RedactedText::new(notebook, (written, sent), |(written, sent)| format!("{}\n\n{sent}", written.to_text())))
}

/// The written record, and a sentence about the sent data and its destination.
impl Redact for (WrittenRecord, String) {
    fn redact(&mut self, notebook: &Notebook) {
        self.0.redact(notebook);
        self.1.redact(notebook);
    }
}

/// A request to write a record into a note.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The note.
    pub note: NoteRef,
    /// The record, with the headings of its sections.
    pub content: String,
    /// Keys and values that are added to the note's metadata.
    pub meta: Map<String, Value>,
    /// The handle from the response that contained the prompt. If set, writing fails if the note has changed since.
    pub handle: Option<String>,
}

impl Request for WriteRequest {
    type Service = Notebook;
    type Response = RedactedText;

    async fn execute(self, notebook: &Notebook) -> Result<RedactedText, Error> {
        let Self { note, content, meta, handle } = self;
        let path = note.resolve(notebook).await?;
        let handle = handle.map(Handle::new);
        let written = notebook.with_workspace(move |opened| {
            let replacement = NewRecord { content: &content, meta, handle: handle.as_ref() };
            write_processed(&opened.workspace, &path, replacement, Utc::now())
        });
        let written = written.await?;
        notebook.app()?.send(&Push::Complete(Complete::from_written(&written, Style::Standard, Tokens::default())));
        Ok(RedactedText::new(notebook, written, |written| written.to_text()))
    }
}

impl Redact for WrittenRecord {
    fn redact(&mut self, notebook: &Notebook) {
        self.title.redact(notebook);
    }
}

/// Connects to Chronicle and processes its requests in the background. Only the first call has an effect. Does nothing
/// outside of a Tokio runtime.
pub fn serve_triggers(notebook: &Notebook) {
    let (Some((triggers, notes)), Ok(runtime)) = (notebook.take_triggers(), tokio::runtime::Handle::try_current())
    else {
        return;
    };
    if let Ok(app) = notebook.app() {
        app.start();
    }
    runtime.spawn(run(triggers, notes));
}

/// Processes the open note for each request of Chronicle, one request at a time. Ends when the notebook is dropped.
async fn run(mut triggers: Triggers, notes: WeakNotebook) {
    while let Some(trigger) = triggers.next().await {
        let Some(notebook) = notes.notebook() else { return };
        let Ok(app) = notebook.app() else { return };
        app.send(&Push::Started { style: trigger.style });
        let found = NoteRef::Current.resolve(&notebook).await;
        let path = found.as_ref().ok().map(ToString::to_string);
        let done = match found {
            Ok(path) => process_triggered(&notebook, path, trigger.style).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            tracing::debug!(code = error.code.as_str(), "a note was not processed");
            app.send(&Push::Error { path, error: error.message.clone() });
        }
    }
}
