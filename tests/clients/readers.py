"""Tests third-party readers of Parquet. The sums of pyarrow and DuckDB over an export must equal the sums of SQL over
the history.

Two histories are exported. The first is the history of all checks, with all tables. The second has ten years and the
default tables, and is left out in a quick run. The memory of an export must not grow with the years.
"""

import json
import os
import pathlib
import subprocess
import sys

import installation
from failure import Failure, child, kill

HERE = pathlib.Path(__file__).resolve().parent
EXPORT_SECONDS = 900
READ_SECONDS = 120
USUAL = ("app_usage", "website_usage", "document_usage", "tag_usage", "day_summary", "weekday_pattern", "segments")
# The query that returns a table's rows from the history. The export of the table has the same rows.
TABLES = {
    "day_summary": ("day_summary('2000-01-01', '2100-01-01')", "date", "active_seconds"),
    "weekday_pattern": ("weekday_pattern('2000-01-01', '2100-01-01')", None, "active_seconds"),
    "segments": ("segments", "start_local", "seconds"),
    "activities": ("activities", "start_local", "seconds"),
}
TEN_YEARS = 3653
# The export of ten years has ten times as many months as the export of one year. Its memory may be larger by at most
# this factor, which excludes growth in proportion to the months.
GROWTH = 1.4


def install(installed):
    return [installation.python(installed, "readers")]


def run(interpreter, place):
    whole = place.scratch / "whole"
    export(place, place.history, whole, "2000", "2100", "--include-titles", "--tables", ",".join((*USUAL, "activities")))
    compare(interpreter, place, place.history, whole, (*USUAL, "activities"))
    if not place.is_quick:
        export_ten_years(interpreter, place)


def export_ten_years(interpreter, place):
    """Compares an export of ten years with its history, and the memory of the export with that of one year."""
    years = place.scratch / "ten-years"
    demo = [place.dayledger, "demo", years, "--until", "2025-01-31", "--days", str(TEN_YEARS), "--activities-per-day", "20"]
    child([*demo, "--no-screenshots"], "ten years of history", 120)
    one = export(place, years, place.scratch / "one", "2024", "2025")
    archive = place.scratch / "ten"
    ten = export(place, years, archive, "2000", "2100")
    if one and ten > GROWTH * one:
        raise Failure(f"exporting ten years takes {ten} KiB of memory, one year {one} KiB")
    compare(interpreter, place, years, archive, USUAL)


def export(place, history, folder, begin, end, *more):
    """Exports a history. Returns the peak memory in KiB, if the system reports it."""
    command = [place.dayledger, "--data-dir", history, "export", "--from", begin, "--to", end, "--out", folder, *more]
    running = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.DEVNULL, env=place.environment, start_new_session=True
    )
    if not hasattr(os, "wait4"):
        running.wait(EXPORT_SECONDS)
        return 0
    try:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    finally:
        kill(running)
    if running.returncode != 0:
        raise Failure(f"the export failed with status {running.returncode}; see its output above")
    # macOS reports bytes instead of KiB.
    return used.ru_maxrss // 1024 if sys.platform == "darwin" else used.ru_maxrss


def compare(interpreter, place, history, folder, tables):
    found = json.loads(child([*interpreter, HERE / "reading.py", folder, *tables], "reading the export", READ_SECONDS))
    for table in tables:
        expected = expected_facts(place, history, table)
        for reader, facts in found[table].items():
            actual = {name: facts[name] for name in expected}
            if actual != expected:
                raise Failure(f"`{table}`: {reader} finds {actual}, SQL says {expected}")


def expected_facts(place, history, table):
    """Returns the expected facts of a table from the history: the rows, the seconds, and the first and last
    timestamp.
    """
    source, clock, seconds = TABLES.get(table, (table, "hour_local", "seconds"))
    facts = [f"sum({seconds}) AS seconds"]
    if clock:
        facts += ["count(*) AS rows", f"CAST(min({clock}) AS VARCHAR) AS first", f"CAST(max({clock}) AS VARCHAR) AS last"]
    sql = f"SELECT {', '.join(facts)} FROM {source}"
    command = [place.dayledger, "--data-dir", history, "sql", "--format", "json", "-c", sql]
    return json.loads(child(command, sql, READ_SECONDS, environment=place.environment))[0]
