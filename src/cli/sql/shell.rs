//! What happens with what was entered: statements are run and shown, commands carried out.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use datafusion::arrow::array::RecordBatch;
use globset::GlobBuilder;

use super::super::interrupts::Interrupts;
use super::commands::{self, Command};
use super::editor::SharedModel;
use super::examples;
use super::result_file::ResultFile;
use super::screen::{Screen, Shown};
use super::script;
use super::statements::{self, Entry, Statement};
use crate::cli::complaint::message_of;
use crate::cli::output;
use crate::engine::{self, Engine, FunctionDescription, ModelDescription, QueryLimits, Table, TableDescription, meant};
use crate::manictime::Source;
use crate::report::{self, Fitted, Format, Style};

/// Whether the session goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    GoOn,
    /// With a statement that was begun.
    Resume(String),
    Leave,
}

/// A session with its settings.
pub(super) struct Shell {
    engine: Engine,
    source: Option<Source>,
    limits: QueryLimits,
    model: SharedModel,
    format: Format,
    /// How rows were printed before they were printed value by value.
    compact: Format,
    timing: bool,
    screen: Screen,
    file: Option<ResultFile>,
}

impl Shell {
    pub(super) fn new(
        engine: Engine,
        source: Option<Source>,
        limits: QueryLimits,
        format: Format,
        model: SharedModel,
        interrupts: Interrupts,
    ) -> Self {
        Self {
            engine,
            source,
            limits,
            model,
            format,
            compact: Format::default(),
            timing: true,
            screen: Screen::new(interrupts),
            file: None,
        }
    }

    /// Carries out what a file says that begins each session. A mistake in it is told, and ends only what it says.
    pub(super) async fn begin_with(&mut self, path: &Path) -> Flow {
        let text = match script::read(path) {
            Ok(text) => text,
            Err(error) => {
                tell(&error);
                return Flow::GoOn;
            }
        };
        match self.enter(&text).await {
            Flow::Resume(_) => {
                let path = path.display();
                tell(&anyhow::anyhow!("the last statement of `{path}` has no end, a semicolon; it was left out"));
                Flow::GoOn
            }
            flow => flow,
        }
    }

    /// Leaves out every Ctrl-C so far: it was meant for something that has ended.
    pub(super) fn forget_interrupts(&mut self) {
        self.screen.interrupts.forget();
    }

    /// Carries out what was entered, commands and statements in their order: a paste can hold both. What goes wrong is
    /// told; the session goes on.
    pub(super) async fn enter(&mut self, input: &str) -> Flow {
        let mut begun = String::new();
        for entry in statements::entries(input) {
            match entry {
                Entry::Command(command) => {
                    if self.command(command).await == Flow::Leave {
                        return Flow::Leave;
                    }
                }
                Entry::Statements(text) => self.run(&text).await,
                Entry::Begun(text) => begun = text,
            }
        }
        if begun.is_empty() { Flow::GoOn } else { Flow::Resume(begun) }
    }

    async fn command(&mut self, input: &str) -> Flow {
        let outcome = match commands::parse(input) {
            Ok(Command::Quit) => return Flow::Leave,
            Ok(command) => self.carry_out(command).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = outcome {
            tell(&error);
        }
        Flow::GoOn
    }

    async fn carry_out(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Describe(name) => self.describe(name.as_deref()).await?,
            Command::Functions(name) => self.functions(name.as_deref()).await?,
            Command::Examples(None) => self.screen.show(write_examples).await?,
            Command::Examples(Some(number)) => self.example(number).await?,
            Command::Explain(statement) => self.run(&format!("EXPLAIN {statement}")).await,
            Command::Format(format) => {
                self.format = format.unwrap_or(self.format);
                self.tell_format();
            }
            Command::Expanded(wanted) => {
                self.expand(wanted.unwrap_or(self.format != Format::Vertical));
                self.tell_format();
            }
            Command::Output(path) => self.write_to(path.as_deref())?,
            Command::Include(path) => {
                let text = script::read(&path)?;
                self.run(&text).await;
            }
            Command::Pager(wanted) => {
                let on = wanted.unwrap_or(!self.screen.is_paging);
                self.screen.is_paging = on;
                say(if on { "the pager shows what is longer than the screen" } else { "the pager is off" });
            }
            Command::Timing(wanted) => {
                self.timing = wanted.unwrap_or(!self.timing);
                say(if self.timing { "times are told" } else { "times are not told" });
            }
            Command::Help => self.screen.show(write_help).await?,
            Command::Quit => {}
        }
        Ok(())
    }

    /// Runs the statements of `text` up to the first that goes wrong or is stopped.
    async fn run(&mut self, text: &str) {
        for statement in statements::split(text) {
            match self.answer(text, &statement).await {
                Ok(true) => {}
                Ok(false) => {
                    // Where the terminal has shown `^C`, that line ends first.
                    say("\nstopped");
                    return;
                }
                Err(error) => return tell(&error),
            }
        }
    }

