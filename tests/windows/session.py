"""Runs a client's session with the program for Windows, over pipes and with Windows line endings. A second Windows
program writes the history. At the end, checks two features that exist only on Windows: the registry, and locks of open
files.
"""

import json
import queue
import subprocess
import threading
import time

import beside
from failure import Failure, holds, kill
from ways import DAY, NEXT_DAY, Ways, can_be_asked
from wine import drive_path

REVISION = "2025-06-18"
ANSWER_SECONDS = 120
# For subscribers, the server checks the history every 30 seconds. It closes the history after 5 seconds without use.
NEWS_SECONDS, FREE_SECONDS = 90, 60
MODES = ("delete", "wal")
DATES = "manictime://data-range"
LAST_DAY, DAYS = "2025-01-21", "3"
KEY = r"Software\Finkit\ManicTime"
# A statement that adds a minute after the last activity of the applications timeline.
ONE_MORE = """INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, StartLocalTime, StartUtcTime, EndLocalTime, EndUtcTime,
CurrentChangeSequence, CurrentChangeRandomValue)
SELECT ReportId, 1 + (SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = last.ReportId), 'more', GroupId, EndLocalTime,
EndUtcTime, datetime(EndLocalTime, '60 seconds'), datetime(EndUtcTime, '60 seconds'),
1 + (SELECT max(CurrentChangeSequence) FROM Ar_Activity), 4711
FROM Ar_Activity AS last ORDER BY EndLocalTime DESC LIMIT 1"""


def check(wine, dayledger, writer):
    """Runs every check. `writer` is the test program, which starts itself again as a second writer."""
    history = wine.scratch / "history"
    demo = [dayledger, "demo", drive_path(history), "--until", LAST_DAY, "--days", DAYS]
    wine.said(demo, "`dayledger demo`")
    written = wine.scratch / "written"
    written.mkdir()
    server = [dayledger, "--data-dir", drive_path(history), "serve", "--allow-write", drive_path(written)]
    for mode in MODES:
        with Writer(wine, writer, history) as other:
            other.run(f"PRAGMA journal_mode = {mode}")
            with Session(wine, server) as session:
                if mode == MODES[0]:
                    every_tool(session)
                    screenshots(session, written)
                changes(session, other, mode)
                other.close()
                let_go(wine, session, history, mode)
    registry(wine, dayledger, history)
    with Session(wine, [dayledger, "--demo", "serve", "--toolsets", "timesheet,notes"]) as session:
        tools = {tool["name"] for tool in session.ask("tools/list", {})["tools"]}
        called = beside.timesheet(session) | beside.notes(session)
        holds(called == tools, f"not every tool for timesheets and notes was called: {called ^ tools}")


class Lines:
    """A Windows program with its pipes. Its output is read as soon as it arrives."""

    def __init__(self, wine, command, **environment):
        self.process = subprocess.Popen(
            ["wine", *map(str, command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**wine.environment, **environment},
            cwd=wine.scratch,
            start_new_session=True,
        )
        self.said, self.complaints = queue.Queue(), []
        for stream, keep in ((self.process.stdout, self.said.put), (self.process.stderr, self.complaints.append)):
            threading.Thread(target=self.read, args=(stream, keep), daemon=True).start()

    def read(self, stream, keep):
        for line in stream:
            keep(line)
        keep(b"")

    def write(self, line):
        self.process.stdin.write(line.encode() + b"\r\n")
        self.process.stdin.flush()

    def next(self, until):
        """Returns the next line. Fails if the line doesn't arrive before `until`."""
        try:
            line = self.said.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise Failure("a Windows program says nothing any more") from None
        if not line:
            raise Failure(f"a Windows program has ended:\n{b''.join(self.complaints).decode(errors='replace')}")
        return line

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            kill(self.process)


class Writer(Lines):
    """Another process with a connection to the history. Writes like ManicTime."""

    ANSWER = b"answer:"

    def __init__(self, wine, program, history):
        test = ["manictime::writer_process::writer_process_main", "--exact", "--ignored", "--nocapture"]
        database = drive_path(history / "ManicTimeReports.db")
        super().__init__(wine, [program, *test], DAYLEDGER_TEST_WRITES=database)

    def run(self, order):
        self.write(order.replace("\n", " "))
        until = time.monotonic() + ANSWER_SECONDS
        while True:
            _, answer, complaint = self.next(until).partition(self.ANSWER)
            if answer:
                holds(not complaint.strip(), f"the writer next to the server: {complaint.decode(errors='replace')}")
                return

    def close(self):
        self.run("close")
        self.process.wait(timeout=ANSWER_SECONDS)


class Session(Lines):
    """A client that has completed its handshake with the server."""

    def __init__(self, wine, command):
        super().__init__(wine, command)
        self.number, self.news = 0, []
        client = {"name": "tests", "version": "1"}
        self.ask("initialize", {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client})
        self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def ask(self, method, parameters):
        """Returns the result of a request."""
        self.number += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}))
        until = time.monotonic() + ANSWER_SECONDS
        while True:
            message = self.message(until)
            if message.get("id") == self.number:
                holds("result" in message, f"`{method}`: {message.get('error')}")
                return message["result"]

    def message(self, until):
        line = self.next(until)
        holds(line.endswith(b"\n") and not line.endswith(b"\r\n"), "a message does not end in a line feed alone")
        message = json.loads(line)
        if message.get("method") == "notifications/resources/updated":
            self.news.append(message["params"]["uri"])
        return message

    def text(self, name, arguments):
        """Returns the text of a tool's result."""
        return "".join(block.get("text", "") for block in self.tool(name, arguments)["content"])

    def tool(self, name, arguments):
        result = self.ask("tools/call", {"name": name, "arguments": arguments})
        text = "".join(block.get("text", "") for block in result["content"])
        holds(not result.get("isError"), f"`{name}`: {text}")
        return result

    def hear(self, uri):
        """Waits until the server reports that the resource at `uri` has changed."""
        until = time.monotonic() + NEWS_SECONDS
        while uri not in self.news:
            self.message(until)
        self.news.clear()


