"""Compares dayledger with SQLite, DuckDB and Polars on generated histories. All answers must be equal.

    python3 benches/compare/run.py [--quick | --write] [--build target/release]

It queries two histories: one of 700 days with 386,000 activities, and one of ten years with 3 million activities. The
queries return the active and the recorded seconds of each application in the last day, week, month and so on. It also
measures how the times grow with the length of the history:

  dayledger   `dayledger sql` on ManicTime's file
  SQLite      Python's own, on the same file, with a handwritten join on overlap
  DuckDB      on the Parquet files that `dayledger export` writes, with the same join
  Polars      on these files, with its join on inequality

Every engine has a separate process for each range. No other programs should run on the machine. The columns are:

  new         the median of queries about other spans of the same length, in a process that has answered the queries of
              the column `again` and then paused for ten seconds; empty if the range is the whole history
  again       the median of the same query again, with unchanged data
  first       the first query in a running process that has read no data
  cold        from the start of a process to its answer, while the files are already in the machine's memory (for all
              engines except dayledger, the process is a Python process that imports the engine)
  memory      the peak of the process and the processes that it started (Linux only)

If a query takes longer than `--seconds`, it is stopped and marked. Longer ranges are then skipped. Answers are compared
to the second. If two answers differ, the run ends with status 1. Over MCP, only dayledger is measured, for days and
months.

It needs Linux or macOS, Python 3.11, `cargo build --release`, the registry of Python packages on the first run, and
half an hour on two cores. Histories, exports and packages are kept in `target/compare` and take about {disk} of disk.
To create them again, remove the folder. `--quick` takes a minute. It shows that all measurements work, but its times
mean little.

`--write` updates the tables in `docs/figures.md`, and `docs/growth.svg`. With `--last`, it uses the results of the last
full run.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "tests" / "clients"))

import installation  # noqa: E402
import pages  # noqa: E402
import server  # noqa: E402
from engines import engines  # noqa: E402
from failure import Failure, child, end_with_status  # noqa: E402
from histories import history  # noqa: E402
from measuring import Measuring  # noqa: E402
from surroundings import environment  # noqa: E402

KEPT = ROOT / "target" / "compare"
MARKS = "figures"
PAGE = ROOT / "docs" / "figures.md"
BUILDS = ("release", "dist")
DISK_BYTES = 3.5e9
DRAW_SECONDS = 120
RANGES = {
    "a day": 1,
    "a week": 7,
    "a month": 30,
    "a year": 365,
    "two years": 700,
    "ten years": 3652,
}


@dataclasses.dataclass(frozen=True)
class Plan:
    """The measurements of a run. A history is given by its days and activities per day. Some histories are used only to
    measure growth.
    """

    name: str
    seconds: int
    repeats: list
    histories: list
    growth: list

    @property
    def measured(self):
        return KEPT / f"{self.name}.json"

    @property
    def picture(self):
        return KEPT / f"{self.name}.svg"


WHOLE = Plan(
    name="whole",
    seconds=120,
    repeats=[(1, 5, 20), (5, 3, 5), (20, 1, 3), (math.inf, 1, 1)],
    histories=[(700, 557), (3653, 822)],
    growth=[(days, 822) for days in (228, 457, 913, 1827, 3653)],
)
QUICK = Plan(
    name="quick",
    seconds=20,
    repeats=[(math.inf, 1, 5)],
    histories=[(45, 400)],
    growth=[(days, 400) for days in (12, 23, 45)],
)


def measure(plan, program, interpreter, surroundings):
    """Returns all figures of a run."""
    asked = engines(program, interpreter)
    measuring = Measuring(asked, plan.seconds, plan.repeats, surroundings)
    written = {
        size: history(program, KEPT / "histories", *size, surroundings)
        for size in dict.fromkeys(plan.histories + plan.growth)
    }
    return {
        "cores": os.cpu_count(),
        "seconds": plan.seconds,
        "build": program.parent.name,
        "versions": versions(program, interpreter, surroundings),
        "histories": [of_history(measuring, written[size], program, surroundings) for size in plan.histories],
        "growth": growth(measuring, [written[size] for size in plan.growth]),
    }


def of_history(measuring, asked, program, surroundings):
    spans = {name: days for name, days in RANGES.items() if days <= asked.days}
    questions = {}
    for question in ("active", "recorded"):
        found = measuring.longer_and_longer(question, [(asked, days) for days in spans.values()])
        questions[question] = [{"range": name, "engines": engines} for name, engines in zip(spans, found)]
    return {**asked.facts(), "questions": questions, "served": server.measure(program, asked, surroundings)}


def growth(measuring, histories):
    """Returns the times for the active seconds of whole histories."""
    found = measuring.longer_and_longer("active", [(step, step.days) for step in histories])
    return [{**step.facts(), "engines": engines} for step, engines in zip(histories, found)]


def versions(program, interpreter, surroundings):
    # The first import of a package compiles the package. This must not happen in the cold process that is measured.
    telling = [interpreter, "-c", "import duckdb, polars; print(duckdb.__version__, polars.__version__)"]
    duckdb, polars = child(telling, "the versions of the packages", 120, environment=surroundings).split()
    own = child([program, "--version"], "the version of dayledger", 60).split()[-1]
    return {"dayledger": own, "SQLite": sqlite3.sqlite_version, "DuckDB": duckdb, "Polars": polars}


def program(build):
    """Returns the path of the program in a build folder."""
    for candidate in (build / "dayledger", build / "dayledger.exe"):
        if candidate.is_file():
            return candidate
    raise Failure(f"`{build}` holds no `dayledger`; run `cargo build --release`, or name another folder with `--build`")


def room(folder, needed):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "histories").is_dir() and (free := shutil.disk_usage(folder).free) < needed:
        raise Failure(f"`{folder}` has {pages.size(free)} free, and {pages.size(needed)} are needed")


def draw(plan, interpreter, surroundings):
    command = [interpreter, HERE / "picture.py", plan.measured, plan.picture]
    child(command, "drawing the growth", DRAW_SECONDS, environment=surroundings)


def write(measured, plan):
    pages.put(PAGE, MARKS, pages.whole(measured))
    shutil.copyfile(plan.picture, ROOT / "docs" / "growth.svg")
    print("wrote docs/figures.md and docs/growth.svg")


def without_python(surroundings):
    """Returns the environment without Python's variables, which would slow down some engines or add other packages."""
    return {name: value for name, value in surroundings.items() if not name.startswith("PYTHON")}


