//! The line that is typed: editing, history, completion, colours.
//!
//! It has a thread of its own, since reading keys blocks: meanwhile the program learns what can be completed.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, mpsc};
use std::thread;

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{ColorMode, CompletionType, Config, Context};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{commands, completion, statements};
use crate::engine::ModelDescription;
use crate::report::{ColorDepth, Style, painted_statement};

/// How many inputs are kept.
const KEPT: usize = 5_000;
const PROMPT: &str = "dayledger> ";

/// What can be completed; it comes when the engine has it.
pub(super) type SharedModel = Arc<RwLock<Arc<ModelDescription>>>;

/// What somebody did at the prompt.
#[derive(Debug)]
pub(super) enum Typed {
    /// Entered statements or a command.
    Input(String),
    /// Gave up a line.
    Cleared,
    /// Left.
    End,
}

/// The line editor.
pub(super) struct Editor {
    wanted: mpsc::Sender<()>,
    typed: UnboundedReceiver<Result<Typed, ReadlineError>>,
}

impl Editor {
    /// Starts the editor; it reads what was typed before from `history`, and keeps there what is typed.
    pub(super) fn start(model: SharedModel, style: Style, history: Option<PathBuf>) -> std::io::Result<Self> {
        let (wanted, wishes) = mpsc::channel();
        let (typing, typed) = unbounded_channel();
        let work = move || {
            if let Err(error) = serve(model, style, history, &wishes, &typing) {
                // Nobody waits for a line any more.
                let _ = typing.send(Err(error));
            }
        };
        thread::Builder::new().name("dayledger-prompt".to_owned()).spawn(work)?;
        Ok(Self { wanted, typed })
    }

    /// Lets somebody type.
    pub(super) async fn read(&mut self) -> Result<Typed, ReadlineError> {
        // Where the thread has ended, it has told why.
        let _ = self.wanted.send(());
        self.typed.recv().await.unwrap_or(Ok(Typed::End))
    }
}

fn serve(
    model: SharedModel,
    style: Style,
    history: Option<PathBuf>,
    wishes: &mpsc::Receiver<()>,
    typing: &UnboundedSender<Result<Typed, ReadlineError>>,
) -> Result<(), ReadlineError> {
    let colors = if style.color == ColorDepth::None { ColorMode::Disabled } else { ColorMode::Enabled };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .history_ignore_space(true)
        .max_history_size(KEPT)?
        .color_mode(colors)
        .build();
    let mut editor = rustyline::Editor::<Helper, FileHistory>::with_config(config)?;
    editor.set_helper(Some(Helper { model, style, files: FilenameCompleter::new() }));
    let history = history.filter(|path| match path.parent().map(fs::create_dir_all) {
        Some(Err(error)) => {
            tracing::warn!(%error, "what is typed cannot be kept");
            false
        }
        _ => true,
    });
    if let Some(path) = &history {
        // There is none at the first start.
        let _ = editor.load_history(path);
    }
    let prompt = (PROMPT, style.strong(PROMPT));
    while wishes.recv().is_ok() {
        let typed = match editor.readline(&prompt) {
            Ok(input) => {
                if editor.add_history_entry(input.trim_end())?
                    && let Some(path) = &history
                    && let Err(error) = editor.append_history(path)
                {
                    tracing::warn!(%error, "what is typed cannot be kept");
                }
                Typed::Input(input)
            }
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

/// What the editor asks about a line.
struct Helper {
    model: SharedModel,
    style: Style,
    files: FilenameCompleter,
}

impl rustyline::Helper for Helper {}

impl Hinter for Helper {
    type Hint = String;
}

impl Validator for Helper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        let complete = commands::is_command(input) || statements::is_complete(input);
        Ok(if complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, _position: usize) -> Cow<'l, str> {
        if commands::is_command(line) { Cow::Borrowed(line) } else { painted_statement(line, &self.style).into() }
    }

    fn highlight_char(&self, _line: &str, _position: usize, kind: CmdKind) -> bool {
        // Each letter can change what the others are: a quote makes a text of them.
        self.style.color != ColorDepth::None && kind != CmdKind::MoveCursor
    }
}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        if ["\\o ", "\\i ", ".output ", ".read "].iter().any(|command| line.trim_start().starts_with(command)) {
            return self.files.complete(line, at, context);
        }
        let model = Arc::clone(&self.model.read().unwrap_or_else(PoisonError::into_inner));
        let (start, found) = completion::candidates(&model, line, at);
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}