def every_tool(session):
    tools = {tool["name"]: tool for tool in session.ask("tools/list", {})["tools"]}
    ways = Ways(session.tool("get_timelines", {})["structuredContent"]["timelines"])
    called = 0
    for name, tool in tools.items():
        if can_be_asked(tool):
            session.tool(name, ways.plain(tool))
            called += 1
    print(f"session: {called} of {len(tools)} tools respond; the others are called with a screenshot", flush=True)


def screenshots(session, written):
    listed = session.tool("list_screenshots", {"startDate": DAY, "endDate": NEXT_DAY})["structuredContent"]
    reference = {"screenshotRef": next(it["screenshotRef"] for it in listed["screenshots"] if it.get("width"))}
    for name, arguments in (
        ("get_screenshot", {}),
        ("crop_screenshot", {"x": 25, "y": 25, "width": 50, "height": 50, "coordinateUnits": "percent"}),
    ):
        content = session.tool(name, {**reference, **arguments})["content"]
        holds(any(block["type"] == "image" for block in content), f"`{name}` shows no image")
    session.tool("save_screenshot", {**reference, "outputPath": r"kept\morning.jpg"})
    picture = (written / "kept" / "morning.jpg").read_bytes()
    holds(picture.startswith(b"\xff\xd8"), "the copy of a screenshot is not a JPEG")
    print("session: a screenshot is listed, shown, cropped and saved", flush=True)


def changes(session, other, mode):
    """Checks that a subscriber is notified of another process's changes, and that the next result contains these
    changes.
    """
    count = "SELECT count(*) AS n FROM activities"
    before = session.tool("query", {"sql": count})["structuredContent"]["rows"]
    session.ask("resources/subscribe", {"uri": DATES})
    session.news.clear()
    other.run(ONE_MORE)
    session.hear(DATES)
    after = session.tool("query", {"sql": count})["structuredContent"]["rows"]
    holds(before != after, f"the response in mode `{mode}` lacks rows of another process")
    session.ask("resources/unsubscribe", {"uri": DATES})
    print(f"session: a subscriber hears of what a second process writes, journal mode `{mode}`", flush=True)


def let_go(wine, session, history, mode):
    """Checks that the file can be replaced while the server is idle."""
    until = time.monotonic() + FREE_SECONDS
    command = ["cmd", "/c", "ren", drive_path(history / "ManicTimeReports.db"), "away.db"]
    while not (history / "away.db").exists():
        holds(time.monotonic() < until, f"a server that idles keeps the history open, journal mode `{mode}`")
        wine.status(command, "`ren`")
    (history / "away.db").rename(history / "ManicTimeReports.db")
    session.tool("get_timelines", {})
    print(f"session: a server that idles lets go of the history, journal mode `{mode}`", flush=True)


def registry(wine, dayledger, history):
    """Checks that the history is found through ManicTime's settings in the registry, otherwise in its default
    folder.
    """
    local = wine.said(["cmd", "/c", "echo %LOCALAPPDATA%"], "`echo`").strip()
    usual = wine.unix_path(local) / "Finkit" / "ManicTime"
    moved = wine.unix_path(local) / "moved"
    for folder in (usual, moved):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ManicTimeReports.db").write_bytes((history / "ManicTimeReports.db").read_bytes())

    def found():
        health = json.loads(wine.said([dayledger, "doctor", "--json"], "`dayledger doctor`"))
        return health["foundBy"], health["database"].lower()

    def place(folder):
        return "the default folder", f"{folder}\\ManicTimeReports.db".lower()

    wine.forget(KEY)
    for value, folder in (
        (None, rf"{local}\Finkit\ManicTime"),
        (r"[LocalApplicationData]\moved", rf"{local}\moved"),
        (drive_path(history), drive_path(history)),
    ):
        if value:
            wine.register(KEY, "DataDirectory", value)
        holds(found() == place(folder), f"with `{value}` in the registry the history is found at {found()}")
    wine.forget(KEY)
    print("session: the history is found by the registry and in its usual place", flush=True)
