"""Runs the official conformance suite for each protocol version. `expected-failures.yml` lists the tests that fail,
each with its reason. A listed test that passes also counts as a failure.
"""

import contextlib
import pathlib
import re
import subprocess
import threading

import installation
from failure import Failure, kill, outcome

SUITE = "@modelcontextprotocol/conformance/dist/index.js"
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected-failures.yml"
REVISIONS = ("2025-11-25", "2026-07-28")
COLOUR = re.compile(r"\x1b\[\d*m")
START_SECONDS = 30
SUITE_SECONDS = 180


def install(installed):
    return installation.npm_package(installed, SUITE)


def run(command, place):
    for line in EXPECTED.read_text().splitlines():
        if line.strip().startswith("- ") and " # " not in line:
            raise Failure(f"`{EXPECTED.name}` gives no reason for `{line.strip()}`")
    with http_server(place) as url:
        for revision in REVISIONS:
            conform(command, url, revision, place)


@contextlib.contextmanager
def http_server(place):
    """Starts the server with the feature `http`. Yields its URL, and stops the server at the end."""
    server = subprocess.Popen(
        [str(place.http), str(place.history)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=place.environment,
        start_new_session=True,
    )
    try:
        yield address(server)
    finally:
        kill(server)


def address(server):
    """Returns the address that the server prints when it is ready."""
    watch = threading.Timer(START_SECONDS, server.kill)
    watch.start()
    url = server.stdout.readline().strip()
    watch.cancel()
    if not url:
        raise Failure("the server with the feature `http` did not start; see its output above")
    return url


def conform(command, url, revision, place):
    suite = [*command, "server", "--url", url, "--requirements", revision, "--expected-failures", EXPECTED]
    results = place.scratch / f"conformance-{revision}"
    status, output, complaint = outcome(
        [*suite, "--output-dir", results],
        f"the conformance suite ({revision})",
        SUITE_SECONDS,
        environment=place.environment,
        directory=place.scratch,
    )
    verdicts = COLOUR.sub("", output).partition("=== SUMMARY ===")[2]
    if status != 0:
        # The suite prints unexpected failures last, after the expected failures.
        wrong = re.search(r"^(Unexpected|Stale).*", verdicts, re.DOTALL | re.MULTILINE)
        details = wrong.group() if wrong else f"{complaint}\n{verdicts}"
        raise Failure(f"the conformance suite ({revision}) ended with status {status}:\n{details}")
    passed = sum(line.startswith("✓") for line in verdicts.splitlines())
    print(f"conformance, {revision}: {passed} scenarios passed whole, the others fail as expected", flush=True)
