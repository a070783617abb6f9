"""Checks that ActivityWatch's own server can write while dayledger runs queries. Every event that the server
acknowledged must be in its file.

Without a write-ahead log, a reader that locks the file for five seconds makes the server lose an event. Therefore the
check runs with the last version of the library that stores files without such a log, and with a newer version. The
events of a month are written first, so that a read takes some time.
"""

import contextlib
import datetime
import http.client
import itertools
import json
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request

import installation
from failure import child, holds, kill

JOURNALS = {"activitywatch": "delete", "activitywatch-log": "wal"}
QUESTIONS = 1000
# Each new process reads the whole history, which takes longer than a query to a running server.
QUESTIONS_PER_PROCESS = 50
EARLIER_EVENTS = 20_000
START_SECONDS, ANSWER_SECONDS, END_SECONDS = 60, 60, 20
WINDOWS, PRESENCE = "aw-watcher-window_desk", "aw-watcher-afk_desk"
# Heartbeats with the same title become one event. The length of this event grows with each heartbeat.
HEARTBEATS = 5


def install(installed):
    return [installation.python(installed, name) for name in JOURNALS]


def run(interpreters, place):
    for interpreter, (name, journal) in zip(interpreters, JOURNALS.items()):
        home = place.scratch / name
        home.mkdir()
        program = installation.program(interpreter.parent.parent, "aw-server")
        with ActivityWatch(program, home, place.environment) as server:
            server.fill()
            holds(read(server.file, "PRAGMA journal_mode") == [(journal,)], f"the file of `{name}` has another journal")
            writer = Writer(server)
            longest = ask(place, server.file, writer)
            writes, slowest = writer.end()
        lost = missing(server.file, writes)
        holds(not lost, f"{len(lost)} of {writes} acknowledged writes are not in the file, such as {lost[:3]}")
        print(
            f"journal {journal}: {QUESTIONS} answers, the longest after {longest:.1f} s, lost none of {writes} writes; "
            f"the longest write took {slowest:.1f} s",
            flush=True,
        )


