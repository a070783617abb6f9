"""Generates calls for every tool, prompt and resource from the server's lists. A new tool is called without a change
here, unless its arguments are of a new kind.
"""

import re

from failure import Failure

# A Monday inside the history that `run.py` generates.
DAY, NEXT_DAY = "2025-01-20", "2025-01-21"
# Arguments whose valid values can't be expressed in a schema.
KNOWN = {
    "about": "Visual Studio Code",
    "words": "github",
    "startDate": DAY,
    "endDate": NEXT_DAY,
    "date": DAY,
    "datetime": f"{DAY}T10:00",
    "sql": f"SELECT date, active_seconds FROM day_summary('{DAY}', '{NEXT_DAY}')",
}
RANGES = {
    "two weeks": ("2025-01-06", "2025-01-20"),
    "an hour and a half": (f"{DAY}T09:30", f"{DAY}T11:00:00"),
    "a year without data": ("2030-01-01", "2030-01-02"),
}
# The fields of a filter. A filter matches a part of a name, so any text is valid.
PARTS = ["application", "site", "document", "tag", "project", "text"]
# Arguments that accept any text. Any words can be searched for. An error in a statement contains its position instead
# of the argument's name.
FREE_TEXT = ["about", "words", "sql"]
# The argument for a screenshot's id, which comes from another result. This history has no screenshots.
OF_A_SCREENSHOT = "screenshotRef"
# A number that is larger than every maximum, and doesn't fit into 32 bits.
VERY_MANY = 10**10


class Ways:
    """Generates correct and incorrect calls of tools, for the timelines and devices of one history."""

    def __init__(self, timelines):
        self.values = {
            "timelineId": [timeline["id"] for timeline in timelines],
            "name": ["narrative", "tags", "today"],
            "device": sorted({timeline["device"] for timeline in timelines if "device" in timeline}),
            "compareTo": ["previous", "2025-01"],
            "filter": [{part: value} for part in PARTS for value in ("e", "nothing of the kind")],
        }

    def plain(self, tool):
        """Returns the arguments of a correct call that has only the required arguments."""
        return {name: self.value(name) for name in tool["inputSchema"].get("required", [])}

    def value(self, name):
        """Returns a valid value for an argument of a tool or prompt, or for a variable of a template."""
        if name in KNOWN:
            return KNOWN[name]
        if name in self.values:
            return self.values[name][0]
        raise Failure(f"no value is known for the argument `{name}`; add it to `ways.py`")

    def right(self, tool):
        """Yields calls that must succeed, each with a description."""
        plain = self.plain(tool)
        properties = tool["inputSchema"]["properties"]
        yield "the required arguments", plain
        if "startDate" in properties and "endDate" in properties:
            for what, (start, end) in RANGES.items():
                yield what, {**plain, "startDate": start, "endDate": end}
        for name, schema in properties.items():
            for value in self.right_values(name, schema):
                yield f"`{name}` = {value!r}", {**plain, name: value}
        yield "everything optional as null", {**{name: None for name in properties}, **plain}

    def right_values(self, name, schema):
        if "enum" in schema:
            return schema["enum"]
        if schema["type"] == "boolean":
            return [not schema.get("default", False)]
        if name in self.values:
            return self.values[name]
        if name in KNOWN or name == "cursor":
            return []
        if schema["type"] in ("integer", "number"):
            # A number above the maximum is accepted and reduced to the maximum.
            return [schema["minimum"], VERY_MANY]
        return [self.value(name)]

    def wrong(self, tool):
        """Yields calls that must be rejected, each with a description and the argument that the error must contain."""
        plain = self.plain(tool)
        yield "an unknown argument", "nonsense", {**plain, "nonsense": 1}
        for name in plain:
            yield f"no `{name}`", name, {key: value for key, value in plain.items() if key != name}
        for name, schema in tool["inputSchema"]["properties"].items():
            for what, value in wrong_values(name, schema):
                yield f"`{name}` is {what}", name, {**plain, name: value}

    def prompt(self, prompt):
        """Returns valid arguments for a prompt, as text."""
        return {argument["name"]: str(self.value(argument["name"])) for argument in prompt.get("arguments", [])}


def can_be_asked(tool):
    """Whether the history contains the values that a tool's arguments need."""
    return OF_A_SCREENSHOT not in tool["inputSchema"]["properties"]


def wrong_values(name, schema):
    yield "an array", [1]
    if schema["type"] != "object":
        yield "an object", {"nested": {}}
    if schema["type"] != "string":
        yield "text", "nonsense"
    else:
        yield "a number", 7
    if name not in FREE_TEXT and schema["type"] == "string" and schema.get("default") is None or "enum" in schema:
        yield "nonsense", "nonsense"
    if "minimum" in schema:
        yield "below its minimum", schema["minimum"] - 1


def is_code(text):
    """Whether `text` has the form of an error code."""
    return re.fullmatch(r"[A-Z]+(_[A-Z]+)*", text) is not None
