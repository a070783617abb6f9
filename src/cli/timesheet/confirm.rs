//! Asks the user a yes-or-no question.

use std::io::{self, BufRead, IsTerminal};

use crate::cli::output;

/// Whether a user at a terminal can answer questions.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal()
}

/// Asks on stderr. Any answer except yes means no, and so does the end of input.
pub(super) fn confirm(question: &str) -> io::Result<bool> {
    output::write_stderr(|out, _| {
        write!(out, "{question} [y/N] ")?;
        out.flush()
    });
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
