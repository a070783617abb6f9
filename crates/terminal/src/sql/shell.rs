//! Runs the input of a session. The input consists of statements and commands. The prompt calls `enter`, and scripts
//! call `run_script`.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use arrow::array::RecordBatch;
use dayledger_core::{full_message, glob};
use dayledger_engine::{
    self as engine, Engine, FunctionDescription, ModelDescription, QueryLimits, Table, TableDescription, UserStatement,
    suggestion,
};
use dayledger_render::{self as render, Format, RowStyle, Style, TableFit};

use super::arguments::RowArguments;
use super::commands::{self, Command};
use super::editor::SharedModel;
use super::examples;
use super::result_file::ResultFile;
use super::screen::{Screen, ShowOutcome};
use super::script;
use super::statement_error::{Excerpt, Place, StatementError, command_error, statement_error};
use super::statements::{self, Entry, Statement};
use super::target::{OwnFolders, Target};
use crate::escaping_writer::{AllowedCharacters, EscapingWriter};
use crate::interrupts::Interrupts;
use crate::output::{self, Output};

/// How the session continues after an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    /// The user continues an unfinished statement, which starts with this text.
    Resume(String),
    Exit,
}

/// The maximum depth to which files may include each other.
const MAX_INCLUDE_DEPTH: usize = 16;

/// A session with its settings. Used for the prompt and for scripts.
pub(super) struct Shell {
    engine: Engine,
    own_folders: OwnFolders,
    limits: QueryLimits,
    model: SharedModel,
    rows: RowStyle,
    /// The format that is used again when expanded output is turned off.
    compact: Format,
    timing: bool,
    /// Whether this is a script: rows are written as they arrive, and changed settings aren't confirmed.
    is_script: bool,
    /// The number of files that are currently included within each other.
    depth: usize,
    screen: Screen,
    file: Option<ResultFile>,
}

impl Shell {
    /// Returns a session for the prompt.
    pub(super) fn new(
        asked: &Target,
        limits: QueryLimits,
        rows: RowStyle,
        model: SharedModel,
        interrupts: Interrupts,
    ) -> Self {
        Self {
            engine: asked.engine.clone(),
            own_folders: Arc::clone(&asked.own_folders),
            limits,
            model,
            rows,
            compact: Format::default(),
            timing: true,
            is_script: false,
            depth: 0,
            screen: Screen::new(interrupts),
            file: None,
        }
    }

    /// Returns a session for a script. Ctrl-C ends the whole program.
    pub(super) fn new_script(asked: &Target, arguments: &RowArguments) -> Self {
        let (limits, rows) = (arguments.limits(QueryLimits::default()), arguments.style());
        let mut shell = Self::new(asked, limits, rows, SharedModel::default(), Interrupts::inactive());
        (shell.is_script, shell.timing, shell.screen.is_paging) = (true, false, false);
        shell
    }

    /// Runs the user's start file. An error is printed. It ends only this file, and the session continues.
    pub(super) async fn run_start_file(&mut self, path: &Path) -> Flow {
        let text = match script::read(path) {
            Ok(text) => text,
            Err(error) => {
                report_error(&error);
                return Flow::Continue;
            }
        };
        match self.enter(&text).await {
            Flow::Resume(_) => {
                let path = path.display();
                report_error(&anyhow::anyhow!(
                    "skipped the last statement of `{path}`, because it does not end with a semicolon"
                ));
                Flow::Continue
            }
            flow => flow,
        }
    }

    /// Ignores each Ctrl-C that was pressed until now, because the user pressed it to stop work that has already ended.
    pub(super) fn forget_interrupts(&mut self) {
        self.screen.interrupts.forget();
    }

    /// Runs all commands and statements of the input in their order. A pasted input can contain several commands and
    /// statements. Errors are printed, and the session continues.
    pub(super) async fn enter(&mut self, input: &str) -> Flow {
        let mut begun = String::new();
        for entry in statements::entries(input) {
            let outcome = match entry {
                Entry::Command { text, .. } => match commands::parse(text) {
                    Ok(Command::Quit) => return Flow::Exit,
                    Ok(command) => self.carry_out(command).await,
                    Err(error) => Err(error.into()),
                },
                Entry::Statements { line, text } => self.run(Excerpt { text: &text, line, whole: input }).await,
                Entry::Begun { text, .. } => {
                    begun = text;
                    Ok(())
                }
            };
            if let Err(error) = outcome {
                report_error(&error);
            }
        }
        if begun.is_empty() { Flow::Continue } else { Flow::Resume(begun) }
    }