class ActivityWatch:
    """A running server with an empty history."""

    def __init__(self, program, home, environment):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address, self.home = f"http://127.0.0.1:{port}/api/0", home
        self.command = [program, "--host", "127.0.0.1", "--port", str(port)]
        folders = {"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home / "local"}
        folders |= {f"XDG_{name}_HOME": home / name.lower() for name in ("CONFIG", "DATA", "CACHE")}
        self.environment = {**environment, **{name: str(folder) for name, folder in folders.items()}}
        self.file = None

    def __enter__(self):
        with (self.home / "log").open("w") as log:
            self.running = subprocess.Popen(
                self.command, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(OSError):
                self.send("info")
                break
            holds(self.running.poll() is None and time.monotonic() < end, f"aw-server did not start:\n{self.log()}")
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.running.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.running.wait(END_SECONDS)
        kill(self.running)

    def log(self):
        return (self.home / "log").read_text()[-2000:]

    def send(self, path, body=None):
        """Returns the server's response to a request. Raises an `OSError` if there is no response, or if the
        response is an error.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/{path}", data, {"Content-Type": "application/json"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=ANSWER_SECONDS) as answer:
            return answer.read()

    def fill(self):
        """Creates buckets, and writes the windows of the month before today."""
        for bucket, kind in ((WINDOWS, "currentwindow"), (PRESENCE, "afkstatus")):
            self.send(f"buckets/{bucket}", {"client": "test", "type": kind, "hostname": "desk"})
        step = datetime.timedelta(days=30) / EARLIER_EVENTS
        first = now() - datetime.timedelta(days=31)
        events = [event(first + number * step, step.total_seconds() - 1, f"earlier {number}") for number in range(EARLIER_EVENTS)]
        for begin in range(0, EARLIER_EVENTS, 1000):
            self.send(f"buckets/{WINDOWS}/events", events[begin : begin + 1000])
        self.file = next(self.home.rglob("peewee-sqlite.v2.db"))


class Writer:
    """Writes heartbeats one after the other until `end` is called, as fast as the server responds."""

    def __init__(self, server):
        self.server, self.count, self.slowest, self.refusal = server, 0, 0.0, None
        self.is_ended = threading.Event()
        self.thread = threading.Thread(target=self.write, daemon=True)
        self.thread.start()

    def write(self):
        first = now() - datetime.timedelta(hours=20)
        for number in itertools.count():
            if self.is_ended.is_set():
                return
            at = first + datetime.timedelta(seconds=number)
            begin = time.monotonic()
            try:
                self.server.send(f"buckets/{WINDOWS}/heartbeat?pulsetime=2", event(at, 0, title_of(number)))
            except (OSError, http.client.HTTPException) as error:
                details = error.read().decode(errors="replace") if isinstance(error, urllib.error.HTTPError) else ""
                self.refusal = f"ActivityWatch refused write {number}: {error} {details}"
                return
            self.slowest = max(self.slowest, time.monotonic() - begin)
            self.count = number + 1

    def end(self):
        """Ends the writing. Returns the number of writes, and the seconds that the longest write took."""
        self.is_ended.set()
        self.thread.join(ANSWER_SECONDS)
        holds(self.refusal is None, f"{self.refusal}\n{self.server.log()}")
        return self.count, self.slowest


def ask(place, file, writer):
    """Runs all queries while `writer` writes. Returns the seconds that the longest query took."""
    history = ["--source", "activitywatch", "--data-dir", file]
    today = now().date()
    days = {"startDate": str(today - datetime.timedelta(days=1)), "endDate": str(today + datetime.timedelta(days=1))}
    month = {**days, "startDate": str(today - datetime.timedelta(days=30))}
    count = "SELECT count(*) AS events FROM activities WHERE role = 'applications'"
    questions = itertools.cycle(
        [
            ("get_daily_summary", {"date": str(today)}),
            ("get_application_usage", days),
            ("get_period_summary", month),
            ("find_activity", {**month, "words": "written"}),
            ("query", {"sql": count}),
        ]
    )
    longest = 0.0
    with Session([place.dayledger, *history, "serve"], place.environment) as session:
        for number, (tool, arguments) in enumerate(itertools.islice(questions, QUESTIONS)):
            begin = time.monotonic()
            session.call(tool, arguments)
            longest = max(longest, time.monotonic() - begin)
            if number % QUESTIONS_PER_PROCESS == 0:
                command = [place.dayledger, *history, "day", str(today)]
                child(command, "`day`", ANSWER_SECONDS, environment=place.environment)
            holds(writer.refusal is None, writer.refusal)
    holds(writer.count > 0, "ActivityWatch wrote nothing meanwhile")
    return longest


class Session:
    """A session with the MCP server that runs one call at a time."""

    def __init__(self, command, environment):
        self.command, self.environment, self.number = command, environment, 0

    def __enter__(self):
        self.running = subprocess.Popen(
            [str(part) for part in self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=self.environment,
            start_new_session=True,
        )
        client = {"name": "writes", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_):
        self.running.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.running.wait(END_SECONDS)
        kill(self.running)
        self.running.stdout.close()

    def send(self, message):
        self.running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.running.stdin.flush()

    def request(self, method, parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        for line in self.running.stdout:
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                holds("result" in message, f"`{method}`: {message}")
                return message["result"]
        holds(False, f"the server ended at `{method}`")

    def call(self, tool, arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        holds(not result.get("isError"), f"`{tool}` of {arguments}: {result['content']}")
        return result["structuredContent"]


def missing(file, writes):
    """Returns the titles of acknowledged writes whose event is not in the file or is too short."""
    lengths = {}
    for data, seconds in read(file, "SELECT datastr, duration FROM eventmodel"):
        title = json.loads(data).get("title", "")
        lengths[title] = max(seconds, lengths.get(title, seconds))
    last = {title_of(number): number % HEARTBEATS for number in range(writes)}
    return [title for title, seconds in last.items() if lengths.get(title, -1) < seconds]


def title_of(number):
    return f"written {number // HEARTBEATS}"


def event(start, seconds, title):
    return {"timestamp": start.isoformat(), "duration": seconds, "data": {"app": "editor", "title": title}}


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def read(file, sql):
    with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        return database.execute(sql).fetchall()
