"""Tests `dayledger-fleet push` and `pull` with third-party object storage. In turn, the S3 server works, is busy, lacks
an object, and has stopped.
"""

import contextlib
import pathlib
import select
import subprocess
import urllib.request

import installation
from failure import child, holds, kill, outcome

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60
TEAM = "s3://hours/of/all"
STATEMENT = "SELECT person, date, active_seconds FROM day_summary ORDER BY person, date"


def install(installed):
    return [installation.python(installed, "storage")]


def run(interpreter, place):
    team, copy = place.scratch / "team", place.scratch / "copy"
    for person in ("anna", "bela"):
        export = [place.dayledger, "--data-dir", place.history, "export", "--person", person, "--out", team]
        child([*export, "--tables", "segments,day_summary"], "an export", SECONDS, environment=place.environment)
    with server(interpreter) as address:
        fleet = Fleet(place, address)
        ask(address, "hours", "PUT")
        pushed = fleet.does("push", "--from", team, "--to", TEAM)
        holds([line.endswith(" of them changed") for line in pushed.splitlines()] == [True, True], pushed)
        fleet.does("pull", "--from", TEAM, "--to", copy)
        holds(files(team) == files(copy) and len(files(copy)) > 4, "a copy is not the same")
        results = [fleet.does("sql", "--format", "csv", "--from", folder, STATEMENT) for folder in (team, copy)]
        holds(results[0] == results[1] and len(results[0].splitlines()) > 40, "a copy returns other rows")

        before = int(ask(address, "-/transfers"))
        again = fleet.does("push", "--from", team, "--to", TEAM) + fleet.does("pull", "--from", TEAM, "--to", copy)
        holds(again.count("none changed") == 4, again)
        after = int(ask(address, "-/transfers"))
        holds(before > 0 and after == before, f"unchanged files were transferred {after - before} times more")
        print("pushed, pulled, and nothing twice: ok", flush=True)

        next((copy / "person=anna").rglob("segments.parquet")).unlink()
        ask(address, "-/refuse/3")
        holds("1 of them changed" in fleet.does("pull", "--from", TEAM, "--to", copy), "a busy server got no second request")
        ask(address, "-/refuse/1000000")
        fleet.fails("503", "push", "--from", team, "--to", TEAM, "--wait", "2")
        fleet.fails("503", "pull", "--from", TEAM, "--to", copy, "--wait", "2")
        ask(address, "-/refuse/0")
        holds(files(team) == files(copy), "a busy server changed a copy")
        fleet.fails("cannot be", "push", "--from", team, "--to", "s3://nowhere/of/all")
        fleet.fails("no export", "pull", "--from", "s3://hours/of/nobody", "--to", copy)
        print("a busy server, and one without the export: ok", flush=True)
    fleet.fails("cannot be", "pull", "--from", TEAM, "--to", copy, "--wait", "2")
    holds(files(team) == files(copy), "a stopped server changed a copy")
    print("a server that is gone: ok", flush=True)


class Fleet:
    """The program `dayledger-fleet`, with this server as its storage."""

    def __init__(self, place, address):
        self.program = place.fleet
        storage = {"AWS_ENDPOINT_URL": address, "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1"}
        credentials = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "secret"}
        self.environment = {**place.environment, **storage, **credentials}

    def does(self, *arguments):
        return child([self.program, *arguments], arguments[0], SECONDS, environment=self.environment)

    def fails(self, word, *arguments):
        """Checks that the command fails, with the error on one line and a hint on the next line."""
        status, output, complaint = outcome([self.program, *arguments], arguments[0], SECONDS, environment=self.environment)
        lines = complaint.splitlines()
        holds(status == 1 and len(lines) == 2 and word in lines[0] and lines[1].startswith("hint: "), complaint or output)


@contextlib.contextmanager
def server(interpreter):
    """Starts a server, and yields its address."""
    running = subprocess.Popen(
        [str(part) for part in (*interpreter, HERE / "storage_server.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        ready, _, _ = select.select([running.stdout], [], [], SECONDS)
        port = running.stdout.readline().strip() if ready else ""
        holds(port.isdigit(), "the server for storage did not start")
        yield f"http://127.0.0.1:{port}"
    finally:
        kill(running)
        running.stdout.close()


def ask(address, path, method="GET"):
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(urllib.request.Request(f"{address}/{path}", method=method), timeout=SECONDS) as answer:
        return answer.read()


def files(folder):
    """Returns the content of an export's files by name."""
    own = ("manifest.json", ".parquet")
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.name.endswith(own)}