    /// Runs the commands and statements of a text, up to the first error or a command that ends the session. The last
    /// statement doesn't need a semicolon.
    ///
    /// # Errors
    /// Fails with the first error. The error contains its position in the text.
    pub(super) async fn run_script(&mut self, input: &str) -> anyhow::Result<()> {
        let mut entries = statements::entries(input).into_iter();
        while let Some(entry) = entries.next() {
            match entry {
                Entry::Command { line, text } => {
                    let wrong = |error| command_error(error, line);
                    match commands::parse(text).map_err(|error| wrong(error.into()))? {
                        // Commands between the lines of a statement come before the statement's own entry. Quitting now
                        // would therefore skip that statement.
                        Command::Quit if entries.any(|entry| entry.line() < line) => {
                            let command = text.trim();
                            let error = anyhow::anyhow!("the statement before `{command}` does not end with `;`");
                            return Err(wrong(error));
                        }
                        Command::Quit => return Ok(()),
                        // The position of an error in an included file refers to that file, so no position is added.
                        Command::Include(path) => self.include(&path).await?,
                        command => self.carry_out(command).await.map_err(wrong)?,
                    }
                }
                Entry::Statements { line, text } | Entry::Begun { line, text } => {
                    self.run(Excerpt { text: &text, line, whole: input }).await?;
                }
            }
        }
        Ok(())
    }

