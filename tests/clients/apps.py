"""Runs the checks of apps in a chat. Opens the server's apps in a browser, with a host that is made with the
official kit.
"""

import pathlib

import browser
import installation
from failure import Failure, child
from surroundings import environment

SCRIPT = pathlib.Path(__file__).with_name("apps_chat.py")
KIT = pathlib.PurePath("@modelcontextprotocol/ext-apps/dist/src/app-bridge.js")
SECONDS = 300


def install(installed):
    found = browser.program()
    if not found:
        raise Failure(f"there is no browser; install one of {', '.join(browser.NAMES)}, or choose others with `--only`")
    _, kit = installation.npm_package(installed, KIT)
    modules = kit.parents[len(KIT.parts) - 1]
    return [installation.python(installed, "browser"), SCRIPT, found, modules, installed / "apps"]


def run(command, place):
    home = environment(place.scratch / "apps")
    program = place.server[:-1]
    projects = place.scratch / "projects-of-apps.csv"
    projects.write_text(browser.PROJECTS)
    child([*program, "timesheet", "projects", "import", projects], "the projects", 60, environment=home)
    # The browser stores its profile and its sockets below these folders.
    home["TMPDIR"] = str(place.scratch)
    server = [*place.server, "--toolsets", "activity,timesheet"]
    child([*command, *server], "the apps in a chat", SECONDS, shown=True, environment=home)
