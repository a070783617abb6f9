"""Builds dayledger for Windows on a machine with Debian, and runs its tests and a client's session under Wine.

    python3 tests/windows/run.py [tests] [--build target/windows] [--jobs N] [FILTER ...]
    python3 tests/windows/run.py session      # only a client's session with the program
    python3 tests/windows/run.py check        # only whether everything compiles for Windows
    python3 tests/windows/run.py macos        # the same for macOS, without linking and running

It needs Python 3.10 and Debian 12 or later. It installs missing Debian packages, and for macOS a package from the
registry of Python packages. If that isn't possible, it prints the missing packages and ends with status 77. The first
build takes half an hour on two cores, and needs 12 GB. Later builds compile only changes. It prints one line for each
test program, the failed tests with their output, the tests that are left out with reasons, and the number of passed
tests. If a test failed, the status is 1. A FILTER selects tests by a part of their names.
"""

import argparse
import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "tests" / "clients"))

import cargo  # noqa: E402
import debian  # noqa: E402
import left_out  # noqa: E402
import macos  # noqa: E402
import session  # noqa: E402
from failure import Failure, end_with_status  # noqa: E402
from wine import Wine  # noqa: E402

TEST_SECONDS = 3600
# The number of tests in one run. The maximum length of a command on Windows is 32,767 characters.
AT_ONCE = 200
RESULT = re.compile(r"^test result: ", re.MULTILINE)
LISTED = re.compile(r"^(\S+): test$", re.MULTILINE)
ENDED = re.compile(r"^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED)$", re.MULTILINE)
# A crash inside one of Wine's own libraries. Programs can't cause such a crash. For example, Wine's thread pool can
# crash in this way.
CRASH_OF_WINE = re.compile(r"^wine: Unhandled page fault.*^Backtrace:\n=>0 [^\n]* in ntdll ", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^---- (\S+) stdout ----\n(.*?)(?=^---- |^failures:$)", re.MULTILINE | re.DOTALL)


def check(arguments):
    left_out.by_sources()
    debian.compiler()
    cargo.for_windows(arguments.build, arguments.jobs).check()


def tests(arguments):
    reasons = left_out.by_sources()
    built = build(arguments)
    passed = failed = 0
    with Wine(arguments.build) as wine:
        for name, program, folder in built.tests:
            counts = run(wine, name, program, folder, arguments)
            passed, failed = passed + counts[0], failed + counts[1]
        if not arguments.filter:
            session.check(wine, built.dayledger, built.black_box)
    for what, reason in [*reasons, *left_out.BY_WINE.items()]:
        print(f"left out: {what} ({reason})")
    print(f"{passed} passed, {failed} failed", flush=True)
    if failed:
        raise Failure(f"{failed} tests failed under Wine")


def session_alone(arguments):
    built = build(arguments)
    with Wine(arguments.build) as wine:
        session.check(wine, built.dayledger, built.black_box)


def build(arguments):
    debian.compiler()
    debian.install(debian.WINE)
    return cargo.for_windows(arguments.build, arguments.jobs).build()


def run(wine, name, program, folder, arguments):
    """Runs one test program. Returns how many of its tests passed and failed.

    If Wine itself crashes, the test that was running at that time is repeated.
    """
    begin = time.monotonic()
    log = arguments.build / (name.replace(" ", "-") + ".log")
    skipped = [word for test in left_out.BY_WINE for word in ("--skip", test)]
    wanted = [*skipped, *arguments.filter]
    # Snapshots are only compared, never updated. Their paths are relative to the sources.
    variables = {"INSTA_UPDATE": "no", "INSTA_WORKSPACE_ROOT": str(ROOT), "CARGO_MANIFEST_DIR": str(folder)}
    outcomes, complaints, waiting = {}, {}, [wanted]
    while waiting:
        command = [program, f"--test-threads={os.cpu_count()}", *waiting.pop()]
        status = wine.run(command, f"the {name}", TEST_SECONDS, log, folder=folder, **variables)
        text = log.read_text(errors="replace").replace("\r\n", "\n")
        ended = dict(ENDED.findall(text))
        outcomes |= ended
        complaints |= dict(SAID.findall(text))
        if RESULT.search(text):
            continue
        if not ended or not CRASH_OF_WINE.search(text):
            raise Failure(f"the {name} ended with status {status} before they finished; their output is in `{log}`")
        listed = wine.said([program, "--list", "--format=terse", *wanted], f"the list of the {name}")
        left = [test for test in LISTED.findall(listed.replace("\r\n", "\n")) if test not in outcomes]
        waiting = [["--exact", *left[at : at + AT_ONCE]] for at in range(0, len(left), AT_ONCE)]
        print(f"{name}: Wine itself crashed, so {len(left)} tests that had not ended are run again", flush=True)
    failed = [test for test, outcome in outcomes.items() if outcome == "FAILED"]
    passed = len(outcomes) - len(failed)
    print(f"{name}: {passed} passed, {len(failed)} failed in {time.monotonic() - begin:.0f} s", flush=True)
    for test in failed:
        print(f"failed: {test}\n{complaints.get(test, '').strip()}", flush=True)
    return passed, len(failed)


MODES = {"tests": tests, "session": session_alone, "check": check, "macos": lambda arguments: macos.check(arguments.jobs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", nargs="?", choices=MODES, default="tests")
    parser.add_argument("filter", nargs="*")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "target" / "windows")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    try:
        MODES[arguments.mode](arguments)
    except debian.Lacking as lacking:
        print(f"windows: not run, for {lacking}", file=sys.stderr)
        sys.exit(debian.LACKING)


if __name__ == "__main__":
    end_with_status(main, "windows")