    /// Runs one statement and shows its rows; false where somebody stopped it.
    async fn answer(&mut self, text: &str, statement: &Statement) -> anyhow::Result<bool> {
        let started = Instant::now();
        let Some(answer) =
            self.screen.interrupts.unless(self.engine.query(statement.text.as_str(), &self.limits)).await
        else {
            return Ok(false);
        };
        let table = match answer {
            Ok(table) => table,
            Err(error) => {
                tell_mistake(&error, text, statement);
                // What follows may build on it.
                return Err(Told.into());
            }
        };
        let took = started.elapsed();
        let rows: usize = table.batches.iter().map(RecordBatch::num_rows).sum();
        let truncated = table.truncated.is_some();
        let format = self.format;
        let shown = if let Some(file) = &self.file {
            let format = file.format().unwrap_or(format);
            let file = file.file().try_clone()?;
            self.screen.write_to(file, move |out, style| write_rows(out, &table, format, style)).await?
        } else {
            let columns = output::screen().map_or(usize::MAX, |(columns, _)| columns);
            self.screen.show_rows(move |out, style| write_fitted(out, &table, (format, columns), style)).await?
        };
        let Shown::ToTheEnd(fitted) = shown else { return Ok(false) };
        self.tell_end(rows, truncated, took, fitted);
        Ok(true)
    }

    /// Prints rows value by value from now on, or as they were printed before.
    fn expand(&mut self, on: bool) {
        let is_on = self.format == Format::Vertical;
        if on && !is_on {
            self.compact = std::mem::replace(&mut self.format, Format::Vertical);
        } else if !on && is_on {
            self.format = self.compact;
        }
    }

    fn tell_format(&self) {
        let told = format!("rows are printed as {}", commands::format_name(self.format));
        let file = self.file.as_ref().and_then(|file| Some((file.path(), file.format()?)));
        say(&match file {
            Some((path, format)) => format!("{told}, those to {} as {}", path.display(), commands::format_name(format)),
            None => told,
        });
    }

    fn tell_end(&self, rows: usize, truncated: bool, took: Duration, fitted: Fitted) {
        let mut told = vec![format!("{rows} {}", if rows == 1 { "row" } else { "rows" })];
        if truncated {
            told.push("there are more, --max-rows sets how many".to_owned());
        }
        if let Some(file) = &self.file {
            told.insert(1, format!("to {}", file.path().display()));
        }
        if self.timing {
            told.push(duration(took));
        }
        match fitted.left_out {
            0 if !fitted.is_cut => {}
            0 => told.push("cut to fit, \\x shows all".to_owned()),
            1 => told.push("1 column does not fit, \\x shows all".to_owned()),
            columns => told.push(format!("{columns} columns do not fit, \\x shows all")),
        }
        output::talk(|out, style| {
            writeln!(out, "{}", style.faint(&told.join(if style.unicode { " · " } else { ", " })))
        });
    }

    async fn example(&mut self, number: usize) -> anyhow::Result<()> {
        let example = number.checked_sub(1).and_then(|index| examples::all().nth(index));
        let count = examples::all().len();
        let example = example.with_context(|| format!("there is no example {number}; they go from 1 to {count}"))?;
        output::talk(|out, style| {
            writeln!(out, "{}", style.faint(&format!("-- {}", example.question)))?;
            writeln!(out, "{};", report::painted_statement(example.statement, style))
        });
        self.run(example.statement).await;
        Ok(())
    }

    fn write_to(&mut self, path: Option<&Path>) -> anyhow::Result<()> {
        let Some(path) = path else {
            self.file = None;
            say("rows are shown here");
            return Ok(());
        };
        let file = ResultFile::create(path, self.source.as_ref())?;
        let (path, format) = (file.path().display(), commands::format_name(file.format().unwrap_or(self.format)));
        say(&format!("rows go to {path} as {format}; \\o shows them here again"));
        self.file = Some(file);
        Ok(())
    }

    /// What can be asked now, also for completion.
    async fn model(&self) -> anyhow::Result<Arc<ModelDescription>> {
        let found = self.screen.interrupts.unless(self.engine.describe()).await.context("stopped")?;
        let found = Arc::new(found?);
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
                    return writeln!(out, "no table or view is named like that");
                }
                report::write_tables(out, &fitting, style)
            };
            return self.screen.show(write).await;
        }
        if let Some(table) = tables(&model).find(|table| table.name.eq_ignore_ascii_case(name)).cloned() {
            return self.screen.show(move |out, style| report::write_table(out, &table, style)).await;
        }
        if let Some(function) = function_named(&model, name).cloned() {
            return self.screen.show(move |out, style| report::write_function(out, &function, style)).await;
        }
        let names = tables(&model).map(|table| table.name.as_str());
        anyhow::bail!("there is no table or view `{name}`{}", meant(name, names))
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
                    return writeln!(out, "no function is named like that");
                }
                report::write_functions(out, &fitting, style)
            };
            return self.screen.show(write).await;
        }
        let Some(function) = function_named(&model, name).cloned() else {
            let names = functions(&model).map(|function| function.name.as_str());
            anyhow::bail!("there is no function `{name}`{}", meant(name, names));
        };
        self.screen.show(move |out, style| report::write_function(out, &function, style)).await
    }
}

