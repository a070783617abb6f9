"""Lists the tests that aren't run under Wine, with reasons.

Tests that don't apply to Windows are marked in the sources: `#[cfg(unix)] // why` before a test or a module of tests.
Tests that fail only under Wine are listed here.
"""

import pathlib
import re

from failure import Failure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ("src", "crates", "tests", "fleet", "notes", "timesheet", "udfs", "fixtures")

# The reasons by the name of the test, in the form in which the test program prints it.
BY_WINE = {
    "cli::report::path_of_the_page_is_printed_if_no_browser_can_be_opened": "Wine's own explorer does not end where there is no screen",
}

CONDITION = re.compile(r"^\s*#!?\[cfg\((?P<systems>(?:all\()?(?:unix|not\(windows\)|target_os = \"linux\").*)\)\](?:\s*//\s*(?P<why>.+))?$")
ATTRIBUTE = re.compile(r"^\s*(#\[|//)")
TEST = re.compile(r"^\s*(?:pub(?:\(crate\))? )?(?:async )?(?P<kind>fn|mod) (?P<name>\w+)")


def by_sources():
    """Returns the tests and modules of tests that are built only for other systems, each with its reason."""
    found = []
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            found += of_file(path)
    return found


def of_file(path):
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        condition = CONDITION.match(line)
        if not condition:
            continue
        place = path.relative_to(ROOT)
        if line.startswith("#!"):
            yield f"{place}: all", why(condition, place, number)
            continue
        # Finds the item after the condition. More attributes may be in between.
        end = next((n for n in range(number + 1, len(lines)) if not ATTRIBUTE.match(lines[n])), None)
        item = TEST.match(lines[end]) if end is not None else None
        attributes = lines[number:end] + (lines[number - 1 : number] if number else [])
        is_test = item and (any("test]" in it or "test(" in it for it in attributes) or is_test_module(path, item))
        if is_test:
            yield f"{place}: {item['name']}", why(condition, place, number)


def is_test_module(path, item):
    parts = path.relative_to(ROOT).parts
    return item["kind"] == "mod" and ("tests" in parts)


def why(condition, place, number):
    if not condition["why"]:
        raise Failure(f"`{place}`, line {number + 1}: a test is skipped on Windows without a reason")
    return condition["why"]
