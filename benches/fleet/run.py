"""Compares workers on separate machines with a single process, and measures the time by number of workers.

    python3 benches/fleet/run.py [--build target/release] [--persons 120,400,1000] [--workers 1,2,4,8] [--cores 0.2]
        [--write] [--last]

Each worker has a network namespace and a share of a core (`--cores`). All workers read the same folder of exports. Each
export contains a generated year of one person. The statements are those of `sql/examples`, and one over all segments.
They run in one process without workers, and then on each number of workers. The answers must be the same each time.
Different numbers of workers are compared with the smallest number of people. The largest number of workers also runs
with more people. Then a worker is killed, disconnected from the network or paused while it runs a statement. The
statement must end with the same answer, or with an error that names the worker.

Efficiency is the time of one worker divided by n times the time of n workers. A part of the time doesn't become shorter
with more workers. This constant part is fitted (Amdahl).

The statements query a day in the exports as if it were today.

It needs Linux, root, `ip` (iproute2), Python 3.11, and release builds of `dayledger` and `dayledger-fleet`. Exports are
kept in `target/fleet`. `--write` updates the tables in `docs/figures.md`, the cores that a team needs in
`docs/operating-a-fleet.md`, and the picture `docs/fleet.svg`. With `--last`, it uses the figures of the last run.
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path += [str(ROOT / "benches" / "compare"), str(ROOT / "tests" / "clients")]

import faults
import installation
import machines
import pages
import persons
from failure import Failure, child, end_with_status, holds
from surroundings import environment

KEPT = ROOT / "target" / "fleet"
MEASURED, PICTURE = KEPT / "measured.json", KEPT / "measured.svg"
PAGE, OPERATORS = ROOT / "docs" / "figures.md", ROOT / "docs" / "operating-a-fleet.md"
MARKS, SIZES = "fleet", "sizes"
ASK_SECONDS = 600
# Each statement runs three times, unless its runs have already taken longer than this number of seconds.
REPEATS, REPEATED_SECONDS = 3, 30
# The statements for which operators want to know the number of cores, each with its description and a response time in
# seconds.
SIZED = [("last_week", "the last seven days of all people", 2), ("all_segments", "all segments of a year of all people", 10)]
TEAMS = [10, 50, 200, 1000]
DRAW_SECONDS = 120
ALL_SEGMENTS = "SELECT person, application, count(*), round(sum(seconds)) FROM segments GROUP BY person, application"


class Fleet:
    """The dayledger programs, and the options of their commands."""

    def __init__(self, build, scratch, surroundings):
        self.program, self.fleet = build / "dayledger", build / "dayledger-fleet"
        for program in (self.program, self.fleet):
            if not program.is_file():
                raise Failure(f"there is no `{program}`; run `cargo build --release --workspace`, or use `--build`")
        self.surroundings = surroundings
        self.certificates = scratch / "certificates"
        for name, role in [("asker", []), ("machine", ["--worker"])]:
            command = [self.fleet, "certificate", name, *role, "--in", self.certificates]
            child(command, "making certificates", 60, environment=surroundings)

    def files(self, name):
        of = self.certificates
        files = {"authority": of / "authority.pem", "certificate": of / f"{name}.pem", "key": of / f"{name}.key"}
        return [part for option, file in files.items() for part in (f"--{option}", file)]

    def command(self, team, workers, sql):
        to = ["--workers", ",".join(workers), *self.files("asker")] if workers else []
        return [self.fleet, "sql", "--from", team, "--format", "csv", *to, f"--command={sql}"]

    def ask(self, team, workers, sql):
        """Returns the sorted lines of an answer, and its time in seconds."""
        begin = time.monotonic()
        told = child(self.command(team, workers, sql), "a statement", ASK_SECONDS, environment=self.surroundings)
        return sorted(told.splitlines()), time.monotonic() - begin

    @contextlib.contextmanager
    def workers(self, count, team, cores):
        """Starts `count` workers. Yields the address and the process of each worker."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(machines.network())
            start = (self.fleet, team, self.files("machine"), cores, self.surroundings)
            yield [stack.enter_context(machines.worker(number, *start)) for number in range(count)]


def statements():
    asked = {file.stem: file.read_text(encoding="utf-8") for file in sorted((ROOT / "sql" / "examples").glob("*.sql"))}
    asked = {name: text.replace("today()", f"CAST('{persons.TODAY}' AS DATE)") for name, text in asked.items()}
    return {**asked, "all_segments": ALL_SEGMENTS}


