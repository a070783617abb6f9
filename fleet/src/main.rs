//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    dayledger_fleet::cli::main()
}
