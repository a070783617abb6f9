"""Installs the clients in the versions that `packages/` specifies. Each client has its own folder. Only Python comes
from this machine.
"""

import os
import pathlib
import shutil
import sys
import sysconfig
import threading

from failure import Failure, child

PACKAGES = pathlib.Path(__file__).resolve().parent / "packages"
INSTALL_SECONDS = 300
NETWORK_SECONDS = "20"
OFFLINE = (
    "packages are loaded from the package registries (PyPI, npm) on the first run; "
    "this machine seems to be offline, or the registries refuse"
)
# The locks of folders. Several checks share a folder, and the first check that needs the folder installs it.
INSTALLING = {}
NPM_FILES = ("package.json", "package-lock.json", ".npmrc")


def python(installed, name, packages=PACKAGES):
    """Returns the interpreter of a virtual environment with the packages of `packages/NAME.txt`."""
    requirements = packages / f"{name}.txt"
    folder = installed / name

    def install():
        child([sys.executable, "-m", "venv", folder], f"making the virtual environment `{folder}`", INSTALL_SECONDS)
        pip = [program(folder, "python"), "-m", "pip", "--disable-pip-version-check", "install"]
        pip += ["--quiet", "--no-compile", "--retries", "1", "--timeout", NETWORK_SECONDS]
        fetch([*pip, "--requirement", requirements], requirements)

    once(folder, requirements.read_text(), install)
    return program(folder, "python")


def npm_package(installed, path):
    """Returns the start of a command: Node, and the file at `path` of the packages of `packages/package-lock.json`."""
    folder = installed / "npm"
    lock = PACKAGES / "package-lock.json"

    def install():
        folder.mkdir()
        for name in NPM_FILES:
            shutil.copy(PACKAGES / name, folder / name)
        npm = [program(node.parent.parent, "npm"), "ci", "--fetch-retries=1", f"--fetch-timeout={NETWORK_SECONDS}000"]
        fetch(npm, lock, environment=with_node(node), directory=folder)

    node = program(python(installed, "node").parent.parent, "node")
    once(folder, "".join((PACKAGES / name).read_text() for name in NPM_FILES), install)
    return [node, folder / "node_modules" / path]


def with_node(node):
    """Returns the environment of this process, with the folder of this Node first in the path."""
    return {**os.environ, "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}


def program(environment, name):
    """Returns the path of a program in a virtual environment."""
    folder = environment / ("Scripts" if sysconfig.get_platform().startswith("win") else "bin")
    for suffix in ("", ".exe", ".cmd"):
        if (folder / f"{name}{suffix}").exists():
            return folder / f"{name}{suffix}"
    raise Failure(f"`{environment}` holds no `{name}`; remove the folder and run again")


def once(folder, pins, install):
    """Runs `install`, unless `folder` is a complete installation from the same pinned versions."""
    mark = folder / "installed-from"
    with INSTALLING.setdefault(folder, threading.Lock()):
        if mark.is_file() and mark.read_text() == pins:
            return
        shutil.rmtree(folder, ignore_errors=True)
        print(f"installing {folder.name}", flush=True)
        install()
        mark.write_text(pins)


def fetch(command, pins, **how):
    """Runs a command that downloads packages. Reports a failure with the name of the list of packages."""
    try:
        child(command, f"loading the packages of `{pins.name}`", INSTALL_SECONDS, **how)
    except Failure as failure:
        first, *details = str(failure).splitlines()
        raise Failure("\n".join([first, *details[-5:], OFFLINE])) from None
