"""The ways in which every tool, prompt and resource is asked, made from what the server lists: a new tool is asked
without a change here, as long as its arguments are of a known kind."""

import re

from failure import Failure

# A Monday inside the history that `run.py` makes.
DAY, NEXT_DAY = "2025-01-20", "2025-01-21"
# Arguments that a schema cannot tell the right values of.
KNOWN = {
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
# A filter has a part of a name, which may be any.
PARTS = ["application", "site", "document", "tag", "project", "text"]
# What leads to one screenshot comes from an answer, and this history has none.
OF_A_SCREENSHOT = "screenshotRef"
# Beyond every cap, and beyond 32 bits.
VERY_MANY = 10**10


class Ways:
    """The right and the wrong calls of tools, over the timelines and devices of one history."""

    def __init__(self, timelines):
        self.values = {
            "timelineId": [timeline["id"] for timeline in timelines],
            "name": ["narrative", "tags", "today"],
            "device": sorted({timeline["device"] for timeline in timelines if "device" in timeline}),
            "compareTo": ["previous", "2025-01"],
            "filter": [{part: value} for part in PARTS for value in ("e", "nothing of the kind")],
        }

    def plain(self, tool):
        """A right call with the required arguments alone."""
        return {name: self.value(name) for name in tool["inputSchema"].get("required", [])}

    def value(self, name):
        """A right value for an argument of a tool or prompt, or for a variable of a template."""
        if name in KNOWN:
            return KNOWN[name]
        if name in self.values:
            return self.values[name][0]
        raise Failure(f"no value is known for the argument `{name}`; add it to `ways.py`")

    def right(self, tool):
        """Calls that must be answered, each with what is particular about it."""
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
            # A number above its cap is clamped, whatever it is.
            return [schema["minimum"], VERY_MANY]
        return [self.value(name)]

    def wrong(self, tool):
        """Calls that must be refused, each with what is wrong and the argument that the refusal must name."""
        plain = self.plain(tool)
        yield "an unknown argument", "nonsense", {**plain, "nonsense": 1}
        for name in plain:
            yield f"no `{name}`", name, {key: value for key, value in plain.items() if key != name}
        for name, schema in tool["inputSchema"]["properties"].items():
            for what, value in wrong_values(name, schema):
                yield f"`{name}` is {what}", name, {**plain, name: value}

    def prompt(self, prompt):
        """The right arguments of a prompt, as text."""
        return {argument["name"]: str(self.value(argument["name"])) for argument in prompt.get("arguments", [])}


def can_be_asked(tool):
    """Whether the history holds what a tool's arguments have to name."""
    return OF_A_SCREENSHOT not in tool["inputSchema"]["properties"]


def wrong_values(name, schema):
    yield "an array", [1]
    if schema["type"] != "object":
        yield "an object", {"nested": {}}
    if schema["type"] != "string":
        yield "text", "nonsense"
    else:
        yield "a number", 7
    # A mistake in a statement has a place in it; that it is one of `sql` needs no word.
    if name != "sql" and schema["type"] == "string" and schema.get("default") is None or "enum" in schema:
        yield "nonsense", "nonsense"
    if "minimum" in schema:
        yield "below its minimum", schema["minimum"] - 1


def is_code(text):
    """Whether `text` has the form of an error's code."""
    return re.fullmatch(r"[A-Z]+(_[A-Z]+)*", text) is not None
