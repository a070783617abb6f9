"""Runs the checks of pages: opens the pages of `dayledger report` in a browser."""

import os
import pathlib
import shutil

import installation
from failure import Failure, child, outcome
from surroundings import environment

SCRIPT = pathlib.Path(__file__).with_name("browser_pages.py")
# The names of browsers that may be installed. The other clients' package registries don't contain a browser.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
SECONDS = 240
# The pages: a day with a meeting on a second device, a week, a month, and the last weeks of the month for a client.
PAGES = {
    "day": ("--from", "2025-01-20"),
    "week": ("--from", "2025-W03"),
    "month": ("--from", "2024-12-20", "--to", "2025-01-20"),
    "client": ("--from", "2025-01-01", "--to", "2025-01-20", "--for-client", "--tag", "Northwind Ltd"),
}
# The page of a quick run. It has all sections that are possible without a timesheet.
QUICK_PAGE = "week"
# The projects to which hours are logged. Then the pages are created again, with logged hours.
PROJECTS = """code,name,task
NORTHWIND,Northwind Ltd,Billing
NORTHWIND,,Customer portal
HARBOUR,Harbour Foods,Stock
HARBOUR,,Forecast
"""


def program():
    """Returns the path of the first installed browser, or `None`."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install(installed):
    browser = program()
    if not browser:
        raise Failure(f"there is no browser; install one of {', '.join(NAMES)}, or choose others with `--only`")
    return [installation.python(installed, "browser"), SCRIPT, browser, installed / "pages"]


def log_month(place, environment):
    """Logs a month's draft for two clients. Time of other clients is rejected, because it has no project."""
    timesheet = [*place.server[:-1], "timesheet"]
    projects = place.scratch / "projects.csv"
    projects.write_text(PROJECTS)
    child([*timesheet, "projects", "import", projects], "the projects", 60, environment=environment)
    outcome([*timesheet, "log", "2025-01", "--yes"], "the logged month", 120, environment=environment)
    child([*timesheet, "submit", "2025-W03"], "the logged week", 60, environment=environment)


def run(command, place):
    program = [*place.server[:-1], "report"]
    pages = []

    def write(name, arguments, environment):
        pages.append(place.scratch / f"{name}.html")
        child([*program, *arguments, "--out", pages[-1]], f"the page `{name}`", 60, environment=environment)

    if place.is_quick:
        write(QUICK_PAGE, PAGES[QUICK_PAGE], place.environment)
    else:
        for name, arguments in PAGES.items():
            write(name, arguments, place.environment)
        logged = environment(place.scratch / "logged")
        log_month(place, logged)
        for name, arguments in PAGES.items():
            write(f"logged-{name}", arguments, logged)
    # The browser stores its profile and its sockets below these folders.
    browsing = {**os.environ, "HOME": place.environment["HOME"], "TMPDIR": str(place.scratch)}
    child([*command, *pages], "the pages in a browser", SECONDS, shown=True, environment=browsing)
