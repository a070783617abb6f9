"""Checks of a finished release: each file is unpacked in another folder and run."""

import json
import os
import pathlib
import re
import zlib

import archives
import contents
import debian
import linux_packages
import targets
from failure import child, holds

ROOT = pathlib.Path(__file__).resolve().parent.parent

MEGABYTE = 1 << 20
PROGRAM_LIMIT, ARCHIVE_LIMIT = 75 * MEGABYTE, 30 * MEGABYTE
COMMAND_SECONDS = 300
# For clients of a server.
ENVIRONMENT = {"PATH": os.environ["PATH"]}
SYMBOL = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
LIBRARY = re.compile(r"(?:NEEDED|DLL Name:) +(\S+)")
# The libraries that every system of a kind has.
LIBRARIES = {
    "glibc": {
        "ld-linux-aarch64.so.1", "ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0",
        "librt.so.1", "libutil.so.1",
    },
    "musl": set(),
    "windows": {
        "advapi32.dll", "bcrypt.dll", "bcryptprimitives.dll", "combase.dll", "crypt32.dll", "iphlpapi.dll", "kernel32.dll",
        "msvcrt.dll", "netapi32.dll", "ntdll.dll", "ole32.dll", "oleaut32.dll", "pdh.dll", "powrprof.dll", "psapi.dll",
        "secur32.dll", "shell32.dll", "user32.dll", "userenv.dll", "ws2_32.dll",
    },
}  # fmt: skip
# The format in which `objcopy` reads programs. It knows ELF files for other processors only under this general name.
FORMATS = {"glibc": "elf64-little", "musl": "elf64-little", "windows": "pei-x86-64"}
# How to install a package into a root directory, and how to remove it. Without another log, `dpkg` writes to the log of
# this machine. RPM knows neither the libraries of the directory nor its processor.
DPKG = ["dpkg", "--log=/dev/null", "--root={root}"]
PACKAGERS = {
    "deb": ([*DPKG, "--install", "{package}"], [*DPKG, "--remove", "dayledger"]),
    "rpm": (
        ["rpm", "--root={root}", "--install", "--nodeps", "--ignorearch", "{package}"],
        ["rpm", "--root={root}", "--erase", "dayledger"],
    ),
}
LAST_DAY = "2025-01-21"
TODAY = ["--demo", "day"]
SQL = ["sql", "--format", "csv", "-c", "SELECT count(*) AS activities, sum(seconds) AS seconds FROM activities"]


def everything(dist, project, places, client):
    """Checks the archives and packages, and returns the program of each target. `places` maps targets to their places."""
    debian.install({"rpm": "rpm"})
    programs = {target: unpacked(target, place, dist, project) for target, place in places.items()}
    same_answers(project, programs, places, client)
    for target, place in places.items():
        if target.debian:
            for kind, package in linux_packages.names(project, target).items():
                installed(kind, dist / package, place, programs[target])
    return programs


def unpacked(target, place, dist, project):
    """Unpacks the archive of a target, checks its files, and returns its program."""
    archive = dist / f"{project.archive(target)}{target.suffix}"
    small(archive, ARCHIVE_LIMIT)
    archives.unpack(archive, place.folder)
    folder = place.folder / project.archive(target)
    program = folder / target.program
    small(program, PROGRAM_LIMIT)
    without_paths(program, dist.parent)
    auditable(program, FORMATS[target.system], place.folder)
    whole(folder)
    needs_only_the_system(target, program)
    return program


def small(path, limit):
    size = path.stat().st_size
    print(f"{path.name}: {size / MEGABYTE:.1f} MB", flush=True)
    holds(size <= limit, f"`{path.name}` has {size} bytes, and {limit} are the limit")


def without_paths(program, into):
    """A program doesn't contain paths of the machine that built it, in the folder `into`."""
    content = program.read_bytes()
    for place in (ROOT, into, pathlib.Path.home(), *map(pathlib.Path, filter(None, [os.environ.get("CARGO_HOME")]))):
        at = content.find(f"{place}/".encode())
        holds(at < 0, f"`{program.name}` names a place of this machine: {content[at : at + 100]!r}")


def auditable(program, form, scratch):
    """A program contains the list of its crates."""
    section = scratch / "crates"
    child(["objcopy", "-I", form, "--dump-section", f".dep-v0={section}", program, os.devnull], "`objcopy`", COMMAND_SECONDS)
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


