"""Tests dayledger with third-party programs: MCP clients, a browser, chat apps, readers, storage, ActivityWatch, shells.

    python3 tests/clients/run.py [--quick] [--build target/debug] [--only CLASS ...]

The MCP clients are the official Python clients, the Inspector, the conformance suite and the bundle program. The tests
need Python 3.11, a dev-profile build with the feature `http` (`cargo test --workspace --all-features` makes it), and
the registries of Python and npm packages. Node doesn't have to be installed. All clients are installed in
`target/clients`, and again when the versions in `packages/` change. Only the browser, tmux and the shells come from
this machine. Without them, their checks are skipped unless `--only` requests them. The run prints one line for each check,
and ends with status 1 at the first class that fails.

`--quick` takes less than two minutes and needs no npm packages. It runs a complete session over standard input and
output, a short session over HTTP, an export of a small history, and one page in a browser.
"""

import argparse
import concurrent.futures
import pathlib
import tempfile
import time

import activitywatch
import apps
import browser
import bundle
import conformance
import inspector
import installation
import readers
import shells
import storage
import timesheet
from failure import Failure, child, end_with_status
from surroundings import environment

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INSTALLED = ROOT / "target" / "clients"
# The end and the number of days of the history that all runs use. The history contains the dates of the checks.
LAST_DAY, DAYS = "2025-01-31", "42"
SESSION_SECONDS = 240


class Place:
    """The locations of the programs and the history."""

    def __init__(self, build, scratch, is_quick):
        self.is_quick = is_quick
        self.scratch = pathlib.Path(scratch)
        self.history = self.scratch / "history"
        self.environment = environment(self.scratch / "home")
        self.http = program(build / "examples" / "http")
        self.dayledger = program(build / "dayledger")
        self.fleet = program(build / "dayledger-fleet")
        self.server = [self.dayledger, "--data-dir", self.history, "serve"]
        demo = [self.dayledger, "demo", self.history, "--until", LAST_DAY, "--days", DAYS, "--no-screenshots"]
        child(demo, "the history", 60)


def program(path):
    """Returns the path of the program at `path`. On Windows, the path has a suffix."""
    for candidate in (path, path.with_suffix(".exe")):
        if candidate.is_file():
            return candidate
    raise Failure(f"there is no `{path}`; `cargo test --workspace --all-features --no-run` makes it, or name a `--build`")


class PythonSession:
    """Runs the checks with one version of the official Python client."""

    def __init__(self, generation):
        self.pins = generation
        self.script = HERE / f"{generation.replace('-', '_')}.py"

    def install(self, installed):
        return [installation.python(installed, self.pins)]

    def run(self, interpreter, place):
        command = [*interpreter, self.script, *place.server]
        child(command, f"`{self.script.name}`", SESSION_SECONDS, shown=True, environment=place.environment)


class PythonHttp(PythonSession):
    """Runs a short session of the same client over HTTP."""

    def run(self, interpreter, place):
        with conformance.http_server(place) as url:
            command = [*interpreter, self.script, url]
            child(command, "the session over HTTP", SESSION_SECONDS, shown=True, environment=place.environment)


CLASSES = {
    "python-modern": PythonSession("python-modern"),
    "python-http": PythonHttp("python-modern"),
    "python-legacy": PythonSession("python-legacy"),
    "inspector": inspector,
    "conformance": conformance,
    "bundle": bundle,
    "browser": browser,
    "apps": apps,
    "readers": readers,
    "timesheet": timesheet,
    "storage": storage,
    "activitywatch": activitywatch,
    "shells": shells,
}
# The most useful checks that run within two minutes, for `.ci/run`.
QUICK = ("python-modern", "python-http", "readers", "browser")


def installed_all(names):
    """Returns the command of each class's client. Installs missing clients in parallel."""
    with concurrent.futures.ThreadPoolExecutor() as threads:
        installing = {name: threads.submit(CLASSES[name].install, INSTALLED) for name in names}
        return {name: command.result() for name, command in installing.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "target" / "debug")
    parser.add_argument("--only", nargs="+", choices=CLASSES)
    parser.add_argument("--quick", action="store_true", help=f"run part of {', '.join(QUICK)}, in under two minutes")
    arguments = parser.parse_args()
    names = arguments.only or list(QUICK if arguments.quick else CLASSES)
    if not arguments.only and not browser.program():
        print("browser, apps: left out, for this machine has no browser", flush=True)
        names = [name for name in names if name not in ("browser", "apps")]
    if not arguments.only and "shells" in names and (lacking := shells.missing()):
        print(f"shells: left out, for this machine lacks {', '.join(lacking)}", flush=True)
        names.remove("shells")
    with tempfile.TemporaryDirectory(prefix="dayledger-clients-") as scratch:
        place = Place(arguments.build.resolve(), scratch, arguments.quick)
        commands = installed_all(names)
        for name, command in commands.items():
            begin = time.monotonic()
            CLASSES[name].run(command, place)
            print(f"{name}: passed in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    end_with_status(main, "foreign programs")