def options():
    text = __doc__.replace("{disk}", pages.size(DISK_BYTES))
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "target" / "release", help="folder of the program")
    parser.add_argument("--quick", action="store_true", help="a small history, to see that everything works")
    parser.add_argument("--seconds", type=int, help="stop a question that takes longer [default: 120; quick: 20]")
    parser.add_argument("--last", action="store_true", help="measure nothing, take what the last run measured")
    parser.add_argument("--write", action="store_true", help="put tables and picture into the page")
    given = parser.parse_args()
    if given.write and (given.quick or given.build.name not in BUILDS):
        parser.error(f"only a whole run with one of these builds is written into the page: {', '.join(BUILDS)}")
    return given


def main():
    given = options()
    plan = QUICK if given.quick else WHOLE
    plan = dataclasses.replace(plan, seconds=given.seconds or plan.seconds)
    if os.name != "posix" or sys.version_info < (3, 11):
        raise Failure("this needs Linux or macOS, and Python 3.11")
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dayledger-compare-") as scratch:
        surroundings = without_python(environment(pathlib.Path(scratch) / "home"))
        if given.write:
            pages.around(PAGE, MARKS)
        if given.last and not plan.measured.is_file():
            raise Failure("nothing was measured here yet; run without `--last`")
        asked = None if given.last else program(given.build.resolve())
        room(KEPT, DISK_BYTES)
        interpreter = installation.python(KEPT, "engines", HERE / "packages")
        if not given.last:
            plan.measured.write_text(json.dumps(measure(plan, asked, interpreter, surroundings), indent=1))
        draw(plan, interpreter, surroundings)
    measured = json.loads(plan.measured.read_text())
    if given.write:
        write(measured, plan)
    else:
        print(f"\n{pages.whole(measured)}")
        print(f"\nThe picture is `{plan.picture.relative_to(ROOT)}`.")
    print(f"{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    end_with_status(main, "compare")
