//! Arguments in, exit code out, and the allocator (`docs/decisions/0011-an-allocator.md`).

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    dayledger::cli::main()
}