    /// Runs the statements and commands of a file.
    async fn include(&mut self, path: &Path) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.depth < MAX_INCLUDE_DEPTH,
            "cannot run `{}`: `\\i` is nested more than {MAX_INCLUDE_DEPTH} files deep",
            path.display()
        );
        let text = script::read(path)?;
        self.depth += 1;
        let outcome = Box::pin(self.run_script(&text)).await;
        self.depth -= 1;
        outcome.with_context(|| format!("in `{}`", path.display()))
    }

    async fn carry_out(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Describe(name) => self.describe(name.as_deref()).await?,
            Command::Functions(name) => self.functions(name.as_deref()).await?,
            Command::Examples(None) => self.screen.show(write_examples).await?,
            Command::Examples(Some(number)) => self.example(number).await?,
            Command::Explain(statement) => self.run(Excerpt::whole(&format!("EXPLAIN {statement}"))).await?,
            Command::Format(None) => print_remark(&self.format_description()),
            Command::Format(Some(format)) => {
                self.rows.format = format;
                self.confirm(&self.format_description());
            }
            Command::Expanded(wanted) => {
                self.expand(wanted.unwrap_or(self.rows.format != Format::Vertical));
                self.confirm(&self.format_description());
            }
            Command::Output(path) => self.write_to(path.as_deref())?,
            Command::Include(path) => self.include(&path).await?,
            Command::Pager(wanted) => {
                let on = wanted.unwrap_or(!self.screen.is_paging);
                self.screen.is_paging = on;
                self.confirm(if on { "the pager is on" } else { "the pager is off" });
            }
            Command::Timing(wanted) => {
                self.timing = wanted.unwrap_or(!self.timing);
                self.confirm(if self.timing { "timing is on" } else { "timing is off" });
            }
            Command::Help => self.screen.show(write_help).await?,
            Command::Quit => {}
        }
        Ok(())
    }

    /// Runs the statements of a text, up to the first statement that fails or is stopped.
    async fn run(&mut self, excerpt: Excerpt<'_>) -> anyhow::Result<()> {
        for statement in statements::split(excerpt.text) {
            let outcome = if self.is_script {
                self.print(excerpt, &statement).await
            } else {
                self.answer(excerpt, &statement).await
            };
            // Stops here, because later statements may depend on this one.
            outcome?;
        }
        Ok(())
    }

    /// Runs one statement and shows its rows.
    async fn answer(&mut self, excerpt: Excerpt<'_>, statement: &Statement) -> anyhow::Result<()> {
        let started = Instant::now();
        let answer =
            self.screen.interrupts.until_interrupt(self.engine.query(statement.text.as_str(), &self.limits)).await;
        let table = answer.ok_or(Stopped)?.map_err(|error| statement_error(error, excerpt, statement))?;
        let took = started.elapsed();
        let rows: usize = table.batches.iter().map(RecordBatch::num_rows).sum();
        let truncated = table.truncated.is_some();
        let style = self.row_style();
        let shown = if let Some(file) = &self.file {
            let file = file.file.try_clone()?;
            self.screen.write_to(file, move |out, plain| write_rows(out, &table, style, plain)).await?
        } else {
            let columns = output::terminal_size().map_or(usize::MAX, |(columns, _)| columns);
            self.screen.show_rows(move |out, drawn| write_fitted(out, &table, (style, columns), drawn)).await?
        };
        self.rows.after_others = true;
        let ShowOutcome::ToTheEnd(fitted) = shown else { return Err(Stopped.into()) };
        self.print_summary(rows, truncated, took, fitted);
        Ok(())
    }

    /// Runs one statement of a script and writes its rows.
    async fn print(&mut self, excerpt: Excerpt<'_>, statement: &Statement) -> anyhow::Result<()> {
        let wrong = |error| statement_error(error, excerpt, statement).into();
        self.print_rows(statement.text.as_str().into(), wrong).await
    }

    /// Runs a statement and writes its rows. If the format allows it, rows are written as they arrive. `wrong` converts
    /// the error of the statement.
    pub(super) async fn print_rows(
        &mut self,
        statement: UserStatement,
        wrong: impl Fn(engine::Error) -> anyhow::Error,
    ) -> anyhow::Result<()> {
        let started = Instant::now();
        let mut rows = self.engine.stream(statement, &self.limits).await.map_err(&wrong)?;
        let (schema, style) = (rows.schema(), self.row_style());
        let mut out = match &self.file {
            Some(file) => Output::to_file(file.file.try_clone()?),
            None => Output::new(),
        };
        let mut count = 0;
        if let Some(mut writer) = style.row_writer(&schema) {
            out.write_data(|out| writer.begin(out))?;
            while let Some(batch) = rows.next().await {
                let batch = batch.map_err(&wrong)?;
                count += batch.num_rows();
                out.write_data(|out| writer.write(out, &batch))?;
            }
            out.write_data(|out| writer.end(out))?;
        } else {
            let mut batches = Vec::new();
            while let Some(batch) = rows.next().await {
                batches.push(batch.map_err(&wrong)?);
            }
            count = batches.iter().map(RecordBatch::num_rows).sum();
            out.write_styled(|out, drawn| render::write_batches(out, &batches, &schema, style, drawn))?;
        }
        self.rows.after_others = true;
        if rows.truncated_by().is_some() {
            // Without this note, the user might not notice that rows are missing in a file.
            output::write_stderr(|out, _| {
                writeln!(out, "note: there are more rows; raise the limit with `--max-rows`")
            });
        }
        if self.timing {
            self.print_summary(count, false, started.elapsed(), TableFit::default());
        }
        Ok(())
    }

    /// Returns the current style of rows. If rows are written to a file, the file's extension determines the format.
    fn row_style(&self) -> RowStyle {
        let format = self.file.as_ref().and_then(|file| self.rows.format.for_file(&file.path));
        RowStyle { format: format.unwrap_or(self.rows.format), ..self.rows }
    }

    /// Prints a message about a changed setting, unless a script changed it.
    fn confirm(&self, what: &str) {
        if !self.is_script {
            print_remark(what);
        }
    }

    /// Turns expanded output on or off.
    fn expand(&mut self, on: bool) {
        let is_on = self.rows.format == Format::Vertical;
        if on && !is_on {
            self.compact = std::mem::replace(&mut self.rows.format, Format::Vertical);
        } else if !on && is_on {
            self.rows.format = self.compact;
        }
    }

    fn format_description(&self) -> String {
        let format = self.rows.format;
        let message = format!("format: {}", commands::format_name(format));
        match self.file.as_ref().and_then(|file| Some((file.path.as_path(), format.for_file(&file.path)?))) {
            Some((path, format)) => format!("{message} ({}: {})", path.display(), commands::format_name(format)),
            None => message,
        }
    }

    fn print_summary(&self, rows: usize, truncated: bool, took: Duration, fitted: TableFit) {
        let mut facts = vec![format!("{rows} {}", if rows == 1 { "row" } else { "rows" })];
        if truncated {
            facts.push("more rows available, raise --max-rows".to_owned());
        }
        if let Some(file) = &self.file {
            facts.insert(1, format!("to {}", file.path.display()));
        }
        if self.timing {
            facts.push(format_duration(took));
        }
        match fitted.left_out {
            0 if !fitted.is_cut => {}
            0 => facts.push("shortened, \\x shows all".to_owned()),
            1 => facts.push("1 column hidden, \\x shows all".to_owned()),
            columns => facts.push(format!("{columns} columns hidden, \\x shows all")),
        }
        output::write_stderr(|out, style| {
            writeln!(out, "{}", style.faint(&facts.join(if style.unicode { " · " } else { ", " })))
        });
    }

    async fn example(&mut self, number: usize) -> anyhow::Result<()> {
        let example = number.checked_sub(1).and_then(|index| examples::all().nth(index));
        let count = examples::all().len();
        let example = example.with_context(|| format!("unknown example {number}: use a number from 1 to {count}"))?;
        output::write_stderr(|out, style| {
            writeln!(out, "{}", style.faint(&format!("-- {}", example.question)))?;
            writeln!(out, "{};", render::paint_statement(example.statement, style))
        });
        self.run(Excerpt::whole(example.statement)).await
    }

    fn write_to(&mut self, path: Option<&Path>) -> anyhow::Result<()> {
        self.rows.after_others = false;
        let Some(path) = path else {
            self.file = None;
            self.confirm("rows are printed here");
            return Ok(());
        };
        self.file = Some(ResultFile::create(path, (self.own_folders)())?);
        let (path, format) = (path.display(), commands::format_name(self.row_style().format));
        self.confirm(&format!("rows are written to {path} as {format}; \\o prints them here again"));
        Ok(())
    }

    /// Returns the tables and functions. Also updates the list that completion uses.
    async fn model(&self) -> anyhow::Result<Arc<ModelDescription>> {
        let found = self.screen.interrupts.until_interrupt(self.engine.describe()).await.context("stopped")?;
        let found = Arc::new(found.map_err(|error| StatementError::new(error, None))?);
        *self.model.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&found);
        Ok(found)
    }

    async fn describe(&self, name: Option<&str>) -> anyhow::Result<()> {
        let model = self.model().await?;
        let Some(name) = name else {
            return self.screen.show(move |out, style| write_model(out, &model, style)).await;
        };
        if name.contains('*') {
            let fits = pattern(name)?;
            let write = move |out: &mut dyn Write, style: &Style| {
                let fitting: Vec<&TableDescription> =
                    tables(&model).filter(|table| fits.is_match(&table.name)).collect();
                if fitting.is_empty() {
                    return writeln!(out, "no table or view matches");
                }
                render::write_tables(out, &fitting, style)
            };
            return self.screen.show(write).await;
        }
        if let Some(table) = tables(&model).find(|table| table.name.eq_ignore_ascii_case(name)).cloned() {
            return self.screen.show(move |out, style| render::write_table(out, &table, style)).await;
        }
        if let Some(function) = find_function(&model, name).cloned() {
            return self.screen.show(move |out, style| render::write_function(out, &function, style)).await;
        }
        let names = tables(&model).map(|table| table.name.as_str());
        anyhow::bail!("unknown table or view `{name}`{}", suggestion(name, names))
    }

    async fn functions(&self, name: Option<&str>) -> anyhow::Result<()> {
        let model = self.model().await?;
        let Some(name) = name.map(|name| name.trim_end_matches(['(', ')'])) else {
            return self.screen.show(move |out, style| write_own_functions(out, &model, style)).await;
        };
        if name.contains('*') {
            let fits = pattern(name)?;
            let write = move |out: &mut dyn Write, style: &Style| {
                let fitting: Vec<_> = functions(&model).filter(|function| fits.is_match(&function.name)).collect();
                if fitting.is_empty() {
                    return writeln!(out, "no function matches");
                }
                render::write_functions(out, &fitting, style)
            };
            return self.screen.show(write).await;
        }
        let Some(function) = find_function(&model, name).cloned() else {
            let names = functions(&model).map(|function| function.name.as_str());
            anyhow::bail!("unknown function `{name}`{}", suggestion(name, names));
        };
        self.screen.show(move |out, style| render::write_function(out, &function, style)).await
    }
}

