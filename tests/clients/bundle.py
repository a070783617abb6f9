"""Tests the bundle for clients (`release/mcpb.py`), with the program under test. The official program packs and
unpacks the bundle. The server is started as the manifest specifies, with an empty form and with a form that is
filled in.
"""

import dataclasses
import json
import pathlib
import shutil
import subprocess
import sys

import installation
from failure import child, holds
from ways import DAY, NEXT_DAY

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "release"))

import mcpb  # noqa: E402
import project  # noqa: E402

WHEN = 1_700_000_000
EXAMPLE = dataclasses.replace(project.read(), version="0.0.0", repository="https://github.com/OWNER/dayledger")
SESSION_SECONDS = 120
# The official function that converts a manifest and a form to a command.
COMMAND = """
import { getMcpConfigForManifest } from "@anthropic-ai/mcpb";
import { readFileSync } from "node:fs";
const [folder, form, platform, extensionPath] = process.argv.slice(1);
Object.defineProperty(process, "platform", { value: platform });
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));
const options = { manifest, extensionPath, systemDirs: {}, userConfig: JSON.parse(form), pathSeparator: "/" };
process.stdout.write(JSON.stringify(await getMcpConfigForManifest(options)));
"""


class Client:
    """Installs a bundle and starts its server."""

    def __init__(self, installed):
        self.tool = mcpb.Tool(installed)
        self.packages = installed / "npm"
        self.python = installation.python(installed, "python-modern")

    def command(self, folder, form, platform=None, place=None):
        """Returns the command of the bundle in `folder` for the values of its form: `command`, `args` and `env`.
        `platform` is the name of a platform in Node, and `place` is the folder's path on that platform.
        """
        arguments = [folder, json.dumps(form), platform or sys.platform, place or folder]
        command = [self.tool.command[0], "--input-type=module", "--eval", COMMAND, "--", *arguments]
        return json.loads(child(command, "the manifest's command", SESSION_SECONDS, directory=self.packages))

    def answers(self, started, environment):
        """Returns the answers of a server that is started with this command."""
        session = [self.python, HERE / "bundle_session.py", json.dumps(started), DAY, NEXT_DAY]
        return json.loads(child(session, "the bundle's session", SESSION_SECONDS, environment=environment))


def install(installed):
    return Client(installed)


def run(client, place):
    program = place.scratch / place.dayledger.name
    shutil.copy(place.dayledger, program)
    if strip := shutil.which("strip"):
        subprocess.run([strip, program], check=True)
    packed = mcpb.pack(client.tool, {program.name: program}, {}, EXAMPLE, place.scratch, WHEN)
    folder = place.scratch / "unpacked"
    client.tool.run("unpack", packed, folder)
    holds((folder / "server" / program.name).read_bytes() == program.read_bytes(), "the unpacked program differs")

    empty = client.answers(client.command(folder, {}), place.environment)
    named = {tool["name"] for tool in json.loads((folder / "manifest.json").read_text())["tools"]}
    holds(set(empty["tools"]) == named, f"the manifest names other tools than an empty form: {named ^ set(empty['tools'])}")
    holds((folder / "icon.png").read_bytes() == (HERE.parent.parent / "release" / "icon.png").read_bytes(), "the icon differs")
    holds("cannot find a ManicTime history" in empty["usage"], f"an empty form finds a history: {empty['usage']}")

    form = {"history": str(place.history), "hide_apps": "*, nobody", "redact_titles": True, "offer_timesheet": True}
    filled = client.answers(client.command(folder, form), place.environment)
    holds(any("time_entr" in name for name in filled["tools"]), "the timesheet's tools are not listed")
    names = {row["name"] for row in json.loads(filled["usage"])["usage"]}
    holds(names == {"(hidden)"}, f"hidden applications are shown: {names}")
    print("bundle: packed, unpacked and started by its manifest, with an empty form and a filled one", flush=True)
