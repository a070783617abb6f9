"""Builds the workspace for other systems, with Debian's compiler."""

import contextlib
import json
import os
import pathlib
import time

from failure import child

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CARGO = "/usr/bin/cargo"
WINDOWS = "x86_64-pc-windows-gnu"
BUILD_SECONDS = 7200
# Environment variables that would select another compiler or change the build.
OVERRULING = ("RUSTC_WRAPPER", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS")


class Cargo:
    """Cargo for one target. `folder` contains only builds with Debian's compiler, because another compiler would build
    everything again."""

    def __init__(self, target, folder, jobs, settings):
        self.target, self.folder, self.jobs = target, folder, jobs
        self.environment = {
            **os.environ,
            "RUSTC": "/usr/bin/rustc",
            "RUSTDOC": "/usr/bin/rustdoc",
            # `-Zbuild-std` is unstable. Using it is safe, because a Debian release always has the same compiler.
            "RUSTC_BOOTSTRAP": "1",
            "CARGO_TARGET_DIR": str(folder),
            "CARGO_INCREMENTAL": "0",
            "CARGO_PROFILE_DEV_DEBUG": "0",
            **settings,
        }
        for name in ("RUSTUP_TOOLCHAIN", *OVERRULING):
            self.environment.pop(name, None)

    def run(self, command, *arguments, shown=True):
        """Runs one of Cargo's commands, such as `build`. Its progress is shown unless its output is needed."""
        whole = [CARGO, *command.split(), "-Zbuild-std", "--target", self.target, "--locked", "--quiet"]
        whole += ["--jobs", str(self.jobs), *arguments]
        return child(whole, f"`cargo {command}`", BUILD_SECONDS, shown=shown, environment=self.environment, directory=ROOT)

    def check(self):
        with timed(self.target, "checked"):
            self.run("check", "--workspace", "--all-targets")

    def build(self):
        """Builds the program and its tests."""
        wanted = ("--workspace", "--no-run", "--lib", "--bins", "--tests", "--message-format=json")
        with timed(self.target, "built"):
            messages = self.run("test", *wanted, shown=False)
        return Built([json.loads(line) for line in messages.splitlines()])


class Built:
    """The files that a build produced."""

    def __init__(self, messages):
        made = [message for message in messages if message["reason"] == "compiler-artifact" and message["executable"]]
        # Each test program, with its name and the folder of its package.
        self.tests = [
            (name_of(message["target"]), message["executable"], pathlib.Path(message["manifest_path"]).parent)
            for message in made
            if message["profile"]["test"]
        ]
        programs = [message for message in made if not message["profile"]["test"]]
        self.dayledger = next(message["executable"] for message in programs if message["target"]["name"] == "dayledger")
        self.black_box = next(program for name, program, _ in self.tests if name.endswith("black_box"))


def name_of(target):
    kind = "black-box tests" if "test" in target["kind"] else "unit tests"
    program = ", program" if "bin" in target["kind"] else ""
    return f"{kind} of {target['name']}{program}"


@contextlib.contextmanager
def timed(target, done):
    """Prints how long the work for a target took, and `done`."""
    begin = time.monotonic()
    yield
    print(f"{target}: {done} in {time.monotonic() - begin:.0f} s", flush=True)


def for_windows(folder, jobs, **settings):
    linker = "x86_64-w64-mingw32-gcc"
    linked = {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER": linker, "CC_x86_64_pc_windows_gnu": linker}
    return Cargo(WINDOWS, folder, jobs, {**linked, **settings})
