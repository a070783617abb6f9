"""Writes a history in ManicTime's format, with the tables of `fixtures/src/schema`."""

import collections
import contextlib
import hashlib
import json
import pathlib
import sqlite3
import struct
import uuid
import zlib

from history import Clock

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "src" / "schema"
# ManicTime's own files store tags as lists of groups, so these tables are left out.
LEFT_OUT = "tags.sql"
STATES = {
    "active": ("ManicTime/Active", "Active"),
    "away": ("ManicTime/Away", "Away"),
    "locked": ("ManicTime/SessionLocked", "Session lock"),
    "off": ("ManicTime/PowerOff", "Power off"),
}
PAGES = {"site": (3, "ManicTime/WebSites"), "file": (2, "ManicTime/Files")}
APPLICATION, USAGE, TAG = 1, 4, 5
UTC = Clock("UTC")
COLOR = "5CAA24"
WIDTH, HEIGHT = 64, 40
OTHER = "{}"


def write(history, folder, home):
    """Creates the folder with the database of a history. Next to it, writes the user's configuration."""
    folder.mkdir(parents=True)
    configure(history, folder, home)
    for instant in history.screenshots:
        screenshot(history.clock, instant, folder / "Screenshots")
    with contextlib.closing(sqlite3.connect(folder / "ManicTimeReports.db")) as connection:
        for file in sorted(SCHEMA.glob("*.sql")):
            if file.name != LEFT_OUT:
                connection.executescript(file.read_text(encoding="utf-8"))
        Writer(connection, history).write()
        connection.commit()


def configure(history, folder, home):
    settings = ["[time]", f"calls = {json.dumps(history.calls is not None)}"]
    for project in history.projects:
        settings += ["[[timesheet.projects]]", f"code = {json.dumps(project.code)}", f"name = {json.dumps(project.name)}"]
        settings.append(f"tasks = {json.dumps(project.tasks)}")
    if history.meetings:
        calendar = folder / "work.ics"
        calendar.write_text(ics(history), encoding="utf-8", newline="")
        settings += ["[[calendars]]", f"file = {json.dumps(str(calendar))}"]
    configuration = home / ".config" / "dayledger" / "dayledger.toml"
    configuration.parent.mkdir(parents=True)
    configuration.write_text("\n".join(settings), encoding="utf-8")


def ics(history):
    """Returns the calendar of a history, with timestamps in UTC."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//truth//EN"]
    for number, meeting in enumerate(history.meetings):
        start, end, name = compact(meeting.start), compact(meeting.end), meeting.name.replace(",", "\\,")
        lines += ["BEGIN:VEVENT", f"UID:{number}@truth", f"DTSTAMP:{start}", f"SUMMARY:{name}"]
        lines += [f"DTSTART:{start}", f"DTEND:{end}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def compact(instant):
    return f"{UTC.local(instant):%Y%m%dT%H%M%SZ}"


def screenshot(clock, instant, folder):
    """Writes a screenshot of one colour. Its name contains the UTC offset, which is one hour in all histories with
    screenshots.
    """
    taken = clock.local(instant)
    file = folder / str(taken.date()) / f"{taken:%Y-%m-%d_%H-%M-%S}_01-00_{WIDTH}_{HEIGHT}_{instant % 1_000_000}_0.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    pixels = zlib.compress((b"\0" + bytes((30, 90, instant % 256)) * WIDTH) * HEIGHT)
    header = struct.pack(">2I5B", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    chunks = b"".join(chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def chunk(kind, data):
    """Returns a chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


