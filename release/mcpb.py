"""The bundle for clients (MCPB): one file with a program for each system, and a form for their settings."""

import json
import pathlib
import shutil

import archives
import installation
from failure import child

HERE = pathlib.Path(__file__).resolve().parent

NAME = "dayledger.mcpb"
TOOL = "@anthropic-ai/mcpb/dist/cli/cli.js"
PACK_SECONDS = 600


class Tool:
    """The official program for bundles."""

    def __init__(self, installed):
        self.command = installation.npm_package(installed, TOOL)

    def run(self, command, *arguments):
        return child([*self.command, command, *arguments], f"`mcpb {command}`", PACK_SECONDS)


def pack(tool, programs, others, version, into, when):
    """Packs `programs` and `others`, which map names in the bundle to paths, and returns the bundle."""
    folder = into / "bundle"
    shutil.rmtree(folder, ignore_errors=True)
    for name, path in {**{f"server/{name}": path for name, path in programs.items()}, **others}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    manifest = json.loads((HERE / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "version": version}, indent=2) + "\n")
    tool.run("validate", folder / "manifest.json")
    bundle = into / NAME
    bundle.unlink(missing_ok=True)
    tool.run("pack", folder, bundle)
    archives.without_times(bundle, when)
    return bundle
