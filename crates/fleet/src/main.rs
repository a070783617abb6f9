//! The program `dayledger-fleet`, which queries the exports of a team.

use std::process::ExitCode;

fn main() -> ExitCode {
    dayledger_fleet::cli::main()
}
