"""Writes a history with ActivityWatch's own storage, or starts its server and passes queries on to the server. Runs in
the environment of `packages/activitywatch.txt`.

    activitywatch_worker.py write FILE LAST_DAY DAYS WINDOWS_PER_DAY
    activitywatch_worker.py serve HOME
"""

import datetime
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time

START_SECONDS = 60
END_SECONDS = 10
DAY_STARTS, DAY_SECONDS = 7 * 3600, 10 * 3600
# If the gap between two events is at most five seconds, ActivityWatch and dayledger add half of the gap to each event.
# The gaps in this history are two seconds long. Half of a gap is a whole second, so the totals of both programs are
# equal.
GAP = 2
APPS = ["Code.exe", "firefox.exe", "OUTLOOK.EXE", "Teams.exe", "WINWORD.EXE", "Explorer.EXE"]
WINDOWS, PRESENCE, TABS, EDITOR = range(1, 5)
BUCKETS = {
    WINDOWS: ("aw-watcher-window_desk", "currentwindow"),
    PRESENCE: ("aw-watcher-afk_desk", "afkstatus"),
    TABS: ("aw-watcher-web-firefox_desk", "web.tab.current"),
    EDITOR: ("aw-watcher-vscode_desk", "app.editor.activity"),
}
# The active time of each application, with the same query as ActivityWatch's own page.
QUERY = [
    f'events = flood(query_bucket("{BUCKETS[WINDOWS][0]}"));',
    f'presence = flood(query_bucket("{BUCKETS[PRESENCE][0]}"));',
    'present = filter_keyvals(presence, "status", ["not-afk"]);',
    "events = filter_period_intersect(events, present);",
    'RETURN = merge_events_by_keys(events, ["app"]);',
]


def write(file, last_day, days, windows_per_day):
    from aw_datastore.storages import PeeweeStorage

    storage = PeeweeStorage(testing=False, filepath=file)
    end = datetime.datetime.fromisoformat(last_day).replace(tzinfo=datetime.timezone.utc)
    begin = end - datetime.timedelta(days)
    for name, kind in BUCKETS.values():
        storage.create_bucket(name, kind, name.rpartition("_")[0], "desk", begin.isoformat(), name)
    storage.db.close()
    numbers = random.Random(7)
    with sqlite3.connect(file) as database:
        keys = dict(database.execute("SELECT id, key FROM bucketmodel"))
        for day in range(days):
            midnight = begin + datetime.timedelta(day)
            rows = sorted(events_of_day(numbers, windows_per_day))
            database.executemany(
                "INSERT INTO eventmodel (bucket_id, timestamp, duration, datastr) VALUES (?, ?, ?, ?)",
                [
                    (keys[BUCKETS[bucket][0]], str(midnight + datetime.timedelta(seconds=start)), end - start, data)
                    for start, end, bucket, data in rows
                ],
            )


def events_of_day(numbers, windows_per_day):
    """Yields each event: its start and end in seconds, its bucket and its data."""
    at, last = DAY_STARTS, DAY_STARTS + DAY_SECONDS
    while at < last:
        away = min(at + numbers.randrange(2400, 5400), last)
        back = away + numbers.randrange(180, 900)
        yield at, away, PRESENCE, json.dumps({"status": "not-afk"})
        yield away + GAP, back, PRESENCE, json.dumps({"status": "afk"})
        at = back + GAP
    at, longest = DAY_STARTS, 2 * DAY_SECONDS // windows_per_day - GAP
    while at < last:
        end = at + numbers.randrange(longest)
        app = numbers.choice(APPS)
        title = f"document {numbers.randrange(3000)} - {app} - a title of usual length"
        yield at, end, WINDOWS, json.dumps({"app": app, "title": title})
        if app == "firefox.exe":
            url = f"https://site{numbers.randrange(200)}.example/page/{numbers.randrange(9000)}?q=1"
            tab = {"url": url, "title": title, "audible": False, "incognito": False, "tabCount": 9}
            yield at, end, TABS, json.dumps(tab)
        if app == "Code.exe":
            file = f"/home/anna/p{numbers.randrange(20)}/src/f{numbers.randrange(400)}.rs"
            edit = {"file": file, "project": "/home/anna/p1", "language": "rust", "branch": "main"}
            yield at, end, EDITOR, json.dumps(edit)
        at = end + GAP


def serve(home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"XDG_{kind}_HOME": str(pathlib.Path(home) / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    program = pathlib.Path(sys.executable).with_name("aw-server")
    server = subprocess.Popen(
        [program, "--host", "127.0.0.1", "--port", str(port)],
        env={**os.environ, "HOME": home, **own},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait(server, port)
        for line in sys.stdin:
            print(json.dumps({} if line == "ready\n" else active_seconds(port, *line.split())), flush=True)
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()


def active_seconds(port, start, end):
    period = f"{start}T00:00:00+00:00/{end}T00:00:00+00:00"
    (events,) = request(port, "POST", "query/", {"query": QUERY, "timeperiods": [period]})
    return {event["data"]["app"]: round(event["duration"]) for event in events}


def wait(server, port):
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            return request(port, "GET", "info")
        except OSError:
            if server.poll() is not None or time.monotonic() > end:
                raise SystemExit("the server doesn't respond") from None
            time.sleep(0.02)


def request(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    content = None if body is None else json.dumps(body)
    connection.request(method, f"/api/0/{path}", content, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    connection.close()
    if response.status != 200:
        raise SystemExit(f"the server returns status {response.status}: {answer[:500]!r}")
    return json.loads(answer)


if __name__ == "__main__":
    mode, *arguments = sys.argv[1:]
    if mode == "write":
        file, last_day, *sizes = arguments
        write(file, last_day, *map(int, sizes))
    else:
        serve(*arguments)
