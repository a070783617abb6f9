//! The binary. It sets the allocator (`docs/decisions/0011-an-allocator.md`), runs a command, and returns its exit
//! code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    dayledger::cli::main()
}
