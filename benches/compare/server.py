"""Measures the response times of `dayledger serve`. Other engines have no equivalent."""

import json
import statistics
import time

from asking import Process
from failure import Failure
from measuring import PAUSE_SECONDS, last_span, other_spans

WAIT_SECONDS = 60
PROCESSES, CALLS = 7, 20
# Each response, with the days that it is about and the call. `start` and `end` are dates, and the end is exclusive.
TOOLS = {
    "narrative of a day": (1, "get_activity_narrative", lambda start, end: {"startDate": start, "endDate": end}),
    "blocks of a day": (
        1,
        "get_activity_narrative",
        lambda start, end: {"startDate": start, "endDate": end, "detail": "blocks"},
    ),
    "summary of a day": (1, "get_daily_summary", lambda start, _: {"date": start}),
    "total of a day with `query`": (
        1,
        "query",
        lambda start, end: {"sql": f"SELECT key, sum(seconds) FROM pieces('{start}', '{end}') GROUP BY key"},
    ),
    "summary of 31 days": (31, "get_period_summary", lambda start, end: {"startDate": start, "endDate": end}),
}


def measure(program, history, environment):
    """Returns, for each tool, the seconds of a cold process, of the first call, of calls about other days and of the
    same call again, and the peak memory.
    """
    command = [program, "serve", "--data-dir", history.folder]
    started = []
    found = {}
    for what, (days, tool, arguments) in TOOLS.items():

        def call(span):
            return request(2, "tools/call", name=tool, arguments=arguments(*span))

        last = call(last_span(days))
        cold = []
        for _ in range(PROCESSES):
            with Process(command, environment) as server:
                begin(server)
                ask(server, last)
                server.end()
            started.append(server.at[0])
            cold.append(server.at[-1])
        others = [call(span) for span in other_spans(history, days, CALLS)]
        with Process(command, environment) as server:
            begin(server)
            # This request needs no data from the history.
            ask(server, request(2, "tools/list"))
            for _ in range(1 + CALLS):
                ask(server, last)
            time.sleep(PAUSE_SECONDS)
            for text in others:
                ask(server, text)
            server.end()
        _, _, first, *later = server.took
        found[what] = {
            "cold": statistics.median(cold),
            "first": first,
            "again": statistics.median(later[:CALLS]),
            "new": statistics.median(later[CALLS:]),
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