def measure(fleet, given, surroundings):
    """Returns the seconds of each statement, by number of people and workers."""
    asked, runs, told = statements(), [], []
    for size in given.persons:
        team, octets = persons.exports(fleet.program, KEPT, size, surroundings)
        expected = {name: fleet.ask(team, [], sql)[0] for name, sql in asked.items()}
        for count in given.workers if size == given.persons[0] else [max(given.workers)]:
            with fleet.workers(count, team, given.cores) as workers:
                urls = [url for url, _ in workers]
                took = {name: timed(fleet, team, urls, sql, expected[name], name) for name, sql in asked.items()}
                memory = max(machines.most_memory(process) for _, process in workers)
                runs.append({"persons": size, "octets": octets, "workers": count, "took": took, "memory": memory})
                print(f"{size} persons, {count} workers: {sum(took.values()):.1f} s", flush=True)
    usual = runs[-1]["took"]["all_segments"]
    for fault in faults.FAULTS:
        with fleet.workers(min(3, max(given.workers)), team, given.cores) as workers:
            told.append(hurt(fleet, team, workers, fault, usual, expected["all_segments"]))
            print(f"{fault.name}: {told[-1]['outcome']} after {told[-1]['seconds']:.1f} s", flush=True)
    return {"cores": os.cpu_count(), "share": given.cores, "runs": runs, "faults": told}


def timed(fleet, team, urls, sql, expected, name):
    """Returns the median time of several runs. Fails if an answer differs from the answer of the single process."""
    took = []
    while len(took) < REPEATS and sum(took) < REPEATED_SECONDS:
        answer, seconds = fleet.ask(team, urls, sql)
        if answer != expected:
            raise Failure(f"`{name}` is answered otherwise by {len(urls)} workers: {differing(answer, expected)}")
        took.append(seconds)
    return statistics.median(took)


def differing(answer, expected):
    pairs = [f"{mine!r}, not {theirs!r}" for mine, theirs in zip(answer, expected) if mine != theirs]
    return pairs[0] if pairs else f"{len(answer)} lines, not {len(expected)}"


def hurt(fleet, team, workers, fault, usual, expected):
    """Returns the outcome of a statement while a worker has a fault."""
    begun = []

    def begin_fault():
        fault.begin(len(workers) - 1, workers[-1][1])
        begun.append(time.monotonic())

    victim = threading.Timer(usual / 2, begin_fault)
    victim.start()
    try:
        begin = time.monotonic()
        try:
            answer, seconds = fleet.ask(team, [url for url, _ in workers], ALL_SEGMENTS)
        except Failure as failure:
            said, seconds = str(failure), time.monotonic() - begin
            if workers[-1][0] not in said:
                raise Failure(f"{fault.name}: the error does not name the worker: {said}") from None
            return {"fault": fault.name, "outcome": "an error that names it", "seconds": seconds}
    finally:
        victim.join()
        holds(begun, f"{fault.name}: that could not be done to the worker")
        fault.end(len(workers) - 1, workers[-1][1])
    if answer != expected:
        raise Failure(f"{fault.name}: another answer: {differing(answer, expected)}")
    return {"fault": fault.name, "outcome": "the same answer", "seconds": seconds}


def compared(runs):
    """Returns two lists of runs: those with the fewest people, by workers, and those with the most workers, by
    people.
    """
    fewest, most = min(run["persons"] for run in runs), max(run["workers"] for run in runs)
    by_workers = sorted((run for run in runs if run["persons"] == fewest), key=lambda run: run["workers"])
    return by_workers, sorted((run for run in runs if run["workers"] == most), key=lambda run: run["persons"])


