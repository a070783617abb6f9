//! Pictures of the program at a terminal.

use std::process::Command;

use vt100::Screen;

use super::super::parts::compare;
use super::super::shell::{Histories, LAST_DAY};
use super::text_style::{Line, TextStyle, lines};
use super::{FOLDER, svg};
use crate::cli::program::Home;
use crate::cli::pseudo_terminal::Terminal;

const PROMPT: &str = "dayledger>";

fn program(histories: &Histories, home: &Home, arguments: &[&str]) -> Command {
    let mut command = histories.program(home, arguments);
    command.env("COLORTERM", "truecolor");
    command
}

#[test]
fn picture_of_the_day_equals_the_terminal_output() {
    let histories = Histories::get_shared();
    let home = histories.home("");
    let arguments = ["--demo", "day", LAST_DAY];
    let mut terminal = Terminal::open(&program(&histories, &home, &arguments));
    // This is the last note that the program prints.
    terminal.wait("the notes", |screen| screen.contents().contains("recall-figures-with-marit.md"));
    let mut expected = vec![
        Line::default()
            .append("$ ", TextStyle::FAINT)
            .append(&format!("dayledger {}", arguments.join(" ")), TextStyle::PLAIN),
    ];
    expected.extend(lines(terminal.screen()));
    assert!(terminal.end());
    compare(&format!("{FOLDER}/day.svg"), |_| svg::picture("A day at the terminal", &expected));
}

#[test]
fn picture_of_the_prompt_equals_the_terminal_output() {
    let histories = Histories::get_shared();
    let home = histories.home("");
    let mut terminal = Terminal::start(&program(&histories, &home, &["--demo", "sql"]));
    terminal.enter("\\timing off");
    terminal.clear();
    let answered = |screen: &Screen, text: &str| {
        let contents = screen.contents();
        contents.contains(text) && contents.trim_end().ends_with(PROMPT)
    };
    for (column, answer) in [("top_aplication", "did you mean"), ("top_application", "7 rows")] {
        terminal.press(&format!("SELECT date, {column} FROM day_summary('2026-W46') ORDER BY date;\r"));
        terminal.wait(answer, |screen| answered(screen, answer));
    }
    let screen_lines = lines(terminal.screen());
    assert!(terminal.leave());
    compare(&format!("{FOLDER}/prompt.svg"), |_| {
        svg::picture("A typing error at the prompt, and the suggestion", &screen_lines)
    });
}
