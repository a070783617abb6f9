"""Reads the calendar and the klog file of a timesheet. Prints hundredths of an hour by day, project and task as JSON.

    python3 timesheet_reading.py FOLDER
"""

import collections
import datetime
import decimal
import json
import pathlib
import re
import sys

import icalendar
import klogpy.parser

HUNDREDTH = datetime.timedelta(seconds=36)
TAG = re.compile(r"""#([\w-]+)=(?:"([^"]*)"|'([^']*)'|([\w-]*))""")


def main(folder):
    folder = pathlib.Path(folder)
    records = klogpy.parser.parse(first_lines((folder / "entries.klog").read_text("utf-8")))
    print(json.dumps({
        "ics": with_icalendar(folder / "entries.ics"),
        "klog": list(with_klogpy(records)),
        "minutes": minutes(records),
    }))


def with_icalendar(file):
    rows, ids = [], set()
    for event in icalendar.Calendar.from_ical(file.read_bytes()).walk("VEVENT"):
        assert not event.errors, event.errors
        assert event["UID"] not in ids, f"{event['UID']} is there twice"
        ids.add(event["UID"])
        start = event.start
        assert start.tzinfo is None, f"{start} is not in local time"
        parts, rest = divmod(event.end - start, HUNDREDTH)
        assert not rest, f"{event['UID']} is not whole hundredths of an hour"
        project, task = event.categories
        assert event["SUMMARY"] == f"{project}, {task}", event["SUMMARY"]
        rows.append((start.date().isoformat(), project, task, parts))
    return rows


def first_lines(text):
    """Returns the first line of each summary, because this reader is older than summaries of several lines."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(" " * 8))


def with_klogpy(records):
    for record in records:
        for entry in record.entries:
            tags = {name: "".join(value) for name, *value in TAG.findall(entry.description)}
            hours = tags.get("hours")
            exact = decimal.Decimal(hours) * 100 if hours else decimal.Decimal(length(entry)) * 5 / 3
            assert exact == int(exact), f"{entry} is not whole hundredths of an hour"
            assert abs(int(exact) * 3 - length(entry) * 5) < 5, f"{entry} is off by a minute"
            yield record.date.isoformat(), tags["project"], tags["task"], int(exact)


def minutes(records):
    days = collections.Counter()
    for record in records:
        days[record.date.isoformat()] += sum(length(entry) for entry in record.entries)
    return days


def length(entry):
    """Returns the length of an entry in minutes."""
    return int(entry.time.hours) * 60 + int(entry.time.minutes)


if __name__ == "__main__":
    main(*sys.argv[1:])
