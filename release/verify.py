"""Checks of a finished release: each file is unpacked in another folder and run."""

import json
import os
import pathlib
import re
import tempfile
import zlib

import archives
import builds
import bundle  # of `tests/clients`
import contents
import debian
import linux_packages
import mcpb
from cargo import WINDOWS
from failure import child, holds
from wine import Wine, drive_path

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The names of systems for display.
MEGABYTE = 1 << 20
PROGRAM_LIMIT, ARCHIVE_LIMIT = 75 * MEGABYTE, 25 * MEGABYTE
COMMAND_SECONDS = 300
SYMBOL = re.compile(r"\(?GLIBC_(\d+)\.(\d+)")
NEEDED = re.compile(r"NEEDED +(\S+)")
LIBRARY = re.compile(r"DLL Name: (\S+)")
# Libraries that every Linux with that glibc has, and every Windows.
OF_LINUX = {
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
}
OF_WINDOWS = {
    "advapi32.dll", "bcrypt.dll", "bcryptprimitives.dll", "combase.dll", "crypt32.dll", "iphlpapi.dll", "kernel32.dll",
    "msvcrt.dll", "netapi32.dll", "ntdll.dll", "ole32.dll", "oleaut32.dll", "pdh.dll", "powrprof.dll", "psapi.dll",
    "secur32.dll", "shell32.dll", "user32.dll", "userenv.dll", "ws2_32.dll",
}  # fmt: skip
OBJCOPY = {builds.LINUX: "objcopy", WINDOWS: "x86_64-w64-mingw32-objcopy"}
LAST_DAY = "2025-01-21"


def everything(dist, project, tool, into):
    debian.install({**debian.WINE, "rpm2archive": "rpm"})
    with tempfile.TemporaryDirectory(prefix="dayledger-release-") as scratch, Wine(into) as wine:
        scratch = pathlib.Path(scratch)
        programs = {}
        for archive in sorted([*dist.glob("*.tar.gz"), *dist.glob("*.zip")]):
            small(archive, ARCHIVE_LIMIT)
            archives.unpack(archive, scratch)
        for target, name in ((builds.LINUX, "dayledger"), (WINDOWS, "dayledger.exe")):
            folder = scratch / project.archive(target)
            programs[target] = folder / name
            small(programs[target], PROGRAM_LIMIT)
            without_paths(programs[target])
            auditable(programs[target], OBJCOPY[target], scratch)
            whole(folder)
        of_linux(programs[builds.LINUX])
        of_windows(programs[WINDOWS])
        same_day(programs, wine, scratch)
        installed(project, dist, programs[builds.LINUX], scratch)
        bundled(dist / mcpb.NAME, programs, tool, wine, scratch, into)


def small(path, limit):
    size = path.stat().st_size
    print(f"{path.name}: {size / MEGABYTE:.1f} MB", flush=True)
    holds(size <= limit, f"`{path.name}` has {size} bytes, and {limit} are the limit")


def without_paths(program):
    """A program doesn't contain paths of the machine that built it."""
    content = program.read_bytes()
    for place in (ROOT, pathlib.Path.home(), *map(pathlib.Path, filter(None, [os.environ.get("CARGO_HOME")]))):
        at = content.find(f"{place}/".encode())
        holds(at < 0, f"`{program.name}` names a place of this machine: {content[at : at + 100]!r}")


def auditable(program, objcopy, scratch):
    """A program contains the list of its crates."""
    section = scratch / "crates"
    child([objcopy, "--dump-section", f".dep-v0={section}", program, os.devnull], f"`{objcopy}`", COMMAND_SECONDS)
    crates = {package["name"] for package in json.loads(zlib.decompress(section.read_bytes()))["packages"]}
    holds({"datafusion", "rusqlite"} <= crates, f"the list of crates in `{program.name}` is not whole")


def whole(folder):
    """The other files of an archive exist and aren't empty."""
    names = {
        *contents.LEGAL,
        contents.BILL,
        "FIRST-STEPS.txt",
        "man/man1/dayledger.1",
        *(f"completions/{it}" for it in contents.SHELLS.values()),
    }
    found = {name for name, path in archives.files_of(folder) if path.stat().st_size > 100}
    holds(names <= found, f"`{folder.name}` lacks {sorted(names - found)}")
    crates = {component["name"] for component in json.loads((folder / contents.BILL).read_text())["components"]}
    holds({"datafusion", "rusqlite"} <= crates, f"the bill of materials of `{folder.name}` is not whole")
    licences = (folder / contents.LICENCES).read_text()
    holds("datafusion 55" in licences and "Apache License" in licences, f"the licences of `{folder.name}` are not whole")


