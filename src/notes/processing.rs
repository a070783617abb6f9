//! Processing a note: by a model, by the client's own, or by its markers alone.

use std::borrow::Cow;

use chrono::Utc;
use dayledger_notes::app::{Complete, Push};
use dayledger_notes::document::Document;
use dayledger_notes::extract;
use dayledger_notes::markers::Markers;
use dayledger_notes::model::{Completion, Model, Patience, Tokens};
use dayledger_notes::naming;
use dayledger_notes::prompt::{Note, Prompt, Style, prompt};
use dayledger_notes::survey::Survey;
use dayledger_notes::text::{Handle, NoteText};
use dayledger_notes::writing::{Replacement, Written, is_unchanged, write_processed};
use dayledger_notes::{Code, NotePath, Refusal, chronicle};
use serde_json::{Map, Value, json};

use super::notebook::{Notebook, Opened};
use super::told::{Telling, Told, Withhold};
use super::which::Which;
use crate::question::{Error, Question};

/// Asks to make a record of a note: summary, key points, action items, open questions.
#[derive(Debug, Clone)]
pub struct ProcessRequest {
    /// The note.
    pub note: Which,
    /// How.
    pub style: Style,
    /// What to look at first.
    pub focus: Option<String>,
}

impl Question for ProcessRequest {
    type Of = Notebook;
    type Answer = Told;

    async fn answer(self, notebook: &Notebook) -> Result<Told, Error> {
        let Self { note, style, focus } = self;
        let path = note.found(notebook).await?;
        let read = read(notebook, path.clone()).await?;
        match model(notebook)? {
            None if notebook.setup()?.is_client_asked() => for_client(notebook, read, style, focus),
            None => recorded(notebook, read, style, None).await,
            Some(model) => {
                let done = match model.complete(&read.prompt(style, focus.as_deref())).await {
                    Ok(completion) => recorded(notebook, read, style, Some(completion)).await,
                    Err(refusal) => Err(notebook.refused(refusal)),
                };
                if let Err(error) = &done {
                    let path = Some(path.to_string());
                    notebook.app()?.tell(&Push::Error { path, error: error.message.clone() });
                }
                done
            }
        }
    }
}

/// The model that is set up to make records, where one is.
fn model(notebook: &Notebook) -> Result<Option<Model>, Error> {
    notebook.setup()?.way.model(Patience::default()).map_err(|refusal| notebook.refused(refusal))
}

/// Makes a record of a note when the application requests it: with the model that is set up, otherwise from the markers.
///
/// Any program of this machine can listen at the port of the application, so a request doesn't process the same text twice.
pub(super) async fn process_triggered(notebook: &Notebook, path: NotePath, style: Style) -> Result<(), Error> {
    let read = read(notebook, path).await?;
    let (path, text, elsewhere) = (read.path.clone(), read.text.clone(), read.is_processed_elsewhere);
    if notebook.ask(move |opened| is_unchanged(&opened.workspace, &path, &text, elsewhere)).await? {
        let message = "the note has not changed since it was processed: change it, or call process_meeting";
        return Err(notebook.refused(Refusal::new(Code::InvalidArgument, message)));
    }
    let completion = match model(notebook)? {
        Some(model) => {
            let asked = model.complete(&read.prompt(style, None)).await;
            Some(asked.map_err(|refusal| notebook.refused(refusal))?)
        }
        // Marks make no better record than the one that is there.
        None if extract::has_record(read.text.text(), read.is_processed_elsewhere) => {
            let message = "the note has a record already, and no model is set up to make another";
            return Err(notebook.refused(Refusal::new(Code::ApiError, message)));
        }
        None => None,
    };
    recorded(notebook, read, style, completion).await.map(|_| ())
}

/// The longest text, in characters, that is handed to the client's own model: a longer answer would be cut.
const MOST_ASKED: usize = 350_000;

/// A note that is about to be processed.
struct Read {
    path: NotePath,
    text: NoteText,
    /// See [`Survey::is_processed_elsewhere`].
    is_processed_elsewhere: bool,
    title: String,
    markers: Markers,
    minutes: Option<u32>,
    guidance: Option<String>,
}