fn tables(model: &ModelDescription) -> impl Iterator<Item = &TableDescription> {
    model.tables.iter().chain(&model.raw_tables)
}

fn functions(model: &ModelDescription) -> impl Iterator<Item = &FunctionDescription> {
    model.table_functions.iter().chain(&model.functions).chain(&model.standard_functions)
}

fn function_named<'m>(model: &'m ModelDescription, name: &str) -> Option<&'m FunctionDescription> {
    functions(model).find(|function| function.name.eq_ignore_ascii_case(name))
}

/// What was told already.
#[derive(Debug, thiserror::Error)]
#[error("told")]
struct Told;

/// Names that a pattern with stars fits.
fn pattern(text: &str) -> anyhow::Result<globset::GlobMatcher> {
    let glob = GlobBuilder::new(text).case_insensitive(true).build();
    Ok(glob.with_context(|| format!("`{text}` is no pattern of names"))?.compile_matcher())
}

fn write_rows(out: &mut dyn Write, table: &Table, format: Format, style: &Style) -> io::Result<()> {
    report::write_batches(out, &table.batches, &table.schema, format, style)
}

/// Rows for a screen of so many columns.
fn write_fitted(
    out: &mut dyn Write,
    table: &Table,
    (format, columns): (Format, usize),
    style: &Style,
) -> io::Result<Fitted> {
    if format == Format::Table && report::is_plan(&table.schema) {
        return report::write_plans(out, &table.batches, style).map(|()| Fitted::default());
    }
    report::write_fitted(out, &table.batches, &table.schema, (format, columns), style)
}

fn write_model(out: &mut dyn Write, model: &ModelDescription, style: &Style) -> io::Result<()> {
    report::write_tables(out, &model.tables.iter().collect::<Vec<_>>(), style)?;
    let raw = match model.raw_tables.len() {
        // An archive has none.
        0 => String::new(),
        count => format!("The file's own {count} tables: \\d manictime.*  "),
    };
    writeln!(out, "{}", style.faint(&format!("\nTable functions: \\df. {raw}Columns: \\d and a name.")))
}

fn write_own_functions(out: &mut dyn Write, model: &ModelDescription, style: &Style) -> io::Result<()> {
    writeln!(out, "{}", style.strong("Table functions, after FROM"))?;
    report::write_functions(out, &model.table_functions.iter().collect::<Vec<_>>(), style)?;
    writeln!(out, "\n{}", style.strong("Functions"))?;
    report::write_functions(out, &model.functions.iter().collect::<Vec<_>>(), style)?;
    let more = format!("\nAnd {} of DataFusion: \\df *  Parameters: \\df and a name.", model.standard_functions.len());
    writeln!(out, "{}", style.faint(&more))
}

fn write_examples(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    for (index, example) in examples::all().enumerate() {
        writeln!(out, "{} {}", style.strong(&format!("{:>3}", index + 1)), example.question)?;
    }
    writeln!(out, "{}", style.faint("\\examples 1 runs the first."))
}

fn write_help(out: &mut dyn Write, style: &Style) -> io::Result<()> {
    for entry in &commands::ENTRIES {
        let call = format!("{} {}", entry.name, entry.arguments);
        writeln!(out, "  {}{}", style.strong(&format!("{call:<22}")), entry.meaning)?;
    }
    let keys = [
        "Tab completes tables, columns, functions and commands. Ctrl-R searches what was typed before.",
        "Ctrl-C clears a line or stops a statement.",
    ];
    writeln!(out, "\n{}", style.faint(&keys.join("\n")))
}

fn say(what: &str) {
    output::talk(|out, style| writeln!(out, "{}", style.faint(what)));
}

fn tell(error: &anyhow::Error) {
    if !error.is::<Told>() {
        output::complain(&message_of(error), None);
    }
}

/// Tells what is wrong with a statement of `text`, and where.
fn tell_mistake(error: &engine::Error, text: &str, statement: &Statement) {
    // At a prompt, the place says more than the hint that stands for every mistake.
    let hint = if matches!(error, engine::Error::Query { .. }) { None } else { Some(error.hint()) };
    output::complain(&error.to_string(), None);
    output::talk(|out, style| {
        if let Some(position) = error.position() {
            report::write_mistake(out, text, statement.place_in(text, position), style)?;
        }
        hint.map_or(Ok(()), |hint| output::write_hint(out, &hint, style))
    });
}

fn duration(took: Duration) -> String {
    match took.as_millis() {
        milliseconds @ 0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{:.1} s", took.as_secs_f64()),
        _ => format!("{} min {:02} s", took.as_secs() / 60, took.as_secs() % 60),
    }
}
