//! The program `dayledger-fleet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dayledger_fleet::cli::main()
}