async fn read(notebook: &Notebook, path: NotePath) -> Result<Read, Error> {
    let read = notebook.ask(move |opened: &Opened| {
        let text = opened.workspace.read(&path)?;
        Document::of(text.utf_8(&path)?.without_mark).check(&path)?;
        let survey = Survey::of(&opened.workspace);
        let is_processed_elsewhere = survey.is_processed_elsewhere(&path, text.text());
        let minutes = minutes(opened, &survey, &path).and_then(|minutes| u32::try_from(minutes).ok());
        Ok(Read {
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

/// How long the note took, as far as its metadata or its history tell.
fn minutes(opened: &Opened, survey: &Survey<'_>, path: &NotePath) -> Option<u64> {
    let meta = survey.meta(path).ok().flatten();
    meta.and_then(|meta| meta.session_minutes()).or_else(|| opened.counted().ok()?.minutes(path))
}

impl Read {
    /// The author's text, without a record.
    fn notes(&self) -> Cow<'_, str> {
        extract::source(self.text.text(), self.is_processed_elsewhere)
    }

    /// What a model is asked that the user has set up.
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

    fn markers_found(&self) -> Value {
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

/// What the client's own model is asked, and how it hands in the answer.
fn for_client(notebook: &Notebook, read: Read, style: Style, focus: Option<String>) -> Result<Told, Error> {
    let handle = read.text.handle(&read.path);
    let told = Told::of(notebook, ForClient { handle, notes: read.notes().into_owned(), read, style, focus });
    let length = told.as_str().chars().count();
    if length > MOST_ASKED {
        let message =
            format!("what is asked has {length} characters, and {MOST_ASKED} can be answered: split the note");
        return Err(notebook.refused(Refusal::new(Code::InvalidArgument, message)));
    }
    Ok(told)
}

/// A note for the client's own model.
struct ForClient {
    read: Read,
    /// The notes themselves.
    notes: String,
    handle: Handle,
    style: Style,
    focus: Option<String>,
}

impl Withhold for ForClient {
    fn withhold(&mut self, notebook: &Notebook) {
        let Self { read, notes, .. } = self;
        notes.withhold(notebook);
        read.title.withhold(notebook);
        read.guidance.iter_mut().for_each(|guidance| guidance.withhold(notebook));
        // They name people.
        read.markers = Markers::read(notes);
    }
}

impl Telling for ForClient {
    fn into_text(self) -> String {
        let Self { read, notes, handle, style, focus } = self;
        let asked = read.prompt_over(&notes, style, focus.as_deref()).as_one();
        format!(
            "No model is set up here, and nothing was sent anywhere: process the note yourself. Then call write_processed \
             with path \"{}\", handle \"{handle}\" and your record as content.\n\n{asked}",
            read.path
        )
    }
}

/// Writes the record of a note, notifies the application, and returns what was done and what was sent where.
async fn recorded(
    notebook: &Notebook,
    read: Read,
    style: Style,
    completion: Option<Completion>,
) -> Result<Told, Error> {
    let content = match &completion {
        Some(model) => extract::titled(&read.title, &model.text),
        None => extract::record(&read.title, &read.markers),
    };
    let tokens = completion.as_ref().map_or_else(Tokens::default, |model| model.tokens);
    let mut processing = json!({
        "style": style.as_str(),
        "model": completion.as_ref().map(|model| model.model.as_str()),
        "markers_found": read.markers_found(),
    });
    if completion.is_some() {
        processing["tokens_used"] = json!({
            "input": tokens.input,
            "output": tokens.output,
            "cache_creation": tokens.cache_creation,
            "cache_read": tokens.cache_read,
        });
    }
    let meta: Map<String, Value> = [("processing".to_owned(), processing)].into_iter().collect();
    let (path, handle) = (read.path.clone(), read.text.handle(&read.path));
    let written = notebook.ask(move |opened| {
        let replacement = Replacement { content: &content, meta, handle: Some(&handle) };
        write_processed(&opened.workspace, &path, replacement, Utc::now())
    });
    let written = written.await?;
    let sent = match &completion {
        Some(model) => {
            format!("Sent to {} ({}): {} tokens in, {} out.", model.sent_to, model.model, tokens.input, tokens.output)
        }
        None => "No model was used: the record is made of the markers alone, and nothing was sent anywhere.".to_owned(),
    };
    notebook.app()?.tell(&Push::Complete(Complete::of(&written, style, tokens)));
    Ok(Told::of(notebook, Recorded { written, sent }))
}

/// What was written, and what was sent where.
struct Recorded {
    written: Written,
    sent: String,
}

impl Withhold for Recorded {
    fn withhold(&mut self, notebook: &Notebook) {
        self.written.withhold(notebook);
        self.sent.withhold(notebook);
    }
}

impl Telling for Recorded {
    fn into_text(self) -> String {
        format!("{}\n\n{}", self.written.into_text(), self.sent)
    }
}