fn tables(model: &ModelDescription) -> impl Iterator<Item = &TableDescription> {
    model.tables.iter().chain(&model.raw_tables)
}

fn functions(model: &ModelDescription) -> impl Iterator<Item = &FunctionDescription> {
    model.table_functions.iter().chain(&model.functions).chain(&model.standard_functions)
}

fn find_function<'m>(model: &'m ModelDescription, name: &str) -> Option<&'m FunctionDescription> {
    functions(model).find(|function| function.name.eq_ignore_ascii_case(name))
}

/// The error for a statement that the user stopped.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
struct Stopped;

/// Compiles a pattern for names. In a pattern, `*` matches any text.
fn pattern(text: &str) -> anyhow::Result<globset::GlobMatcher> {
    glob::compile(text, |glob| glob.case_insensitive(true))
        .map_err(|reason| anyhow::anyhow!("invalid pattern: {reason}"))
}

fn write_rows(out: &mut dyn Write, table: &Table, rows: RowStyle, style: &Style) -> io::Result<()> {
    render::write_batches(out, &table.batches, &table.schema, rows, style)
}

/// Writes a table so that it fits a terminal with this many columns.
fn write_fitted(
    out: &mut dyn Write,
    table: &Table,
    (rows, columns): (RowStyle, usize),
    style: &Style,
) -> io::Result<TableFit> {
    if rows.format == Format::Table && render::is_plan(&table.schema) {
        return render::write_plans(out, &table.batches, style).map(|()| TableFit::default());
    }
    if let Some(writer) = rows.row_writer(&table.schema) {
        // Colours are escaped in all other formats, because only tables contain dayledger's own colours.
        let mut visible =
            EscapingWriter::new(out, AllowedCharacters { colors: false, ..output::allowed_characters(style) });
        writer.write_all(&mut visible, &table.batches)?;
        return visible.flush().map(|()| TableFit::default());
    }
    render::write_for_screen(out, &table.batches, &table.schema, (rows, columns), style)
}

