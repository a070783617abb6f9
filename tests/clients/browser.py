"""The class of checks that a browser makes: pages of `dayledger report`, opened as a person opens them."""

import os
import pathlib
import shutil

import installation
from failure import Failure, child

SCRIPT = pathlib.Path(__file__).with_name("browser_pages.py")
# The machine's own: browsers are in no registry of packages that the other clients come from.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
SECONDS = 240
# A day with a meeting on a second device, a week with a day off, a month, and the same month for a client.
PAGES = {
    "day": ("--from", "2025-01-20"),
    "week": ("--from", "2025-W03"),
    "month": ("--from", "2024-12-20", "--to", "2025-01-20"),
    "client": ("--from", "2024-12-20", "--to", "2025-01-20", "--for-client", "--tag", "Northwind Ltd"),
}


def program():
    """The first browser that the machine has; `None` where it has none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install(installed):
    browser = program()
    if not browser:
        raise Failure(f"there is no browser; install one of {', '.join(NAMES)}, or choose others with `--only`")
    return [installation.python(installed, "browser"), SCRIPT, browser, installed / "pages"]


def run(command, place):
    program = [*place.server[:-1], "report"]
    pages = []
    for name, arguments in PAGES.items():
        pages.append(place.scratch / f"{name}.html")
        child([*program, *arguments, "--out", pages[-1]], f"the page of a {name}", 60, environment=place.environment)
    # A browser keeps its profile and its sockets below these.
    environment = {**os.environ, "HOME": place.environment["HOME"], "TMPDIR": str(place.scratch)}
    child([*command, *pages], "the pages in a browser", SECONDS, shown=True, environment=environment)