def needs_only_the_system(target, program):
    """A program needs only libraries that its system has, in versions that old systems have."""
    said = child(["objdump", "-p", program], "`objdump`", COMMAND_SECONDS)
    needed = {name.lower() for name in LIBRARY.findall(said)}
    foreign = {name for name in needed - LIBRARIES[target.system] if not name.startswith("api-ms-win-")}
    holds(not foreign, f"the program for {target.triple} needs {foreign}")
    holds(bool(needed) == bool(LIBRARIES[target.system]), f"`objdump` doesn't list the libraries for {target.triple}")
    if target.system == "glibc":
        version = max(tuple(map(int, version)) for version in SYMBOL.findall(said))
        found = ".".join(map(str, version))
        holds(version <= tuple(map(int, targets.GLIBC.split("."))), f"the program for {target.triple} needs glibc {found}")
        print(f"{target.triple}: runs with glibc {found} or later", flush=True)


def same_answers(project, programs, places, client):
    """Each program shows the day of its sample data. The answers about fixed data are the same in all of them."""
    answers = {}
    for target, program in programs.items():
        place, name = places[target], f"`dayledger` for {target.triple}"
        version = place.said([program, "--version"], f"the version of {name}").split()[-1]
        holds(version == project.version, f"{name} says version {version}, and `Cargo.toml` says {project.version}")
        print(place.said([program, *TODAY], f"the demo's day in {name}"), flush=True)
        history = place.path(place.folder / "history")
        place.said([program, "demo", history, "--until", LAST_DAY, "--days", "3", "--no-screenshots"], f"`demo` in {name}")
        fixed = [program, "--data-dir", history]
        day = place.said([*fixed, "day", LAST_DAY, "--json"], f"a day in {name}")
        rows = place.said([*fixed, *SQL], f"a statement in {name}").splitlines()
        server = client.answers(place.start([place.path(program), *fixed[1:], "serve"]), ENVIRONMENT)
        # Without this, two programs that find nothing would give the same answers.
        found = json.loads(server["usage"]).get("usage") and not rows[-1].startswith("0,")
        holds(found, f"{name} finds no activities: the server answers {server['usage']}, and the statement {rows}")
        answers[target.triple] = {"day": json.loads(day), "rows": rows, "server": server}
        print(f"{target.triple}: runs, answers a statement, and starts as a server", flush=True)
    expected = next(iter(answers.values()))
    for triple, answer in answers.items():
        differing = [name for name in expected if answer[name] != expected[name]]
        holds(not differing, f"the programs answer differently: {differing} for {triple}")
    if len(answers) > 1:
        print(f"the programs for {len(answers)} targets give the same answers", flush=True)


def installed(kind, package, place, program):
    """A package installs the program of the archive, which runs, and removes all its files."""
    install, remove = ([word.format(root=place.folder, package=package) for word in command] for command in PACKAGERS[kind])
    child(install, f"installing `{package.name}`", COMMAND_SECONDS)
    found = place.folder / "usr" / "bin" / "dayledger"
    holds(found.read_bytes() == program.read_bytes(), f"`{package.name}` has another program")
    place.said([found, *TODAY], f"the demo's day in `{package.name}`")
    child(remove, f"removing `{package.name}`", COMMAND_SECONDS)
    left = list((place.folder / "usr").rglob("*dayledger*"))
    holds(not left, f"`{package.name}` leaves files when it is removed: {left}")
    print(f"{package.name}: installed, run and removed", flush=True)


def bundled(packed, programs, places, client):
    """The bundle contains the programs of the archives, and starts on both systems."""
    tools = {}
    for target, platform in zip(targets.BUNDLED, ("linux", "win32"), strict=True):
        place = places[target]
        folder, history = place.folder / "bundle", place.folder / "history"
        client.tool.run("unpack", packed, folder)
        program = folder / "server" / target.program
        holds(program.read_bytes() == programs[target].read_bytes(), f"the bundle has another `{target.program}`")
        form = {"history": str(place.path(history)), "hide_apps": "*"}
        command = client.command(folder, form, platform, str(place.path(folder)))
        start = place.start([command["command"], *command["args"]])
        answers = client.answers({**start, "env": {**start["env"], **command["env"]}}, ENVIRONMENT)
        names = {row["name"] for row in json.loads(answers["usage"]).get("usage", [])}
        holds(names == {"(hidden)"}, f"the bundle for {platform} doesn't use its settings: {answers['usage']}")
        tools[platform] = answers["tools"]
    holds(tools["linux"] == tools["win32"], "the bundle offers other tools on Windows")
    print(f"{packed.name}: {packed.stat().st_size / MEGABYTE:.1f} MB, starts by its manifest on both systems", flush=True)
