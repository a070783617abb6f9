"""Sends very many requests to one server, and fails if its memory keeps growing.

    python3 benches/compare/soak.py [--questions 100000] [--build target/release]

The requests are those of an assistant: narratives in both levels of detail, summaries, usage, tags and SQL. Each
request is about a different day, and every hundredth request is about the whole history. Memory must not grow with the
number of requests: the memory during the last tenth of the requests is compared with the memory during the second
tenth. The first tenth is left out, because caches fill during that time. Freed memory returns to the system seconds
later, so each value is the median of many samples.

It needs Linux, and half an hour for 100,000 requests. The history is the one of 700 days that `run.py` keeps.
"""

import argparse
import datetime
import pathlib
import re
import statistics
import tempfile
import time

import measuring
import run
import server
from asking import Process
from failure import Failure, end_with_status
from histories import history
from surroundings import environment

DAYS, PER_DAY = run.WHOLE.histories[0]
GROWTH = 1.1
PARTS = 10
MOMENTS = 200
# With fewer requests, the caches would not be full before the first tenth ends.
LEAST = 20_000


def question(number):
    """Returns the tool and the arguments of a request. Each request is about a different day."""
    day = measuring.LAST - datetime.timedelta(1 + number % (DAYS - 32))
    one, week = span(day, 1), span(day, 7)
    if number % 100 == 99:
        whole = f"SELECT key, sum(seconds) FROM pieces('2000-01-01', '{day}') GROUP BY key"
        return "query", {"sql": whole}
    sql = f"SELECT site, sum(seconds) FROM websites WHERE start_local >= '{day}' GROUP BY site ORDER BY 2 DESC LIMIT 5"
    asked = [
        ("get_activity_narrative", one),
        ("get_application_usage", week),
        ("get_activity_narrative", {**one, "detail": "blocks"}),
        ("get_tags", week),
        ("get_daily_summary", {"date": str(day)}),
        ("get_website_usage", one),
        ("query", {"sql": sql}),
        ("get_period_summary", week),
    ]
    return asked[number % len(asked)]


def span(day, days):
    return {"startDate": str(day), "endDate": str(day + datetime.timedelta(days))}


def held(pid):
    """Returns the current memory of a process, in MiB."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)[1]) // 1024


def soak(program, asked, questions, surroundings):
    with Process([program, "serve", "--data-dir", asked.folder], surroundings) as process:
        server.begin(process)
        begin = time.monotonic()
        part = questions // PARTS
        moments, medians = [], []
        for number in range(1, part * PARTS + 1):
            tool, arguments = question(number)
            server.ask(process, server.request(number + 1, "tools/call", name=tool, arguments=arguments))
            if number % (part // MOMENTS) == 0:
                moments.append(held(process.running.pid))
            if number % part == 0:
                medians.append(statistics.median(moments))
                shown = f"{min(moments):.0f} to {max(moments):.0f}, median {medians[-1]:.0f} MiB"
                print(f"{number:>8} questions  {time.monotonic() - begin:>6.0f} s  {shown}", flush=True)
                moments.clear()
        process.end()
    _, second, *_, last = medians
    if last > GROWTH * second:
        raise Failure(f"the server holds {last:.0f} MiB during the last tenth, and {second:.0f} during the second")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=100_000, help="how many [default: 100000]")
    parser.add_argument("--build", type=pathlib.Path, default=run.ROOT / "target" / "release", help="folder of the program")
    given = parser.parse_args()
    if not pathlib.Path("/proc/self/status").is_file():
        raise Failure("this needs Linux, which tells how much memory a process holds")
    if given.questions < LEAST:
        raise Failure(f"`--questions` must be at least {LEAST}, since memory fills with what is kept at first")
    with tempfile.TemporaryDirectory(prefix="dayledger-soak-") as scratch:
        surroundings = environment(pathlib.Path(scratch) / "home")
        program = run.program(given.build.resolve())
        asked = history(program, run.KEPT / "histories", DAYS, PER_DAY, surroundings)
        soak(program, asked, given.questions, surroundings)


if __name__ == "__main__":
    end_with_status(main, "soak")
