"""Measures the response times of `dayledger serve`. Other engines have no equivalent."""

import datetime
import json
import statistics

from asking import Process
from failure import Failure
from histories import LAST_DAY

LAST = datetime.date.fromisoformat(LAST_DAY)
WAIT_SECONDS = 60
PROCESSES, CALLS = 7, 20
TOOLS = {
    "narrative of a day": ("get_activity_narrative", 1),
    "summary of 31 days": ("get_period_summary", 31),
}


def measure(program, history, environment):
    """Returns, for each tool, the seconds of a cold process, of the first call and of further calls, and the peak
    memory.
    """
    command = [program, "serve", "--data-dir", history.folder]
    started = []
    found = {}
    for what, (tool, days) in TOOLS.items():
        call = request(2, "tools/call", name=tool, arguments=dates(days))
        cold = []
        for _ in range(PROCESSES):
            with Process(command, environment) as server:
                begin(server)
                ask(server, call)
                server.end()
            started.append(server.at[0])
            cold.append(server.at[-1])
        with Process(command, environment) as server:
            begin(server)
            # This request needs no data from the history.
            ask(server, request(2, "tools/list"))
            for _ in range(CALLS + 1):
                ask(server, call)
            server.end()
        _, _, first, *again = server.took
        found[what] = {
            "cold": statistics.median(cold),
            "first": first,
            "again": statistics.median(again),
            "peak": server.peak,
        }
    found["start until the response to `initialize`"] = {"cold": statistics.median(started)}
    return found


def begin(server):
    """Sends the first request of a session. The server responds with a description of itself."""
    client = {"name": "benchmark", "version": "1"}
    said = ask(server, request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client))
    server.say(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
    return said


def request(number, method, **parameters):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}) + "\n"


def ask(server, text):
    answer = server.ask(text, WAIT_SECONDS)
    if answer is None:
        raise Failure(f"{server.what} does not answer within {WAIT_SECONDS} s")
    if "result" not in answer or answer["result"].get("isError"):
        raise Failure(f"{server.what} answers {json.dumps(answer)[:500]}")
    return answer["result"]


def dates(days):
    return {"startDate": str(LAST - datetime.timedelta(days)), "endDate": LAST_DAY}
