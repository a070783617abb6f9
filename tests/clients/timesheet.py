"""Third-party readers of timesheet files: sums in hledger, a calendar and klog must equal the sums of the entries.

    python3 tests/clients/timesheet.py FOLDER

The folder contains the same entries as `entries.json`, `entries.csv`, `entries.ics`, `entries.klog` and
`entries.timeclock`. As a class of `run.py`, the entries are weeks of sample data, drafted, logged and exported by the
program. The first run needs the registry of Python packages, and installs the packages of `packages/timesheet.txt` in
`target/clients`. hledger comes from this machine. Without hledger, the timeclock file isn't read."""

import argparse
import collections
import csv
import datetime
import decimal
import io
import json
import pathlib
import shutil
import unicodedata

import installation
from failure import Failure, child, end_with_status, outcome

HERE = pathlib.Path(__file__).resolve().parent
INSTALLED = HERE.parent.parent / "target" / "clients"
READ_SECONDS = 60
FORMATS = ("json", "csv", "ics", "klog", "timeclock")
# The sample projects have entries in this month. The sample activity is logged up to the last day of the sample data.
FROM = "2025-10-01"
FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def install(installed):
    return [installation.python(installed, "timesheet")]


def run(interpreter, place):
    folder = place.scratch / "timesheet"
    folder.mkdir()
    demo = [place.dayledger, "--demo"]
    today = datetime.date.today()
    for days in (21, 14, 7):
        week = (today - datetime.timedelta(days=days)).strftime("%G-W%V")
        # Time without a project isn't logged. The program reports this with its exit status, so the status is ignored.
        outcome([*demo, "timesheet", "log", week, "--yes"], week, READ_SECONDS, environment=place.environment)
    for form in FORMATS:
        export = [*demo, "timesheet", "export", "--format", form, "--from", FROM, "--to", str(today)]
        child([*export, "--out", folder / f"entries.{form}"], form, READ_SECONDS, environment=place.environment)
    if len(json.loads((folder / "entries.json").read_text("utf-8"))["entries"]) < 20:
        raise Failure("the demo's weeks were not logged")
    compare(interpreter, folder)


def compare(interpreter, folder):
    """Compares the sums of each file by day, project and task with the sums of the entries."""
    folder = pathlib.Path(folder)
    entries = json.loads((folder / "entries.json").read_text("utf-8"))["entries"]
    expected = by_day(entries)
    reading = [*interpreter, HERE / "timesheet_reading.py", folder]
    found = json.loads(child(reading, "reading the calendar and the klog", READ_SECONDS))
    readers = {
        "csv": (with_csv(folder), without_days(expected)),
        "icalendar": (summed(found["ics"]), expected),
        "klogpy": (summed(found["klog"]), expected),
        "klogpy, minutes of days": (minutes(found["minutes"]), rounded(expected)),
    }
    if shutil.which("hledger"):
        readers["hledger"] = (with_hledger(folder), expected)
    else:
        print("hledger: not on this machine, so the timeclock is not read", flush=True)
    for reader, (sums, entries_say) in readers.items():
        differing = {key for key in sums.keys() | entries_say.keys() if sums.get(key, 0) != entries_say.get(key, 0)}
        if differing:
            differences = "\n".join(f"  {key}: {sums.get(key, 0)}, not {entries_say.get(key, 0)}" for key in sorted(differing))
            raise Failure(f"{reader} reads other hundredths of an hour than the entries have:\n{differences}")
        print(f"{reader}: {len(sums)} sums agree", flush=True)


def by_day(entries):
    """Returns hundredths of an hour by day, project and task. The hundredths of an entry are distributed one by one
    to its days in turn.
    """
    sums = collections.Counter()
    for entry in entries:
        first, last = (datetime.date.fromisoformat(entry[name]) for name in ("startDate", "completionDate"))
        days = (last - first).days + 1
        part, more = divmod(hundredths(entry["standardHours"]) + hundredths(entry["overtimeHours"]), days)
        for day in range(days if part else more):
            on = (first + datetime.timedelta(days=day)).isoformat()
            sums[on, name(entry["projectCode"]), name(entry["task"])] += part + (day < more)
    return sums


def without_days(sums):
    whole = collections.Counter()
    for (_, project, task), part in sums.items():
        whole[project, task] += part
    return whole


def rounded(sums):
    """Converts hundredths of an hour to minutes of each day. Half a minute is rounded up."""
    days = collections.Counter()
    for (day, _, _), part in sums.items():
        days[day] += part
    return {day: (part * 6 + 5) // 10 for day, part in days.items()}


def minutes(days):
    return {day: count for day, count in days.items() if count}


def summed(rows):
    sums = collections.Counter()
    for day, project, task, part in rows:
        sums[day, name(project), name(task)] += part
    return sums


def with_csv(folder):
    sums = collections.Counter()
    with (folder / "entries.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            parts = hundredths(row["standard_hours"]) + hundredths(row["overtime_hours"])
            if parts != hundredths(row["total_hours"]):
                raise Failure(f"the hours of the entry {row['id']} in the CSV do not add up")
            sums[name(unquoted(row["project_code"])), name(unquoted(row["task"]))] += parts
    return sums


def with_hledger(folder):
    """Returns the sums from hledger. hledger splits sessions at midnight. A session that ends at midnight has no
    part on the next day.
    """
    command = ["hledger", "--file", folder / "entries.timeclock", "print", "--output-format", "csv"]
    sums = collections.Counter()
    for row in csv.DictReader(io.StringIO(child(command, "hledger", READ_SECONDS))):
        project, task = row["account"].removeprefix("(").removesuffix(")").split(":")
        sums[row["date"], name(project), name(task)] += hundredths(row["amount"])
    return sums


def hundredths(hours):
    parts = decimal.Decimal(str(hours)) * 100
    if parts != int(parts):
        raise Failure(f"`{hours}` is not in hundredths of an hour")
    return int(parts)


def unquoted(cell):
    """Returns the text of a cell, without the `'` that is added before text that looks like a formula."""
    is_marked = cell.startswith("'") and cell.lstrip("'").startswith(FORMULA)
    return cell[1:] if is_marked else cell


def name(text):
    """Returns the name with normalised compatibility characters, white space and control characters, or `-` if the
    name is empty.
    """
    printable = "".join(" " if unicodedata.category(character) == "Cc" else character for character in text)
    return " ".join(unicodedata.normalize("NFKC", printable).split()) or "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    compare(install(INSTALLED), folder)


if __name__ == "__main__":
    end_with_status(main, "timesheet")
