"""Compares dayledger with ActivityWatch's Python server on the same file. The answers of both must be equal.

    python3 benches/compare/activitywatch.py [--program target/release/dayledger] [--quick | --write]

It queries a generated history of one year with {events} events for the active seconds of each application in the last
day, week, month and year:

  dayledger   `dayledger sql` on the server's file
  aw-server   the same query as on ActivityWatch's own page, over HTTP

The table has the columns of `run.py`. The cold time of aw-server includes the start of the server. Its memory includes
the memory of a Python process that sends the queries. If a query takes longer than `--seconds`, it is stopped and
marked. Longer ranges are then skipped. No other programs should run on the machine.

It needs Linux, Python 3.11 and the registry of Python packages on the first run. The packages and the history are kept
in `target/compare` and take about 250 MB. `--write` updates the table in `docs/figures.md`.
"""

import argparse
import contextlib
import dataclasses
import math
import os
import pathlib
import sqlite3
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "tests" / "clients"))

import installation  # noqa: E402
import pages  # noqa: E402
from asking import Process  # noqa: E402
from engines import Dayledger  # noqa: E402
from failure import Failure, child, end_with_status  # noqa: E402
from histories import LAST_DAY  # noqa: E402
from measuring import Measuring  # noqa: E402
from surroundings import environment  # noqa: E402

KEPT = ROOT / "target" / "compare"
WORKER = HERE / "activitywatch_worker.py"
PAGE = ROOT / "docs" / "figures.md"
MARKS = "activitywatch"
RANGES = {"a day": 1, "a week": 7, "a month": 30, "a year": 365}
REPEATS = [(1, 5, 20), (5, 3, 5), (20, 1, 3), (math.inf, 1, 1)]
WINDOWS_PER_DAY = 1600


@dataclasses.dataclass(frozen=True)
class History:
    """A history in the format of ActivityWatch's server, in a separate home folder."""

    days: int
    home: pathlib.Path

    @property
    def folder(self):
        return self.home / "data" / "activitywatch" / "aw-server"

    @property
    def file(self):
        return self.folder / "peewee-sqlite.v2.db"

    @property
    def events(self):
        with contextlib.closing(sqlite3.connect(f"{self.file.as_uri()}?mode=ro", uri=True)) as connection:
            (events,) = connection.execute("SELECT count(*) FROM eventmodel").fetchone()
        return events


class Server:
    """ActivityWatch's server, with a process that sends queries to it."""

    name = "aw-server"
    ready = "ready\n"

    def __init__(self, interpreter):
        self.interpreter = interpreter

    def start(self, history, _question, _seconds, environment):
        """Returns a process for queries."""
        return Process([self.interpreter, WORKER, "serve", history.home], environment)

    @staticmethod
    def text(_, span):
        """Returns the query about a span: its first day, and the day after its last day."""
        return f"{' '.join(span)}\n"

    @staticmethod
    def seconds(answer):
        return answer


def history(interpreter, days, surroundings):
    """Returns the history with this number of days. Writes the history if it doesn't exist."""
    found = History(days, KEPT / f"activitywatch-{days}")
    if not found.file.is_file():
        print(f"writing {days} days", flush=True)
        found.folder.mkdir(parents=True, exist_ok=True)
        unfinished = found.folder / "unfinished"
        unfinished.unlink(missing_ok=True)
        writing = [interpreter, WORKER, "write", unfinished, LAST_DAY, days, WINDOWS_PER_DAY]
        child(writing, "writing the history", 600, environment=surroundings)
        unfinished.rename(found.file)
    return found


def options():
    parser = argparse.ArgumentParser(
        description=__doc__.replace("{events}", "750,000"), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    program = ROOT / "target" / "release" / "dayledger"
    parser.add_argument("--program", type=pathlib.Path, default=program, help="the program [default: the release build]")
    parser.add_argument("--quick", action="store_true", help="a small history, to see that everything works")
    parser.add_argument("--seconds", type=int, default=120, help="stop a query that takes longer [default: 120]")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    given = parser.parse_args()
    if given.write and given.quick:
        parser.error("only a whole run is written into the page")
    return given


def main():
    given = options()
    if not given.program.is_file():
        raise Failure(f"there is no program `{given.program}`; run `cargo build --release`, or pass it with `--program`")
    with tempfile.TemporaryDirectory(prefix="dayledger-compare-") as scratch:
        surroundings = {**environment(pathlib.Path(scratch) / "home"), "TZ": "UTC"}
        interpreter = installation.python(KEPT, "activitywatch", HERE / "packages")
        asked = history(interpreter, 45 if given.quick else 365, surroundings)
        engines = [Dayledger(given.program.resolve()), Server(interpreter)]
        measuring = Measuring(engines, given.seconds, REPEATS, surroundings)
        spans = {name: days for name, days in RANGES.items() if days <= asked.days}
        found = measuring.longer_and_longer("active", [(asked, days) for days in spans.values()])
        rows = [{"range": name, "engines": times} for name, times in zip(spans, found)]
        versions = {"dayledger": version([given.program.resolve(), "--version"]), **packages()}
    measured = {"cores": os.cpu_count(), "seconds": given.seconds, "build": given.program.parent.name, "versions": versions}
    facts = f"The file has {pages.size(asked.file.stat().st_size)} and {asked.events:,} events."
    text = f"{pages.machine(measured)} {facts}\n\n{pages.comparison(rows, measured)}"
    if given.write:
        pages.put(PAGE, MARKS, text)
        print("wrote docs/figures.md")
    else:
        print(f"\n{text}")


def version(command):
    return child(command, "the version of dayledger", 60).split()[-1]


def packages():
    """Returns the versions of ActivityWatch's packages."""
    pinned = (HERE / "packages" / "activitywatch.txt").read_text().splitlines()
    versions = dict(line.split("==") for line in pinned if "==" in line)
    return {name: versions[name] for name in ("aw-server", "aw-core")}


if __name__ == "__main__":
    end_with_status(main, "compare")