def of_linux(program):
    said = child(["objdump", "-p", "-T", program], "`objdump`", COMMAND_SECONDS)
    needed = max(tuple(map(int, version)) for version in SYMBOL.findall(said))
    holds(needed <= tuple(map(int, builds.GLIBC.split("."))), f"the program for Linux needs glibc {needed[0]}.{needed[1]}")
    foreign = set(NEEDED.findall(said)) - OF_LINUX
    holds(not foreign, f"the program for Linux needs {foreign}")
    print(f"{builds.LINUX}: runs with glibc {needed[0]}.{needed[1]} or later", flush=True)


def of_windows(program):
    said = child(["x86_64-w64-mingw32-objdump", "-p", program], "`objdump`", COMMAND_SECONDS)
    foreign = {name.lower() for name in LIBRARY.findall(said)} - OF_WINDOWS
    foreign = {name for name in foreign if not name.startswith("api-ms-win-")}
    holds(not foreign, f"the program for Windows needs {foreign}")


def same_day(programs, wine, scratch):
    """The day of the sample data in each program. A day with fixed data is the same in both."""
    environment = {"HOME": str(scratch), "PATH": os.environ["PATH"], "TZ": "UTC"}
    of_today = ["--demo", "day"]
    linux, windows = programs[builds.LINUX], programs[WINDOWS]
    print(child([linux, *of_today], "the demo's day on Linux", COMMAND_SECONDS, environment=environment), flush=True)
    print(wine.said([windows, *of_today], "the demo's day on Windows"), flush=True)
    history = scratch / "history"
    written = ["demo", history, "--until", LAST_DAY, "--days", "3", "--no-screenshots"]
    child([linux, *written], "`dayledger demo`", COMMAND_SECONDS, environment=environment)
    asked = ["day", LAST_DAY, "--json"]
    on_linux = child([linux, "--data-dir", history, *asked], "a day on Linux", COMMAND_SECONDS, environment=environment)
    on_windows = wine.said([windows, "--data-dir", drive_path(history), *asked], "a day on Windows")
    holds(json.loads(on_linux) == json.loads(on_windows), "Linux and Windows tell a day differently")


def installed(project, dist, program, scratch):
    """The packages for Linux contain the program of the archive."""
    packages = linux_packages.names(project)
    for kind, unpack in (
        ("deb", ["dpkg-deb", "--extract", dist / packages["deb"], "."]),
        ("rpm", ["sh", "-c", 'rpm2archive --nocompression - < "$1" | tar --extract', "sh", dist / packages["rpm"]]),
    ):
        folder = scratch / kind
        folder.mkdir()
        child(unpack, f"unpacking `{packages[kind]}`", COMMAND_SECONDS, directory=folder)
        holds((folder / "usr/bin/dayledger").read_bytes() == program.read_bytes(), f"`{packages[kind]}` has another program")


def bundled(packed, programs, tool, wine, scratch, into):
    """The bundle contains the programs of the archives, and starts on both systems."""
    folder = scratch / "bundle"
    tool.run("unpack", packed, folder)
    for program in programs.values():
        holds(
            (folder / "server" / program.name).read_bytes() == program.read_bytes(), f"the bundle has another `{program.name}`"
        )
    client = bundle.Client(into)
    environment = {"HOME": str(scratch), "PATH": os.environ["PATH"]}
    history, hidden = scratch / "history", {"hide_apps": "*"}
    on_linux = client.answers(client.command(folder, {"history": str(history), **hidden}), environment)
    started = client.command(folder, {"history": drive_path(history), **hidden}, "win32", drive_path(folder))
    under_wine = {
        "command": "wine",
        "args": [started["command"], *started["args"]],
        "env": {**wine.environment, **started["env"]},
    }
    on_windows = client.answers(under_wine, environment)
    holds(on_linux["tools"] == on_windows["tools"], "the bundle offers other tools on Windows")
    print(f"{packed.name}: {packed.stat().st_size / MEGABYTE:.1f} MB, starts by its manifest on both systems", flush=True)
