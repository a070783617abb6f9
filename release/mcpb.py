"""The bundle for clients (MCPB): one file with a program for each system, and a form for their settings."""

import json
import pathlib
import shutil

import archives
import installation
from failure import child

HERE = pathlib.Path(__file__).resolve().parent
# The tools of a server without settings. A test compares each file with the server's answer.
TOOLS = HERE.parent / "tests" / "mcp" / "snapshots" / "tools"

NAME = "dayledger.mcpb"
TOOL = "@anthropic-ai/mcpb/dist/cli/cli.js"
PACK_SECONDS = 600


class Tool:
    """The official program for bundles."""

    def __init__(self, installed):
        self.command = installation.npm_package(installed, TOOL)

    def run(self, command, *arguments):
        return child([*self.command, command, *arguments], f"`mcpb {command}`", PACK_SECONDS)


def listed_tools():
    """The name and the description of each tool that is offered by default."""
    texts = [path.read_text().split("---\n", 2)[-1] for path in sorted(TOOLS.glob("*.snap"))]
    return [{name: entry[name] for name in ("name", "description")} for entry in map(json.loads, texts)]


def links(project):
    """The addresses that a client shows with the bundle. There are none while the repository's address is a placeholder."""
    if not project.has_address:
        return {}
    return {
        "repository": {"type": "git", "url": project.repository},
        "homepage": project.repository,
        "documentation": project.page("docs/assistant.md"),
        "support": project.support,
        "privacy_policies": [project.privacy_policy],
    }


def manifest(project):
    """The manifest of the bundle."""
    fixed = json.loads((HERE / "manifest.json").read_text())
    return {**fixed, "version": project.version, **links(project), "tools": listed_tools()}


def pack(tool, programs, others, project, into, when):
    """Packs `programs` and `others`, which map names in the bundle to paths, and returns the bundle."""
    folder = into / "bundle"
    shutil.rmtree(folder, ignore_errors=True)
    for name, path in {**{f"server/{name}": path for name, path in programs.items()}, **others}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    shutil.copy(HERE / "icon.png", folder)
    (folder / "manifest.json").write_text(json.dumps(manifest(project), indent=2) + "\n")
    tool.run("validate", folder / "manifest.json")
    bundle = into / NAME
    bundle.unlink(missing_ok=True)
    tool.run("pack", folder, bundle)
    archives.without_times(bundle, when)
    return bundle
