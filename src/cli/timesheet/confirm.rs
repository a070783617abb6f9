//! A question that a person answers with yes or no.

use std::io::{self, BufRead, IsTerminal};

use crate::cli::output;

/// Whether somebody is there to be asked.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// Asks on stderr; anything but yes is no, and so is the end of input.
pub(super) fn confirm(question: &str) -> io::Result<bool> {
    output::write_stderr(|out, _| {
        write!(out, "{question} [y/N] ")?;
        out.flush()
    });
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
