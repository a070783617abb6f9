"""Checks hours and notes in a session with the program for Windows, with sample data."""

import json
import re

from failure import holds
from ways import DAY

ENTRY = {
    "projectCode": "INTERNAL",
    "task": "Development",
    "startDate": DAY,
    "standardHours": 1.5,
    "description": "Größe, by a client",
}
RECORD = "# Stand-up\n\n## TL;DR\n\nGrößen are checked.\n\n## Action Items\n\n- [ ] Look at the retries — @me\n"
RESOURCES = ("note://today", "note://recent", "note://config", "timesheet://context")


def confirmed(session, name, arguments):
    """Calls a tool whose change the user must confirm: the second call contains the code of the first error."""
    result = session.ask("tools/call", {"name": name, "arguments": arguments})
    error = json.loads(result["content"][0]["text"])["error"]
    holds(error["code"] == "CONFIRMATION_REQUIRED", f"`{name}` asks for no confirmation: {error}")
    return session.tool(name, {**arguments, "confirm": error["allowedValues"][0]})


def timesheet(session):
    """Drafts, logs, changes, moves, submits and deletes hours. Returns the names of the tools that were called."""
    session.tool("get_available_projects", {})
    draft = session.tool("suggest_time_entries", {"startDate": "yesterday"})["structuredContent"]
    holds("days" in draft, "no day is drafted")
    first, other = (session.tool("log_time", ENTRY)["structuredContent"]["id"] for _ in range(2))
    session.tool("update_time_entry", {"id": first, "updates": {"standardHours": 2}})
    session.tool("move_task_to_project", {"entryId": first, "newProjectCode": "INTERNAL", "newTask": "Testing"})
    confirmed(session, "delete_time_entry", {"id": other})
    confirmed(session, "submit_time_entry", {"id": first})
    entries = session.tool("query_time_entries", {"startDate": DAY, "endDate": DAY})["structuredContent"]["entries"]
    # The ledger may already contain entries of an earlier session.
    session.tool("start_timer", {"projectCode": "INTERNAL", "task": "Testing"})
    holds("timer" in session.tool("get_timer", {})["structuredContent"], "the timer isn't running")
    session.tool("stop_timer", {"discard": True})
    kept = {it["id"]: (it["task"], it["standardHours"], it["description"], it["status"]) for it in entries}
    entry = kept.get(first)
    holds(entry == ("Testing", 2.0, ENTRY["description"], "SUBMITTED"), f"the ledger contains the entry {entry}")
    holds(other not in kept, "an entry that was deleted is still there")
    print("session: hours are drafted, logged, changed, moved, deleted and submitted", flush=True)
    return {
        "get_available_projects",
        "suggest_time_entries",
        "log_time",
        "update_time_entry",
        "move_task_to_project",
        "delete_time_entry",
        "submit_time_entry",
        "query_time_entries",
        "start_timer",
        "get_timer",
        "stop_timer",
    }


def notes(session):
    """Lists, processes and writes a note, and reads its versions. Returns the names of the tools that were called."""
    listed = session.text("list_notes", {"limit": 100})
    path = re.search(r"^\d+\. (\S+\.md) - .*(?<!✓)$", listed, re.MULTILINE).group(1)
    response = session.text("process_meeting", {"path": path})
    handle = re.search(r'handle "(\w+)"', response).group(1)
    written = session.text("write_processed", {"path": path, "handle": handle, "content": RECORD})
    holds(f"Written to {path}; the original is kept in .raw/" in written, written)
    holds("\n- [ ] Look at the retries\n" in session.text("get_actions", {"owner": "me"}) + "\n", "an action is not found")
    history = session.text("get_history", {"path": path})
    commit = re.search(r"\((\w+)\)$", history, re.MULTILINE).group(1)
    holds("(redacted)" not in session.text("get_version", {"path": path, "commit": commit}), "a version is redacted")
    session.text("compare_versions", {"path": path})
    for uri in (*RESOURCES, f"note://file/{path}"):
        told = session.ask("resources/read", {"uri": uri})["contents"][0]["text"]
        holds(told.startswith("# Stand-up") or json.loads(told) is not None, f"`{uri}` tells {told}")
    print("session: notes are listed, processed, written and compared", flush=True)
    return {
        "list_notes",
        "get_actions",
        "process_meeting",
        "write_processed",
        "get_history",
        "get_version",
        "compare_versions",
    }