class Writer:
    def __init__(self, connection, history):
        self.connection, self.history = connection, history
        self.timelines = self.sequence = 0
        self.commons, self.groups, self.activities = {}, {}, collections.Counter()
        self.hours = collections.Counter()

    def write(self):
        for device in self.history.devices:
            environment = self.environment(device.name)
            self.usage(device, environment)
            self.uses(device, environment)
        if self.history.tags:
            self.tags(self.environment("alex"))
        for (table, *row), seconds in self.hours.items():
            self.insert(table, *row, seconds)
        self.by_year()
        self.summaries()

    def insert(self, table, *values):
        self.connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    def text(self, instant):
        return str(self.history.clock.local(instant))

    def utc(self, instant):
        return str(UTC.local(instant))

    def environment(self, name):
        known = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        programs = ("Windows;10.0.26100.0", ".NET;8.0.11", "ManicTime;2024.3.3.0")
        changed = ("2024-01-02 08:00:00", "1,1", OTHER)
        self.insert("Ar_Environment", known, name, name, None, None, *programs, *changed)
        return known

    def timeline(self, schema, environment, base="Group"):
        self.timelines += 1
        keys = [str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{kind}{self.timelines}")) for kind in ("timeline", "publish")]
        schemas = (f"ManicTime/{schema}", "2.2.0.0", f"ManicTime/Generic/{base}", "2.2.0.0")
        self.insert("Ar_Timeline", self.timelines, *keys, None, *schemas, 0, environment, OTHER)
        return self.timelines

    def change(self):
        self.sequence += 1
        return self.sequence, self.sequence * 7919 % 104729

    def group(self, timeline, kind, key, name, group_type=None):
        """Returns the id of a group, and its common id in all timelines."""
        if (timeline, key) not in self.groups:
            hashed = hashlib.sha1(key.encode()).hexdigest()[:16]
            if (kind, key) not in self.commons:
                common = self.commons[kind, key] = len(self.commons) + 1
                row = (common, kind, hashed, group_type, key, name, COLOR, None, None, None, key.upper())
                self.insert("Ar_CommonGroup", *row)
            common = self.commons[kind, key]
            number = 1 + sum(1 for of, _ in self.groups if of == timeline)
            row = (timeline, number, kind, hashed, key, name, COLOR, 0, None, None, None, group_type, None, common, None)
            self.insert("Ar_Group", *row, *self.change(), OTHER)
            self.groups[timeline, key] = number, common
        return self.groups[timeline, key]

    def activity(self, timeline, name, start, end, *, group=(None, None), tags=(None, None), **more):
        self.activities[timeline] += 1
        number = self.activities[timeline]
        times = (self.text(start), self.utc(start), self.text(end), self.utc(end))
        flags = (more.get("active"), more.get("billable"))
        rest = (more.get("notes"), more.get("related"), None, *self.change(), OTHER)
        self.insert("Ar_Activity", timeline, number, name, *group, *tags, *flags, *times, *rest)
        return number

    def hourly(self, table, timeline, common, activity, start, end):
        """Adds an activity to ManicTime's own totals, by local hour."""
        while start < end:
            until = min(end, self.history.clock.next_hour(start))
            hour = str(self.history.clock.local(start).replace(minute=0, second=0))
            self.hours[f"Ar_{table}ByDay", timeline, hour, common] += until - start
            self.connection.execute("INSERT OR IGNORE INTO Ar_ActivityByHour VALUES (?, ?, ?)", (timeline, hour, activity))
            start = until

    def usage(self, device, environment):
        timeline = self.timeline("ComputerUsage", environment)
        for usage in device.usage:
            key, name = STATES[usage.state]
            group = self.group(timeline, USAGE, key, name)
            active = int(usage.state == "active")
            number = self.activity(timeline, name, usage.start, usage.end, group=group, active=active)
            self.hourly("ComputerUsage", timeline, group[1], number, usage.start, usage.end)

    def uses(self, device, environment):
        timeline = self.timeline("Applications", environment)
        pages = self.timeline("Documents", environment)
        for use in device.uses:
            group = self.group(timeline, APPLICATION, use.app.key, use.app.name)
            number = self.activity(timeline, use.title, use.start, use.end, group=group, active=1)
            self.hourly("Application", timeline, group[1], number, use.start, use.end)
            if use.page:
                self.page(pages, use, number)

    def page(self, timeline, use, related):
        kind, group_type = PAGES[use.page.kind]
        key = use.page.name if use.page.kind == "site" else use.page.text
        group = self.group(timeline, kind, key, use.page.name, group_type)
        number = self.activity(timeline, use.page.text, use.start, use.end, group=group, active=1, related=related)
        self.hourly({"site": "WebSite", "file": "Document"}[use.page.kind], timeline, group[1], number, use.start, use.end)

    def tags(self, environment):
        timeline = self.timeline("Tags", environment, "GroupList")
        lists = {}
        for tag in self.history.tags:
            if tag.parts not in lists:
                lists[tag.parts] = len(lists) + 1
                self.tag_list(timeline, lists[tag.parts], tag)
            number = lists[tag.parts]
            more = {"billable": int(tag.billable), "notes": tag.notes}
            activity = self.activity(timeline, tag.name, tag.start, tag.end, tags=(number, number), **more)
            self.hourly("TagList", timeline, number, activity, tag.start, tag.end)

    def tag_list(self, timeline, number, tag):
        hashed = hashlib.sha1(tag.name.encode()).hexdigest()[:16]
        named = (hashed, tag.name, tag.name, None, int(tag.billable))
        self.insert("Ar_CommonGroupList", number, TAG, *named, tag.name.upper())
        self.insert("Ar_GroupList", timeline, number, TAG, *named, number, None, *self.change(), OTHER)
        for place, part in enumerate(tag.parts):
            self.insert("Ar_GroupListItem", timeline, number, self.group(timeline, TAG, part, part)[0], place)

    def by_year(self):
        for kind in ("Application", "WebSite", "Document", "TagList", "ComputerUsage"):
            self.connection.execute(
                f"INSERT INTO Ar_{kind}ByYear "
                "SELECT ReportId, strftime('%Y-01-01 %H:00:00', Hour), CAST(strftime('%w', Hour) AS int), CommonId, "
                f"sum(TotalSeconds) FROM Ar_{kind}ByDay GROUP BY 1, 2, 3, 4"
            )

    def summaries(self):
        edges = "ActivityId, {0}LocalTime, {0}UtcTime FROM Ar_Activity WHERE ReportId = ? ORDER BY {0}UtcTime {1} LIMIT 1"
        for timeline in range(1, self.timelines + 1):
            ends = []
            for edge, order in (("Start", ""), ("End", "DESC")):
                ends += self.connection.execute(f"SELECT {edges.format(edge, order)}", (timeline,)).fetchone()
            self.insert("Ar_TimelineSummary", timeline, *ends, *ends)