def whole(measured):
    """Returns all results of a run as Markdown."""
    by_workers, by_data = compared(measured["runs"])
    rows = []
    for run in by_workers:
        rows.append([str(run["workers"]), pages.seconds(total(run)), f"{efficiency(by_workers[0], run, total):.2f}"])
    data = []
    for run in by_data:
        each = total(run) / run["persons"]
        data.append([f"{run['persons']:,}", pages.size(run["octets"]), pages.seconds(total(run)), pages.seconds(each)])
    memory = max(run["memory"] for run in measured["runs"])
    hurts = [[of["fault"], of["outcome"], pages.seconds(of["seconds"])] for of in measured["faults"]]
    told = [
        f"One run on {measured['cores']} cores. Each worker has {measured['share']:g} cores. Times are for all "
        f"{len(by_workers[0]['took'])} statements together, each run by a new process. No worker used more than "
        f"{pages.size(memory)} of memory. The exports of {by_workers[0]['persons']:,} people, one year each:",
        pages.table(["workers", "time", "efficiency"], rows),
        f"{serial(by_workers):.0%} of the time with one worker doesn't get shorter with more workers.",
        pages.table(["people", "exports", f"time with {by_workers[-1]['workers']} workers", "per person"], data),
        pages.table(["failure of a worker", "result", "after"], hurts),
    ]
    return "\n\n".join(told)


def sizes(measured):
    """Returns the cores that teams need, as Markdown. Assumes the cost per person of one worker, and the measured
    efficiency.
    """
    by_workers, _ = compared(measured["runs"])
    one, many, asked = by_workers[0], by_workers[-1], by_workers[0]["persons"]
    heads = ["people", "a year's exports, with titles"]
    rows = [[f"{team:,}", pages.size(one["octets"] / asked * team)] for team in TEAMS]
    for name, what, seconds in SIZED:
        heads.append(f"{what}, in {seconds} s")
        person = one["took"][name] * one["workers"] * measured["share"] / asked
        shared_out = min(1, efficiency(one, many, lambda run: run["took"][name]))
        for team, row in zip(TEAMS, rows):
            row.append(in_cores(person * team / seconds / shared_out))
    return pages.table(heads, rows)


def in_cores(needed):
    whole = max(1, math.ceil(needed))
    return f"{whole} core" if whole == 1 else f"{whole} cores"


def efficiency(few, many, took):
    """Returns the work that each of many workers does, relative to the work that each of few workers does in the
    same time.
    """
    return took(few) * few["workers"] / took(many) / many["workers"]


def total(run):
    return sum(run["took"].values())


def serial(runs):
    """Returns the part of one worker's time that stays constant. It is fitted by least squares over 1 / number of
    workers.
    """
    inverse, took = [1 / run["workers"] for run in runs], [total(run) for run in runs]
    if len(runs) < 2:
        return 1
    slope, constant = statistics.linear_regression(inverse, took)
    return max(0, constant) / (slope + max(0, constant))


def draw(surroundings):
    interpreter = installation.python(KEPT, "engines", ROOT / "benches" / "compare" / "packages")
    command = [interpreter, HERE / "picture.py", MEASURED, PICTURE]
    child(command, "drawing the times", DRAW_SECONDS, environment=surroundings)


def options():
    def numbers(text):
        return sorted(int(number) for number in text.split(","))

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "target" / "release", help="folder of the programs")
    parser.add_argument("--persons", type=numbers, default=[120, 400, 1000], help="how many persons are asked")
    parser.add_argument("--workers", type=numbers, default=[1, 2, 4, 8], help="how many workers are there")
    parser.add_argument("--cores", type=float, default=0.2, help="what a worker has of a core")
    parser.add_argument("--write", action="store_true", help="put tables and picture into the page")
    parser.add_argument("--last", action="store_true", help="measure nothing, take what the last run measured")
    return parser.parse_args()


def main():
    given = options()
    if os.name != "posix" or os.geteuid() != 0 or sys.version_info < (3, 11):
        raise Failure("this needs Linux, root and Python 3.11")
    if given.write:
        pages.around(PAGE, MARKS)
        pages.around(OPERATORS, SIZES)
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="dayledger-fleet-") as scratch:
        surroundings = environment(pathlib.Path(scratch) / "home")
        if not given.last:
            machines.clear()
            measured = measure(Fleet(given.build, pathlib.Path(scratch), surroundings), given, surroundings)
            MEASURED.write_text(json.dumps(measured, indent=1), encoding="utf-8")
        measured = json.loads(MEASURED.read_text(encoding="utf-8"))
        draw(surroundings)
    print(whole(measured), sizes(measured), sep="\n\n")
    if given.write:
        pages.put(PAGE, MARKS, whole(measured))
        pages.put(OPERATORS, SIZES, sizes(measured))
        shutil.copyfile(PICTURE, ROOT / "docs" / "fleet.svg")
        print("wrote docs/figures.md, docs/operating-a-fleet.md and docs/fleet.svg")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    end_with_status(main, "fleet")
