//! The line editor of the SQL prompt, with history, completion and colours.
//!
//! The editor runs on its own thread, because reading keys blocks. The program can load the names for completion in the
//! meantime. Keys that are typed while no line is edited, such as the rest of a paste, become part of the next line.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, mpsc};
use std::thread;

use dayledger_engine::ModelDescription;
use dayledger_render::{ColorDepth, Style, is_unsafe_char, paint_statement};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Event, EventContext, EventHandler,
    KeyEvent, RepeatCount,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::statements::{self, Missing};
use super::{commands, completion};

/// The maximum number of inputs that the history stores.
const MAX_HISTORY_ENTRIES: usize = 5_000;
const PROMPT: &str = "dayledger> ";

/// The tables and functions for completion. Empty until the engine has returned them.
pub(super) type SharedModel = Arc<RwLock<Arc<ModelDescription>>>;

/// An action of the user at the prompt.
#[derive(Debug)]
pub(super) enum Typed {
    /// The user entered statements or a command.
    Input(String),
    /// The user cancelled a line.
    Cleared,
    /// The user ended the session.
    End,
}

/// The line editor.
pub(super) struct Editor {
    wanted: mpsc::Sender<String>,
    typed: UnboundedReceiver<Result<Typed, ReadlineError>>,
}

impl Editor {
    /// Starts the editor. It reads earlier inputs from the file `history`, and adds new inputs to the file.
    pub(super) fn start(model: SharedModel, style: Style, history: Option<PathBuf>) -> std::io::Result<Self> {
        let (wanted, wishes) = mpsc::channel();
        let (typing, typed) = unbounded_channel();
        let work = move || {
            if let Err(error) = serve(model, style, history, &wishes, &typing) {
                // Sending fails only if the session has ended. The error isn't needed then.
                let _ = typing.send(Err(error));
            }
        };
        thread::Builder::new().name("dayledger-prompt".to_owned()).spawn(work)?;
        Ok(Self { wanted, typed })
    }

    /// Lets the user edit a line. The line starts with the text `begun`.
    pub(super) async fn read(&mut self, begun: String) -> Result<Typed, ReadlineError> {
        // Sending fails only if the thread has ended. The thread has sent its error in that case.
        let _ = self.wanted.send(begun);
        self.typed.recv().await.unwrap_or(Ok(Typed::End))
    }
}

fn serve(
    model: SharedModel,
    style: Style,
    history: Option<PathBuf>,
    wishes: &mpsc::Receiver<String>,
    typing: &UnboundedSender<Result<Typed, ReadlineError>>,
) -> Result<(), ReadlineError> {
    // The style already respects `NO_COLOR` and the user's choice. `ColorMode::Enabled` would read `NO_COLOR` again.
    let colors = if style.color == ColorDepth::None { ColorMode::Disabled } else { ColorMode::Forced };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .history_ignore_space(true)
        .max_history_size(MAX_HISTORY_ENTRIES)?
        .color_mode(colors)
        .build();
    let mut editor = rustyline::Editor::<Helper, FileHistory>::with_config(config)?;
    editor.set_helper(Some(Helper { model, style, files: FilenameCompleter::new() }));
    let history = history.filter(|path| match path.parent().map(fs::create_dir_all) {
        Some(Err(error)) => {
            tracing::warn!(%error, "cannot save the history of the prompt");
            false
        }
        // Only a regular file is used, because opening a pipe would block until another program opens the pipe.
        _ => fs::metadata(path).map_or(true, |found| found.is_file()),
    });
    if let Some(path) = &history {
        // The file doesn't exist at the first start.
        let _ = editor.load_history(path);
    }
    let prompt = (PROMPT, style.strong(PROMPT));
    let leaving = Arc::new(AtomicBool::new(false));
    let leave = LeaveOnEmptyLine(Arc::clone(&leaving));
    editor.bind_sequence(KeyEvent::ctrl('D'), EventHandler::Conditional(Box::new(leave)));
    while let Ok(begun) = wishes.recv() {
        let typed = match editor.readline_with_initial(&prompt, (&begun, "")) {
            Ok(input) => {
                if editor.add_history_entry(input.trim_end())?
                    && let Some(path) = &history
                    && let Err(error) = editor.append_history(path)
                {
                    tracing::warn!(%error, "cannot save the history of the prompt");
                }
                Typed::Input(input)
            }
            Err(ReadlineError::Interrupted) if leaving.load(Ordering::Relaxed) => Typed::End,
            Err(ReadlineError::Interrupted) => Typed::Cleared,
            Err(ReadlineError::Eof) => Typed::End,
            Err(error) => return Err(error),
        };
        if typing.send(Ok(typed)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Completes, colours and validates lines for the editor library.
struct Helper {
    model: SharedModel,
    style: Style,
    files: FilenameCompleter,
}

impl rustyline::Helper for Helper {}

/// Handles Ctrl-D on an empty line inside a statement. The library handles Ctrl-D only if the whole input is empty.
struct LeaveOnEmptyLine(Arc<AtomicBool>);

impl ConditionalEventHandler for LeaveOnEmptyLine {
    fn handle(&self, _event: &Event, _count: RepeatCount, _positive: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let leaves = context.pos() == context.line().len() && context.line().ends_with('\n');
        leaves.then(|| {
            self.0.store(true, Ordering::Relaxed);
            Cmd::Interrupt
        })
    }
}

/// A hint that the end of the statement is missing. The user can't accept this hint as a completion.
struct Remark(&'static str);

impl Hint for Remark {
    fn display(&self) -> &str {
        self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Helper {
    type Hint = Remark;

    fn hint(&self, line: &str, position: usize, _context: &Context<'_>) -> Option<Remark> {
        if position < line.len() || !line.ends_with('\n') {
            return None;
        }
        statements::missing_end(line).map(|missing| {
            Remark(match missing {
                Missing::Semicolon => "-- waiting for `;` (Ctrl-C cancels, \\q quits)",
                Missing::End => "-- waiting for the end of the quotes or the comment (Ctrl-C cancels)",
            })
        })
    }
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        Ok(if statements::can_be_entered(input) { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, _position: usize) -> Cow<'l, str> {
        if commands::is_command(line) { Cow::Borrowed(line) } else { paint_statement(line, &self.style).into() }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(self.style.faint(hint))
    }

    fn highlight_char(&self, _line: &str, _position: usize, kind: CmdKind) -> bool {
        // A new letter can change the colours of later letters. For example, a quote turns the rest of the line into a
        // string.
        self.style.color != ColorDepth::None && kind != CmdKind::MoveCursor
    }
}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        if ["\\o ", "\\i ", ".output ", ".read "].iter().any(|command| line.trim_start().starts_with(command)) {
            let (start, mut found) = self.files.complete(line, at, context)?;
            found.retain(|file| !file.display.contains(is_unsafe_char));
            return Ok((start, found));
        }
        let model = Arc::clone(&self.model.read().unwrap_or_else(PoisonError::into_inner));
        let (start, found) = completion::candidates(&model, line, at);
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}