fn write_model(out: &mut dyn Write, model: &ModelDescription, style: &Style) -> io::Result<()> {
    render::write_tables(out, &model.tables.iter().collect::<Vec<_>>(), style)?;
    // If the data is an export, there are no raw tables.
    let raw = match model.raw_tables.first().and_then(|table| table.name.split_once('.')) {
        None => String::new(),
        Some((schema, _)) => format!("; the {} raw tables: \\d {schema}.*", model.raw_tables.len()),
    };
    writeln!(out)?;
    render::write_note(out, &format!("Table functions: \\df; columns of a table: \\d NAME{raw}"), style)
}

fn write_own_functions(out: &mut dyn Write, model: &ModelDescription, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.strong("Table functions (use after FROM)"))?;
    render::write_functions(out, &model.table_functions.iter().collect::<Vec<_>>(), style)?;
    writeln!(out, "\n{}", style.strong("Functions"))?;
    render::write_functions(out, &model.functions.iter().collect::<Vec<_>>(), style)?;
    writeln!(out)?;
    let count = model.standard_functions.len();
    let more = format!("{count} more from DataFusion: \\df *; parameters of a function: \\df NAME");
    render::write_note(out, &more, style)
}

fn write_examples(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    for (index, example) in examples::all().enumerate() {
        writeln!(out, "{} {}", style.strong(&format!("{:>3}", index + 1)), example.question)?;
    }
    writeln!(out, "{}", style.faint("To run the first example, enter \\examples 1."))
}

fn write_help(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    let lines = commands::ENTRIES.iter().map(|entry| {
        let call = format!("{} {}", entry.name, entry.arguments);
        vec![call.trim_end().to_owned(), entry.description.to_owned()]
    });
    render::write_lines(out, lines, style)?;
    writeln!(out)?;
    let keys = "Tab completes tables, columns, functions and commands. Ctrl-R searches earlier input. Ctrl-C clears the \
                line or stops the statement.";
    render::write_note(out, keys, style)
}

fn print_remark(what: &str) {
    output::write_stderr(|out, style| writeln!(out, "{}", style.faint(what)));
}

/// Prints an error. If the position of the error in the statement is known, prints a mark below this position.
pub(super) fn report_error(error: &anyhow::Error) {
    if error.is::<Stopped>() {
        // The line break is needed because the terminal may have shown `^C` on the current line.
        return print_remark("\nstopped");
    }
    let mistake = error.downcast_ref::<StatementError>();
    let Some(StatementError { error: wrong, place, is_hint_shown }) = mistake else {
        return output::print_error(&full_message(&**error), None);
    };
    output::print_error(&wrong.message, None);
    output::write_stderr(|out, style| {
        if let Some(Place { at, text }) = place {
            render::write_mistake(out, text, *at, style)?;
        }
        if *is_hint_shown { output::write_hint(out, &wrong.hint, style) } else { Ok(()) }
    });
}

fn format_duration(took: Duration) -> String {
    match took.as_millis() {
        milliseconds @ 0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{:.1} s", took.as_secs_f64()),
        _ => format!("{} min {:02} s", took.as_secs() / 60, took.as_secs() % 60),
    }
}
